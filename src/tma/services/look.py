"""Looking at panes: what their processes mean, then all screens in one tmux client that also takes the writes."""

import time

from tma.adapters.tmux import capture
from tma.core.detect import pipeline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.adapters.linux import Table
    from tma.core.detect.pipeline import Need
    from tma.core.pane import ProcInfo
    from tma.core.triage import Context, Plan
    from tma.services.runtime import Runtime

CAPTURES_A_CLIENT = 64
"""Captures in one argument list, which tmux refuses above about 16 KB (WR-3)."""


class Look:
    """One pane under judgment; it runs until it needs the screen or is decided."""

    __slots__ = ("_judging", "_procs", "_tree", "plan", "waiting")

    def __init__(self, plan: "Plan", context: "Context", procs: "Table", tree: "list[ProcInfo]") -> None:
        """Start judging what triage left open; ``tree`` are the pane's processes."""
        self.plan = plan
        self.waiting = True
        self._procs = procs
        self._tree = tree
        self._judging = pipeline.look_at(plan, context)
        self._advance(None)

    def show(self, text: str | None) -> None:
        """Give the captured text, None for a pane that is gone (CYC-6)."""
        from tma.core.screen import lines_of

        self._advance(None if text is None else lines_of(text))

    def _advance(self, answer: object) -> None:
        try:
            need = self._judging.send(answer)
            while need != pipeline.NEED_CAPTURE:
                need = self._judging.send(self._answer(need))
        except StopIteration:
            self.waiting = False

    def _answer(self, need: "Need") -> object:
        if not isinstance(need, tuple):
            return self._tree
        from tma.services import published

        return published.read(need[1], need[2], self._procs)


def look(
    runtime: "Runtime",
    context: "Context",
    trees: "dict[Plan, list[ProcInfo]]",
    compose: "Callable[[], list[str]]",
) -> None:
    """Judge panes by their processes and screens, then send the scripts that ``compose`` makes of it."""
    context.manifests = runtime.manifests
    context.elapsed_ms = ticks
    procs = runtime.procs()
    waiting = [each for plan, tree in trees.items() if (each := Look(plan, context, procs, tree)).waiting]
    while len(waiting) > CAPTURES_A_CLIENT:
        batch, waiting = waiting[:CAPTURES_A_CLIENT], waiting[CAPTURES_A_CLIENT:]
        command, mark = capture.commands_for([each.plan.pane.pane_id for each in batch])
        _show(batch, runtime.server.run(command), mark)
    scripts = _capture_last(runtime, waiting, compose) if waiting else compose()
    for text in scripts:
        runtime.server.feed(text)
    if runtime.codes.made:
        from tma.services import codes

        codes.keep(runtime.codes)


def ticks() -> int:
    """This process's own time in ms, for the budget of screen rules: a busy machine is not their fault."""
    return time.process_time_ns() // 1_000_000


def _capture_last(runtime: "Runtime", waiting: list[Look], compose: "Callable[[], list[str]]") -> list[str]:
    """Capture the last batch and send the first script in the same client; the scripts left over."""
    command, mark = capture.commands_for([each.plan.pane.pane_id for each in waiting])
    scripts: list[str] = []

    def reply(text: str) -> str:
        _show(waiting, text, mark)
        scripts.extend(compose())
        return scripts.pop(0) if scripts else ""

    answer = runtime.server.converse(command)
    from tma.core.detect import judging  # noqa: F401  # it takes longer to load than the captures

    answer(reply)
    return scripts


def _show(batch: list[Look], text: str, mark: str) -> None:
    captured = capture.parse(text, mark)
    for each in batch:
        each.show(captured.get(each.plan.pane.pane_id))
