"""The quiet skip: a stale stamp that stands unseen, because nothing that decided it can have changed (CYC-4).

``reuse`` restates the fold: where it says yes, folding the unchanged screen would store the same state,
detail and source. ``at_a_glance`` restates identity before it, for the pane that looks as it nearly always
does; a closer look, which loads much more, comes to the same.
"""

from tma.core.stamp import TITLE_MATCH_PID
from tma.core.state import BLOCKED, HOOK, PROCESS, WORKING, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tma.core.detect.agent import Manifest
    from tma.core.pane import ProcInfo
    from tma.core.settings import Settings
    from tma.core.stamp import Stamp
    from tma.core.triage import Context, Plan


class Facts:
    """What is known of a pane beside evidence; ``demoted`` says that its hooks went silent (FOLD-16)."""

    __slots__ = ("agent_pid", "demoted", "foreground", "history_view", "scrolled")

    def __init__(self, *, agent_pid: int, foreground: bool, scrolled: bool = False, demoted: bool = False) -> None:
        """Keep the parts; the rules say later whether the screen is a history view."""
        self.agent_pid = agent_pid
        self.foreground = foreground
        self.scrolled = scrolled
        self.history_view = False
        self.demoted = demoted


class Known:
    """What a glance needs of one loaded agent: its names, and those that make a process another's."""

    __slots__ = ("exclusive", "foreign", "name", "own", "titled")

    def __init__(self, plain: "dict[str, Any]", agents: "Sequence[dict[str, Any]]") -> None:
        """Read the plain form, among all that are loaded."""
        self.name: str = plain["name"]
        self.exclusive: bool = plain["exclusive"]
        self.titled = bool(plain["title_patterns"])
        self.own = frozenset(plain["process_names"])
        others = (each["process_names"] for each in agents if each is not plain)
        self.foreign = frozenset(name for names in others for name in names)


def known_of(agents: "Sequence[dict[str, Any]]", plans: "Sequence[Plan]") -> dict[str, Known]:
    """The agents that some of the panes are stamped with, by name."""
    stamped = {plan.prior.name for plan in plans if plan.prior is not None}
    return {plain["name"]: Known(plain, agents) for plain in agents if plain["name"] in stamped}


def at_a_glance(plan: "Plan", tree: "Sequence[ProcInfo]", known: "dict[str, Known]", context: "Context") -> bool:
    """Whether a look would keep a pane's stamp; no means only that this cannot be told without one.

    The stamp's process leads the foreground group and nobody else can be taken for its agent (ID-8, ID-11).
    """
    prior = plan.prior
    agent = known.get(prior.name) if prior is not None else None
    if prior is None or agent is None or plan.boundary or context.explain:
        return False
    if agent.titled and number(plan.pane.option(TITLE_MATCH_PID)) != prior.pid:
        return False
    if not _is_alone_in_front(prior.pid, tree, agent):
        return False
    facts = Facts(agent_pid=prior.pid, foreground=True, demoted=plan.pane.pane_id in context.demoted)
    return reuse(prior, facts, agent, context.settings, activity_s=plan.pane.activity_s, now=context.now)


def _is_alone_in_front(pid: int, tree: "Sequence[ProcInfo]", agent: Known) -> bool:
    """Whether a process leads the foreground group and identity could choose no other (PROC-5, ID-11)."""
    found = False
    for process in tree:
        if not agent.foreign.isdisjoint(process.names):
            return False
        if process.pid == process.pgid and not agent.own.isdisjoint(process.names):
            if process.pid != pid:
                return False
            found = True
    return found and tree[0].tpgid == pid


def reuse(
    stamp: "Stamp", facts: Facts, agent: "Manifest | Known", settings: "Settings", *, activity_s: int, now: int
) -> bool:
    """Whether a stale stamp may stand unseen, because nothing that decided it can have changed (CYC-4).

    ``activity_s`` is when the window last printed anything, in epoch seconds, 0 for unknown; a
    printed second counts until it is over. A stamp of another process or agent is never reused.
    """
    if stamp.in_progress or stamp.pid != facts.agent_pid or stamp.name != agent.name:
        return False
    if not (settings.freshness_ms > 0 and stamp.hash and stamp.stamped <= now):
        return False
    quiet = activity_s != 0 and (activity_s + 1) * 1000 <= stamp.stamped
    return quiet and stamp.state != WORKING and _still_decides(stamp, facts, agent, settings, now=now)


def _still_decides(stamp: "Stamp", facts: Facts, agent: "Manifest | Known", settings: "Settings", *, now: int) -> bool:
    """Whether time and facts leave the stored claim what it was when it was stored."""
    if stamp.source == PROCESS:
        return not facts.foreground
    if stamp.source == HOOK and facts.demoted:
        return False
    if not stamp.protected:
        return facts.foreground
    decay = settings.blocked_decay_ms if stamp.state == BLOCKED else settings.hook_decay_ms
    if now - stamp.evidence > decay:
        return False
    if stamp.state == BLOCKED and not stamp.detail:
        # The event did not say what is asked; the screen may, and prints nothing more while it waits.
        return False
    undecided = stamp.state == BLOCKED and agent.exclusive
    return not (undecided and 0 < stamp.stamped - stamp.evidence <= settings.dwell_ms)
