"""What is decided about a pane, and the cheap decisions that come before any process is looked at.

In this order (CYC-3): ignored, dead, behind a boundary without a claim, a foreign observer's
row, a stampede's row, a fresh stamp's row, and a pane in which no agent can be. A pane that none of
them decides is to be looked at.
"""

from tma.core import stamp
from tma.core.names import REMOTE_SHELL, out_of_scope
from tma.core.state import BLOCKED, HOOK, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from tma.core.detect.agent import Manifest
    from tma.core.detect.evidence import Evidence
    from tma.core.detect.fold import Verdict
    from tma.core.detect.identity import Identity
    from tma.core.detect.rules import Reading
    from tma.core.ops import Op
    from tma.core.pane import PaneRecord
    from tma.core.quiet import Facts
    from tma.core.settings import Settings
    from tma.core.stamp import Stamp

LOOK = "look"
ROW = "row"
NONE = "none"
HELD = "held"
REMOVED = "removed"
DEAD = "dead"

IGNORED = "ignored"
PANE_DEAD = "pane dead"
OUT_OF_SCOPE = "out of scope"
FOREIGN = "foreign observer"
FRESH = "fresh"
STAMPEDE = "stampede"
NO_AGENT = "no agent"
BEHIND = "behind a boundary"
UNSEEN = "no process known"
REAPED = "reaped"
QUIET = "quiet"
JUDGED = "judged"
VANISHED = "vanished"


class Context:
    """One pass over one or all panes.

    ``names`` are the loaded agents' names; ``manifests`` are the agents themselves, in the order
    that decides identity, and may be set late: only a pane whose processes are looked at needs
    them. ``foreign`` callers only read (CYC-14), in a ``stampede`` nothing is looked at (CYC-2),
    ``explain`` looks at everything and reuses nothing. ``demoted`` are panes whose hooks went
    silent (FOLD-16). ``elapsed_ms`` is a running clock for the budget of screen rules.
    """

    __slots__ = ("demoted", "elapsed_ms", "explain", "foreign", "manifests", "names", "now", "settings", "stampede")

    def __init__(self, *, now: int, settings: "Settings", names: "Collection[str]") -> None:
        """Start with an ordinary pass at ``now`` (epoch ms)."""
        self.now = now
        self.settings = settings
        self.names = names
        self.manifests: Sequence[Manifest] = ()
        self.foreign = False
        self.stampede = False
        self.explain = False
        self.demoted: frozenset[str] = frozenset()
        self.elapsed_ms: Callable[[], int] | None = None

    def stopwatch(self) -> "Callable[[], int] | None":
        """How long ago this call was, in ms; None without a running clock."""
        clock = self.elapsed_ms
        if clock is None:
            return None
        start = clock()
        return lambda: clock() - start


class Plan:
    """One pane's decision.

    ``outcome`` is ``row``, ``none``, ``held`` (its options are left alone), ``removed`` (its
    options go) or ``dead`` (it vanished under the capture); ``look`` until decided. ``reason``
    is one of the constants above. ``stamp_after`` is what stands once ``ops`` have run, as the
    options that were read predict it (GRD-5). ``prior`` is the tuple as read, ``problem`` why it
    could not be decoded. ``manifest`` is the agent's name, empty for none, ``dialog`` the mark of the
    permission dialog that was read. What was seen on the way stays in ``identity``, ``facts``,
    ``evidence``, ``reading`` and ``verdict``.
    """

    __slots__ = (
        "_now", "boundary", "dialog", "evidence", "facts", "identity", "manifest", "ops", "outcome", "pane", "prior",
        "problem", "reading", "reason", "stamp_after", "verdict",
    )  # fmt: skip

    def __init__(self, pane: "PaneRecord", now: int) -> None:
        """Read the stored tuple; instants far ahead of ``now`` count as ``now`` (CLK-4)."""
        self._now = now
        self.pane = pane
        self.outcome = LOOK
        self.reason = ""
        self.ops: list[Op] = _repairs(pane, now) if stamp.leaps(pane.options, now) else []
        self.prior, self.problem = stamp.decode(self.options_after())
        self.stamp_after: Stamp | None = None
        self.boundary = ""
        self.manifest = ""
        self.identity: Identity | None = None
        self.facts: Facts | None = None
        self.evidence: list[Evidence] = []
        self.reading: Reading | None = None
        self.dialog = ""
        self.verdict: Verdict | None = None

    @property
    def has_row(self) -> bool:
        """Whether the pane is an agent's and counts in rollups."""
        return self.outcome == ROW

    @property
    def is_snoozed(self) -> bool:
        """Whether the row is left out of counts for now; it never is for its class (POL-6)."""
        after, now = self.stamp_after, self._now
        return after is not None and stamp.snoozed_until(self.pane.options, after.episode) > now

    @property
    def captured(self) -> bool:
        """Whether the screen was read."""
        return self.reason == JUDGED

    @property
    def reused(self) -> bool:
        """Whether a process was looked at and the stored tuple left as it is (CYC-4)."""
        return self.reason == QUIET

    def options_after(self) -> dict[str, str]:
        """The pane's options as they will read once ``ops`` have run."""
        if not self.ops:
            return self.pane.options
        from tma.core import ops

        options = dict(self.pane.options)
        ops.apply(options, self.ops)
        return options

    def keep(self, reason: str) -> "Plan":
        """The row is what the stored tuple says."""
        self.outcome = ROW
        self.reason = reason
        self.stamp_after = self.prior
        return self

    def drop(self, outcome: str, reason: str) -> "Plan":
        """No row, and nothing is written."""
        self.outcome = outcome
        self.reason = reason
        self.ops = []
        return self

    def clear(self, reason: str) -> "Plan":
        """No row, and what an agent left on the pane is removed (CH-REMOVE)."""
        if not stamp.carries_stamp(self.pane):
            return self.drop(NONE, reason)
        from tma.core import writes

        self.outcome = REMOVED
        self.reason = reason
        self.ops = writes.remove(self.pane.option(stamp.STAMPED_AT))
        return self


def triage(pane: "PaneRecord", context: "Context") -> Plan:
    """A plan that is decided, or one whose outcome is ``look``."""
    plan = Plan(pane, context.now)
    if not _excluded(plan, context):
        _reuse_stamp(plan, context)
    if context.foreign or (context.stampede and plan.has_row):
        plan.ops = []
    return plan


def fresh(stamp: "Stamp", settings: "Settings", now: int, *, activity_s: int = 0) -> bool:
    """Whether a settled stamp is young enough to be believed unseen; one from the future is not (CYC-1).

    Some agents' hooks say nothing of a prompt that was dismissed or a turn that was interrupted. The first
    makes the window print, the second ends the printing: with output since the stamp (``activity_s``, epoch
    seconds, 0 for unknown) a blocked pane is looked at, and a working one when the output has ended. The latter
    also where the last look did not confirm the claim: the dwell may have been all that kept it.
    """
    printed_until = (activity_s + 1) * 1000
    printed = printed_until > stamp.stamped
    stopped = stamp.state == WORKING and activity_s > 0 and printed_until <= now
    doubtful = (printed and stamp.state == BLOCKED) or (stopped and (printed or stamp.evidence < stamp.stamped))
    return not stamp.in_progress and not doubtful and 0 <= now - stamp.stamped < settings.freshness_ms


def _excluded(plan: Plan, context: "Context") -> bool:
    """Decide a pane that detection leaves alone (ID-3, ID-4, ID-7)."""
    pane = plan.pane
    if pane.option(stamp.IGNORE):
        plan.clear(IGNORED)
    elif pane.dead:
        plan.clear(PANE_DEAD)
    elif pane.command:
        plan.boundary = out_of_scope(pane.command, context.settings.remote)
        if not plan.boundary or claimed(plan.prior, context.names):
            return False
        if plan.boundary == REMOTE_SHELL:
            plan.drop(HELD, OUT_OF_SCOPE)
        else:
            plan.clear(OUT_OF_SCOPE)
    return plan.outcome != LOOK


def _reuse_stamp(plan: Plan, context: "Context") -> None:
    """Decide a pane whose row is taken from its stamp unseen (CYC-1, CYC-2, CYC-14)."""
    if context.foreign or context.stampede:
        reason = FOREIGN if context.foreign else STAMPEDE
        if plan.prior is None:
            plan.drop(NONE, reason)
        else:
            plan.keep(reason)
    elif (
        plan.prior is not None
        and not context.explain
        and fresh(plan.prior, context.settings, context.now, activity_s=plan.pane.activity_s)
    ):
        plan.keep(FRESH)


def _repairs(pane: "PaneRecord", now: int) -> "list[Op]":
    """Loaded here: clocks are seldom set back, and most passes write nothing (CLK-4)."""
    from tma.core import writes

    return writes.repair(writes.Looked(now=now, pid=0, name="", options=pane.options))


def is_nobody(plan: Plan, carried: "Iterable[str]", known: frozenset[str]) -> bool:
    """Whether a pane without a stamp holds no process that any agent is known by (ID-8)."""
    return plan.prior is None and not plan.problem and known.isdisjoint(carried)


def registered(stamp: "Stamp | None", names: "Collection[str]") -> bool:
    """Whether a session of a loaded agent owns the pane (ID-2)."""
    return stamp is not None and bool(stamp.session) and stamp.name in names


def claimed(stamp: "Stamp | None", names: "Collection[str]") -> bool:
    """Whether an agent reported for the pane that no process here was ever seen of (ID-6, REM-9).

    A claim with a process id was made before the hop and proves nothing about the far side.
    """
    if stamp is None or stamp.pid:
        return False
    return registered(stamp, names) or (stamp.source == HOOK and stamp.name in names)
