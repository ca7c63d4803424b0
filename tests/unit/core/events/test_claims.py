"""Who may ring: the chains that claim, run on options as the server would run them."""

import pytest

from tma.core import guard, ops, stamp
from tma.core.events import claims
from tma.core.events.hooks import Event
from tma.core.stamp import STATE

AT = 1_700_000_000_000
Options = dict[str, str]


def blocked(**changes: str) -> Options:
    """A blocked pane's options."""
    plain = {STATE: "blocked", stamp.SINCE: str(AT), stamp.SOURCE: "hook", stamp.EVIDENCE_AT: str(AT)}
    return plain | {f"@agent_{name}": value for name, value in changes.items()}


def claimed(options: Options, chain: "list[ops.Op]", nonce: str = "n") -> bool:
    """Whether a chain wins, after it has run."""
    ops.apply(options, chain)
    return options.get(stamp.NOTIFY_CLAIM) == nonce


def test_an_episode_is_claimed_once() -> None:
    """NMK-1, NMK-3: the marker is the clock's instant, and no older than the episode."""
    options = blocked()
    assert claimed(options, claims.episode("blocked", AT, AT + 5, "n"))
    assert options[stamp.NOTIFIED_AT] == str(AT + 5)
    assert not claimed(options, claims.episode("blocked", AT, AT + 6, "other"), "other")
    assert options[stamp.NOTIFIED_AT] == str(AT + 5)
    stepped = blocked()
    assert claimed(stepped, claims.episode("blocked", AT, AT - 9000, "n"))
    assert stepped[stamp.NOTIFIED_AT] == str(AT)


def test_a_state_that_left_meanwhile_is_not_claimed() -> None:
    """CH-NOTIFY: the pass read another state than stands."""
    options = blocked(state="working")
    assert not claimed(options, claims.episode("blocked", AT, AT, "n"))
    assert stamp.NOTIFIED_AT not in options


def test_a_working_run_is_claimed_once() -> None:
    """TRG-6: and another run anew."""
    options = blocked(state="working")
    assert claimed(options, claims.stall(AT, "n"))
    assert options[stamp.STALL_NOTIFIED_AT] == str(AT)
    assert not claimed(options, claims.stall(AT, "m"), "m")
    options[stamp.SINCE] = str(AT + 9)
    assert claimed(options, claims.stall(AT + 9, "m"), "m")
    assert not claimed(blocked(), claims.stall(AT, "n"))


def test_a_gauge_is_claimed_by_what_is_stored() -> None:
    """CH-CTXHIGH: 74, 76, 90, 70, 64, 76 at 75 are two fires; an absent gauge changes nothing."""
    options: Options = {stamp.CONTEXT_AT: "1"}
    won = []
    for percent in (74, 76, 90, 70, 76, 64, 76):
        options[stamp.CONTEXT_PCT] = str(percent)
        won.append(claimed(options, claims.gauge(75, AT, f"n{percent}"), f"n{percent}"))
        options.pop(stamp.NOTIFY_CLAIM, None)
    assert won == [False, True, False, False, False, False, True]
    armed = {stamp.CONTEXT_NOTIFIED_AT: "1"}
    assert not claimed(armed, claims.gauge(75, AT, "n"))
    assert armed[stamp.CONTEXT_NOTIFIED_AT] == "1"


def event(request: str = "", at: int = AT + 10, call: str = "") -> Event:
    """An event with a request and a call."""
    fields = f'"request_id":"{request}","tool_name":"Bash","tool_use_id":"{call}"'
    return Event("E", at, "{" + fields + "}")


PROMPT = {"event": "E", "state": "blocked"}
STOP = {"event": "E", "state": "idle", "turn_end": True}
REMINDER = {"event": "E", "state": "idle"}


@pytest.mark.parametrize(
    ("options", "told", "entry", "wins"),
    [
        ({STATE: "working"}, event(), PROMPT, True),
        ({}, event(), PROMPT, True),
        (blocked(), event(), PROMPT, False),
        (blocked(permission_request="a"), event("a"), PROMPT, False),
        (blocked(permission_request="a"), event("b"), PROMPT, True),
        (blocked(permission_request="a b"), event("b c"), PROMPT, True),
        (blocked(permission_request="a b"), event("a b"), PROMPT, False),
        (blocked(pending_call="a"), event("", call="b"), PROMPT, True),
        (blocked(state="working", evidence_at=str(AT + 11)), event(), PROMPT, False),
        (blocked(state="working", notified_at=str(AT + 10)), event(), PROMPT, False),
        ({STATE: "working"}, event(), STOP, True),
        ({STATE: "idle"}, event(), STOP, True),
        ({STATE: "idle", stamp.ATTENTION: "1"}, event(), STOP, False),
        ({STATE: "working"}, event(), REMINDER, True),
        ({STATE: "idle"}, event(), REMINDER, False),
        (blocked(), event(), REMINDER, False),
        ({STATE: "idle", stamp.SINCE: str(AT + 50), stamp.NOTIFIED_AT: str(AT + 50)}, event(), STOP, False),
        ({STATE: "idle", stamp.SINCE: str(AT + 50), stamp.NOTIFIED_AT: str(AT + 20)}, event(), STOP, True),
    ],
)
def test_an_event_claims_what_it_raises(options: Options, told: Event, entry: dict[str, object], *, wins: bool) -> None:
    """CH-NOTIFY, HOOK-10, HOOK-12, GRD-6, NMK-6: a losing stamp leaves no marker."""
    before = dict(options)
    assert claimed(options, claims.event(told, entry, "n")) is wins
    if not wins:
        assert options == before


def test_the_marker_of_an_event_covers_the_episode_that_stands() -> None:
    """CH-NOTIFY: an idle pane's later turn is the episode."""
    options = {STATE: "idle", stamp.SINCE: str(AT + 50)}
    assert claimed(options, claims.event(event(), STOP, "n"))
    assert options[stamp.NOTIFIED_AT] == str(AT + 50)


def test_a_snooze_names_the_episode_that_stands_and_its_end_rearms_that_one() -> None:
    """POL-6: another episode is not snoozed, and a snooze that was changed is left alone."""
    assert guard.render(claims.snooze(AT + 9)[2][0][2]).startswith(f"{AT + 9}:#{{?#{{e|>=:#{{@agent_since}}")  # type: ignore[index]
    options = blocked(snooze=f"{AT + 9}:{AT}", notified_at=str(AT + 1))
    assert stamp.snoozed_until(options, AT) == AT + 9
    assert stamp.snoozed_until(options, AT + 1) == 0
    ops.apply(options, claims.wake(f"{AT + 8}:{AT}", AT))
    assert stamp.NOTIFIED_AT in options
    ops.apply(options, claims.wake(f"{AT + 9}:{AT}", AT))
    assert stamp.NOTIFIED_AT not in options
    assert stamp.SNOOZE not in options


def test_only_the_owner_of_the_stored_nonce_has_won() -> None:
    """NMK-2, WR-7: a pane that is gone answers nothing."""
    assert claims.won("%1 abc\n \n%2 other\n", {"abc", "def"}) == {"abc"}
