"""When a person is told, and of what."""

import pytest

from rows import HOSTILE_TITLE, NOW, row
from tma.core import config, stamp
from tma.core.events import alerts
from tma.core.pane import Client, PaneRecord
from tma.core.stamp import Stamp

POLICY = {"suppress_watched": False, "watched_s": 15, "done_min_s": 0}


def settings(**changes: object) -> dict[str, object]:
    """The plain table of notices, with changes."""
    table = config.parse({"notify": changes})["notify"]
    assert isinstance(table, dict)
    return table


def stamped(state: str = "blocked", since: int = NOW, **changes: object) -> Stamp:
    """A settled stamp."""
    made = Stamp(state, name="claude", source="hook", evidence=since, since=since)
    made.stamped = since
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def pane(**options: str) -> PaneRecord:
    """A pane with options."""
    made = PaneRecord("%1", 5)
    made.options = {f"@agent_{name}": value for name, value in options.items()}
    return made


@pytest.mark.parametrize(
    ("at", "trigger"),
    [
        (stamped(), "blocked"),
        (stamped(notified=NOW - 1), "blocked"),
        (stamped(notified=NOW), ""),
        (stamped(notified=NOW + 5000), ""),
        (stamped(since=0), ""),
        (stamped("idle", attention=True), "done"),
        (stamped("idle", attention=True, notified=NOW, turn=NOW + 1), "done"),
        (stamped("idle"), ""),
        (stamped("working", attention=True), ""),
        (stamped(stamped=NOW - 1), ""),
    ],
)
def test_a_state_trigger_is_due_once_an_episode(at: Stamp, trigger: str) -> None:
    """TRG-2, NMK-4, RD-4: the marker is older than the episode; attention alone decides of an idle pane."""
    assert alerts.state_due(at, settings(on=["blocked", "done"])) == trigger


def test_a_trigger_that_is_not_in_the_list_is_never_due() -> None:
    """TRG-1: an empty list silences the states alone."""
    silent = settings(on=[], context_high={"threshold": 80})
    assert alerts.state_due(stamped(), silent) == ""
    assert alerts.gauge_due(silent, {stamp.CONTEXT_PCT: "80", stamp.CONTEXT_AT: "1"}) == (True, False)


def test_a_gauge_fires_once_a_crossing() -> None:
    """TRG-5, CTX-7: 74, 76, 90, 70, 64, 76 at a threshold of 75 are two."""
    notify = settings(context_high={"threshold": 75})
    options = {stamp.CONTEXT_AT: "1"}
    fires = 0
    for percent in (74, 76, 90, 70, 76, 64, 76):
        options[stamp.CONTEXT_PCT] = str(percent)
        fire, rearm = alerts.gauge_due(notify, options)
        fires += fire
        if fire:
            options[stamp.CONTEXT_NOTIFIED_AT] = "1"
        elif rearm:
            del options[stamp.CONTEXT_NOTIFIED_AT]
    assert fires == 2


@pytest.mark.parametrize("options", [{}, {stamp.CONTEXT_PCT: "99"}, {stamp.CONTEXT_AT: "1"}, {stamp.CONTEXT_PCT: "x"}])
def test_a_gauge_in_flight_decides_nothing(options: dict[str, str]) -> None:
    """TRG-5, RD-5: neither a fire nor an arming."""
    assert alerts.gauge_due(settings(context_high={"threshold": 1}), options) == (False, False)


def test_a_run_stalls_once_after_its_time() -> None:
    """TRG-6: another run has another instant."""
    notify = settings(stall={"threshold_s": 60})
    run = stamped("working")
    assert alerts.stall_at(run, pane(), notify) == NOW + 60_000
    assert alerts.stall_at(run, pane(stall_notified_at=str(NOW)), notify) is None
    assert alerts.stall_at(run, pane(stall_notified_at=str(NOW - 1)), notify) == NOW + 60_000
    assert alerts.stall_at(stamped("idle"), pane(), notify) is None
    assert alerts.stall_at(run, pane(), settings()) is None


def test_output_and_events_put_a_stall_off() -> None:
    """TRG-7: a long build that prints is none."""
    notify = settings(stall={"threshold_s": 60, "quiet_s": 30})
    run, busy = stamped("working", evidence=NOW + 50_000, stamped=NOW + 50_000), pane()
    assert alerts.stall_at(run, busy, notify) == NOW + 80_000
    busy.activity_s = NOW // 1000 + 100
    assert alerts.stall_at(run, busy, notify) == NOW // 1000 * 1000 + 130_000


def test_a_mute_ends_at_its_instant() -> None:
    """CLK-6: equal is over, unreadable is none."""
    assert alerts.is_muted({stamp.MUTE_UNTIL: str(NOW + 1)}, NOW)
    assert not alerts.is_muted({stamp.MUTE_UNTIL: str(NOW)}, NOW)
    assert not alerts.is_muted({stamp.MUTE_UNTIL: "soon"}, NOW)


@pytest.mark.parametrize(
    ("client", "looks"),
    [
        (Client("%1", NOW - 14_000), True),
        (Client("%1", NOW - 15_000), False),
        (Client("%2", NOW), False),
        (Client("%1", NOW, suspended=True), False),
        (Client("%1", 0, focused=True), True),
        (Client("%1", NOW, focused=False), False),
    ],
)
def test_a_pane_is_watched_by_somebody_who_is_there(client: Client, *, looks: bool) -> None:
    """POL-2: by focus where tmux asks for it, else by the last key."""
    assert alerts.watched("%1", [client], {**POLICY, "suppress_watched": True}, NOW) is looks
    assert not alerts.watched("%1", [client], POLICY, NOW)


def outcome(trigger: str = "blocked", *, turn_ms: int | None = None, looked_at: bool = False, **options: str) -> str:
    """What becomes of a notice of an episode that began at NOW."""
    policy = {**POLICY, "done_min_s": 30}
    stored = pane(**options).options
    return alerts.outcome(
        trigger, stored, episode=NOW, turn_ms=turn_ms, looked_at=looked_at, policy=policy, now=NOW + 1
    )


def test_the_first_rule_that_holds_decides() -> None:
    """POL-1 to POL-6, MTE-1: mute, snooze, a short turn, a watched pane, else it fires."""
    mute, snooze = {"mute_until": str(NOW + 9)}, {"snooze": f"{NOW + 9}:{NOW}"}
    assert outcome(**mute, **snooze) == "muted"
    assert outcome("stall", **mute) == outcome("context_high", **mute) == "muted"
    assert outcome(**snooze, looked_at=True) == "snoozed"
    assert outcome(snooze=f"{NOW + 9}:{NOW - 1}") == outcome(snooze=f"{NOW}:{NOW}") == "fired"
    assert outcome("done", turn_ms=29_999, looked_at=True) == "short-turn"
    assert outcome("done", turn_ms=30_000) == outcome("done", turn_ms=None) == "fired"
    assert outcome("blocked", turn_ms=1) == "fired"
    assert outcome("blocked", looked_at=True) == outcome("done", looked_at=True) == "watched"
    assert outcome("stall", looked_at=True) == "fired"
    assert "watched" not in alerts.CONSUMED


def test_a_payload_has_its_keys_and_no_others() -> None:
    """NTF-2, SEC-T-18: no screen, no pending call, and the title only if it was let in."""
    full = row(state="blocked", title=HOSTILE_TITLE, pending_summary="rm -rf", pending_tool="Bash", repo="r")
    notice = alerts.notice_of(full, "blocked", NOW)
    assert [key for key, _ in alerts.payload(notice, title=False)] == [
        "agent", "pane", "state", "detail", "session", "locator", "repo", "branch", "since_ms", "episode_ms",
        "context_pct",
    ]  # fmt: skip
    assert ("title", HOSTILE_TITLE) in alerts.payload(notice, title=True)
    assert dict(alerts.payload(notice, title=False))["since_ms"] == 5000
    assert "rm -rf" not in str(alerts.payload(notice, title=True))


def test_the_environment_holds_values_only_and_no_control_character() -> None:
    """NTF-1, CMD-1: what has no value is not there."""
    notice = alerts.notice_of(row(title=HOSTILE_TITLE), "done", NOW)
    assert alerts.variables(notice, title=False) == {
        "TMA_AGENT": "claude",
        "TMA_PANE": "%1",
        "TMA_STATE": "done",
        "TMA_LOCATOR": "work:1.0",
        "TMA_SINCE_MS": "5000",
        "TMA_EPISODE_MS": str(NOW - 5000),
    }
    title = alerts.variables(notice, title=True)["TMA_TITLE"]
    assert title == "ab#(touch x)#[fg=red]%H]0;x\u202ec31m\"'$(id)"
    assert set(alerts.variables(notice, title=True)) <= set(alerts.VARIABLES)


def test_a_notice_carries_no_more_of_a_title_than_is_ever_stored() -> None:
    """SEC-R-1, NOT-4: a title of a megabyte must not be what keeps a notice from its sinks."""
    assert alerts.notice_of(row(title="é" * 500_000), "blocked", NOW).title == "é" * 512
