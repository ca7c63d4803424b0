"""A pretended agent of the demo: plays a story of screens in its pane and reports by `tma event`.

The story, time and typed keys come in, pictures and events go out; only `play` touches the
terminal.
"""

import posix
import re
import select
import signal
import sys
import termios
import time
import tomllib
import tty
from pathlib import Path
from typing import Any, NamedTuple

from tma.adapters import child

FRAME_S = 0.25
_STDIN = 0
_FOR_EVER = float("inf")
_STYLES = {
    "{off}": "\x1b[0m",
    "{bold}": "\x1b[1m",
    "{dim}": "\x1b[2m",
    "{accent}": "\x1b[33m",
    "{blue}": "\x1b[34m",
}
_STYLE = re.compile("|".join(map(re.escape, _STYLES)))
_RULE = re.compile(r"(?m)^((?:\{\w+\})*)([─╌])\2{3}((?:\{\w+\})*)$")
_HOME_WITHOUT_WRAPPING = "\x1b[?7l\x1b[H"
_END_OF_LINE = "\x1b[K\n"
_REST_OF_SCREEN = "\x1b[J"


class Event(NamedTuple):
    """One report: the kind of event and its payload."""

    kind: str
    payload: str


class Replay:
    """Where a story stands. Instants are seconds of any steady clock.

    ``speed`` divides every duration of the story.
    """

    def __init__(self, story: dict[str, Any], speed: float) -> None:
        """Stand before the first scene."""
        self._scenes = {scene["name"]: scene for scene in story["scene"]}
        self._spin: str = story["spin"]
        self._speed = speed
        self._next = story["scene"][0]["name"]
        self._scene: dict[str, Any] = {"seconds": 0.0}
        self._entered = 0.0
        self._repeated = 0

    def step(self, now: float, typed: str) -> list[Event]:
        """Move on if the scene's time is over or a key answers it; the events that are due."""
        elapsed = self._elapsed(now)
        answer = next((self._scene["keys"][key] for key in typed if key in self._scene.get("keys", {})), "")
        if answer or elapsed >= self._scene.get("seconds", _FOR_EVER):
            self._scene = self._scenes[answer or self._next]
            self._next = self._scene.get("next", "")
            self._entered = now
            self._repeated = 0
            return [self._event(pair, now) for pair in self._scene.get("events", [])]
        if self._scene.get("every", 0) and elapsed >= (self._repeated + 1) * self._scene["every"]:
            self._repeated += 1
            return [self._event(pair, now) for pair in self._scene["repeat"]]
        return []

    def title(self, now: float) -> str:
        """The pane title of the scene."""
        return self._filled(self._scene["title"], now)

    def picture(self, now: float, columns: int, rows: int) -> str:
        """The scene's screen in this size, with terminal styles; the last lines where it is too high."""
        ruled = _RULE.sub(lambda found: found[1] + found[2] * columns + found[3], self._scene["screen"])
        lines = _STYLE.sub(lambda found: _STYLES[found[0]], self._filled(ruled, now)).splitlines()
        return "\n".join(lines[1 - rows :])

    def _event(self, pair: list[str], now: float) -> Event:
        return Event(pair[0], self._filled(pair[1], now))

    def _elapsed(self, now: float) -> float:
        """Seconds of the story since the scene began."""
        return (now - self._entered) * self._speed

    def _filled(self, text: str, now: float) -> str:
        elapsed = self._elapsed(now)
        low, high = self._scene.get("gauge", (0, 0))
        percent = low + (high - low) * elapsed / self._scene.get("seconds", 1)
        spin = self._spin[int(elapsed / FRAME_S) % len(self._spin)]
        return (
            text.replace("{elapsed}", f"{elapsed:.0f}").replace("{spin}", spin).replace("{percent}", f"{percent:.0f}")
        )


def play(story_file: str, speed: float, tma: str) -> None:
    """Play a story in this terminal until nobody can type any more; ``tma`` is the program to report to."""
    story = tomllib.loads(Path(story_file).read_text(encoding="utf-8"))
    replay = Replay(story, speed)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tty.setcbreak(_STDIN, termios.TCSANOW)
    shown, typed = "", ""
    while True:
        now = time.monotonic()
        for event in replay.step(now, typed):
            argv = [tma, "event", "--agent", story["agent"], "--kind", event.kind, "--payload", "-"]
            child.run(argv, stdin=event.payload.encode())
        rows, columns = termios.tcgetwinsize(_STDIN)
        frame = f"\x1b]2;{replay.title(now)}\x07{_redrawn(replay.picture(now, columns, rows))}"
        if frame != shown:
            shown = frame
            sys.stdout.write(frame)
            sys.stdout.flush()
        typed = ""
        if select.select([_STDIN], [], [], FRAME_S)[0]:
            typed = posix.read(_STDIN, 64).decode("utf-8", "replace").replace("\n", "\r")
            if not typed:
                return


def _redrawn(picture: str) -> str:
    """What draws a picture in place: clearing the whole screen would leave the old one in the history."""
    lines = "".join(f"{line}{_END_OF_LINE}" for line in picture.split("\n"))
    return f"{_HOME_WITHOUT_WRAPPING}{lines}{_REST_OF_SCREEN}"
