"""The last steps of the pipeline by themselves; the whole path is tested beside it."""

import subprocess
import sys

from detection import manifest
from harness import ROOT
from tma.core import config
from tma.core.detect import judging
from tma.core.detect.identity import Identity
from tma.core.pane import PaneRecord
from tma.core.quiet import Facts
from tma.core.settings import Settings
from tma.core.triage import JUDGED, ROW, Context, Plan

NOW = 1_000_000


def test_a_read_screen_becomes_a_row_and_its_writes() -> None:
    """CYC-5: what the rules say is folded, projected and stored in one chain."""
    plan = Plan(PaneRecord("%1", 10), NOW)
    plan.identity = Identity("claude", "observed", pid=11, foreground=True)
    context = Context(now=NOW, settings=Settings(config.parse({})), names=["claude"])
    steps = judging.read_screen(plan, Facts(agent_pid=11, foreground=True), manifest(), context, ["[permission]"])

    try:
        next(steps)
    except StopIteration as stop:
        plan = stop.value

    assert (plan.outcome, plan.reason) == (ROW, JUDGED)
    assert plan.stamp_after is not None
    assert (plan.stamp_after.state, plan.stamp_after.pid, plan.stamp_after.name) == ("blocked", 11, "claude")


def test_a_look_that_reads_no_screen_loads_none_of_it() -> None:
    """Most looks end before: regular expressions and writes are not loaded for them."""
    code = "import sys; import tma.services.look; print(*sys.modules)"
    argv, env = [sys.executable, "-c", code], {"PYTHONPATH": str(ROOT / "src")}
    loaded = subprocess.run(argv, check=True, capture_output=True, text=True, env=env).stdout.split()
    assert {"tma.core.writes", "tma.core.detect.judging", "tma.core.detect.rules"}.isdisjoint(loaded)
