"""Properties of the fold over arbitrary input."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from detection import manifest, settings, stamp
from tma.core import guard, ops, writes
from tma.core.detect.agent import Manifest
from tma.core.detect.evidence import Evidence
from tma.core.detect.fold import Verdict, fold
from tma.core.quiet import Facts
from tma.core.stamp import Stamp
from tma.core.state import SOURCES, STATES

DEFAULTS = settings()
INSTANTS = st.integers(0, 400_000)
PIDS = st.sampled_from([0, 20, 21])
DETAILS = st.sampled_from(["", "plan", "permission"])
LISTED = sorted(STATES)

PRIORS = st.none() | st.builds(
    stamp,
    st.sampled_from(LISTED),
    source=st.sampled_from(sorted(SOURCES)),
    detail=DETAILS,
    evidence=INSTANTS,
    since=INSTANTS,
    stamped=INSTANTS,
    pid=PIDS,
)
FACTS = st.builds(Facts, agent_pid=PIDS, foreground=st.booleans(), scrolled=st.booleans(), demoted=st.booleans())
RECORDS = st.builds(
    Evidence,
    st.sampled_from(["screen", "title", "published", "hook"]),
    st.sampled_from(["idle", "working", "blocked"]),
    INSTANTS,
    detail=DETAILS,
    label=st.just("rule"),
)
AGENTS = st.builds(
    manifest,
    exclusive=st.booleans(),
    steady=st.booleans(),
    visible=st.lists(st.sampled_from(["idle", "working", "blocked"])),
)


class Case(NamedTuple):
    """A judged pane."""

    prior: Stamp | None
    facts: Facts
    evidence: list[Evidence]
    now: int
    verdict: Verdict


@st.composite
def judged(draw: st.DrawFn) -> Case:
    """Any pane with its verdict; whatever is stored and seen."""
    prior, facts, agent = draw(PRIORS), draw(FACTS), draw(AGENTS)
    evidence, now = draw(st.lists(RECORDS, max_size=5)), draw(INSTANTS)
    facts.history_view = draw(st.sampled_from([False, False, False, True]))
    return Case(prior, facts, evidence, now, fold(prior, facts, evidence, agent, DEFAULTS, now=now))


@given(judged())
def test_every_input_has_a_verdict_of_the_closed_sets(case: Case) -> None:
    """State, source and guard are always sayable (FOLD-1 to FOLD-17)."""
    verdict = case.verdict

    assert verdict.state in STATES
    assert verdict.source in SOURCES
    assert guard.render(verdict.guard).startswith("#{")


@given(judged())
def test_a_hold_is_the_prior_unchanged(case: Case) -> None:
    """Never state, detail, source or evidence (FOLD-11)."""
    prior, verdict = case.prior, case.verdict
    if verdict.publish:
        return

    assert prior is not None
    assert (verdict.state, verdict.detail) == (prior.state, prior.detail)
    assert (verdict.source, verdict.at) == (prior.source, prior.evidence)
    assert not (verdict.raise_)
    assert not (verdict.override)
    assert not (verdict.reset)


@given(prior=PRIORS, agent=AGENTS, now=INSTANTS, demoted=st.booleans())
def test_silence_never_ends_a_blocked_claim(*, prior: Stamp | None, agent: Manifest, now: int, demoted: bool) -> None:
    """No evidence at all, however late (FOLD-13)."""
    prior = prior or stamp("blocked")
    prior.state, prior.pid = "blocked", 20
    facts = Facts(agent_pid=20, foreground=True, demoted=demoted)

    assert fold(prior, facts, [], agent, DEFAULTS, now=now).state == "blocked"


@given(judged())
def test_blocked_is_only_published_because_something_says_so(case: Case) -> None:
    """A blocked record of an event, of chrome or of the agent itself (FOLD-13, APS-5)."""
    if case.verdict.publish and case.verdict.state == "blocked":
        assert "blocked" in {record.state for record in case.evidence}


@given(judged())
def test_a_detail_beside_blocked_was_stored_or_is_of_a_blocked_record(case: Case) -> None:
    """No detail is invented or taken from another state's record (FOLD-8, APS-5, STO-8)."""
    if case.verdict.publish and case.verdict.state == "blocked":
        known = {record.detail for record in case.evidence if record.state == "blocked"}
        assert case.verdict.detail in known | {case.prior.detail if case.prior else ""}


@given(judged())
def test_an_override_carries_the_evidence_that_was_read(case: Case) -> None:
    """Override and reset are guarded by DECIDED, nothing else is unguarded (FOLD-15, GRD-3)."""
    prior, verdict = case.prior, case.verdict
    if not verdict.publish:
        return

    decided = guard.decided(prior.evidence if prior else 0)
    expected = {
        "hook": guard.refresh(verdict.state, verdict.at),
        "process": decided,
        "capture": guard.carve(verdict.at) if verdict.state == "blocked" else guard.protect(),
    }
    assert verdict.guard == (decided if verdict.override or verdict.reset else expected[verdict.source])


@given(judged())
def test_only_two_changes_raise(case: Case) -> None:
    """Into blocked, and from working to idle; a reset has no prior (FOLD-12, ATN-1)."""
    prior, verdict = case.prior, case.verdict
    before = prior.state if prior and not verdict.reset else ""

    expected = verdict.publish and (
        (verdict.state == "blocked" and before != "blocked") or (verdict.state == "idle" and before == "working")
    )
    assert verdict.raise_ is expected


@given(judged(), st.integers(1, 1000), st.sampled_from(LISTED))
def test_an_event_that_lands_between_read_and_write_stands(case: Case, later: int, state: str) -> None:
    """No verdict overwrites a hook's claim that its writer had not seen (GRD-3)."""
    prior, facts, evidence, now, verdict = case
    at = max([now, prior.evidence if prior else 0, *(record.at for record in evidence)]) + later
    stored = {
        "@agent_state": state,
        "@agent_source": "hook",
        "@agent_evidence_at": str(at),
        "@agent_since": str(at),
        "@agent_stamped_at": str(at),
    }
    looked = writes.Looked(now=now, pid=facts.agent_pid, name="claude", options={})
    claim = writes.Claim(verdict.state, source=verdict.source, at=verdict.at, detail=verdict.detail)
    chain = (
        writes.reset(claim, verdict.read_at, looked) if verdict.reset else writes.publish(claim, verdict.guard, looked)
    )
    after = dict(stored)

    ops.apply(after, chain)

    kept = ("@agent_state", "@agent_source", "@agent_evidence_at", "@agent_since", "@agent_detail")
    assert {key: after.get(key) for key in kept} == {key: stored.get(key) for key in kept}
