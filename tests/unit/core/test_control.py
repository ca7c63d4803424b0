"""What control clients print, and what falls silent when."""

import pytest

from tma.core.control import FLOOD_BYTES, MAX_EDGES, MAX_LINE, Activity, Lines, unescaped

STREAM = (
    b"%begin 1 2 0\n%output %9 inside a block\n%end 1 2 0\n%session-changed $0 main\r\n"
    b"%output %1 abc\\033[m\nnoise\n%extended-output %12 4 : x\n%window-add @3\n%output x\n%\n%exit\n"
)


def notices(lines: Lines, data: bytes) -> list[tuple[str, str, list[str]]]:
    """What a piece of output says."""
    return [(each.name, each.pane, each.words) for each in lines.feed(data)]


def test_notifications_are_the_lines_outside_blocks_that_begin_with_a_percent_sign() -> None:
    """DCC-9: everything else is skipped, and malformed lines too."""
    assert notices(Lines(), STREAM) == [
        ("session-changed", "", ["$0", "main"]),
        ("output", "%1", []),
        ("output", "%12", []),
        ("window-add", "", ["@3"]),
        ("exit", "", []),
    ]


def test_lines_are_the_same_at_every_split() -> None:
    """DCC-9: input is bytes."""
    whole = notices(Lines(), STREAM)
    for cut in range(len(STREAM)):
        lines = Lines()
        assert notices(lines, STREAM[:cut]) + notices(lines, STREAM[cut:]) == whole


def test_an_error_block_ends_too() -> None:
    """DCC-9: ``%error`` closes a block like ``%end``."""
    assert [each.name for each in Lines().feed(b"%begin 1 1 1\nx\n%error 1 1 1\n%output %1 a\n")] == ["output"]


def test_a_giant_line_gives_its_pane_and_is_skipped() -> None:
    """DCC-12: 256 KiB of it are kept, its whole length is known."""
    lines = Lines()
    for _ in range(10):
        lines.feed(b"%output %7 " + b"x" * MAX_LINE)
    assert len(lines._part) <= MAX_LINE
    (notice,) = lines.feed(b"\n")
    assert notice.pane == "%7"
    assert notice.size > MAX_LINE * 10
    assert [each.pane for each in lines.feed(b"%output %8 a\n")] == ["%8"]


@pytest.mark.parametrize(
    ("payload", "text"),
    [
        (b"plain", "plain"),
        (b"\\033[m", "\x1b[m"),
        (b"\\303\\251", "é"),
        (b"a\\134b", "a\\b"),
        (b"\\9x", "\\9x"),
        (b"\\777", "\\777"),
        (b"\\", "\\"),
    ],
)
def test_an_octal_escape_is_one_byte(payload: bytes, text: str) -> None:
    """DCC-11: decoded only after joining."""
    assert unescaped(payload) == text


def test_silence_after_output_is_one_edge() -> None:
    """DED-1: each further output starts the quiet clock anew."""
    activity = Activity(1000)
    activity.output("%1", 10, 0)
    activity.output("%1", 10, 900)
    activity.advance(1000)
    assert activity.take() == []
    assert activity.due() == 1900
    activity.advance(1900)
    assert activity.take() == ["%1"]
    assert activity.due() is None
    activity.advance(9000)
    assert (activity.take(), activity.busy) == ([], 0)


def test_output_before_an_edge_was_taken_takes_it_back() -> None:
    """DED-1: the pane is active again."""
    activity = Activity(10)
    activity.output("%1", 1, 0)
    activity.advance(10)
    activity.output("%1", 1, 11)
    assert activity.take() == []


def test_of_too_many_edges_the_oldest_is_dropped() -> None:
    """DED-1: at most 1024 wait, and the loss is counted."""
    activity = Activity(10)
    for number in range(MAX_EDGES + 3):
        activity.output(f"%{number}", 1, number)
    activity.advance(5000)
    taken = activity.take()
    assert len(taken) == MAX_EDGES
    assert (taken[0], activity.dropped) == ("%3", 3)


def test_a_flood_is_paused_and_continued() -> None:
    """DCC-14: more than 256 KiB within a second; still active if it goes on, an edge if it does not."""
    activity = Activity(100)
    activity.output("%1", FLOOD_BYTES, 0)
    assert activity.orders == []
    activity.output("%1", 1, 5)
    assert activity.orders == [("%1", "pause")]
    activity.orders.clear()
    assert activity.due() == 105
    activity.advance(105)
    assert activity.orders == [("%1", "continue")]
    assert activity.take() == []
    activity.orders.clear()
    activity.output("%1", 1, 150)
    assert activity.orders == [("%1", "pause")]
    activity.advance(250)
    activity.advance(350)
    assert activity.take() == ["%1"]


def test_steady_output_below_the_limit_is_no_flood() -> None:
    """DCC-14: within one second."""
    activity = Activity(100)
    for second in range(5):
        activity.output("%1", FLOOD_BYTES, second * 1000)
    assert activity.orders == []


def test_time_that_stood_still_collapses_to_one_edge_a_pane() -> None:
    """DEL-5."""
    activity = Activity(1000)
    activity.output("%1", 1, 0)
    activity.output("%2", 1, 99_999)
    activity.collapse(100_000)
    assert sorted(activity.take()) == ["%1", "%2"]


def test_panes_that_are_gone_are_forgotten() -> None:
    """DED-8: nothing of a dead pane stays."""
    activity = Activity(10)
    for pane in ("%1", "%2"):
        activity.output(pane, FLOOD_BYTES + 1, 0)
    activity.keep(frozenset({"%2"}))
    activity.advance(10)
    activity.advance(20)
    assert activity.take() == ["%2"]


def test_edges_that_could_not_be_judged_come_again() -> None:
    """DEL-3: after another silence."""
    activity = Activity(10)
    activity.output("%1", 1, 0)
    activity.again(["%1"], 5)
    activity.advance(10)
    assert activity.take() == []
    activity.advance(15)
    assert activity.take() == ["%1"]
