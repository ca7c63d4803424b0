"""A scenario played many times over, at several widths: how often all of it was right."""

import drive
import report
from agents import Scenario
from judge import RIGHT, WRONG
from stage import Result, Stage


def play(stage: Stage, scenario: Scenario) -> report.Entry:
    """Every round of a scenario; one verdict for each width, and the counts."""
    verdicts, rounds = [], []
    for columns, times in scenario.rounds:
        results = [_once(stage, scenario, columns) for _ in range(times)]
        wrong = [fault for each in results if (fault := _fault(each))]
        rounds.append([columns, times - len(wrong), times])
        verdicts.append(_verdict(columns, results, wrong))
    return {"verdicts": verdicts, "rounds": rounds}


def _once(stage: Stage, scenario: Scenario, columns: int) -> Result:
    """One round, on a fresh agent if the last one left a mess."""
    size = (columns, scenario.size[1])
    try:
        if 1 not in stage.panes or not stage.panes[1].is_usable():
            stage.clear()
            stage.start(1, 1, size)
        stage.panes[1].resize(*size)
        result = drive.Play(stage, scenario).run()
        # A round's states are shorter than the time between two looks of a subscriber.
        result.stream = ""
    except AssertionError as problem:
        result = Result(trouble=str(problem))
    if _fault(result):
        stage.clear()
    return result


def _fault(result: Result) -> str:
    """The first thing that was wrong in a round; "" for none."""
    return next(iter(report.faults(vars(result))), "")


def _verdict(columns: int, results: list[Result], wrong: list[str]) -> dict[str, object]:
    late = max((report.late(vars(each)) for each in results), default=0)
    about = {"step": f"{columns} columns", "word": WRONG if wrong else RIGHT, "late_ms": late}
    return about | ({"reason": f"{len(wrong)} of {len(results)} wrong, first: {wrong[0]}"} if wrong else {})
