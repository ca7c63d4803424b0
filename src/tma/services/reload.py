"""Reading configuration and manifests again while a command runs: all of it, or none (CFG-9 to CFG-12)."""

from tma.adapters import system
from tma.core.errors import ConfigError, TmaError
from tma.services import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.cache import Document
    from tma.services.runtime import Runtime


class Reload:
    """Keeps a runtime's document as its files are; the server and the tmux program stay (CFG-12)."""

    def __init__(self, runtime: "Runtime") -> None:
        """Start from the document in use."""
        self._runtime = runtime
        self._said = ""

    def refresh(self) -> str:
        """Take over what the files say now; the line to say where that failed anew, else ""."""
        found, trouble = self._read()
        if found is not None and not trouble:
            self._runtime.adopt(found)
        line = f"reload failed: {trouble}; keeping the last good pair" if trouble else ""
        again, self._said = line == self._said, line
        return "" if again else line

    @property
    def is_broken(self) -> bool:
        """Whether the files could not be used when they were last read."""
        return bool(self._said)

    def _read(self) -> "tuple[Document | None, str]":
        options = self._runtime.options
        try:
            found = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=system.environment())
        except ConfigError as error:
            return None, str(error)
        except TmaError as error:
            return None, f"manifests: {error}"
        known = {path for path, _ in self._runtime.document.skipped}
        broken = next((f"manifests: {path}: {reason}" for path, reason in found.skipped if path not in known), "")
        return found, broken
