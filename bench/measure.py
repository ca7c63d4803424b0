"""Measure commands in pairs with a bare interpreter, a bare tmux client and a shell script that does the like.

Every round runs the yardsticks and then each command, inside a pane, so that a ratio compares things which
ran within the same second; the table shows medians of the ratios of a round. A time alone says little: it
is there to put a number to the yardsticks. ``sum`` is the interpreter and the client together, the least
that a Python program which asks tmux once can take.
"""

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests"), str(ROOT / "bench")]

import frame  # noqa: E402
import idle  # noqa: E402
import limits  # noqa: E402
from fleet import CHANGED, Fleet, fleet  # noqa: E402

from harness import private_server, tmux_binaries, version_of  # noqa: E402

FEWEST_ROUNDS = 2
EVENT_PANES = 50
STALE_S = 3.1
"""A status line comes again when no stamp is fresh any more; so does the benchmark's."""

YARDSTICKS = ("python", "client", "sum", "script")

_PAYLOAD = '{"session_id":"bench","tool_name":"Bash","tool_input":{"command":"make test"}}'
_PYTHON = [os.path.realpath(sys.executable), "-I", "-S"]

Cost = list[float]


class Row:
    """A subject's costs, round by round, with those of the yardsticks in the same round."""

    def __init__(self, name: str, script: str = "") -> None:
        """Start without rounds; ``script`` is the case of the shell script that does the like."""
        self.name = name
        self.script = script
        self.rounds: list[dict[str, Cost]] = []

    def median(self, column: int) -> float:
        """The median of wall, processor or server ms."""
        return statistics.median(each["own"][column] for each in self.rounds)

    def ratio(self, yardstick: str) -> list[float] | None:
        """Quartiles of the wall time over a yardstick's in the same round; None without that yardstick."""
        pairs = [each["own"][0] / each[yardstick][0] for each in self.rounds if yardstick in each]
        return statistics.quantiles(pairs, n=4) if pairs else None

    def plain(self) -> dict[str, object]:
        """The row for JSON."""
        times = {f"{what}_ms": self.median(at) for at, what in enumerate(("wall", "cpu", "server"))}
        return times | {f"x_{name}": self.ratio(name) for name in YARDSTICKS}


class Subject:
    """What is run for a row, and what goes before its yardsticks and behind it, unmeasured."""

    def __init__(
        self,
        row: Row,
        run: Callable[[], Cost],
        *,
        before: Callable[[], object] = bool,
        after: Callable[[], object] = bool,
    ) -> None:
        """Keep the parts."""
        self.row = row
        self.run = run
        self.before = before
        self.after = after


def sittings(made: Fleet, panes: int) -> Iterator[list[Subject]]:
    """What is measured at one size, sitting after sitting.

    In the first no agent moves unless the row says so; the second leaves agents behind that work and ask.
    """
    tma = [*_PYTHON, str(made.bin / "tma")]

    def stale() -> None:
        idle.pause(STALE_S)

    def changed() -> None:
        made.change()
        stale()

    def settle() -> None:
        changed()
        made.cost([*tma, "status"])

    def cost(*words: str) -> Callable[[], Cost]:
        return lambda: made.cost([*tma, *words])

    yield [
        Subject(Row(f"status, {panes} panes", "status"), cost("status"), before=stale),
        Subject(Row(f"status, {panes} panes, {CHANGED} changed"), cost("status"), before=changed, after=settle),
        Subject(Row(f"clear-attention, {panes} panes", "clear-attention"), cost("clear-attention", made.pane)),
        Subject(Row(f"ls, {panes} panes", "ls"), cost("ls")),
    ]
    hook = [str(made.bin / "tma-hook"), "claude", "PreToolUse"]
    busy = [Subject(Row(f"event, {panes} panes", "event"), lambda: made.cost(hook, text=_PAYLOAD))]
    yield busy + singles(made, cost) if panes == EVENT_PANES else busy


def singles(made: Fleet, cost: Callable[..., Callable[[], Cost]]) -> list[Subject]:
    """What is measured at one size only."""
    agent = made.asking()
    sent = Row("act approve", f"send {agent.pane} 1")
    return [
        Subject(sent, cost("act", "approve", "--pane", agent.pane), before=agent.block),
        Subject(Row("--help"), cost("--help")),
    ]


def measure(made: Fleet, every: list[Subject], rounds: int) -> list[Row]:
    """Every subject of a sitting, after a round that warms everything up."""
    client = [made.server.binary, "-u", "-S", str(made.server.socket), "display-message", "-p", ""]
    script = str(Path(__file__).with_name("equivalent.sh"))
    for turn in range(rounds + 1):
        for subject in every:
            row = subject.row
            subject.before()
            marks = {"python": made.cost([*_PYTHON, "-c", "pass"], env={}), "client": made.cost(client)}
            marks["sum"] = [a + b for a, b in zip(marks["python"], marks["client"], strict=True)]
            if row.script:
                marks["script"] = made.cost(["/bin/sh", script, *row.script.split()], text=_PAYLOAD)
            own = subject.run()
            subject.after()
            if turn:
                row.rounds.append({"own": own, **marks})
    return [subject.row for subject in every]


def picker(rounds: int) -> Row:
    """The picker's first frame over fifty agents."""
    row = Row(f"picker, first frame, {EVENT_PANES} agents")
    with private_server(tmux_binaries()[0]) as server:
        for took, bare in frame.first_frames(frame.Stage(server, EVENT_PANES), EVENT_PANES, rounds):
            row.rounds.append({"own": [took * 1000, 0.0, 0.0], "python": [bare * 1000, 0.0, 0.0]})
    return row


def told(row: Row) -> str:
    """One line of the table."""
    times = " ".join(f"{row.median(column):8.1f}" for column in range(3))
    ratios = (row.ratio(name) for name in YARDSTICKS)
    return f"{row.name:34} {times} " + " ".join(
        f"{each[1]:6.2f} ({each[0]:.2f}-{each[2]:.2f})".rjust(19) if each else " " * 19 for each in ratios
    )


def main() -> None:
    """Measure every size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="rounds for each subject (11)")
    parser.add_argument("--panes", default="10,50,200", help="sizes of the fleet (10,50,200)")
    parser.add_argument("--processes", default="300,1500", help="other processes, fewest panes to most (300,1500)")
    parser.add_argument("--json", metavar="FILE", help="write the figures there too, for bench/compare")
    parser.add_argument("--quick", action="store_true", help="leave out the picker, idle costs and inputs at bounds")
    args = parser.parse_args()
    if args.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds must be at least {FEWEST_ROUNDS}")
    sizes = [int(text) for text in args.panes.split(",")]
    least, most = ([int(text) for text in args.processes.split(",")] * 2)[:2]
    print(f"Python {sys.version.split()[0]}, tmux {version_of(tmux_binaries()[0])}, {args.rounds} rounds, medians\n")
    print(f"{'':34} {'wall ms':>8} {'cpu ms':>8} {'tmux ms':>8}", *(f"{'x ' + name:>19}" for name in YARDSTICKS))
    rows: list[Row] = []
    for panes in sizes:
        with fleet(panes, least if panes < max(sizes) else most) as made:
            for every in sittings(made, panes):
                rows += shown(measure(made, every, args.rounds))
    extra = {} if args.quick else further(rows, args.rounds)
    if args.json:
        figures = {row.name: row.plain() for row in rows} | extra
        Path(args.json).write_text(json.dumps(figures, indent=1), encoding="utf-8")


def shown(rows: list[Row]) -> list[Row]:
    """Print rows as they come."""
    for row in rows:
        print(told(row), flush=True)
    return rows


def further(rows: list[Row], rounds: int) -> dict[str, dict[str, float]]:
    """The picker, what runs without being asked, and inputs at their bounds."""
    rows += shown([picker(rounds)])
    extra = idle.report()
    limits.report()
    return extra


if __name__ == "__main__":
    main()
