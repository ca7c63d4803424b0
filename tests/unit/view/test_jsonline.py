"""JSON text of one line."""

import json

import pytest

from rows import HOSTILE_TITLE
from tma.view.jsonline import document, encode, quote


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", '"plain"'),
        ('a"b\\c', r'"a\"b\\c"'),
        ("\n\r\t\b", r'"\n\r\t\u0008"'),
        ("\x00\x1f\x7f\x80\x9f\xa0", '"\\u0000\\u001f\\u007f\\u0080\\u009f\xa0"'),
        ("日本 ☕ é", '"日本 ☕ é"'),
        ("\udc80\ud800", '"\ufffd\ufffd"'),
    ],
)
def test_controls_are_escaped_and_other_text_is_kept(text: str, expected: str) -> None:
    """JSN-1: C0, DEL and C1 in lower case; what no UTF-8 can carry becomes U+FFFD."""
    assert quote(text) == expected


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -5, 2**53, "x", [], {}, [1, "a", None], {"b": {"c": [True]}, "a": ""}],
)
def test_every_value_reads_back_as_it_was(value: object) -> None:
    """JSN-1: compact JSON that any parser reads."""
    assert json.loads(encode(value)) == value
    assert encode(value) == json.dumps(value, separators=(",", ":"))


def test_keys_keep_their_order_and_schema_is_first() -> None:
    """JSN-2, JSN-3: one document, one line, one newline."""
    assert document([("b", 1), ("a", [])]) == '{"schema":1,"b":1,"a":[]}\n'


def test_a_hostile_title_stays_inside_its_string() -> None:
    """SAN-3: the raw value, in one line without a control character."""
    text = quote(HOSTILE_TITLE)

    assert json.loads(text) == HOSTILE_TITLE
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in text)
