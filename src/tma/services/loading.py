"""Builds the one document that every command works with, from the configuration and manifest files.

This is the slow, general path; ``services.cache`` keeps what it builds. All files are read
first and judged afterwards, so that what is kept belongs to one instant.
"""

import posix
import re
import time
import tomllib
from typing import Any, NamedTuple

from tma.adapters import files, system
from tma.adapters.files import FileRefusedError, Signature
from tma.core import config
from tma.core.detect import manifest
from tma.core.detect.agent import packed
from tma.core.errors import ConfigError, ManifestError
from tma.view.status import counting_line

BUNDLED = ("claude", "opencode", "codex", "gemini", "cursor", "pi", "qwen", "copilot")
"""The agents that tma brings, in the order that decides identity (MAN-SET-1)."""

CONFIG_LIMIT = 1 << 20
MANIFEST_LIMIT = 256 << 10
MOST_FILES = 200

_BUNDLED_DIR = f"{__file__.rpartition('/services/')[0]}/data/agents"
_TICK_S = 0.02  # twice the longest tick that a kernel stamps files by
_COARSE_TICK_S = 2.0
_WAIT_S = 0.025
_POSITION = re.compile(r" \(at (line \d+, column \d+|end of document)\)$")


class Built(NamedTuple):
    """A document, and what it rests on.

    ``sources`` are the signatures of every file and directory read, absent ones too. ``homes``
    are the directories that must not become world-writable. ``lasting`` is false where the same
    sources may give another document later: a refusal by permissions, or a file changed just now.
    """

    document: dict[str, Any]
    sources: list[Signature]
    homes: list[str]
    lasting: bool


class _Found:
    """What was on disk at one instant; an error stands where a file's content could not be had."""

    def __init__(self) -> None:
        self.began_ms = system.now_ms()
        self.sources: list[Signature] = []
        self.homes: set[str] = set()
        self.config: bytes | OSError | None = None
        self.manifests: list[tuple[str, bytes | OSError]] = []
        self.refused: list[tuple[str, str]] = []

    def is_moving(self) -> bool:
        """Whether a source changed so shortly before that its next change may bear the same time.

        A file system that counts in whole seconds is known by its times.
        """
        began_ns = self.began_ms * 10**6
        for *_, changed_ns in self.sources:
            tick_s = _TICK_S if int(changed_ns) % 10**9 else _COARSE_TICK_S
            if abs(began_ns - int(changed_ns)) < tick_s * 10**9:
                return True
        return False


def build(roots: list[str], *, only: bool, bundled: list[dict[str, Any]] | None = None) -> Built:
    """The document of a configuration file and a manifest directory.

    ``roots`` ends with those two paths; what stands before them is only signed. With ``only``
    the directory is all there is (MAN-SET-4), else it adds to the bundled agents: those given,
    or those of the bundled files. A configuration that cannot be used leaves its one line under
    ``config_error`` and defaults everywhere else (CFG-4, CFG-5).

    Raises:
        ManifestError: a bundled manifest is broken, or the only directory cannot be read.
    """
    found = _gather(roots, only=only)
    if found.is_moving():
        time.sleep(_WAIT_S)
        found = _gather(roots, only=only)
    settings, config_error = _settings(roots[-2], found.config)
    agents = [] if only else bundled_agents() if bundled is None else list(bundled)
    skipped = [list(refusal) for refusal in found.refused]
    for path, content in found.manifests:
        try:
            _place(agents, _manifest(path, content))
        except ManifestError as error:
            skipped.append([path, str(error)])
    document = {
        "settings": settings,
        "agents": _adjusted(agents, settings["agent"]),
        "skipped": skipped,
        "config_error": config_error,
        "status_line": status_line(settings),
    }
    errors = [found.config, *(content for _, content in found.manifests)]
    lasting = not any(isinstance(error, Exception) for error in errors) and not found.refused
    return Built(document, found.sources, sorted(found.homes), lasting and not found.is_moving())


def status_line(settings: dict[str, Any]) -> str:
    """The format by which the server counts its status line; kept, because every hook needs it."""
    return counting_line({name: (entry["glyph"], entry["color"]) for name, entry in settings["status"].items()})


def bundled_agents() -> list[dict[str, Any]]:
    """The plain manifests that tma brings, from their files.

    Raises:
        ManifestError: one of them is broken, which nothing can work with (MAN-SET-1).
    """
    agents = []
    for name in BUNDLED:
        shown = f"<bundled>/{name}.toml"
        try:
            content = files.read_whole(f"{_BUNDLED_DIR}/{name}.toml", MANIFEST_LIMIT)
            agents.append(packed(manifest.parse(name, toml_of(content), shown)))
        except (OSError, ValueError) as error:
            message = f"{shown}: {reason_of(error)}"
            raise ManifestError(message) from None
    return agents


def _gather(roots: list[str], *, only: bool) -> _Found:
    """Read everything, signing each file before it is read: a change in between shows later."""
    found = _Found()
    found.sources = [files.signature(path) for path in roots]
    config_path, directory = roots[-2:]
    if config_path and not files.is_absent(found.sources[-2]):
        found.config = _read(config_path, CONFIG_LIMIT, found)
    if only or (directory and not files.is_absent(found.sources[-1])):
        for path in _listed(directory, found, only=only):
            found.sources.append(files.signature(path))
            content = _read(path, MANIFEST_LIMIT, found)
            if content is not None:
                found.manifests.append((path, content))
            elif files.is_link(path):
                found.refused.append((path, "is a link to nothing"))
    return found


def _read(path: str, limit: int, found: _Found) -> bytes | OSError | None:
    try:
        content = files.read_trusted(path, limit)
        found.homes.update(files.homes_of(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return error
    return content


def _listed(directory: str, found: _Found, *, only: bool) -> list[str]:
    """The manifest files of a directory in load order; what is wrong with it as a whole is refused."""
    try:
        names = [name for name in posix.listdir(directory) if name.endswith(".toml") and not name.startswith(".")]
        exposed = files.is_world_writable(directory)
    except OSError as error:
        if only:
            message = f"cannot read manifest directory {directory}: {reason_of(error)}"
            raise ManifestError(message) from None
        found.refused.append((directory, reason_of(error)))
        return []
    if exposed:
        found.refused.append((directory, "the directory is writable for everyone"))
        return []
    names.sort(key=lambda name: name.encode("utf-8", "surrogateescape"))
    if len(names) > MOST_FILES:
        rest = len(names) - MOST_FILES
        found.refused.append(
            (directory, f"holds over {MOST_FILES} manifests; {rest} are left out, from {names[MOST_FILES]}")
        )
    found.homes.add(directory)
    return [f"{directory}/{name}" for name in names[:MOST_FILES]]


def _settings(path: str, content: bytes | Exception | None) -> tuple[dict[str, Any], str]:
    """The settings, and the line that says why they are the defaults instead of the file's."""
    if content is None:
        return config.parse({}), ""
    if isinstance(content, Exception):
        return config.parse({}), f"cannot read config {path}: {reason_of(content)}"
    try:
        return config.parse(toml_of(content)), ""
    except (ConfigError, ValueError) as error:
        return config.parse({}), f"config {path}: {error}"


def _manifest(path: str, content: bytes | Exception) -> dict[str, Any]:
    """One user manifest; its errors do not name the file, which stands beside them."""
    if isinstance(content, Exception):
        raise ManifestError(reason_of(content))
    try:
        plain = packed(manifest.parse(path.rpartition("/")[2].removesuffix(".toml"), toml_of(content), ""))
    except ValueError as error:
        raise ManifestError(str(error)) from None
    return {**plain, "file": path}


def toml_of(content: bytes) -> dict[str, Any]:
    """A parsed TOML file; a ValueError begins with line and column where they are known."""
    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        lines = content[: error.start].decode().split("\n")
        message = f"line {len(lines)}, column {len(lines[-1]) + 1}: not UTF-8"
    except RecursionError:
        message = "nested too deeply"
    except ValueError as error:
        text = str(error)
        place = _POSITION.search(text)
        message = f"{place[1]}: {text[: place.start()]}" if place else text
    raise ValueError(message)


def _place(agents: list[dict[str, Any]], plain: dict[str, Any]) -> None:
    """Put a manifest in place of the one of its name, or last (MAN-SET-2)."""
    for index, agent in enumerate(agents):
        if agent["name"] == plain["name"]:
            agents[index] = plain
            return
    agents.append(plain)


def _adjusted(agents: list[dict[str, Any]], entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The agents after the ``[[agent]]`` entries: dropped, or with further process names (MAN-SET-5)."""
    dropped = {entry["name"] for entry in entries if not entry["enabled"]}
    kept = [dict(agent) for agent in agents if agent["name"] not in dropped]
    for agent in kept:
        more = [name for entry in entries if entry["name"] == agent["name"] for name in entry["process_names"]]
        agent["process_names"] = list(dict.fromkeys([*agent["process_names"], *more]))
    return kept


def reason_of(error: Exception) -> str:
    """Why a file could not be used, without its path."""
    if isinstance(error, FileRefusedError):
        return error.reason
    return (error.strerror or "cannot be read") if isinstance(error, OSError) else str(error)
