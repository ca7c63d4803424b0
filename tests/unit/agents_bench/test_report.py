"""The bench's report."""

from report import changes, page

RIGHT = {"verdicts": [{"step": "1 working", "word": "right", "late_ms": 40}]}
WRONG = {"verdicts": [{"step": "1 working", "word": "wrong", "late_ms": 0, "reason": "it said idle"}]}
SKIPPED = {"skip": "no such tool"}


def test_every_cell_that_is_not_right_has_its_reason() -> None:
    """A gap is named below the table."""
    text = page({"pi 1.6.0": {"turn": {"hooks": RIGHT, "screen": WRONG, "both": SKIPPED}}}, dwell=3, decay=10)

    assert "| turn | 40 | **wrong** | n/a |" in text
    assert "- **turn**, screen: 1 working: it said idle" in text
    assert "- turn (both): no such tool" in text


def test_a_reason_of_some_modes_names_them() -> None:
    """Two reasons in one row are not taken for one another."""
    row = {"hooks": {"skip": "no event"}, "screen": SKIPPED, "both": SKIPPED}
    text = page({"pi 1.6.0": {"turn": row}}, dwell=3, decay=10)

    assert "- turn (hooks): no event" in text
    assert f"- turn (screen, both): {SKIPPED['skip']}" in text


def test_a_known_gap_is_told_with_its_reason() -> None:
    """It is neither right nor a new fault."""
    text = page({"pi 1.6.0": {"turn": {"both": {**WRONG, "known": "no such hook"}}}}, dwell=3, decay=10)

    assert "| turn | ? | ? | gap |" in text
    assert "it said idle (a gap: no such hook)" in text


def test_a_change_of_milliseconds_is_none() -> None:
    """Two runs never take the same time."""
    later = {"verdicts": [{**RIGHT["verdicts"][0], "late_ms": 90}]}

    assert changes({"pi": {"turn": {"both": RIGHT}}}, {"pi": {"turn": {"both": later}}}) == []
    assert changes({"pi": {"turn": {"both": RIGHT}}}, {"pi": {"turn": {"both": WRONG}}}) == [
        "pi, turn, both: right -> **wrong**"
    ]


def test_rounds_are_counted_in_their_cell() -> None:
    """So many of so many, and a round that was wrong makes the cell wrong."""
    counted = {"verdicts": RIGHT["verdicts"], "rounds": [[100, 20, 20], [60, 5, 5]]}
    text = page({"pi 1.6.0": {"deny-often": {"both": counted}}}, dwell=3, decay=10)

    assert "| deny-often | ? | ? | 20/20, 5/5 |" in text
    assert changes({"pi": {"deny": {"both": RIGHT}}}, {"pi": {"deny": {"both": counted}}}) == []
