"""Every pane as a cycle would identify it, and nothing written or captured (DOC-1)."""

from tma.adapters.tmux import read
from tma.core import triage as plans
from tma.core.detect import pipeline
from tma.core.errors import TmaError
from tma.core.stamp import TUPLE
from tma.core.triage import Context, triage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.pane import ServerFacts
    from tma.core.triage import Plan
    from tma.services.runtime import Runtime


class Survey:
    """What one look found; ``walk_error`` says why no process could be seen, "" for none."""

    __slots__ = ("clients", "facts", "foreign", "now", "plans", "walk_error")

    def __init__(self, now: int) -> None:
        """Start empty."""
        self.now = now
        self.plans: list[Plan] = []
        self.facts: ServerFacts | None = None
        self.clients = 0
        self.foreign = False
        self.walk_error = ""


def take(runtime: "Runtime") -> Survey:
    """Look at every pane.

    Raises:
        TmaError: no server, or it does not answer.
    """
    survey = Survey(runtime.now_ms())
    command, mark = read.list_panes()
    text = runtime.server.run([*command, ";", *read.list_clients(mark)])
    panes, survey.facts = read.parse(text, mark)
    survey.clients = len(read.parse_clients(text, mark))
    survey.foreign = survey.facts is not None and runtime.foreign(survey.facts)
    context = Context(now=survey.now, settings=runtime.settings, names=runtime.names)
    context.manifests, context.explain, context.foreign = runtime.manifests, True, survey.foreign
    survey.plans = [triage(pane, context) for pane in panes]
    for plan in survey.plans:
        if plan.outcome == plans.LOOK:
            _identify(runtime, plan, context, survey)
    return survey


def stray_options(runtime: "Runtime", survey: Survey) -> list[tuple[str, str, str, str]]:
    """Tuple options at another scope than a pane's, as scope, target, option and value (RD-6)."""
    scopes = [("server", "", ["-s"]), ("session", "global", ["-g"]), ("window", "global", ["-gw"])]
    sessions = {session for plan in survey.plans for session, _ in plan.pane.sessions}
    scopes += [("session", session, ["-t", session]) for session in sorted(sessions)]
    scopes += [
        ("window", window, ["-w", "-t", window]) for window in sorted({plan.pane.window_id for plan in survey.plans})
    ]
    words = [
        word for _, _, flags in scopes for word in ("show-options", *flags, ";", "display-message", "-p", "|", ";")
    ]
    found = []
    texts = runtime.server.run(words[:-1]).split("|\n")
    for (scope, target, _), text in zip(scopes, texts, strict=False):
        for line in text.splitlines():
            name, _, value = line.partition(" ")
            if name in TUPLE:
                found.append((scope, target, name, value))
    return found


def _identify(runtime: "Runtime", plan: "Plan", context: Context, survey: Survey) -> None:
    """Judge a pane up to the point where its screen would be read; behind a boundary no process is asked (REM-8)."""
    try:
        tree = [] if plan.boundary else runtime.procs().tree(plan.pane.pid)
    except TmaError as error:
        survey.walk_error = str(error)
        if plan.prior is not None and plan.prior.session:
            plan.keep(plans.UNSEEN)
        return
    if plans.is_nobody(plan, (name for proc in tree for name in proc.names), runtime.process_names):
        return
    judging = pipeline.look_at(plan, context)
    try:
        need = next(judging)
        while need == pipeline.NEED_TREE:
            need = judging.send(tree)
    except StopIteration:
        return
    judging.close()
