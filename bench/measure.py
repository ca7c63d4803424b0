"""Measure commands in pairs with a bare interpreter and a bare tmux client.

Every round runs the two yardsticks and then each command, so that a ratio compares things which
ran within the same second; the table shows the median of the ratios with their quartiles. A wall
time alone says little: it is there to put a number to the yardsticks.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import limits

from harness import TmuxServer, private_server, tmux_binaries, until, version_of
from tma.services import cache, cycle, runtime

ROOT = Path(__file__).resolve().parent.parent
AGENT_SHARE = 5
"""One pane in so many is an agent."""

FEWEST_ROUNDS = 2
_PANES_A_CALL = 40
_COMPOSER = "─" * 60 + "\n❯ \n" + "─" * 60 + "\n  ? for shortcuts\n"
_AGENT = f"import time\nprint({_COMPOSER!r}, flush=True)\ntime.sleep(86400)\n"
_ALL_LOOKED_AT = "[fold]\nfreshness_secs = 0\n"
_PAYLOAD = b'{"session_id":"bench","tool_name":"Bash","tool_input":{"command":"make test"}}'

Action = Callable[[], None]


class Fleet:
    """A server with panes, some of them agents at rest."""

    def __init__(self, server: TmuxServer, panes: int) -> None:
        """Fill the server and wait until every agent has drawn its screen."""
        self.server = server
        agent = server.home / "claude"
        agent.write_text(_AGENT, encoding="utf-8")
        sleeper, pretended = ["sleep", "86400"], [sys.executable, "-I", "-S", str(agent)]
        self.agents = [server.start(*pretended)]
        kinds = [pretended if number % AGENT_SHARE == 0 else sleeper for number in range(1, panes)]
        for start in range(0, len(kinds), _PANES_A_CALL):
            part = kinds[start : start + _PANES_A_CALL]
            self.agents += [pane for pane, kind in zip(self._open(part), part, strict=True) if kind is pretended]
        until(lambda: all("❯" in server.screen(pane) for pane in self.agents), what="the agents' screens")

    def _open(self, commands: list[list[str]]) -> list[str]:
        words: list[str] = []
        for command in commands:
            words += ["new-window", "-d", "-P", "-F", "#{pane_id}", *command, ";"]
        return self.server(*words[:-1]).splitlines()

    def tma(self, *words: str, pane: str = "", payload: bytes = b"") -> Action:
        """A run of the program as hooks and the status line start it."""
        inside = {"TMUX": f"{self.server.socket},{self.server.pid},0", "TMUX_PANE": pane} if pane else {}
        argv = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma"), *words]
        return lambda: spawn(argv, self.server.environment | inside, payload)

    def cycle(self) -> Action:
        """One detection cycle in this process, without the start of a program."""
        options = cache.Options()
        options.socket_path = str(self.server.socket)
        options.config = str(self.server.home / "all.toml")
        Path(options.config).write_text(_ALL_LOOKED_AT, encoding="utf-8")
        world = runtime.connect(options, cache.load(config_path=options.config, env=self.server.environment))
        return lambda: ignore(cycle.run(world))


def ignore(_result: object) -> None:
    """Drop a result."""


def spawn(argv: list[str], env: dict[str, str], payload: bytes = b"") -> None:
    """Run a program to its end with its output discarded."""
    reading, writing = os.pipe()
    os.write(writing, payload)
    os.close(writing)
    null = os.open(os.devnull, os.O_WRONLY)
    actions = [(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions)
    _, status = os.waitpid(pid, 0)
    os.close(reading)
    os.close(null)
    if status:
        message = f"{' '.join(argv)} failed: {os.waitstatus_to_exitcode(status)}"
        raise SystemExit(message)


def seconds(action: Action) -> float:
    """How long an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def measure(yardsticks: list[Action], subjects: dict[str, Action], rounds: int) -> dict[str, list[list[float]]]:
    """For each subject and round: its time, and the yardsticks' times in that round."""
    for action in [*yardsticks, *subjects.values()]:
        action()
    found: dict[str, list[list[float]]] = {name: [] for name in subjects}
    for _ in range(rounds):
        marks = [seconds(action) for action in yardsticks]
        for name, action in subjects.items():
            found[name].append([seconds(action), *marks])
    return found


@contextmanager
def fleet(panes: int) -> Iterator[Fleet]:
    """A fleet on a server of its own."""
    with private_server(tmux_binaries()[0]) as server:
        yield Fleet(server, panes)


def subjects_of(made: Fleet, panes: int, *, small: bool) -> dict[str, Action]:
    """What is measured at one size; the event costs the same at each, so it is asked for once."""
    all_looked_at = ("--config", str(made.server.home / "all.toml"))
    found = {
        f"status, {panes} panes at rest": made.tma("status"),
        f"status, {panes} panes, all agents looked at": made.tma("status", *all_looked_at),
        f"cycle alone, {panes} panes, all agents looked at": made.cycle(),
    }
    if small:
        event = ("event", "--agent", "claude", "--kind", "PreToolUse", "--payload", "-")
        found = {"event": made.tma(*event, pane=made.agents[-1], payload=_PAYLOAD)} | found
        found[f"ls, {panes} panes at rest"] = made.tma("ls")
    return found


def ratio(rows: list[list[float]], yardstick: int) -> str:
    """The median of the paired ratios, with the quartiles."""
    low, middle, high = statistics.quantiles([row[0] / row[yardstick] for row in rows], n=4)
    return f"{middle:6.1f} ({low:.1f}-{high:.1f})"


def report(found: dict[str, list[list[float]]]) -> None:
    """The yardsticks' own times, then one line for each subject."""
    every = [row for rows in found.values() for row in rows]
    interpreter, client = (statistics.median(row[column] for row in every) * 1000 for column in (1, 2))
    print(f"{f'(python -I -S: {interpreter:.1f} ms, tmux client: {client:.1f} ms)':52}")
    for name, rows in found.items():
        wall = statistics.median(row[0] for row in rows) * 1000
        print(f"{name:52} {wall:8.1f} {ratio(rows, 1):>20} {ratio(rows, 2):>20}", flush=True)


def main() -> None:
    """Measure every size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21, help="pairs for each subject (21)")
    parser.add_argument("--panes", default="10,50,200", help="sizes of the fleet (10,50,200)")
    args = parser.parse_args()
    if args.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds must be at least {FEWEST_ROUNDS}")
    sizes = [int(text) for text in args.panes.split(",")]
    print(f"Python {sys.version.split()[0]}, tmux {version_of(tmux_binaries()[0])}, {args.rounds} rounds, medians\n")
    print(f"{'':52} {'wall ms':>8} {'x python -I -S':>20} {'x tmux client':>20}")
    for panes in sizes:
        with fleet(panes) as made:
            client = [made.server.binary, "-S", str(made.server.socket), "display-message", "-p", ""]
            yardsticks = [
                lambda: spawn([sys.executable, "-I", "-S", "-c", "pass"], {}),
                lambda: spawn(client, made.server.environment),  # noqa: B023  # used within the loop's turn
            ]
            report(measure(yardsticks, subjects_of(made, panes, small=panes == sizes[0]), args.rounds))
    limits.report()


if __name__ == "__main__":
    main()
