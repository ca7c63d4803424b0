"""Where jumps go, and the trail that leads back."""

import pytest

from rows import NOW, fleet, row
from tma.core.events import trail
from tma.core.events.trail import Place

A, B, C = Place("%1", "work:0.0"), Place("%2", "work:1.0"), Place("%3", "it's; a #(x):1.0")


@pytest.mark.parametrize(
    ("client", "name"),
    [
        ("/dev/pts/7", "@tma_origin__dev_pts_7_98c5d6e1"),
        ("", "@tma_origin__811c9dc5"),
        ("a", "@tma_origin_a_e40c292c"),
        ("foobar", "@tma_origin_foobar_bf9cf968"),
        ("é", "@tma_origin____"),
    ],
)
def test_a_client_has_an_option_of_its_own(client: str, name: str) -> None:
    """TRL-1: bytes that are not alphanumeric as `_`, then FNV-1a 32 of the raw name."""
    assert trail.option(client).startswith(name)
    assert len(trail.option(client)) == len("@tma_origin_") + len(client.encode()) + 9


def test_a_trail_is_stored_line_by_line_and_read_back() -> None:
    """TRL-2: whatever a session is called."""
    assert trail.render([A, C]) == "%1 work:0.0\n%3 it's; a #(x):1.0"
    assert trail.parse(trail.render([A, B, C])) == [A, B, C]
    assert trail.parse("") == []


@pytest.mark.parametrize("text", ["x", "%1", "%1 ", "1 work:0.0", "%1 work:0.0\n", "%1 work:0.0\nhello there"])
def test_anything_else_is_no_trail(text: str) -> None:
    """TRL-3: one that cannot be read is told from an empty one."""
    assert trail.parse(text) is None


def test_leaving_a_pane_twice_is_noted_once_and_the_oldest_of_nine_goes() -> None:
    """TRL-3."""
    assert trail.pushed([], A) == [A]
    assert trail.pushed([A, B], Place("%2", "renamed:1.0")) == [A, B]
    assert trail.pushed([A, B], A) == [A, B, A]
    many = [Place(f"%{number}", "w:0.0") for number in range(8)]
    assert trail.pushed(many, A) == [*many[1:], A]


def test_back_takes_the_newest_usable_entry_and_home_the_oldest() -> None:
    """TRL-4: unusable ones met on the way are dropped."""
    usable = {A: "%1", B: "%9"}

    def find(place: Place) -> str:
        return usable.get(place, "")

    assert trail.back([A, B, C], find) == ("%9", [A])
    assert trail.back([C], find) == ("", [])
    assert trail.home([C, B, A], find) == "%9"
    assert trail.home([C], find) == ""


def test_attention_goes_through_blocked_and_done_rows_in_their_order() -> None:
    """JMP-2: the first, or the one that follows the current pane, wrapping."""
    rows = fleet()
    found = [trail.needing(rows, pane) for pane in ("%9", "%5", "%2")]
    assert [row and row.pane for row in found] == ["%5", "%2", "%5"]
    assert trail.needing(rows[2:], "%5") is None


def test_blocked_goes_to_the_oldest_known_instant() -> None:
    """JMP-3: an unknown instant after every known one, ties by place."""
    rows = [
        row("%1", state="blocked", since=0),
        row("%2", state="blocked", since=NOW, window_index=3),
        row("%3", state="blocked", since=NOW, window_index=2),
        row("%4", state="idle", since=1),
    ]
    found = trail.longest_blocked(rows)
    assert found is rows[2]
    assert trail.longest_blocked(rows[:1]) is rows[0]
    assert trail.longest_blocked(rows[3:]) is None


def test_next_goes_by_place_from_any_pane_and_wraps() -> None:
    """JMP-4: also from a pane without an agent, and from a row that is listed under another session."""
    rows = [
        row("%1", session_name="a", window_index=0),
        row("%2", session_name="b", window_index=0, pane_index=1),
        row("%3", session_name="b", window_index=10),
    ]

    def after(pane: str, *place: object) -> str | None:
        found = trail.following(reversed(rows), pane, place)  # type: ignore[arg-type]
        return found and found.pane

    assert after("%7", b"", 0, 0) == "%1"
    assert after("%7", b"b", 0, 0) == "%2"
    assert after("%7", b"b", 9, 0) == "%3"
    assert after("%7", b"c", 0, 0) == "%1"
    assert after("%2", b"zzz", 0, 0) == "%3"
    assert trail.following([], "%1", (b"", 0, 0)) is None
