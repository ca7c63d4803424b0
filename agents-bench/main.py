"""Install pinned agents, play every scenario on them in every mode, and report what tma said."""

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import drive  # noqa: E402
import observe  # noqa: E402
import record  # noqa: E402
import report  # noqa: E402
import rounds  # noqa: E402
from agents import Agent, Scenario, agents, scenarios  # noqa: E402
from harness import TmuxServer, private_server, tmux_binaries  # noqa: E402
from install import NotInstalledError, programs  # noqa: E402
from model.server import Model  # noqa: E402
from pane import Account  # noqa: E402
from stage import BOTH, HOOKS, MODES, SCREEN, Stage  # noqa: E402

DWELL_S, DECAY_S = 3, 10
SMALLEST_MODES = (BOTH,)
SMALLEST = ("claude 2.1.332", "pi 1.6.0")
_CONFIG = f"[fold]\nhook_decay_secs = {DECAY_S}\n"
_AGENTS = ROOT / "src" / "tma" / "data" / "agents"


def main() -> int:
    """Run the bench; 1 if anything was wrong."""
    args = _arguments()
    old = report.read()
    results = report.read()
    wrong = False
    for agent in _chosen(args):
        try:
            programs(agent)
        except NotInstalledError as problem:
            print(f"SKIPPED {agent.title}: {problem}", flush=True)
            continue
        for mode in args.mode or (SMALLEST_MODES if args.smallest else MODES):
            wrong |= _bench(agent, mode, args, results.setdefault(agent.title, {}))
            if not args.smallest:
                _keep(results)
    if not args.smallest:
        print("\n".join(["", "Against the last run:", *(report.changes(old, results) or ["no change"])]))
    return int(wrong)


def _keep(results: report.Results) -> None:
    """Write results and report, in the order of the definitions."""
    names = [each.name for each in scenarios()]
    ordered = {
        title: {name: found[name] for name in names if name in found}
        for title in (agent.title for agent in agents())
        if (found := results.get(title))
    }
    report.write(ordered)
    report.REPORT.write_text(report.page(ordered, dwell=DWELL_S, decay=DECAY_S), encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="agents-bench/run", description=__doc__)
    parser.add_argument("--smallest", action="store_true", help="a few scenarios on claude and pi; writes no report")
    parser.add_argument("--agent", action="append", default=[], help='an agent, or an agent and version: "pi 1.6.0"')
    parser.add_argument("--scenario", action="append", default=[], help="a scenario by name")
    parser.add_argument("--mode", action="append", default=[], choices=MODES, help="hooks, screen or both")
    parser.add_argument("--record", action="store_true", help="write what agents show as golden screens")
    parser.add_argument("--record-to", type=Path, default=record.SCREENS, help="where --record writes")
    parser.add_argument("--trace", action="store_true", help="print what was seen, instant by instant")
    parser.add_argument("--list", action="store_true", help="say which agents and scenarios there are")
    args = parser.parse_args()
    if args.list:
        print("\n".join([*(agent.title for agent in agents()), "", *(each.name for each in scenarios())]))
        parser.exit()
    return args


def _chosen(args: argparse.Namespace) -> list[Agent]:
    wanted = args.agent or (SMALLEST if args.smallest else ())
    return [agent for agent in agents() if not wanted or agent.name in wanted or agent.title in wanted]


def _bench(agent: Agent, mode: str, args: argparse.Namespace, found: dict[str, dict[str, report.Entry]]) -> bool:
    """Every chosen scenario of one agent in one mode; whether anything was wrong."""
    wrong = False
    chosen = [each for each in scenarios() if _is_chosen(each, args)]
    recorder = record.Recorder(args.record_to) if args.record and mode == BOTH else None
    for scenario, entry in _play(agent, mode, chosen, recorder, traces=args.trace):
        found.setdefault(scenario.name, {})[mode] = entry
        faults = [] if "skip" in entry else report.faults(entry)
        if faults and scenario.name in agent.known:
            entry["known"] = agent.known[scenario.name]
        wrong |= bool(faults) and "known" not in entry
        said = entry.get("skip") or "; ".join(faults) or f"right, {report.late(entry)} ms"
        print(f"{agent.title:18} {mode:7} {scenario.name:19} {said}", flush=True)
    return wrong


def _is_chosen(scenario: Scenario, args: argparse.Namespace) -> bool:
    return scenario.name in args.scenario if args.scenario else scenario.smallest or not args.smallest


def _play(
    agent: Agent, mode: str, chosen: list[Scenario], recorder: record.Recorder | None, *, traces: bool
) -> Iterator[tuple[Scenario, report.Entry]]:
    """Each scenario with its results, on one server; most of them share one agent."""
    silent = agent.silent if mode == HOOKS else {}
    away = {each.name: f"told in mode {', '.join(each.modes)}" for each in chosen if mode not in (each.modes or MODES)}
    given = agent.skip | silent | {name: why for name, why in away.items() if name not in agent.skip}
    reasons = {each.name: given[each.name] for each in chosen if each.name in given}
    yield from ((each, {"skip": reasons[each.name]}) for each in chosen if each.name in reasons)
    with _stage(agent, mode, recorder) as stage:
        stage.traces = traces
        for scenario in chosen:
            if scenario.name not in reasons:
                yield scenario, _one(stage, scenario)
        stage.clear()


def _one(stage: Stage, scenario: Scenario) -> report.Entry:
    """One scenario, on a fresh agent if it wants one or the last one left a mess."""
    if scenario.rounds:
        return rounds.play(stage, scenario)
    try:
        if scenario.fresh or 1 not in stage.panes or not stage.panes[1].is_usable():
            stage.clear()
            stage.start(1, 1, scenario.size)
        stage.panes[1].resize(*scenario.size)
        time.sleep(1)
        play = drive.Play(stage, scenario)
        result = play.run()
        if stage.traces:
            print("\n".join(play.trace()), flush=True)
    except AssertionError as problem:
        return {"trouble": str(problem)}
    if scenario.fresh or result.trouble or any(each["word"] == "wrong" for each in result.verdicts):
        stage.clear()
    return {key: value for key, value in vars(result).items() if value}


@contextlib.contextmanager
def _stage(agent: Agent, mode: str, recorder: record.Recorder | None) -> Iterator[Stage]:
    """A server with two accounts, watched by tma."""
    with (
        Model().running() as model,
        private_server(tmux_binaries()[0]) as server,
        tempfile.TemporaryDirectory(prefix="tma-", ignore_cleanup_errors=True) as second,
    ):
        server.start()
        homes = (server.home, Path(second))
        accounts = [Account(agent, home, home / "work" / "project", model.port) for home in homes]
        for account in accounts:
            _settle(server, account, mode)
        place = observe.without_screens(_AGENTS, server.home / "hooks-only") if mode == HOOKS else None
        options = ["--manifest-dir", str(place)] if place else []
        with observe.observed(server, accounts[0].for_tma, options) as timeline:
            stage = Stage(agent, mode, server, model, timeline, accounts, recorder)
            try:
                yield stage
            finally:
                stage.clear()
                for account in accounts:
                    account.end_daemons()


def _settle(server: TmuxServer, account: Account, mode: str) -> None:
    """An account's files, tma's configuration in it, and its hooks where the mode has them."""
    account.settle()
    config = account.home / ".config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(_CONFIG)
    if mode != SCREEN:
        done = server.tma("install-hooks", account.agent.name, "--yes", env=account.for_tma)
        if done.returncode != 0:
            message = f"tma install-hooks {account.agent.name}: {done.stderr.strip()}"
            raise AssertionError(message)


if __name__ == "__main__":
    sys.exit(main())
