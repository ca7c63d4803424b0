"""Tests of the fold: the numbered rules and the worked cases of the specification, in seconds."""

import pytest

from detection import manifest, settings, stamp
from tma.core import guard
from tma.core.detect.evidence import Evidence
from tma.core.detect.fold import Verdict, fold, slots, window
from tma.core.quiet import Facts
from tma.core.stamp import Stamp

AGENT = manifest()
EXCLUSIVE = manifest(exclusive=True)
STEADY = manifest(steady=True)
DEFAULTS = settings()


def hook(state: str, at_s: float, **parts: object) -> Stamp:
    """A stored hook claim."""
    return stamp(state, source="hook", evidence=int(at_s * 1000), pid=20, **parts)


def capture(state: str, at_s: int, **parts: object) -> Stamp:
    """A stored claim read from a screen."""
    return stamp(state, source="capture", evidence=at_s * 1000, pid=20, **parts)


def seen(state: str, at_s: int, detail: str = "", source: str = "screen") -> Evidence:
    """A record of a screen, unless another source is named."""
    return Evidence(source, state, at_s * 1000, detail=detail, label=f"rule {state}")


def judged(prior: Stamp | None, *evidence: Evidence, now_s: int, agent: object = AGENT, **facts: bool | int) -> Verdict:
    """The verdict over a live agent in the foreground, unless facts say otherwise."""
    history_view = facts.pop("history_view", False)
    known = Facts(**{"agent_pid": 20, "foreground": True, **facts})  # type: ignore[arg-type]
    known.history_view = bool(history_view)
    return fold(prior, known, list(evidence), agent, DEFAULTS, now=now_s * 1000)  # type: ignore[arg-type]


def outcome(verdict: Verdict) -> tuple[str, str, str]:
    """What a reader of the table sees: the action, the state and the source."""
    return ("publish" if verdict.publish else "hold", verdict.state, verdict.source)


def test_older_blocked_chrome_leaves_a_hooks_working() -> None:
    """Hook working 100, blocker captured at 50: held (FOLD-6)."""
    verdict = judged(hook("working", 100), seen("blocked", 50), now_s=100)

    assert outcome(verdict) == ("hold", "working", "hook")
    assert verdict.at == 100_000


def test_equally_old_blocked_chrome_is_held() -> None:
    """Only newer chrome wins (FOLD-6, GRD-1)."""
    assert outcome(judged(hook("working", 100), seen("blocked", 100), now_s=100)) == ("hold", "working", "hook")


def test_newer_blocked_chrome_replaces_a_hooks_working_at_once() -> None:
    """Hook working 10, blocker 20: blocked and raised, without any wait (FOLD-6, FOLD-12, ATN-1)."""
    verdict = judged(hook("working", 10), seen("blocked", 20, "permission"), now_s=20)

    assert outcome(verdict) == ("publish", "blocked", "capture")
    assert verdict.detail == "permission"
    assert verdict.raise_
    assert not verdict.override
    assert verdict.guard == guard.carve(20_000)


@pytest.mark.parametrize(("now_s", "expected"), [(100, "hold"), (300, "hold"), (301, "publish")])
def test_a_blocked_claim_outlives_idle_chrome_for_its_decay(now_s: int, expected: str) -> None:
    """Hook blocked 0, idle chrome, not exclusive: held at 100 s and 300 s, idle at 301 s (FOLD-7, FOLD-17)."""
    verdict = judged(hook("blocked", 0), seen("idle", now_s), now_s=now_s)

    assert outcome(verdict)[0] == expected
    if verdict.publish:
        assert (verdict.state, verdict.override, verdict.raise_) == ("idle", True, False)
        assert verdict.guard == guard.decided(0)


def test_a_state_that_screens_do_not_show_reliably_keeps_the_hooks_claim() -> None:
    """Without `visible` no amount of time helps (FOLD-7, FOLD-14)."""
    agent = manifest(visible=["working"])

    assert not judged(hook("blocked", 0), seen("idle", 9000), now_s=9000, agent=agent).publish


@pytest.mark.parametrize(("now_s", "expected"), [(61, "hold"), (63, "hold"), (64, "publish")])
def test_an_exclusive_agents_dialog_ends_a_dwell_after_it_was_seen(now_s: int, expected: str) -> None:
    """Dialog seen at 60 s, composer at 61 s held, at 64 s idle (FOLD-17, FOLD-8)."""
    corroborated = judged(hook("blocked", 0), seen("blocked", 60), now_s=60, agent=EXCLUSIVE)
    assert outcome(corroborated) == ("publish", "blocked", "hook")
    assert corroborated.at == 60_000

    verdict = judged(hook("blocked", 60), seen("idle", now_s), now_s=now_s, agent=EXCLUSIVE)

    assert outcome(verdict)[0] == expected


def test_an_unknown_screen_ends_no_blocked_claim() -> None:
    """Silence expires nothing, however old (FOLD-13, FOLD-17)."""
    assert outcome(judged(hook("blocked", 0), now_s=90_000, agent=EXCLUSIVE)) == ("hold", "blocked", "hook")


def test_a_bare_claim_takes_the_detail_of_the_dialog() -> None:
    """Hook blocked without detail, dialog `plan` seen: blocked/plan (FOLD-8)."""
    verdict = judged(hook("blocked", 0), seen("blocked", 1, "plan"), now_s=1)

    assert (verdict.state, verdict.detail, verdict.source) == ("blocked", "plan", "hook")
    assert verdict.guard == guard.refresh("blocked", 1000)
    assert not verdict.raise_
    assert not verdict.override


def test_a_claim_with_a_detail_keeps_it() -> None:
    """The event knew better than the screen (FOLD-8)."""
    verdict = judged(hook("blocked", 0, detail="permission"), seen("blocked", 1, "plan"), now_s=1)

    assert verdict.detail == "permission"


def test_working_chrome_beside_idle_chrome_corroborates_working() -> None:
    """Hook working 0, idle and working chrome at 100 s: working (FOLD-7, FOLD-8)."""
    verdict = judged(hook("working", 0, detail="compacting"), seen("idle", 100), seen("working", 100), now_s=100)

    assert outcome(verdict) == ("publish", "working", "hook")
    assert (verdict.at, verdict.detail) == (100_000, "compacting")


@pytest.mark.parametrize(("now_s", "expected"), [(101, "hold"), (103, "hold"), (104, "publish")])
def test_idle_after_captured_working_waits_for_the_dwell(now_s: int, expected: str) -> None:
    """Capture working at 100 s, idle each second: held to 103 s, idle and raised at 104 s (FOLD-9, FOLD-10)."""
    verdict = judged(capture("working", 100), seen("idle", now_s), now_s=now_s)

    assert outcome(verdict)[0] == expected
    assert verdict.raise_ is verdict.publish


def test_every_other_change_is_immediate() -> None:
    """Only the drop from working to idle waits (FOLD-10)."""
    assert judged(capture("working", 100), seen("blocked", 101), now_s=101).state == "blocked"
    assert judged(capture("working", 100), seen("working", 101), now_s=101).at == 101_000
    assert judged(capture("blocked", 100), seen("idle", 101), now_s=101).state == "idle"


def test_another_program_in_front_makes_a_captured_claim_unknown() -> None:
    """Capture blocked, foreground `vim`: unknown (FOLD-3)."""
    verdict = judged(capture("blocked", 0, detail="plan"), seen("blocked", 5), now_s=5, foreground=False)

    assert outcome(verdict) == ("publish", "unknown", "process")
    assert (verdict.detail, verdict.at, verdict.override, verdict.raise_) == ("", 5000, True, False)
    assert verdict.guard == guard.decided(0)


def test_another_program_in_front_leaves_a_hooks_claim() -> None:
    """Hook blocked, foreground `vim`, agent alive: blocked held, even over newer chrome (FOLD-3)."""
    verdict = judged(hook("blocked", 0), seen("idle", 999), now_s=999, foreground=False)

    assert outcome(verdict) == ("hold", "blocked", "hook")


def test_a_hooks_claim_without_a_live_agent_falls_behind_another_program() -> None:
    """Without a process the claim has nothing behind it (FOLD-3)."""
    verdict = judged(hook("blocked", 7), now_s=9, foreground=False, agent_pid=0)

    assert outcome(verdict) == ("publish", "unknown", "process")
    assert verdict.guard == guard.decided(7000)


def test_another_process_discards_the_prior() -> None:
    """The pid changed: judged without prior, guarded by what was read (FOLD-1, FOLD-12, FOLD-15)."""
    verdict = judged(hook("blocked", 50), seen("blocked", 60), now_s=60, agent_pid=21)

    assert outcome(verdict) == ("publish", "blocked", "capture")
    assert verdict.reset
    assert verdict.raise_
    assert verdict.guard == guard.decided(50_000)


def test_another_process_with_nothing_to_see_is_unknown() -> None:
    """A hold without prior publishes unknown (FOLD-1, FOLD-11)."""
    verdict = judged(hook("idle", 50), now_s=60, agent_pid=21)

    assert outcome(verdict) == ("publish", "unknown", "capture")
    assert verdict.reset


def test_a_process_that_was_not_known_before_resets_nothing() -> None:
    """A stored pid of 0 is no other process (FOLD-1)."""
    prior = hook("idle", 50)
    prior.pid = 0

    assert not judged(prior, now_s=60).reset


@pytest.mark.parametrize("facts", [{"scrolled": True}, {"history_view": True}])
def test_a_frozen_screen_holds(facts: dict[str, bool]) -> None:
    """Scrolled or history view decides nothing (FOLD-4)."""
    assert outcome(judged(capture("working", 0), seen("blocked", 9), now_s=9, **facts)) == (
        "hold",
        "working",
        "capture",
    )
    assert outcome(judged(None, seen("blocked", 9), now_s=9, **facts)) == ("publish", "unknown", "capture")


def test_the_foreground_cap_comes_before_the_freeze() -> None:
    """A scrolled pane behind another program is unknown (FOLD-3, FOLD-4)."""
    assert judged(capture("idle", 0), now_s=9, foreground=False, scrolled=True).state == "unknown"


def test_a_hook_record_is_published_over_everything() -> None:
    """The newest one that claims a state, whatever lifecycle came later (FOLD-2)."""
    events = [
        seen("working", 10, source="hook"),
        seen("blocked", 11, "plan", source="hook"),
        Evidence("hook", "", 12_000, lifecycle="start"),
    ]

    verdict = judged(hook("working", 10), seen("idle", 20), *events, now_s=20, scrolled=True)

    assert (verdict.state, verdict.detail, verdict.source, verdict.at) == ("blocked", "plan", "hook", 11_000)
    assert verdict.override
    assert verdict.raise_


def test_of_equally_old_hook_records_the_later_counts() -> None:
    """Ties keep the later record (FOLD-2, FOLD-5)."""
    verdict = judged(None, seen("working", 1, source="hook"), seen("idle", 1, source="hook"), now_s=2)

    assert verdict.state == "idle"


def test_without_protection_the_first_of_blocked_working_idle_counts() -> None:
    """Blocked, else working, else idle, else hold (FOLD-9)."""
    prior = capture("idle", 0)

    assert judged(prior, seen("idle", 1), seen("working", 1), seen("blocked", 1), now_s=1).state == "blocked"
    assert judged(prior, seen("idle", 1), seen("working", 1), now_s=1).state == "working"
    assert judged(prior, seen("idle", 1, "background"), now_s=1).detail == "background"
    assert judged(prior, seen("working", 1), now_s=1).guard == guard.protect()
    assert not judged(prior, now_s=1).publish


def test_a_first_look_publishes_what_it_sees() -> None:
    """Idle raises nothing, blocked raises, nothing is unknown (FOLD-9, FOLD-11, FOLD-12)."""
    assert not judged(None, seen("idle", 1), now_s=1).raise_
    assert judged(None, seen("idle", 1), now_s=1).guard == guard.protect()
    assert judged(None, seen("blocked", 1), now_s=1).raise_
    assert outcome(judged(None, now_s=1)) == ("publish", "unknown", "capture")
    assert judged(None, now_s=1).guard == guard.protect()


def test_blocked_again_raises_nothing() -> None:
    """The prior state was blocked (FOLD-12)."""
    assert not judged(capture("blocked", 0), seen("blocked", 1), now_s=1).raise_


def test_a_working_claim_gives_way_after_the_hook_decay() -> None:
    """Exactly at the window it holds; then idle by override, and raised (FOLD-7, FOLD-10, FOLD-12)."""
    assert not judged(hook("working", 0), seen("idle", 60), now_s=60).publish

    verdict = judged(hook("working", 0), seen("idle", 61), now_s=61)

    assert outcome(verdict) == ("publish", "idle", "capture")
    assert verdict.override
    assert verdict.raise_


def test_a_decayed_working_claim_still_waits_for_the_dwell() -> None:
    """A dwell longer than the decay counts too (FOLD-7, FOLD-10)."""
    slow = settings(dwell_secs=100)
    facts = Facts(agent_pid=20, foreground=True)

    verdict = fold(hook("working", 0), facts, [seen("idle", 90)], AGENT, slow, now=90_000)

    assert not verdict.publish


def test_a_hooks_unknown_claim_is_replaced_like_a_captured_one() -> None:
    """It is not protected, so it gives way at once, by override (FOLD-9, FOLD-15)."""
    verdict = judged(hook("unknown", 10), seen("working", 11), now_s=11)

    assert outcome(verdict) == ("publish", "working", "capture")
    assert verdict.guard == guard.decided(10_000)


def test_a_demoted_panes_claim_is_folded_as_if_captured() -> None:
    """Its hooks went silent: no decay to wait for, by override (FOLD-16)."""
    verdict = judged(hook("blocked", 10), seen("idle", 11), now_s=11, demoted=True)

    assert outcome(verdict) == ("publish", "idle", "capture")
    assert verdict.override


def test_a_demoted_panes_claim_falls_behind_another_program() -> None:
    """What is not protected is capped (FOLD-3, FOLD-16)."""
    assert judged(hook("blocked", 10), now_s=11, demoted=True, foreground=False).state == "unknown"


def test_of_equally_old_records_of_a_state_the_later_fills_the_slot() -> None:
    """The newest counts, ties keep the later (FOLD-5)."""
    first, second, older = seen("blocked", 5, "a"), seen("blocked", 5, "b", "title"), seen("blocked", 4, "c")

    assert slots([first, second, older])["blocked"] is second


def test_a_published_state_replaces_what_the_screen_says_of_idle_and_working() -> None:
    """It fills its slot and the screen's records for both are dropped (APS-4)."""
    word = seen("idle", 3, source="published")

    assert slots([seen("working", 9), seen("idle", 9), word]) == {"idle": word}


def test_chrome_outranks_a_published_state() -> None:
    """A dialog on the screen is blocked whatever the file says (APS-4)."""
    verdict = judged(capture("working", 0), seen("blocked", 9), seen("working", 8, source="published"), now_s=9)

    assert verdict.state == "blocked"


def test_a_published_wait_blocks_without_detail() -> None:
    """No chrome: blocked, no detail, dated by the file (APS-5)."""
    verdict = judged(hook("working", 5), seen("blocked", 8, source="published"), seen("idle", 9), now_s=9)

    assert (verdict.state, verdict.detail, verdict.source, verdict.at) == ("blocked", "", "capture", 8000)
    assert verdict.raise_


def test_chrome_supplies_the_detail_of_a_published_wait() -> None:
    """The same look's dialog fills the slot (APS-5)."""
    wait = seen("blocked", 8, source="published")
    dialog = seen("blocked", 9, "question")

    assert slots([dialog, wait])["blocked"] is dialog
    assert slots([wait, dialog])["blocked"] is dialog


def test_a_word_of_the_agent_ends_a_blocked_claim_at_once() -> None:
    """Later than the claim: no window, no `visible` (APS-4)."""
    agent = manifest(visible=[])

    verdict = judged(hook("blocked", 5), seen("idle", 6, source="published"), now_s=7, agent=agent)

    assert outcome(verdict) == ("publish", "idle", "capture")
    assert (verdict.at, verdict.override) == (6000, True)


@pytest.mark.parametrize(("now_s", "expected"), [(8, "hold"), (9, "publish")])
def test_a_steady_agents_idle_screen_ends_work_a_dwell_after_it_was_seen(now_s: int, expected: str) -> None:
    """Its hooks say nothing of an interrupt, and its screen names work as long as there is some (FOLD-7, FOLD-10)."""
    verdict = judged(hook("working", 5), seen("idle", now_s), now_s=now_s, agent=STEADY)

    assert outcome(verdict)[0] == expected


@pytest.mark.parametrize("state", ["idle", "working"])
def test_a_dialog_seen_just_after_the_agents_word_does_not_outlive_it(state: str) -> None:
    """The screen follows the file by a moment: blocked still, but the word stays the later one (APS-4, FOLD-8)."""
    word = seen(state, 6, source="published")

    verdict = judged(hook("blocked", 5), seen("blocked", 7, "permission"), word, now_s=7, agent=EXCLUSIVE)

    assert (verdict.state, verdict.detail, verdict.at) == ("blocked", "permission", 5999)
    after = judged(hook("blocked", 5.999), seen("idle", 8), word, now_s=8, agent=EXCLUSIVE)
    assert outcome(after) == ("publish", state, "capture")


def test_a_dialog_seen_after_an_older_word_of_the_agent_is_dated_by_the_look() -> None:
    """A word from before the claim says nothing of this dialog (FOLD-8)."""
    verdict = judged(hook("blocked", 5), seen("blocked", 7, "permission"), seen("idle", 4, source="published"), now_s=7)

    assert verdict.at == 7000


@pytest.mark.parametrize(("now_s", "expected"), [(305, "hold"), (306, "publish")])
def test_an_earlier_word_of_the_agent_waits_for_the_window(now_s: int, expected: str) -> None:
    """An earlier instant waits like screen evidence, without `visible` (APS-4, FOLD-17)."""
    agent = manifest(visible=[])

    for at_s in (4, 5):
        verdict = judged(hook("blocked", 5), seen("idle", at_s, source="published"), now_s=now_s, agent=agent)
        assert outcome(verdict)[0] == expected


def test_a_published_idle_keeps_the_dwell_after_working() -> None:
    """The drop from working waits in every case (APS-4, FOLD-10)."""
    word = seen("idle", 6, source="published")

    assert not judged(hook("working", 5), word, now_s=8).publish
    assert judged(hook("working", 5), word, now_s=9).state == "idle"


@pytest.mark.parametrize(
    ("state", "agent", "expected"),
    [
        ("working", AGENT, 60_000),
        ("working", STEADY, 3000),
        ("idle", STEADY, 60_000),
        ("blocked", STEADY, 300_000),
        ("idle", EXCLUSIVE, 60_000),
        ("blocked", AGENT, 300_000),
        ("blocked", EXCLUSIVE, 3000),
    ],
)
def test_the_window_depends_on_the_state_and_the_agent(state: str, agent: object, expected: int) -> None:
    """Only a blocked claim knows an exclusive screen, and only a working one a steady one (FOLD-7, FOLD-17)."""
    assert window(state, agent, DEFAULTS) == expected  # type: ignore[arg-type]
