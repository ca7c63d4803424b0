"""The oracle of reuse: what a quiet pane keeps is what folding its unchanged screen would store."""

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from detection import context, drive, judge_pane, manifest, pane, process, rule, shell_with, stored
from tma.core import triage as plans
from tma.core.detect.agent import Manifest
from tma.core.pane import ProcInfo
from tma.core.quiet import at_a_glance, known_of
from tma.core.triage import triage

LOOKED_AT = 1_700_000_500_000
RULES = [
    rule("blocked", "[permission]", detail="permission"),
    rule("blocked", "[bare]"),
    rule("working", "[working]"),
    rule("idle", "[idle]"),
    rule("idle", "[background]", detail="background"),
    rule("idle", "[history]", skip=True),
]
SCREENS = st.sampled_from([
    [], ["[permission]"], ["[bare]"], ["[working]"], ["[idle]"], ["[idle]"], ["[background]"], ["[history]"],
    ["[idle]", "[working]"], ["[idle]", "[permission]"],
])  # fmt: skip
AGENTS = st.builds(
    manifest,
    rules=st.just(RULES),
    exclusive=st.booleans(),
    visible=st.lists(st.sampled_from(["idle", "working", "blocked"])),
    published=st.sampled_from(["", "claude-sessions-json"]),
)
BOUNDARIES = st.sampled_from([1, 2999, 3000, 3001, 59_999, 60_000, 60_001, 299_999, 300_000, 300_001])
AGES = BOUNDARIES | st.integers(1, 5000) | st.integers(1, 400_000)
STATES = st.sampled_from(["unknown", "idle", "idle", "blocked", "blocked", "working"])
TUPLES = st.fixed_dictionaries(
    {
        "state": STATES,
        "source": st.sampled_from(["hook", "hook", "capture"]),
        "detail": st.sampled_from(["", "plan", "background"]),
    }
)
COVERED_TUPLE = st.just({"state": "unknown", "source": "process"})
NO_TUPLE: st.SearchStrategy[dict[str, str]] = st.just({})
PRIORS = st.builds(
    lambda claim, age, **parts: (
        stored(**claim, evidence_at=LOOKED_AT - age, since=LOOKED_AT - age - 5, **parts) if claim else {}
    ),
    st.one_of(TUPLES, TUPLES, TUPLES, COVERED_TUPLE, NO_TUPLE),
    AGES,
    pid=st.sampled_from([20, 20, 20, 20, 0, 19]),
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
RESTARTED = ([process(10, 1, "bash", front=21), process(21, 10, "claude")], "claude")
FRONTS = st.sampled_from([IN_FRONT, IN_FRONT, IN_FRONT, IN_FRONT, COVERED])
SCROLLS = st.sampled_from([None, None, None, None, 3])
SILENCES = st.sampled_from([*[frozenset()] * 4, frozenset({"%1"})])


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    prior=PRIORS,
    agent=AGENTS,
    answers=st.fixed_dictionaries({"capture": SCREENS, "published": SAID}),
    fronts=st.tuples(FRONTS, st.sampled_from([IN_FRONT, IN_FRONT, IN_FRONT, COVERED, RESTARTED])),
    scrolls=st.tuples(SCROLLS, SCROLLS),
    silences=st.tuples(SILENCES, SILENCES),
    later=AGES.map(lambda age: age + 3000),
)
def test_a_reused_stamp_is_what_the_unchanged_screen_would_store(
    *,
    prior: dict[str, str],
    agent: Manifest,
    answers: dict[str, object],
    fronts: tuple[tuple[list[ProcInfo], str], ...],
    scrolls: tuple[int | None, ...],
    silences: tuple[frozenset[str], ...],
    later: int,
) -> None:
    """A look stores a tuple; later, with nothing printed since, the quiet skip and a look agree (CYC-4).

    Processes, scroll position and the daemon's judgment may have changed meanwhile.
    """

    def judged(options: dict[str, str], visit: int, *, explain: bool) -> plans.Plan:
        tree, command = fronts[visit]
        seen = pane(options, command=command, scroll=scrolls[visit], activity_s=LOOKED_AT // 1000 - 1)
        known = context([agent], now=LOOKED_AT + visit * later, explain=explain, demoted=silences[visit])
        return drive(judge_pane(seen, known), {**answers, "tree": tree})[0]

    after = judged(prior, 0, explain=True).options_after()
    # A program that gives the front back to the agent has the screen redrawn.
    assume(fronts[0] is not COVERED or fronts[1] is COVERED or after["@agent_source"] != "hook")
    skipped = judged(after, 1, explain=False)
    event(f"{skipped.reason}, {after['@agent_source']}/{after['@agent_state']}")
    assume(skipped.reason == plans.QUIET)
    folded = judged(after, 1, explain=True)

    kept, new = skipped.stamp_after, folded.stamp_after
    assert kept is not None
    assert new is not None
    assert (kept.state, kept.detail, kept.source) == (new.state, new.detail, new.source)
    assert skipped.ops == []


NAMES = st.sampled_from([("bash",), ("claude",), ("node", "claude"), ("codex",), ("codex", "claude"), ("vim",)])
PROCESSES = st.tuples(
    st.sampled_from([20, 20, 15, 30]), st.sampled_from([10, 20]), NAMES, st.sampled_from([0, 0, 10, 20])
)
AGENT = st.just((20, 10, ("claude",), 0))
STILL = st.just(
    stored("idle", evidence_at=LOOKED_AT - 900, since=LOOKED_AT - 900, stamped_at=LOOKED_AT - 500, pid=20, hash="1")
)
TREES = st.builds(
    lambda root, more, front: [
        process(10, 1, *root, front=front),
        *(process(pid, parent, *names, group=group, front=front) for pid, parent, names, group in more),
    ],
    st.sampled_from([*[("bash",)] * 6, ("claude",)]),
    st.lists(AGENT | AGENT | PROCESSES, min_size=1, max_size=3, unique_by=lambda each: each[0]),
    st.sampled_from([*[20] * 6, 10, 30]),
)


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(
    options=STILL | STILL | STILL | PRIORS.filter(bool),
    session=st.sampled_from(["", "s1"]),
    anchor=st.sampled_from(["", "20", "19"]),
    tree=TREES,
    order=st.permutations(["claude", "codex"]),
    titled=st.booleans(),
    later=AGES,
)
def test_a_glance_keeps_only_what_a_look_keeps(
    *,
    options: dict[str, str],
    session: str,
    anchor: str,
    tree: list[ProcInfo],
    order: list[str],
    titled: bool,
    later: int,
) -> None:
    """Whatever the processes are: where the glance says that nothing changed, identity and reuse do too (CYC-4)."""
    agents = [manifest(name, title_patterns=["^claude"] if titled and name == "claude" else []) for name in order]
    plains = [
        {name: getattr(agent, name) for name in ("name", "process_names", "title_patterns", "exclusive")}
        for agent in agents
    ]
    known = context(agents, now=LOOKED_AT + 3000 + later)
    stands = {**options, "@agent_session": session, "@tma_title_match_pid": anchor}
    seen = pane({key: value for key, value in stands.items() if value}, activity_s=LOOKED_AT // 1000 - 2)
    plan = triage(seen, known)
    assume(plan.outcome == plans.LOOK)
    glance = at_a_glance(plan, tree, known_of(plains, [plan]), known)
    event(f"glance {glance}")

    if glance:
        looked, needs = drive(judge_pane(seen, known), {"tree": tree, "capture": []})
        assert (looked.reason, needs) == (plans.QUIET, ["tree"])
        assert looked.stamp_after is not None
        assert looked.ops == plan.ops == []
