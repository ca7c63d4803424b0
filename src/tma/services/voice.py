"""What a command that runs for long says on standard error, at once and each line once (CLI-1)."""

import sys

from tma.core.text import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime


class Voice:
    """Says the notes of a runtime while the command goes on."""

    def __init__(self, runtime: "Runtime") -> None:
        """Start with nothing said."""
        self._runtime = runtime
        self._said: set[str] = set()

    def tell(self) -> None:
        """Say the notes that were not said before."""
        for note in self._runtime.notes:
            if note not in self._said:
                self._said.add(note)
                self.say(note)
        self._runtime.notes.clear()

    def say(self, line: str) -> None:
        """Say a line; a standard error that cannot be written to is nobody's business."""
        try:
            sys.stderr.write(f"tma: {clean(line)}\n")
            sys.stderr.flush()
        except OSError:
            return
