"""Races for the act broker, judged by the tmux server itself: what its guard stops, and what nothing can stop.

Usage: bench/race.py [--fires N] [--kills N] [--rounds N] [TMUX ...]

Runs on the system's tmux, or on the given ones:

- guarded: eight workers fire `approve`, half of them bound to an episode, at agents that swap their
  prompts within milliseconds. Wrong is every key that found another state or episode than the gated one.
- plain: the same with a tool that reads and then sends.
- terminal: the agents change their terminal alone. The residue is the keys that the agent read while it
  had already drawn something else, which no local tool can see.
- kills: the agent is killed at a random moment of each fire. Wrong is a key that left the server after
  the agent's end; unread is one that left before, and that the agent died without reading.
- rounds: twenty workers approve one dialog at the same moment, and the agent never reacts. Wrong is every
  round that had not exactly one winner.
"""

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from harness import private_server, version_of  # noqa: E402
from kills import kill_while_firing  # noqa: E402
from race import Report, race  # noqa: E402
from racers import RACERS, answer_at_once  # noqa: E402


def main() -> int:
    """Run every race on every tmux; 1 if a guarded key went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--fires", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("tmux", nargs="*", default=[shutil.which("tmux")])
    args = parser.parse_args()
    wrong = 0
    for binary in args.tmux:
        version = version_of(binary)
        for name, settings in {"guarded": {}, "plain": {"plain": True}, "terminal": {"mode": "terminal"}}.items():
            if not args.fires:
                break
            with private_server(binary) as server:
                server.start()
                report = race(server, args.fires, **settings)
            print(f"{version} {name}: {told(report, residue=name == 'terminal')}", flush=True)
            wrong += len(report.wrong) if name != "plain" else 0
        if args.kills:
            with private_server(binary) as server:
                server.start()
                killed = kill_while_firing(server, args.kills)
            print(
                f"{version} kills: {dict(killed.outcomes)}, wrong {len(killed.wrong)}, unread {len(killed.unread)}",
                flush=True,
            )
            for story in [*killed.wrong, *killed.unread]:
                print(f"  {story}")
            wrong += len(killed.wrong)
        if args.rounds:
            with private_server(binary) as server:
                server.start()
                answered = answer_at_once(server, args.rounds)
            told_of = f"{len(answered.rounds)} rounds of {RACERS} in {answered.seconds:.0f} s"
            print(f"{version} rounds: {told_of}, {answered.heard} keys, wrong {answered.wrong}", flush=True)
            wrong += len(answered.wrong)
    return 1 if wrong else 0


def told(report: Report, *, residue: bool) -> str:
    """One run in a line."""
    fires, sends, wrong = sum(report.outcomes.values()), len(report.sent), len(report.wrong)
    line = f"{fires} fires in {report.seconds:.0f} s, {sends} sends, {wrong} wrong"
    keys = ", ".join(f"{count} on {name}" for name, count in sorted(report.found.items()))
    left = sum(count for name, count in report.found.items() if name not in {"A", "B"})
    found = f"; read by the agent: {keys or 'none'}" + (f"; residue {left}" if residue else "")
    return f"{line} {dict(report.outcomes)}{found}"


if __name__ == "__main__":
    sys.exit(main())
