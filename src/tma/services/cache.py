"""The compiled configuration: settings and agents as one JSON document, proved before it is used (PTH-16).

A cache file is one line and one document::

    CRC32 LENGTH {"made_by":[engine, package, cache],"sources":[...],"homes":[...]}
    {"settings":{...},"agents":[...],"skipped":[...],"config_error":""}

1. The checksum and the length cover everything after them.
2. It must be made by this engine, package and cache version.
3. ``sources`` are the signatures of every file and directory that was read, absent ones too,
   the roots first; each must be as it was.
4. ``homes`` are the directories of those files; none may have become world-writable.
5. Anything else, and any error, means: build it anew from the sources, and try to keep it.

With neither a configuration nor a directory of manifests there is nothing to build: the
document of the bundled agents is a module of the package, which Python reads in a third of the time
and without the shared libraries that JSON and a checksum need.
"""

import posix

from tma import __version__
from tma.adapters import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from tma.core.settings import Settings

ENGINE_VERSION = [0, 6, 0]
"""Equal to ``core.detect.manifest.ENGINE_VERSION``, which is too much to load here."""

CACHE_VERSION = 3

PREBUILT = f"{__file__.rpartition('/')[0]}/prebuilt.py"
"""The document of the bundled agents and the default settings, as a module."""

before_bundled: "Callable[[], object]" = bool
"""Called before the package's own document is imported, by whoever has a shorter way to load it."""

MADE_BY = [ENGINE_VERSION, __version__, CACHE_VERSION]
_LIMIT = 64 << 20


class Options:
    """What the global options and the environment chose (GLO-1 to GLO-5)."""

    __slots__ = ("client", "config", "debug_timing", "manifest_dir", "socket_name", "socket_path")

    def __init__(self) -> None:
        """Start with nothing chosen."""
        self.socket_name = ""
        self.socket_path = ""
        self.manifest_dir = ""
        self.config = ""
        self.client = ""
        self.debug_timing = False


class Document:
    """What a command works with: the settings, the plain manifests in order, and what was left out.

    ``skipped`` holds [path, reason] of each manifest file that could not be used (MAN-SET-3).
    ``status_line`` is the format by which the server counts its status line.
    """

    __slots__ = ("_env", "_plain", "_settings", "agents", "skipped", "status_line")

    def __init__(self, plain: "dict[str, Any]", env: "Mapping[str, str]") -> None:
        """Read the plain document under an environment."""
        self._plain: dict[str, Any] = plain["settings"]
        self._env = env
        self._settings: Settings | None = None
        self.agents: list[dict[str, Any]] = plain["agents"]
        self.skipped: list[list[str]] = plain["skipped"]
        self.status_line: str = plain.get("status_line", "")

    @property
    def settings(self) -> "Settings":
        """The configuration; made when first asked for, since an event asks for nothing but the binary."""
        if self._settings is None:
            from tma.core.settings import Settings

            self._settings = Settings(self._plain, self._env)
        return self._settings

    @property
    def contents(self) -> "tuple[object, ...]":
        """All that it says, to compare with another of the same environment."""
        return self._plain, self.agents, self.skipped

    @property
    def rings_from_event(self) -> bool:
        """Whether a hook tells of its event itself; every hook asks, so no settings are made (HOOK-12)."""
        return rings_from_event(self._env, configured=bool(self._plain["notify"]["from_event"]))

    @property
    def tmux_bin(self) -> str:
        """The configured tmux, "" for none."""
        return self._plain["tmux"]["bin"] or ""

    @property
    def remote(self) -> frozenset[str]:
        """The commands of REM-4; an event whose pane is in doubt asks, and needs no settings otherwise."""
        from tma.core.names import remote_commands

        return remote_commands(self._plain["remote"])


def load(*, config_path: str = "", manifest_dir: str = "", hook: bool = False, env: "Mapping[str, str]") -> Document:
    """The document of the chosen or the usual configuration and manifests; an empty text chooses none.

    A hook works on with the defaults where the configuration is broken (CFG-5).

    Raises:
        ConfigError: the configuration is broken, and this is no hook.
        ManifestError: a bundled manifest is broken, or the chosen directory cannot be read.
    """
    roots = [config_path or files.config_file(env), manifest_dir or files.agents_dir(env)]
    plain = _plain(roots, env, only=bool(manifest_dir))
    if plain["config_error"] and not hook:
        from tma.core.errors import ConfigError

        raise ConfigError(plain["config_error"])
    return Document(plain, env)


def rings_from_event(env: "Mapping[str, str]", *, configured: bool) -> bool:
    """What the environment makes of the setting of that name (HOOK-12)."""
    chosen = env.get("TMA_NOTIFY_FROM_EVENT")
    return configured if chosen is None else chosen == "1"


def seal(document: "dict[str, Any]", sources: list[files.Signature], homes: list[str]) -> bytes:
    """The content of a cache file."""
    from tma.core import jsontext

    head = {"made_by": MADE_BY, "sources": sources, "homes": homes}
    rest = f"{jsontext.compact_ascii(head)}\n{jsontext.compact_ascii(document)}\n".encode()
    return sealed(rest)


def sealed(rest: bytes) -> bytes:
    """Bytes behind their checksum and length."""
    import binascii

    return b"%08x %d %s" % (binascii.crc32(rest), len(rest), rest)


def checked(content: bytes) -> bytes:
    """What ``sealed`` was given.

    Raises:
        ValueError: the content is not what was sealed.
    """
    import binascii

    checksum, length, rest = content.split(b" ", 2)
    if int(length) != len(rest) or int(checksum, 16) != binascii.crc32(rest):
        message = "damaged"
        raise ValueError(message)
    return rest


def proved(content: bytes, roots: list[str]) -> "dict[str, Any] | None":
    """The document of a cache file, or None where anything about it or its sources is not as it must be."""
    from tma.core import jsontext

    try:
        first, _, document = checked(content).decode().partition("\n")
        head: Any = jsontext.parse(first)
        if head["made_by"] != MADE_BY or [source[0] for source in head["sources"][: len(roots)]] != roots:
            return None
        if any(files.signature(source[0]) != source for source in head["sources"]):
            return None
        if any(map(files.is_world_writable, head["homes"])):
            return None
        plain: dict[str, Any] = jsontext.parse(document)  # type: ignore[assignment]
    except (ValueError, LookupError, TypeError, OSError):
        return None
    return plain


def _plain(roots: list[str], env: "Mapping[str, str]", *, only: bool) -> "dict[str, Any]":
    if not only and all(files.is_absent(files.signature(root)) for root in roots):
        own = bundled()
        if own is not None:
            return own
    signed = roots if only else [PREBUILT, *roots]
    name = files.short_hash("\0".join(signed)) + ".json"
    directory = files.cache_dir(env)
    plain = proved(get(directory, name), signed)
    return _built(signed, directory, name, only=only) if plain is None else plain


def _built(signed: list[str], directory: str, name: str, *, only: bool) -> "dict[str, Any]":
    from tma.services import loading

    own = None if only else bundled()
    built = loading.build(signed, only=only, bundled=own["agents"] if own else None)
    if built.lasting:
        put(directory, name, seal(built.document, built.sources, built.homes))
    return built.document


def bundled() -> "dict[str, Any] | None":
    """The package's own document; None where it is missing, damaged, or of another version."""
    before_bundled()
    try:
        from tma.services import prebuilt
    except Exception:  # noqa: BLE001  # whatever a damaged file does
        return None
    return prebuilt.DOCUMENT if getattr(prebuilt, "MADE_BY", None) == MADE_BY else None


def get(directory: str, name: str, limit: int = _LIMIT) -> bytes:
    """A cache file of at most so many bytes, empty where there is none to trust."""
    try:
        descriptor = files.open_private(directory)
        try:
            return files.read_own(name, limit, dir_fd=descriptor)
        finally:
            posix.close(descriptor)
    except OSError:
        return b""


def put(directory: str, name: str, content: bytes) -> None:
    """Write a cache file; one that cannot be written, or has no directory, costs time only."""
    if not directory:
        return
    from tma.adapters import owned

    try:
        descriptor = owned.private_dir(directory, missing=1)
        try:
            owned.replace(name, content, dir_fd=descriptor)
        finally:
            posix.close(descriptor)
    except OSError:
        pass
