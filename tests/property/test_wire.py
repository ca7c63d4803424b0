"""Frames and control lines, split anywhere and hostile."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tma.core import wire
from tma.core.control import MAX_EDGES, MAX_LINE, Activity, Lines, Notice, unescaped

TEXT = st.text(max_size=40)
EXT = st.fixed_dictionaries(
    {},
    optional={
        "at": st.integers(),
        "srv": st.one_of(st.integers(), st.text(max_size=3)),
        "anc": st.lists(st.one_of(st.lists(st.one_of(st.integers(), TEXT), max_size=3), st.none()), max_size=4),
        "sid": st.none(),
        "own": st.one_of(TEXT, st.integers()),
        "trust": st.one_of(st.booleans(), st.integers()),
        "other": TEXT,
    },
)


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The bytes in pieces."""
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(ends)]


def fed(pieces: list[bytes]) -> wire.Request:
    """A request from pieces and an end."""
    request = wire.Request()
    for piece in pieces:
        request.feed(piece)
    request.close()
    return request


def shape(request: wire.Request) -> object:
    """All that a request says."""
    frame = request.frame
    fields = (frame.pane, frame.agent, frame.kind, frame.payload, frame.ext.at, frame.ext.anc) if frame else None
    return request.name, request.done, request.broken, fields


@given(TEXT, TEXT, TEXT, st.text(max_size=300), EXT, st.lists(st.integers(0, 1000)))
def test_a_frame_is_the_same_in_any_pieces(  # noqa: PLR0917  # as the fields come
    pane: str, agent: str, kind: str, payload: str, ext: dict[str, object], places: list[int]
) -> None:
    """FZ-11."""
    data = wire.event(pane, agent, kind, payload, ext)
    assert data is not None
    request = fed(cut(data, places))
    assert request.frame is not None
    assert (request.frame.pane, request.frame.agent, request.frame.kind, request.frame.payload) == (
        pane, agent, kind, payload,
    )  # fmt: skip
    assert shape(request) == shape(fed([data]))


@given(
    st.one_of(st.binary(max_size=200), st.binary(max_size=200).map(lambda data: wire.EVENT + data)),
    st.lists(st.integers(0, 300)),
)
def test_hostile_bytes_end_the_same_way_in_any_pieces(data: bytes, places: list[int]) -> None:
    """DWP-2: never an exception, never more memory than was sent, and a decision at the end."""
    request = fed(cut(data, places))
    assert request.done
    assert len(request._part) <= len(data)
    assert shape(request) == shape(fed([data]))


@given(st.binary(max_size=400), st.lists(st.integers(0, 500)))
def test_control_output_is_the_same_in_any_pieces(data: bytes, places: list[int]) -> None:
    """DCC-9: hostile lines are ignored, panes are ``%`` and digits."""
    whole, split = Lines(), Lines()
    expected = whole.feed(data)
    found: list[Notice] = []
    for piece in cut(data, places):
        found += split.feed(piece)
    said = [(each.name, each.pane, each.size, each.words) for each in found]
    assert said == [(each.name, each.pane, each.size, each.words) for each in expected]
    assert all(each.pane[1:].isdecimal() for each in found if each.name == "output")
    assert len(split._part) <= MAX_LINE


@given(st.lists(st.sampled_from([b"%begin 1 1 1\n", b"%end 1 1 1\n", b"%error 1 1 1\n", b"%output %1 x\n", b"text\n"])))
def test_output_counts_outside_blocks_alone(lines: list[bytes]) -> None:
    """DCC-9: against a count by hand."""
    inside, expected = False, 0
    for line in lines:
        if inside:
            inside = not line.startswith((b"%end", b"%error"))
        elif line.startswith(b"%begin"):
            inside = True
        elif line.startswith(b"%output"):
            expected += 1
    assert [each.name for each in Lines().feed(b"".join(lines))].count("output") == expected


@given(st.binary(max_size=60))
def test_an_escaped_payload_reads_as_it_was(data: bytes) -> None:
    """DCC-11: as tmux writes it."""
    written = b"".join(
        bytes([byte]) if 0x20 <= byte < 0x7F and byte != 0x5C else b"\\%03o" % byte for byte in data
    )  # fmt: skip
    assert unescaped(written) == data.decode("utf-8", "replace")


@given(
    st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 5), st.integers(0, 300_000), st.booleans()), max_size=60)
)
def test_every_pane_that_printed_is_looked_at_after_it_fell_silent(
    story: list[tuple[int, int, int, bool]],
) -> None:
    """DED-1, DCC-14: whatever floods, and whenever time passes; one edge at most waits for each pane."""
    activity, now, last, looked = Activity(1000), 0, {}, {}
    for step, number, size, advances in story:
        now += step
        activity.output(f"%{number}", size, now)
        last[f"%{number}"] = now
        if advances:
            activity.advance(now)
            for pane in activity.take():
                looked[pane] = now
                assert now - last[pane] >= 1000
        assert len(activity.edges) <= min(6, MAX_EDGES)
    for _ in range(8):
        now += 1000
        activity.advance(now)
        looked |= dict.fromkeys(activity.take(), now)
    assert activity.busy == 0
    assert activity.due() is None
    assert all(looked[pane] >= at + 1000 for pane, at in last.items())
    assert sum(verb == "pause" for _, verb in activity.orders) == sum(verb == "continue" for _, verb in activity.orders)
