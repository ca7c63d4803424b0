"""What a context reading leaves on a pane."""

import pytest

from tma.core import ops, stamp
from tma.core.detect.telemetry import Gauge
from tma.core.events import gauges

Options = dict[str, str]


def gauge(percent: int | None = 42, tokens: int | None = None, *, session: str = "", model: str = "") -> Gauge:
    """A reading."""
    made = Gauge()
    made.percent, made.tokens, made.session, made.model = percent, tokens, session, model
    return made


def left(options: Options, reading: Gauge, at: int = 100) -> Options:
    """The options after a reading."""
    ops.apply(options, gauges.observed(reading, at, dict(options)))
    return options


def test_a_reading_stores_its_values_and_their_instant() -> None:
    """CH-CONTEXT: percentage, tokens with their instant, model."""
    assert left({}, gauge(42, 1000, model="claude[1m]")) == {
        stamp.CONTEXT_PCT: "42",
        stamp.TOKENS: "1000",
        stamp.TOKENS_AT: "100",
        stamp.CONTEXT_AT: "100",
        stamp.MODEL: "claude[1m]",
    }


def test_a_cleared_reading_empties_and_still_moves_on() -> None:
    """CH-CONTEXT: a late duplicate cannot bring an old value back."""
    stored = left({}, gauge(42, 1000))
    assert left(stored, gauge(None, None), 200) == {stamp.CONTEXT_AT: "200"}
    assert left(dict(stored), gauge(42), 150) == {stamp.CONTEXT_AT: "200"}


@pytest.mark.parametrize(
    ("stored", "named", "kept"),
    [("S1", "S1", True), ("S1", "S2", False), ("", "S1", True), ("S1", "", True), ("a b", "a b", True)],
)
def test_a_reading_of_another_session_is_dropped(stored: str, named: str, *, kept: bool) -> None:
    """CTX-2: two known sessions must be equal; a missing side accepts."""
    options = left({stamp.SESSION: stored} if stored else {}, gauge(session=named))
    assert (stamp.CONTEXT_PCT in options) is kept
    assert stamp.STAGE not in options


def test_an_ignored_pane_gets_no_reading() -> None:
    """RM-4: context intake writes nothing to it."""
    assert left({stamp.IGNORE: "yes"}, gauge()) == {stamp.IGNORE: "yes"}


def test_an_older_reading_changes_nothing() -> None:
    """GRD-CTX: not even the model."""
    stored = left({}, gauge(42, model="new"), 200)
    assert left(dict(stored), gauge(7, model="old"), 100) == stored


def test_an_unchanged_reading_is_no_news() -> None:
    """RC-2: a cycle that changes nothing writes nothing."""
    stored = left({}, gauge(42, model="m"))
    assert not gauges.is_news(gauge(42, model="m"), stored)
    assert not gauges.is_news(gauge(42), stored)
    assert gauges.is_news(gauge(43, model="m"), stored)
    assert gauges.is_news(gauge(42, model="n"), stored)
    assert gauges.is_news(gauge(None), stored)
