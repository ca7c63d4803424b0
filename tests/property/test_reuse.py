"""The oracle of reuse: what a quiet pane keeps is what folding its unchanged screen would store."""

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from detection import context, drive, manifest, pane, process, rule, shell_with, stored
from tma.core import triage as plans
from tma.core.detect.pipeline import judge_pane

LOOKED_AT = 1_700_000_500_000
RULES = [
    rule("blocked", "[permission]", detail="permission"),
    rule("blocked", "[bare]"),
    rule("working", "[working]"),
    rule("idle", "[idle]"),
    rule("idle", "[background]", detail="background"),
    rule("idle", "[history]", skip=True),
]
SCREENS = st.lists(st.sampled_from(["[permission]", "[bare]", "[working]", "[idle]", "[background]", "[history]"]))
AGENTS = st.builds(
    manifest,
    rules=st.just(RULES),
    exclusive=st.booleans(),
    visible=st.lists(st.sampled_from(["idle", "working", "blocked"])),
    published=st.sampled_from(["", "claude-sessions-json"]),
)
BOUNDARIES = st.sampled_from([1, 2999, 3000, 3001, 59_999, 60_000, 60_001, 299_999, 300_000, 300_001])
AGES = BOUNDARIES | st.integers(1, 5000) | st.integers(1, 400_000)
PRIORS = st.builds(
    lambda age, state, **parts: (
        stored(state, evidence_at=LOOKED_AT - age, since=LOOKED_AT - age - 5, **parts) if state else {}
    ),
    AGES,
    st.sampled_from(["", "unknown", "idle", "idle", "blocked", "blocked", "working"]),
    source=st.sampled_from(["hook", "hook", "capture", "process"]),
    detail=st.sampled_from(["", "plan", "background"]),
    pid=st.sampled_from([0, 19, 20, 20]),
    stamped_at=st.just(LOOKED_AT - 500),
    hash=st.sampled_from(["", "1"]),
)
SAID = st.none() | st.builds(
    lambda status, age: (
        f'{{"pid":20,"status":"{status}","waitingFor":"input needed","statusUpdatedAt":{LOOKED_AT - age}}}',
        LOOKED_AT,
        LOOKED_AT - 900_000,
    ),
    st.sampled_from(["idle", "shell", "busy", "waiting"]),
    AGES,
)
IN_FRONT = (shell_with("claude"), "claude")
COVERED = ([*shell_with("claude", front=30), process(30, 10, "vim")], "vim")


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    prior=PRIORS,
    agent=AGENTS,
    screen=SCREENS,
    said=SAID,
    front=st.sampled_from([IN_FRONT, IN_FRONT, COVERED]),
    scroll=st.sampled_from([None, None, 3]),
    demoted=st.sampled_from([False, False, True]),
    later=AGES.map(lambda age: age + 3000),
)
def test_a_reused_stamp_is_what_the_unchanged_screen_would_store(
    *,
    prior: dict[str, str],
    agent: object,
    screen: list[str],
    said: object,
    front: tuple[list[object], str],
    scroll: int | None,
    demoted: bool,
    later: int,
) -> None:
    """A look stores a tuple; later, with nothing printed since, the quiet skip and a look agree (CYC-4)."""
    answers = {"tree": front[0], "capture": screen, "published": said}
    silent = frozenset({"%1"} if demoted else ())

    def judged(options: dict[str, str], now: int, *, explain: bool) -> plans.Plan:
        seen = pane(options, command=front[1], scroll=scroll, activity_s=LOOKED_AT // 1000 - 1)
        known = context([agent], now=now, explain=explain, demoted=silent)  # type: ignore[list-item]
        return drive(judge_pane(seen, known), answers)[0]

    after = judged(prior, LOOKED_AT, explain=True).options_after()
    skipped = judged(after, LOOKED_AT + later, explain=False)
    event(f"{skipped.reason}, {after['@agent_source']}/{after['@agent_state']}")
    assume(skipped.reason == plans.QUIET)
    folded = judged(after, LOOKED_AT + later, explain=True)

    kept, new = skipped.stamp_after, folded.stamp_after
    assert kept is not None
    assert new is not None
    assert (kept.state, kept.detail, kept.source) == (new.state, new.detail, new.source)
    assert skipped.ops == []
