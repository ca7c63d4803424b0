"""A hook's own notice: when it is wanted, and what it hands on."""

import json
from typing import Any

import pytest

from rows import NOW
from tma.core import config, stamp
from tma.core.events.hooks import Event
from tma.core.pane import Client, PaneRecord
from tma.services.cache import Document, Options
from tma.services.notify import hook
from tma.services.notify.hook import Ring

PROMPT = {"event": "E", "state": "blocked"}
STOP = {"event": "E", "state": "idle", "turn_end": True}


def ring(**notify: object) -> Ring:
    """A wish under settings."""
    plain = {"settings": config.parse({"notify": notify}), "agents": [], "skipped": []}
    return Ring(Options(), Document(plain, {}))


def pane(**options: str) -> PaneRecord:
    """A pane with options."""
    made = PaneRecord("%1", 5)
    made.sessions = [("$1", "work")]
    made.options = {f"@agent_{name}": value for name, value in options.items()}
    return made


def event(at: int = NOW) -> Event:
    """An event."""
    return Event("E", at, "{}")


def test_only_a_trigger_in_the_list_is_claimed() -> None:
    """HOOK-12, TRG-1: no registration, no end, no work."""
    assert ring().claim(event(), PROMPT, pane(), [])
    for entry in (STOP, {"state": "working"}, {"lifecycle": "start"}, {"lifecycle": "end"}, None):
        assert ring().claim(event(), entry, pane(), []) == []
    assert ring(on=["done"]).claim(event(), STOP, pane(), [])


def test_a_watched_pane_is_left_for_later() -> None:
    """POL-2: the marker stays as it is."""
    wish = ring(policy={"suppress_watched": True})
    assert wish.wants_clients
    assert wish.claim(event(), PROMPT, pane(), [Client("%1", NOW)]) == []
    assert wish.claim(event(), PROMPT, pane(), [Client("%2", NOW)])


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The orders of children that would have been started."""
    orders: list[dict[str, Any]] = []

    def start(_words: object, *, env: object, stdin: bytes, session: bool) -> None:
        assert session
        assert env is not None
        orders.append(json.loads(stdin))

    monkeypatch.setattr(hook.lasting, "Fed", start)
    return orders


def run(wish: Ring, at: PaneRecord, entry: dict[str, Any] = PROMPT) -> None:
    """Claim, read back that it was won."""
    from tma.core.events import chains

    target = chains.Target("claude", at.options, [])
    target.claim = wish.claim(event(), entry, at, [])
    chain = chains.plan(event(), entry, target)
    wish.after(at, chain)
    wish.answer(f"%1 {wish._nonce}\n")


def test_a_won_claim_hands_on_what_the_pane_will_say(told: list[dict[str, Any]]) -> None:
    """CMD-4, NTF: as a pass would tell it."""
    run(ring(), pane(state="working", since=str(NOW - 9000)))
    (order,) = told
    notice = order["notice"]
    assert (notice["trigger"], notice["agent"]) == ("blocked", "claude")
    assert (notice["since_ms"], notice["episode_ms"]) == (0, NOW)
    assert notice["locator"] == "work:0.0"


def test_a_muted_pane_and_a_short_turn_hand_on_nothing(told: list[dict[str, Any]]) -> None:
    """HOOK-12, POL-4: but the claim is made, so the marker stands."""
    run(ring(), pane(mute_until=str(NOW + 1)))
    working = {"state": "working", "since": str(NOW - 9000), "source": "hook", "stamped_at": str(NOW)}
    run(ring(on=["done"], policy={"done_min_s": 10}), pane(**working), STOP)
    assert told == []
    run(ring(on=["done"], policy={"done_min_s": 9}), pane(**working), STOP)
    assert len(told) == 1


def test_a_lost_claim_hands_on_nothing(told: list[dict[str, Any]]) -> None:
    """NMK-2."""
    wish = ring()
    wish.after(pane(), wish.claim(event(), PROMPT, pane(), []))
    wish.answer("%1 other\n")
    assert told == []


def test_a_gauge_is_claimed_where_its_table_is(told: list[dict[str, Any]]) -> None:
    """TRG-5."""
    assert ring().gauge(pane(), NOW) == []
    wish = ring(context_high={"threshold": 80})
    stored = pane(state="idle", context_pct="90", context_at="1", since="1")
    chain = wish.gauge(stored, NOW)
    assert any(stamp.CONTEXT_NOTIFIED_AT in str(op) for op in chain)
    wish.after(stored, chain)
    wish.answer(f"%1 {wish._nonce}\n")
    assert (told[0]["notice"]["trigger"], told[0]["notice"]["context_pct"]) == ("context_high", 90)
