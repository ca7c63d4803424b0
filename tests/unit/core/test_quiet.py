"""Tests of the quiet skip: what may stand unseen, and what a glance at the processes may decide."""

import pytest

from detection import context, manifest, pane, process, settings, shell_with, stamp, stored
from tma.core.quiet import Facts, at_a_glance, known_of, reuse
from tma.core.stamp import TITLE_MATCH_PID, Stamp
from tma.core.triage import triage

AGENT = manifest()
EXCLUSIVE = manifest(exclusive=True)
DEFAULTS = settings()
CLAUDE = {"name": "claude", "process_names": ["claude"], "title_patterns": [], "exclusive": False}
CODEX = {"name": "codex", "process_names": ["codex"], "title_patterns": [], "exclusive": False}
STILL = stored("idle", pid=20, hash="1")


def hook(state: str, at_s: float, **parts: object) -> Stamp:
    """A stored hook claim."""
    return stamp(state, source="hook", evidence=int(at_s * 1000), pid=20, **parts)


def capture(state: str, at_s: int, **parts: object) -> Stamp:
    """A stored claim read from a screen."""
    return stamp(state, source="capture", evidence=at_s * 1000, pid=20, **parts)


def quiet(prior: Stamp, *, now_s: int = 20, agent: object = AGENT, activity_s: int = 1, **facts: bool | int) -> bool:
    """Whether a stamp of 10 s may be reused at 20 s, with the last output at 1 s."""
    known = Facts(**{"agent_pid": 20, "foreground": True, **facts})  # type: ignore[arg-type]
    prior.stamped = prior.stamped or 10_000
    prior.name = "claude"
    return reuse(prior, known, agent, DEFAULTS, activity_s=activity_s, now=now_s * 1000)  # type: ignore[arg-type]


def test_a_read_screen_that_never_changed_is_reused() -> None:
    """All conditions hold (CYC-4)."""
    assert quiet(capture("idle", 5, hash=True))
    assert quiet(capture("blocked", 5, hash=True), now_s=9000)
    assert quiet(hook("idle", 5, hash=True), now_s=65)
    assert quiet(hook("blocked", 5, hash=True, detail="plan"), now_s=305)
    assert quiet(capture("idle", 5, hash=True, stamped=20_000))


def test_what_is_still_moving_is_looked_at() -> None:
    """Never read, from the future, working, or in progress (CYC-4, RD-4)."""
    assert not quiet(capture("idle", 5))
    assert not quiet(capture("idle", 5, hash=True, stamped=21_000))
    assert not quiet(capture("working", 5, hash=True))
    assert not quiet(capture("idle", 11, hash=True))


@pytest.mark.parametrize("activity_s", [0, 10, 11])
def test_output_since_the_second_of_the_stamp_is_looked_at(activity_s: int) -> None:
    """Unknown, in the stamp's second, or later (CYC-4)."""
    assert not quiet(capture("idle", 5, hash=True), activity_s=activity_s)
    assert quiet(capture("idle", 5, hash=True), activity_s=9)


def test_a_claim_that_the_foreground_contradicts_is_looked_at() -> None:
    """Process source in front, capture source not in front (CYC-4)."""
    behind_vim = stamp("unknown", source="process", pid=20, hash=True)

    assert not quiet(behind_vim)
    assert quiet(behind_vim, foreground=False)
    assert not quiet(capture("idle", 5, hash=True), foreground=False)


def test_a_decayed_hook_claim_is_looked_at() -> None:
    """Past the decay of its state (CYC-4)."""
    assert not quiet(hook("idle", 5, hash=True), now_s=66)
    assert not quiet(hook("blocked", 5, hash=True), now_s=306)


def test_a_blocked_claim_without_detail_is_looked_at() -> None:
    """FC-01, FOLD-8: the screen may say what is asked, and prints nothing more while it waits."""
    assert not quiet(hook("blocked", 5, hash=True))
    assert quiet(capture("blocked", 5, hash=True))


def test_a_blocked_claim_that_was_looked_at_too_early_is_looked_at_again() -> None:
    """The dialog may be gone, and the last look fell within the dwell (CYC-4, FOLD-17)."""
    assert not quiet(hook("blocked", 7, hash=True, detail="plan"), agent=EXCLUSIVE)
    assert quiet(hook("blocked", 6, hash=True, detail="plan"), agent=EXCLUSIVE)
    assert quiet(hook("blocked", 10, hash=True, detail="plan"), agent=EXCLUSIVE)
    assert quiet(hook("blocked", 7, hash=True, detail="plan"))
    assert quiet(hook("idle", 7, hash=True), agent=EXCLUSIVE)


def test_another_owner_of_the_pane_is_looked_at() -> None:
    """A pid that changed or was never stored, another agent, or silent hooks (CYC-4, FOLD-1, FOLD-16)."""
    assert not quiet(capture("idle", 5, hash=True), agent_pid=21)
    assert not quiet(capture("idle", 5, hash=True), agent=manifest("other"))
    assert not quiet(hook("idle", 5, hash=True), demoted=True)


def test_nothing_is_reused_without_freshness() -> None:
    """Freshness 0 re-reads every cycle (CYC-4, CYC-1)."""
    facts = Facts(agent_pid=20, foreground=True)
    prior = capture("idle", 5, hash=True, name="claude", stamped=10_000)

    assert not reuse(prior, facts, AGENT, settings(freshness_secs=0), activity_s=1, now=20_000)


def glanced(
    tree: list[object], options: dict[str, str] | None = None, *, agent: dict[str, object] = CLAUDE, **changes: object
) -> bool:
    """Whether the stale stamp of a window that printed long ago stands at a glance."""
    context_ = context([manifest(), manifest("codex")], **changes)
    plan = triage(pane(STILL if options is None else options, command="", activity_s=1), context_)
    return at_a_glance(plan, tree, known_of([agent, CODEX], [plan]), context_)  # type: ignore[arg-type, list-item]


def test_an_agent_that_leads_its_terminal_stands_at_a_glance() -> None:
    """CYC-4, ID-11: alone in its pane, below a shell, and with helpers of its own group."""
    assert glanced([process(20, 1, "claude", front=20)])
    assert glanced(list(shell_with("node", "claude")))
    assert glanced([*shell_with("claude"), process(30, 20, "claude", group=20), process(31, 20, "rg", group=20)])


@pytest.mark.parametrize(
    "tree",
    [
        [],
        [process(10, 1, "bash", front=10)],
        [process(10, 1, "bash", front=21), process(21, 10, "claude")],
        [*shell_with("claude", front=30), process(30, 10, "vim")],
        [*shell_with("claude"), process(15, 10, "claude")],
        [*shell_with("claude"), process(30, 20, "codex", group=20)],
        list(shell_with("claude", "codex")),
        [process(10, 1, "bash", front=10), process(20, 10, "claude", group=10)],
    ],
    ids=["gone", "ended", "restarted", "covered", "two", "another's child", "another's name", "not the leader"],
)
def test_anybody_else_in_the_pane_is_looked_at(tree: list[object]) -> None:
    """ID-8, ID-11, PROC-5: who owns the pane is for identity to say."""
    assert not glanced(tree)


def test_what_reuse_does_not_allow_is_looked_at() -> None:
    """CYC-4: working, never stamped, of an agent that is not loaded, or asked for its reasons."""
    tree = list(shell_with("claude"))
    assert not glanced(tree, stored("working", pid=20, hash="1"))
    assert not glanced(tree, {})
    assert not glanced(tree, stored("idle", pid=20, hash="1", name="other"))
    assert not glanced(tree, explain=True)
    assert not glanced(tree, stored("idle", pid=20, hash="1", source="hook"), demoted=frozenset({"%1"}))


def test_a_generic_name_stands_where_its_process_was_matched_before() -> None:
    """ID-9, ID-10: a title that has to be read is not read at a glance."""
    tree, titled = list(shell_with("claude")), {**CLAUDE, "title_patterns": ["^x"]}
    assert not glanced(tree, agent=titled)
    assert not glanced(tree, {**STILL, TITLE_MATCH_PID: "19"}, agent=titled)
    assert glanced(tree, {**STILL, TITLE_MATCH_PID: "20"}, agent=titled)
