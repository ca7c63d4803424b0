"""Full-screen surfaces over made-up input: sizes, texts, keys and bytes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from frames import ASCII_THEME, THEME, drawn, is_exact, many, picker, watch
from rows import NOW, row
from tma.core.screen import units
from tma.core.text import clean
from tma.view.ansi import styled
from tma.view.fuzzy import FOLLOWS, GAP, LETTER, WORD_START, Haystack, match, parse
from tma.view.keyboard import Key, Keyboard, Paste
from tma.view.paint import MANY_COLOURS, painted
from tma.view.surface import Captured, Resized, RowsFound

JOINING = "\U0001f3fb\u200d\ufe0f\u0301\U0001f1e6👩漢a \r"
FOREIGN = st.text(max_size=60) | st.text(JOINING, max_size=12)
SIZES = st.tuples(st.integers(1, 130), st.integers(1, 20))
ROWS = st.lists(
    st.builds(
        lambda at, title, agent, branch, state, since: row(
            f"%{at}", agent, state, title=title, branch=branch, repo=branch, since=since, attention=at % 2 == 0
        ),
        st.integers(0, 9),
        FOREIGN,
        FOREIGN,
        st.none() | FOREIGN,
        st.sampled_from(["idle", "working", "blocked", "unknown"]),
        st.integers(0, NOW),
    ),
    max_size=12,
    unique_by=lambda one: one.pane,
)
KEYS = st.lists(st.sampled_from(["up", "down", "backspace", "ctrl-s", "p", "g", "x", "日", "\u0301"]), max_size=12)


@given(rows=ROWS, sizes=st.lists(SIZES, min_size=1, max_size=3), keys=KEYS, screen=st.lists(FOREIGN, max_size=5))
def test_any_input_fills_any_terminal(
    rows: list[object], sizes: list[tuple[int, int]], keys: list[str], screen: list[str]
) -> None:
    """A11Y-6, COL-1, SAN-2: exactly, with printable text alone, and without error."""
    for model in (picker(rows), watch(rows), watch(rows, table=True)):  # type: ignore[arg-type]
        for size in sizes:
            model.update(Resized(*size))
            for name in keys:
                model.update(Key(name))
            model.update(Captured(model.cursor.pane, styled(screen)))
            for theme in (THEME, ASCII_THEME):
                frame = drawn(model, theme)
                assert is_exact(frame, size)
                text = "".join(part for line in frame.lines for _, part in line)
                assert clean(text) == text
                assert theme is THEME or text.isascii()


@given(
    keys=st.lists(st.sampled_from(["up", "down", "a", "backspace"]), max_size=20),
    counts=st.lists(st.integers(0, 30), max_size=5),
)
def test_the_selection_is_always_a_listed_row(keys: list[str], counts: list[int]) -> None:
    """TUI-5, QRY-5: whatever comes and goes."""
    model = picker(many(10), (60, 9))
    for count in counts:
        for name in keys:
            model.update(Key(name))
        model.update(RowsFound(many(count), NOW))
        assert model.selected is None if not model.panes else model.selected is not None
        assert model.cursor.pane == (model.selected.pane if model.selected else "")


@given(text=st.text(max_size=80), cuts=st.lists(st.integers(0, 80), max_size=6))
def test_pieces_read_like_the_whole(text: str, cuts: list[int]) -> None:
    """TUI-8: except that moves collapse only within a piece, of which there are none here."""
    whole, pieces = Keyboard(), Keyboard()
    bounds = [0, *sorted(cuts), len(text)]
    found = [event for start, end in pairwise(bounds) for event in pieces.feed(text[start:end])]
    assert found + pieces.flush() == whole.feed(text) + whole.flush()


@given(text=st.text(alphabet="\x1b[]O<;M0129~PA \x07\\z\r\n", max_size=60))
def test_no_sequence_is_typed_as_text(text: str) -> None:
    """TUI-8, SAN-1: every key is a name or one printable character; a paste is one line."""
    for event in [*(keyboard := Keyboard()).feed(text), *keyboard.flush()]:
        if isinstance(event, Key):
            assert clean(event.name) == event.name
        if isinstance(event, Paste):
            assert clean(event.text) == event.text


@given(first=ROWS, second=ROWS, size=SIZES)
def test_painting_brings_a_terminal_from_one_frame_to_the_next(
    first: list[object], second: list[object], size: tuple[int, int]
) -> None:
    """A11Y-7: cell by cell what a whole new drawing gives, and nothing for the same frame."""
    old = drawn(picker(first, size)).lines  # type: ignore[arg-type]
    new = drawn(picker(second, size)).lines  # type: ignore[arg-type]
    shown: dict[tuple[int, int], str] = {}
    for step in (painted(None, old, MANY_COLOURS), painted(old, new, MANY_COLOURS)):
        _play(step, shown)
    fresh: dict[tuple[int, int], str] = {}
    _play(painted(None, new, MANY_COLOURS), fresh)
    assert shown == fresh
    assert painted(new, new, MANY_COLOURS) == ""


def _play(sent: str, shown: dict[tuple[int, int], str]) -> None:
    """A terminal that knows moves, clearing and styles, in which a unit covers all of its cells."""
    x = y = 0
    style = ""
    for piece in sent.split("\x1b[")[1:]:
        end = next(at for at, char in enumerate(piece) if char.isalpha())
        parameters, final, text = piece[:end], piece[end], piece[end + 1 :]
        if final == "J":
            shown.clear()
        elif final == "m":
            style = parameters
        else:
            y, x = (int(part) - 1 for part in parameters.split(";"))
        for unit, cells in units(text):
            if not cells and (y, x - 1) in shown:
                shown[y, x - 1] += unit
            for at in range(x, x + cells):
                shown[y, at] = f"{style}|{unit}|{at - x}"
            x += cells


@given(text=st.text(alphabet="abA -é", max_size=12), word=st.text(alphabet="abé", min_size=1, max_size=4))
def test_the_score_is_the_best_there_is(text: str, word: str) -> None:
    """QRY-3, QRY-4: against every alignment, tried one by one."""
    if not word.isascii() or any(char.isupper() for char in word):
        folded = text.lower()
    else:
        folded = text.lower().replace("é", "e")
    best = max(_alignments(folded, word, 0, -1), default=None)
    found = match(Haystack(text), parse(word))
    assert (found.score if found else None) == best


def _alignments(text: str, word: str, start: int, before: int) -> list[int]:
    if not word:
        return [0]
    scores = []
    for at in range(start, len(text)):
        if text[at] == word[0]:
            own = LETTER + (WORD_START if at == 0 or not text[at - 1].isalnum() else 0)
            if before >= 0:
                own += FOLLOWS if at == before + 1 else -GAP - (at - before - 1)
            scores += [own + rest for rest in _alignments(text, word[1:], at + 1, at)]
    return scores
