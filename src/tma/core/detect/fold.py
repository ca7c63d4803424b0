"""The fold: a stored tuple and what is seen now become one verdict, by the rules in this module only.

First rule that applies wins. *Protected*: the prior is a hook's claim of a state other than
``unknown``, and its pane's hooks are not known to be silent.

1.  RESET (FOLD-1): another process than the prior's: the prior counts as none. What follows is
    judged without it and replaces it.
2.  EVENT (FOLD-2): the newest hook record that claims a state is published, by override.
3.  FOREGROUND (FOLD-3): the agent is not in the foreground: a protected prior of a live agent
    holds, anything else becomes ``unknown``, by override.
4.  FREEZE (FOLD-4): a scrolled pane or a history view holds.
5.  SLOTS (FOLD-5, APS-4, APS-5): ``blocked``, ``working`` and ``idle`` are each the newest record of
    screen and title; of equals the later. A published ``idle`` or ``working`` replaces both of these; a
    published wait is ``blocked`` where no chrome is.
6.  PROTECTED, BLOCKED CHROME (FOLD-6): a ``blocked`` prior is corroborated; any other gives way at once
    to chrome newer than its evidence.
7.  PROTECTED, NO CHROME (FOLD-7): ``working``, else ``idle``, is the candidate. It corroborates its own
    state; it replaces another one by override once the window has passed and screens are an
    authority on the prior's state. Published, it needs no such authority, and no window if the
    agent has spoken since. Without candidate: hold.
8.  CORROBORATE (FOLD-8): the prior again, dated by the new evidence; it may gain a missing detail
    from blocked chrome.
9.  UNPROTECTED (FOLD-9): ``blocked``, else ``working``, else ``idle``, else hold.
10. DWELL (FOLD-10): ``idle`` after ``working`` is not believed within the dwell.
11. HOLD (FOLD-11) without a prior publishes ``unknown``; it never changes a prior.
12. RAISE (FOLD-12): publishing ``blocked`` over another state or none, and ``idle`` over ``working``.
13. WINDOW (FOLD-17): of a ``blocked`` prior the dwell if the agent never draws a dialog beside its
    composer, else the blocked decay; of other priors the hook decay.
14. GUARD (FOLD-15): override and reset DECIDED, corroboration REFRESH, ``blocked`` CARVE, else PROTECT.
    A hook's claim that is not protected (``unknown``, FOLD-16) is replaced by override.

Silence is no evidence: no rule publishes ``blocked`` without a record that says so, and none ends it
without positive evidence of something else (FOLD-13).
"""

from tma.core import guard
from tma.core.detect.evidence import HOOK as HOOK_EVENT
from tma.core.detect.evidence import PUBLISHED, SCREEN, TITLE
from tma.core.state import BLOCKED, CAPTURE, HOOK, IDLE, PROCESS, UNKNOWN, WORKING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.detect.agent import Manifest
    from tma.core.detect.evidence import Evidence
    from tma.core.guard import Expr
    from tma.core.quiet import Facts
    from tma.core.settings import Settings
    from tma.core.stamp import Stamp


class Verdict:
    """What is to be stored, or held.

    Of a hold the parts are the prior's. ``source`` and ``at`` are those of the winning evidence as
    they persist, and ``label`` says what decided. ``read_at`` is the evidence instant of the prior
    that was read, 0 for none.
    """

    __slots__ = ("at", "detail", "label", "override", "publish", "raise_", "read_at", "reset", "source", "state")

    def __init__(self, state: str, *, detail: str, source: str, at: int, label: str) -> None:
        """Start as a hold."""
        self.state = state
        self.detail = detail
        self.source = source
        self.at = at
        self.label = label
        self.publish = False
        self.override = False
        self.raise_ = False
        self.reset = False
        self.read_at = 0

    @property
    def guard(self) -> "Expr":
        """When the server is to hold what this verdict publishes (FOLD-15)."""
        if self.reset or self.override:
            return guard.decided(self.read_at)
        if self.source == HOOK:
            return guard.refresh(self.state, self.at)
        return guard.carve(self.at) if self.state == BLOCKED else guard.protect()


def fold(
    prior: "Stamp | None",
    facts: "Facts",
    evidence: "list[Evidence]",
    manifest: "Manifest",
    settings: "Settings",
    *,
    now: int,
) -> Verdict:
    """Judge a pane; the same input always gives the same verdict."""
    reset = prior is not None and is_reset(prior, facts)
    case = _Case(None if reset else prior, facts, manifest, settings, now=now)
    verdict = case.judge(evidence)
    verdict.reset = reset
    verdict.read_at = prior.evidence if prior else 0
    return verdict


def held(prior: "Stamp", why: str) -> Verdict:
    """The prior as it stands (FOLD-11)."""
    return Verdict(prior.state, detail=prior.detail, source=prior.source, at=prior.evidence, label=why)


def is_reset(prior: "Stamp", facts: "Facts") -> bool:
    """Whether another process than the stored one owns the pane (FOLD-1)."""
    return 0 not in {prior.pid, facts.agent_pid} and prior.pid != facts.agent_pid


def slots(evidence: "list[Evidence]") -> "dict[str, Evidence]":
    """The record that speaks for each state (FOLD-5, APS-4, APS-5)."""
    seen = [record for record in evidence if record.source in {SCREEN, TITLE}]
    chosen = {record.state: record for record in sorted(seen, key=lambda record: record.at)}
    for record in evidence:
        if record.source == PUBLISHED and record.state == BLOCKED:
            chosen.setdefault(BLOCKED, record)
        elif record.source == PUBLISHED:
            chosen.pop(WORKING, None)
            chosen.pop(IDLE, None)
            chosen[record.state] = record
    return chosen


def window(state: str, manifest: "Manifest", settings: "Settings") -> int:
    """How long a hook's claim of a state stands against other evidence, in ms (FOLD-7, FOLD-17)."""
    if state == WORKING and manifest.steady:
        return settings.dwell_ms
    if state != BLOCKED:
        return settings.hook_decay_ms
    return settings.dwell_ms if manifest.exclusive else settings.blocked_decay_ms


class _Case:
    """One pane under judgment; ``prior`` is None after a reset, ``protected`` is it if rule 6 or 7 applies."""

    __slots__ = ("facts", "manifest", "now", "prior", "protected", "settings")

    def __init__(
        self, prior: "Stamp | None", facts: "Facts", manifest: "Manifest", settings: "Settings", *, now: int
    ) -> None:
        self.prior = prior
        self.protected = prior if prior and prior.protected and not facts.demoted else None
        self.facts = facts
        self.manifest = manifest
        self.settings = settings
        self.now = now

    def judge(self, evidence: "list[Evidence]") -> Verdict:
        """Rules 2 to 4, then 6 and 7 or 9."""
        events = [record for record in evidence if record.source == HOOK_EVENT and record.state]
        if events:
            newest = max(reversed(events), key=lambda record: record.at)
            return self._publish(newest, source=HOOK, override=True)
        if not self.facts.foreground:
            return self._covered()
        if self.facts.scrolled:
            return self._hold("the pane is scrolled")
        if self.facts.history_view:
            return self._hold("the screen shows history")
        seen = slots(evidence)
        return self._protected(self.protected, seen) if self.protected else self._unprotected(seen)

    def _covered(self) -> Verdict:
        """Rule 3."""
        why = "another program is in the foreground"
        if self.protected and self.facts.agent_pid:
            return self._hold(why)
        return self._unknown(why, source=PROCESS, override=True)

    def _protected(self, prior: "Stamp", seen: "dict[str, Evidence]") -> Verdict:
        """Rules 6 and 7."""
        blocker = seen.get(BLOCKED)
        if blocker:
            if prior.state == BLOCKED:
                verdict = self._corroborate(prior, blocker, detail=prior.detail or blocker.detail)
                verdict.at = min([verdict.at, *(said.at - 1 for said in self._contradicting(prior, seen))])
                return verdict
            newer = blocker.at > prior.evidence
            return self._publish(blocker) if newer else self._hold(f"{blocker.label}: older than the event")
        candidate = seen.get(WORKING) or seen.get(IDLE)
        if candidate is None:
            return self._hold("nothing seen")
        if candidate.state == prior.state:
            return self._corroborate(prior, candidate, detail=prior.detail)
        if not self._outweighs(prior, candidate):
            return self._hold(f"{candidate.label}: the event still counts")
        if self._dwells(candidate):
            return self._hold(f"{candidate.label}: too early")
        return self._publish(candidate, override=True)

    def _contradicting(self, prior: "Stamp", seen: "dict[str, Evidence]") -> "list[Evidence]":
        """The agent's own later word that nothing is asked any more.

        Its screen follows its file by a moment; a look between them must not date the claim past that word.
        """
        others = (seen.get(IDLE), seen.get(WORKING))
        return [each for each in others if each and each.source == PUBLISHED and each.at > prior.evidence]

    def _outweighs(self, prior: "Stamp", candidate: "Evidence") -> bool:
        """Whether other evidence may end a protected claim (rule 7)."""
        published = candidate.source == PUBLISHED
        if published and candidate.at > prior.evidence:
            return True
        decayed = self.now - prior.evidence > window(prior.state, self.manifest, self.settings)
        return decayed and (published or prior.state in self.manifest.visible)

    def _unprotected(self, seen: "dict[str, Evidence]") -> Verdict:
        """Rule 9."""
        winner = seen.get(BLOCKED) or seen.get(WORKING) or seen.get(IDLE)
        if winner is None:
            return self._hold("nothing seen")
        return self._hold(f"{winner.label}: too early") if self._dwells(winner) else self._publish(winner)

    def _dwells(self, candidate: "Evidence") -> bool:
        """Rule 10."""
        prior = self.prior
        if prior is None or prior.state != WORKING or candidate.state != IDLE:
            return False
        return self.now - prior.evidence <= self.settings.dwell_ms

    def _corroborate(self, prior: "Stamp", seen: "Evidence", *, detail: str) -> Verdict:
        """Rule 8."""
        verdict = Verdict(prior.state, detail=detail, source=HOOK, at=seen.at, label=seen.label)
        verdict.publish = True
        return verdict

    def _hold(self, why: str) -> Verdict:
        """Rule 11."""
        return held(self.prior, why) if self.prior else self._unknown(why, source=CAPTURE, override=False)

    def _unknown(self, why: str, *, source: str, override: bool) -> Verdict:
        verdict = Verdict(UNKNOWN, detail="", source=source, at=self.now, label=why)
        return self._flagged(verdict, override=override)

    def _publish(self, winner: "Evidence", *, source: str = CAPTURE, override: bool = False) -> Verdict:
        verdict = Verdict(winner.state, detail=winner.detail, source=source, at=winner.at, label=winner.label)
        return self._flagged(verdict, override=override)

    def _flagged(self, verdict: Verdict, *, override: bool) -> Verdict:
        """Rules 12 and 14."""
        prior = self.prior
        before = prior.state if prior else ""
        verdict.publish = True
        verdict.override = override or (prior is not None and prior.source == HOOK and not self.protected)
        verdict.raise_ = {BLOCKED: before != BLOCKED, IDLE: before == WORKING}.get(verdict.state, False)
        return verdict
