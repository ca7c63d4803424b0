"""The light JSON reader and writer against the standard library's."""

import json

from hypothesis import example, given
from hypothesis import strategies as st

from tma.core import jsontext

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)
PIECES = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "\\u12",
        "\\ud83d",
        "1",
        "-",
        ".",
        "e",
        "nul",
        "null",
        "NaN",
        "a",
        " ",
        "\t",
    ]
)


@given(VALUES)
def test_values_round_trip_and_are_written_as_the_library_does(value: object) -> None:
    """Compact, in order or sorted, non-ASCII kept (JSN-1, FZ-12)."""
    text = jsontext.compact(value)

    assert text == json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert jsontext.compact_sorted(value) == json.dumps(
        value, separators=(",", ":"), ensure_ascii=False, sort_keys=True
    )
    assert jsontext.parse(text) == value
    assert "\n" not in text


@given(st.text() | st.lists(PIECES).map("".join))
@example("NaN")
@example('{"a":1}x')
def test_any_text_is_read_or_refused_as_the_library_does(text: str) -> None:
    """Only the constants that JSON does not know are refused in addition (FZ-2, SEC-R-1)."""
    try:
        expected = json.loads(text, parse_constant=_refuse)
    except ValueError:
        expected = ValueError
    try:
        value = jsontext.parse(text)
    except ValueError:
        value = ValueError

    assert value == expected


@given(VALUES, st.integers(min_value=0))
def test_a_cut_text_is_refused(value: object, cut: int) -> None:
    """Half a document is none (FZ-2)."""
    text = jsontext.compact([value])
    try:
        jsontext.parse(text[: cut % len(text)])
    except ValueError:
        return

    raise AssertionError(text)


def _refuse(name: str) -> object:
    raise ValueError(name)
