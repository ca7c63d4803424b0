"""The context gauge of agents that keep a log of their session: its end is read once a cycle (ROL-*).

Nothing is touched without such an agent, and an unchanged file costs one look. Links inside the
agent's directory are not followed, and only the user's own plain files are opened (SEC-F-6).
"""

import posix

from tma.core.detect import telemetry
from tma.core.events import gauges
from tma.core.stamp import CONTEXT_AT, NAME, PID, SESSION, STAMPED_AT
from tma.core.state import is_id, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tma.core.detect.telemetry import Gauge
    from tma.core.ops import Op
    from tma.core.pane import PaneRecord

CHANNEL = "file-tail"
WINDOW = 64 << 10
"""Bytes that a look at the end grows by (ROL-4)."""

FURTHEST = 1 << 20
_DIRECTORY = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
_FILE = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOFOLLOW | posix.O_CLOEXEC
_PLAIN_FILE = 0o100000
_KIND = 0o170000
_LEVELS = 3
"""Year, month and day below the directory of sessions."""


class Tails:
    """What one process remembers of rollouts: where a session's is, and how it was when last read."""

    __slots__ = ("_paths", "_root", "_seen")

    def __init__(self, env: "Mapping[str, str]") -> None:
        """Find the agent's directory; without one nothing is read (ROL-2)."""
        home = env.get("HOME", "")
        root = env.get("CODEX_HOME", "") or (f"{home}/.codex" if home else "")
        self._root = f"{root}/sessions" if root.startswith("/") else ""
        self._paths: dict[str, str] = {}
        self._seen: dict[str, tuple[int, ...]] = {}

    def read(
        self, panes: "Sequence[PaneRecord]", agents: "Sequence[dict[str, Any]]", now: int
    ) -> "list[tuple[str, list[Op]]]":
        """The chain of each pane whose gauge has news; a failure costs that pane's gauge alone (ROL-5).

        An agent without a process here may keep its log on another host (REM-11).
        """
        tailed = {plain["name"] for plain in agents if plain["context"] == [CHANNEL, telemetry.CODEX_ROLLOUT]}
        chains = []
        for pane in panes:
            session = pane.option(SESSION)
            here = pane.option(PID) not in {"", "0"}
            if self._root and here and pane.option(NAME) in tailed and is_id(session):
                gauge = self._gauge(session)
                if gauge is not None and gauges.is_news(gauge, pane.options):
                    chains.append((pane.pane_id, gauges.observed(gauge, now, pane.options)))
        return chains

    def has_news(self, pane: "PaneRecord") -> bool:
        """Whether a pane's log was written since the last look; asks no option but those that a count reads."""
        session = pane.option(SESSION)
        place = self._found(session) if self._root and is_id(session) else ""
        seen_at = max(number(pane.option(key)) or 0 for key in (CONTEXT_AT, STAMPED_AT))
        return bool(place) and _written_at(place) // 1_000_000 >= seen_at

    def _gauge(self, session: str) -> "Gauge | None":
        """What the end of a session's rollout says; None when it did not change or says nothing."""
        for path in (self._paths.get(session, ""), ""):
            place = path or self._found(session)
            if not place:
                return None
            self._paths[session] = place
            try:
                return self._tail(place)
            except FileNotFoundError:
                del self._paths[session]
            except OSError:
                return None
        return None

    def _tail(self, path: str) -> "Gauge | None":
        if self._seen.get(path) == _signature(posix.lstat(path)):
            return None
        descriptor = posix.open(path, _FILE)
        try:
            seen = posix.fstat(descriptor)
            self._seen[path] = _signature(seen)
            return _last_gauge(descriptor, seen.st_size) if _is_own_file(seen) else None
        finally:
            posix.close(descriptor)

    def _found(self, session: str) -> str:
        """The newest rollout of a session, or "" for none (ROL-2)."""
        newest = (-1, "")
        for directory in _directories(self._root, _LEVELS):
            for name in _names(directory):
                if session in name and name.startswith("rollout-") and name.endswith(".jsonl"):
                    path = f"{directory}/{name}"
                    newest = max(newest, (_written_at(path), path))
        return newest[1]


def _last_gauge(descriptor: int, size: int) -> "Gauge | None":
    """The newest usable count, looked for from the end backwards (ROL-4)."""
    for length in range(WINDOW, FURTHEST + 1, WINDOW):
        start = max(0, size - length)
        text = _from(descriptor, start, size - start).decode("utf-8", "replace")
        gauge = telemetry.parse_rollout(text, from_start=start == 0)
        if gauge is not None or start == 0:
            return gauge
    return None


def _from(descriptor: int, start: int, length: int) -> bytes:
    whole = b""
    while len(whole) < length:
        piece = posix.pread(descriptor, length - len(whole), start + len(whole))
        if not piece:
            break
        whole += piece
    return whole


def _signature(seen: posix.stat_result) -> tuple[int, ...]:
    return seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns


def _is_own_file(seen: posix.stat_result) -> bool:
    return seen.st_mode & _KIND == _PLAIN_FILE and seen.st_uid == posix.geteuid()


def _written_at(path: str) -> int:
    try:
        seen = posix.lstat(path)
    except OSError:
        return -1
    return seen.st_mtime_ns if _is_own_file(seen) else -1


def _directories(root: str, levels: int) -> list[str]:
    """The directories so many levels below one; no link is among them."""
    found = [root]
    for _ in range(levels):
        found = [f"{above}/{name}" for above in found for name in _names(above) if name.isdigit()]
    return found


def _names(directory: str) -> list[str]:
    """What stands in a directory; nothing in a link or where it cannot be read."""
    try:
        descriptor = posix.open(directory, _DIRECTORY)
    except OSError:
        return []
    try:
        return posix.listdir(descriptor)
    finally:
        posix.close(descriptor)
