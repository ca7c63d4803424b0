"""One detection cycle: read every pane, decide each, write what changed, tell the rows.

At most three tmux clients: the read, the captures with the writes riding in the same client, and
what of the writes did not fit. A cycle in which nothing is to be looked at is the read alone, and
one that changes nothing writes nothing, because every option write redraws every client (RC-1).
"""

from tma.adapters import files, system
from tma.adapters.tmux import read
from tma.core import quiet
from tma.core import triage as plans
from tma.core.stamp import SESSION_SUMMARY, STATUS_LINE, SUMMARY, summary
from tma.core.state import class_of
from tma.core.triage import Context, triage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.linux import Table
    from tma.adapters.tmux.read import Asked
    from tma.core.ops import Op
    from tma.core.pane import Client, ProcInfo, ServerFacts
    from tma.core.triage import Plan
    from tma.services.runtime import Runtime

    Scopes = dict[str, tuple[str, list[str]]]


class Snapshot:
    """What one cycle found at the instant ``now`` (epoch ms); ``elapsed_ms`` is how long it took.

    ``facts`` is None for a server without panes. ``clients`` are those that may answer a mark by
    their input, none after a cycle that only consumed; ``answered`` are the rows whose mark was,
    for a deferring caller to lower itself (ATN-6).
    """

    __slots__ = ("answered", "captures", "clients", "elapsed_ms", "facts", "foreign", "now", "plans", "stampede")

    def __init__(self, now: int, facts: "ServerFacts | None") -> None:
        """Start empty."""
        self.now = now
        self.facts = facts
        self.foreign = False
        self.stampede = False
        self.captures = 0
        self.elapsed_ms = 0
        self.plans: list[Plan] = []
        self.answered: list[Plan] = []
        self.clients: list[Client] = []

    def rows(self) -> "list[Plan]":
        """The panes that have a row, in the order tmux listed them."""
        return [plan for plan in self.plans if plan.has_row]

    def timing(self) -> str:
        """What ``--debug-timing`` prints (CYC-9)."""
        rows = len(self.rows())
        reasons = [plan.reason for plan in self.plans]
        produced = reasons.count(plans.JUDGED)
        parts = [
            f"cycle {self.elapsed_ms}ms",
            f"{rows} agents",
            f"{produced} produced",
            f"{rows - produced} consumed",
            f"{self.captures} captures",
            f"{reasons.count(plans.QUIET)} capture-skipped",
            f"{sum(plan.outcome == plans.REMOVED for plan in self.plans)} removed",
        ]
        return " ".join(parts + ["stampede-skipped"] * self.stampede)


def run(
    runtime: "Runtime",
    *,
    depth: str = read.ALL,
    defer_seen: bool = False,
    demoted: frozenset[str] = frozenset(),
    asked: "Asked | None" = None,
) -> Snapshot:
    """Detect and stamp every pane of the server.

    Args:
        runtime: the command's world.
        depth: how much the rows need to tell (``read.ALL``, ``ROWS`` or ``COUNTS``).
        defer_seen: leave marks that were answered by input to the caller (ATN-6).
        demoted: panes whose hooks are known to be silent (FOLD-16).
        asked: the read, where the caller has begun it.

    Raises:
        TmaError: the server is gone, the read or the write took too long, or no process can be
            seen; one pane's failure only costs that pane.
    """
    asked = asked or read.ask(runtime.server, runtime.now_ms(), depth=depth)
    procs = runtime.procs()
    procs.foresee(runtime.server_pid)
    snapshot, context = _glance(runtime, asked)
    if snapshot.foreign and any(not plan.pane.command for plan in snapshot.plans):
        # No process will tell what is in front of a pane of which the read told only part (ID-7).
        snapshot, context = _glance(runtime, read.ask(runtime.server, runtime.now_ms(), depth=read.ROWS))
    if snapshot.facts is not None and not snapshot.foreign and _applied_kept(runtime, snapshot.facts):
        snapshot, context = _glance(runtime, read.ask(runtime.server, runtime.now_ms(), depth=depth))
    context.demoted = demoted
    if snapshot.facts is not None and not snapshot.foreign:
        _settle(runtime, snapshot, context, procs, lower=not defer_seen)
    snapshot.elapsed_ms = max(0, runtime.now_ms() - asked.now)
    return snapshot


def counted(runtime: "Runtime", asked: "Asked | None") -> Snapshot:
    """A cycle for who only counts its rows; errors are those of ``run``."""
    return run(runtime, depth=read.COUNTS, asked=asked)


def _applied_kept(runtime: "Runtime", facts: "ServerFacts") -> bool:
    """Whether events were kept for want of time and are applied now, so that the panes read otherwise (DEV-6)."""
    path = files.daemon_file(system.environment(), facts.socket_path, "spool")
    if not files.exists(path):
        return False
    from tma.services import spooled

    return spooled.apply(path, runtime, facts) > 0


def _glance(runtime: "Runtime", asked: "Asked") -> tuple[Snapshot, Context]:
    """All that can be decided from the one read; it asks no process (READ-1)."""
    now, mark = asked.now, asked.mark
    begun, end = asked.begun, asked.end
    text = runtime.server.take(begun, end) if end else runtime.server.finish(begun)
    panes, facts = read.parse(text, mark)
    snapshot = Snapshot(now, facts)
    context = Context(now=now, settings=runtime.settings, names=runtime.names)
    if facts is not None:
        snapshot.foreign = context.foreign = runtime.foreign(facts)
        snapshot.stampede = context.stampede = facts.last_poll != 0 and facts.last_poll // 1000 == now // 1000
    if context.foreign:
        runtime.note("this process cannot see the tmux server's processes: rows come from their stamps alone")
    count = len(panes) + (len(facts.others) if facts else 0)
    if count > read.MAX_PANES:
        runtime.note(f"only the first {read.MAX_PANES} of {count} panes are read")
    snapshot.plans = [triage(pane, context) for pane in panes[: read.MAX_PANES]]
    if not context.stampede:
        snapshot.clients = read.parse_clients(text, mark)
    return snapshot, context


def _settle(runtime: "Runtime", snapshot: Snapshot, context: Context, procs: "Table", *, lower: bool) -> None:
    """Look where a look is needed, and write what changed."""
    trees = _trees(runtime, snapshot, context, procs)
    if trees:
        runtime.before_look()
        from tma.services.look import look

        look(runtime, context, trees, lambda: _compose(runtime, snapshot, lower=lower))
        snapshot.captures = sum(plan.reason in {plans.JUDGED, plans.VANISHED} for plan in snapshot.plans)
        return
    for text in _compose(runtime, snapshot, lower=lower):
        runtime.server.feed(text)


def _trees(runtime: "Runtime", snapshot: Snapshot, context: Context, procs: "Table") -> "dict[Plan, list[ProcInfo]]":
    """The panes to look at, with their processes; of those that the read told too little of, it is read now.

    That is a pane in which an agent started, one whose stamp does not stand although its window was silent,
    and one whose agent went on to write a log of its own.
    """
    trees = possible(runtime, [plan for plan in snapshot.plans if plan.outcome == plans.LOOK], procs, context)
    partly = [plan for plan in trees if not plan.pane.command]
    unread = {plan.pane.pane_id: plan for plan in partly if not _stands(runtime, plan, trees[plan], context)}
    wanted = [*_started(runtime, snapshot, procs), *unread, *_logged(runtime, snapshot)]
    if wanted:
        command, mark = read.list_panes()
        panes, _ = read.parse(runtime.server.run([*command, "-f", read.one_of(wanted)]), mark)
        whole = {pane.pane_id: triage(pane, context) for pane in panes if pane.pane_id in wanted}
        for plan in unread.values():
            plan.drop(plans.DEAD, plans.VANISHED)
        kept = [plan for plan in snapshot.plans if plan.pane.pane_id not in whole]
        snapshot.plans = [*kept, *whole.values()]
        again = [plan for plan in whole.values() if plan.outcome == plans.LOOK]
        trees |= possible(runtime, again, runtime.procs(), context)
    return {plan: tree for plan, tree in trees.items() if plan.outcome == plans.LOOK}


def _started(runtime: "Runtime", snapshot: Snapshot, procs: "Table") -> list[str]:
    """The panes without a stamp in which an agent may run (ID-8)."""
    facts = snapshot.facts
    if facts is None or snapshot.stampede:
        return []
    room = max(0, read.MAX_PANES - len(snapshot.plans))
    known = runtime.process_names
    return [pane_id for pane_id, pid in [*facts.others.items()][:room] if not known.isdisjoint(procs.carried(pid))]


def _logged(runtime: "Runtime", snapshot: Snapshot) -> list[str]:
    """The rows that the read told only in part, and whose gauge may have changed (ROL-1)."""
    if snapshot.stampede:
        return []
    tailed = runtime.tailed
    partly = [plan for plan in snapshot.rows() if not plan.pane.command]
    panes = [plan.pane for plan in partly if plan.stamp_after and plan.stamp_after.name in tailed]
    return [pane.pane_id for pane in panes if runtime.tails.has_news(pane)]


def _stands(runtime: "Runtime", plan: "Plan", tree: "list[ProcInfo]", context: Context) -> bool:
    """Whether a look at a pane of which the read told only part comes to its stamp without its screen (CYC-4).

    Without the foreground's name it is only ever taken for less in front than it is.
    """
    runtime.before_look()
    from tma.core.detect import pipeline

    context.manifests = runtime.manifests
    return pipeline.keeps_unseen(plan, tree, context)


def possible(
    runtime: "Runtime", pending: "list[Plan]", procs: "Table", context: Context
) -> "dict[Plan, list[ProcInfo]]":
    """The pending panes that have to be looked at, with their processes; the others are decided.

    Behind a boundary no process is asked (REM-8).
    """
    trees: dict[Plan, list[ProcInfo]] = {}
    if not pending:
        return trees
    agents, names = quiet.known_of(runtime.document.agents, pending), runtime.process_names
    for plan in pending:
        if plan.boundary:
            trees[plan] = []
            continue
        pid = plan.pane.pid
        if plan.pane.command and plans.is_nobody(plan, procs.carried(pid), names):
            plan.clear(plans.NO_AGENT)
            continue
        tree = procs.tree(pid, holding=plan.prior.pid if plan.prior else 0)
        if quiet.at_a_glance(plan, tree, agents, context):
            plan.keep(plans.QUIET)
        else:
            trees[plan] = tree
    return trees


def _compose(runtime: "Runtime", snapshot: Snapshot, *, lower: bool) -> list[str]:
    """The scripts of everything that the cycle changed; none where nothing did (RC-2).

    ``lower`` takes down the marks that input answered. A cycle that only consumed leaves gauges
    and summaries alone (CYC-2).
    """
    chains = [(plan.pane.pane_id, plan.ops) for plan in snapshot.plans if plan.ops]
    snapshot.answered = answered(snapshot)
    lowered = snapshot.answered if lower else []
    drifted = []
    if not snapshot.stampede:
        chains += _gauges(runtime, snapshot)
        drifted = drift(snapshot) + _status_drift(runtime, snapshot, lowered)
    if not (chains or drifted or lowered):
        return []
    from tma.services import stamping

    return stamping.scripts(snapshot.now, chains, drifted, lowered)


def _gauges(runtime: "Runtime", snapshot: Snapshot) -> "list[tuple[str, list[Op]]]":
    """Context gauges of agents that keep them in files of their own (ROL-1).

    Of a pane that was read in part the stored ones are not known, and there is no news.
    """
    tailed = runtime.tailed
    rows = (plan for plan in snapshot.rows() if plan.pane.command)
    panes = [plan.pane for plan in rows if plan.stamp_after and plan.stamp_after.name in tailed]
    return runtime.tails.read(panes, runtime.document.agents, snapshot.now) if panes else []


def drift(snapshot: Snapshot) -> "list[tuple[str, str, str, str]]":
    """The summaries that differ from what was read, as flag, target, option and value (RU-1, RU-2)."""
    facts = snapshot.facts
    windows: Scopes = {key: (stored, []) for key, stored in facts.windows.items()} if facts else {}
    sessions: Scopes = {key: (stored, []) for key, stored in facts.sessions.items()} if facts else {}
    for plan in snapshot.plans:
        states = [plan.stamp_after.state] if plan.has_row and plan.stamp_after else []
        windows.setdefault(plan.pane.window_id, (plan.pane.window_summary, []))[1].extend(states)
        for session_id, _ in plan.pane.sessions:
            stored = plan.pane.summaries.get(session_id, "")
            sessions.setdefault(session_id, (stored, []))[1].extend(states)
    found = []
    for flag, key, scopes in (("-w", SUMMARY, windows), ("", SESSION_SUMMARY, sessions)):
        for target, (stored, states) in scopes.items():
            wanted = summary(states)
            if wanted != stored:
                found.append((flag, target, key, wanted))
    return found


def _status_drift(runtime: "Runtime", snapshot: Snapshot, lowered: "list[Plan]") -> "list[tuple[str, str, str, str]]":
    """The status line, where it differs from the stored one: for tmux to show without any process (STL-3)."""
    from tma.view.status import counts_of, tmux_line

    rows = [(plan, plan.stamp_after) for plan in snapshot.rows() if not plan.is_snoozed]
    classes = [class_of(row.state, marked=row.attention and plan not in lowered) for plan, row in rows if row]
    line = tmux_line(counts_of(classes), runtime.settings.status)
    stored = snapshot.facts.status_line if snapshot.facts else None
    return [] if stored in {None, line} else [("-s", "", STATUS_LINE, line)]


def answered(snapshot: Snapshot) -> "list[Plan]":
    """The rows whose mark a person's input has answered since it was raised (ATN-4)."""
    active: dict[str, int] = {}
    for client in snapshot.clients:
        active[client.pane_id] = max(client.active_at, active.get(client.pane_id, 0))
    found = []
    for plan in snapshot.rows():
        row = plan.stamp_after
        if row and row.attention and 0 < row.episode < active.get(plan.pane.pane_id, 0):
            found.append(plan)
    return found
