"""Measure the picker as a person meets it, on a pseudo-terminal: its first frame, its keys, and its silence.

The first frame is measured in pairs with a bare interpreter: each round runs both, so that the
ratio compares things which ran within the same second. A key's time is from its byte to the byte
that draws it, while looks at every pane go on. Silence is what a refresh writes when nothing changed.
"""

import argparse
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from harness import ROOT, TmuxServer, private_server, tmux_binaries

WIDTH, HEIGHT = 120, 40
DEADLINE_S = 30.0
QUIET_S = 3.2
"""Three looks."""

_KEYS = "agent title"
_AT_ONCE = 10
_TIMES = 4
_SETTINGS = "[fold]\nfreshness_secs = 86400\n"


class Stage:
    """A server with panes that carry the stamps of agents at rest."""

    def __init__(self, server: TmuxServer, agents: int) -> None:
        """Fill it; the stamps stay fresh for a day, so that a look finds every row again."""
        self.server = server
        directory = server.home / "config" / "tma"
        directory.mkdir(parents=True)
        (directory / "config.toml").write_text(_SETTINGS, encoding="utf-8")
        server.start("sleep", "86400")
        now = str(time.time_ns() // 1_000_000)
        for start in range(0, agents, _AT_ONCE):
            words: list[str] = []
            for at in range(start, min(agents, start + _AT_ONCE)):
                words += ["new-window", "-d", "-n", f"w{at}", "sleep", "86400", ";"]
                words += stamped(f"main:w{at}", at, now)
            server(*words[:-1])

    @contextmanager
    def picker(self) -> Iterator["Screen"]:
        """A running picker; it is ended with the block."""
        pid, terminal = pty.fork()
        if pid == 0:
            program = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma")]
            os.execve(program[0], program, self.server.environment)  # noqa: S606  # the child of a fork
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        try:
            yield Screen(terminal)
        finally:
            os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
            os.close(terminal)


class Screen:
    """What a terminal is sent."""

    def __init__(self, terminal: int) -> None:
        """Read from and type into this end."""
        self._terminal = terminal

    def shows(self, words: bytes) -> bytes:
        """Wait until the words are sent; everything that was sent by then."""
        sent = b""
        while words not in sent:
            if not select.select([self._terminal], [], [], DEADLINE_S)[0]:
                message = f"{words!r} was not drawn; the last was {sent[-200:]!r}"
                raise SystemExit(message)
            sent += os.read(self._terminal, 65536)
        return sent

    def type(self, text: str) -> None:
        """Press a key."""
        os.write(self._terminal, text.encode())

    def said_within(self, seconds: float) -> int:
        """How many bytes are sent in so long."""
        end = time.monotonic() + seconds
        count = 0
        while (left := end - time.monotonic()) > 0:
            if select.select([self._terminal], [], [], left)[0]:
                count += len(os.read(self._terminal, 65536))
        return count


def stamped(pane: str, at: int, now: str) -> list[str]:
    """The commands that make a pane look like an agent's."""
    values = {
        "name": "claude",
        "state": "blocked" if at % 5 == 0 else "idle",
        "since": "1000",
        "stamped_at": now,
        "evidence_at": now,
        "source": "hook",
    }
    words = []
    for key, value in values.items():
        words += ["set-option", "-p", "-t", pane, f"@agent_{key}", value, ";"]
    return [*words, "select-pane", "-t", pane, "-T", f"agent title {at}", ";"]


def first_frames(stage: Stage, agents: int, rounds: int) -> list[tuple[float, float]]:
    """For each round how long the first frame took, and a bare interpreter."""
    found = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        pid = os.posix_spawn(sys.executable, [sys.executable, "-I", "-S", "-c", "pass"], {})
        os.waitpid(pid, 0)
        bare = time.perf_counter() - start
        start = time.perf_counter()
        with stage.picker() as screen:
            screen.shows(f"agents ({agents})".encode())
            found.append((time.perf_counter() - start, bare))
    return found[1:]


def keys(stage: Stage, agents: int) -> list[float]:
    """How long each key of a query took to be drawn, and each that takes it back."""
    found = []
    with stage.picker() as screen:
        screen.shows(f"agents ({agents})".encode())
        screen.said_within(1.5)
        for key in [*_KEYS, *"\x7f" * len(_KEYS)] * _TIMES:
            start = time.perf_counter()
            screen.type(key)
            screen.shows(b"\x1b[0m")
            found.append(time.perf_counter() - start)
            screen.said_within(0.05)
    return found


def silence(stage: Stage, agents: int) -> int:
    """Bytes that refreshes write when nothing changed."""
    with stage.picker() as screen:
        screen.shows(f"agents ({agents})".encode())
        screen.said_within(2.0)
        return screen.said_within(QUIET_S)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="pairs for the first frame (11)")
    parser.add_argument("--agents", type=int, default=50, help="agents for the first frame (50)")
    parser.add_argument("--rows", type=int, default=500, help="rows for the keys (500)")
    args = parser.parse_args()
    with private_server(tmux_binaries()[0]) as server:
        stage = Stage(server, args.agents)
        pairs = first_frames(stage, args.agents, max(2, args.rounds))
        quiet = silence(stage, args.agents)
    low, middle, high = statistics.quantiles([frame / bare for frame, bare in pairs], n=4)
    frame, bare = (statistics.median(pair[at] for pair in pairs) * 1000 for at in (0, 1))
    print(f"first frame, {args.agents} agents: {frame:.1f} ms; python -I -S -c pass: {bare:.1f} ms")
    print(f"ratio: {middle:.1f} ({low:.1f}-{high:.1f}); the budget is 15")
    print(f"unchanged refreshes for {QUIET_S} s: {quiet} bytes")
    with private_server(tmux_binaries()[0]) as server:
        spent = sorted(keys(Stage(server, args.rows), args.rows))
    typical, late, worst = (spent[int(share * (len(spent) - 1))] * 1000 for share in (0.5, 0.95, 1))
    print(
        f"a key at {args.rows} rows, of {len(spent)}: median {typical:.1f} ms, 95 % {late:.1f} ms, worst {worst:.1f} ms"
    )
    print("the budget of a key is 50 ms")


if __name__ == "__main__":
    main()
