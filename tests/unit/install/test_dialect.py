"""Reading a file as text: marks, line ends, and what is refused."""

import pytest

from tma.install.dialect import FaultError, RefusedError, decode, fault_at, position, refusal


@pytest.mark.parametrize("data", [b"", b"a\n", b"\xef\xbb\xbfa\r\nb", "é\n".encode()])
def test_a_text_is_encoded_as_it_was(data: bytes) -> None:
    """EDT-2: the mark and every byte come back."""
    text = decode(data)

    assert text.encode(text.text) == data


@pytest.mark.parametrize(
    ("data", "eol"), [(b"a\nb\n", "\n"), (b"a\r\nb\r\nc\n", "\r\n"), (b"a\r\nb\nc\n", "\n"), (b"", "\n")]
)
def test_the_majority_sets_the_line_end(data: bytes, eol: str) -> None:
    """EDT-2."""
    assert decode(data).eol == eol


def test_what_is_no_text_is_refused_with_the_line() -> None:
    """EDT-2: not UTF-8."""
    with pytest.raises(FaultError) as fault:
        decode(b"a\nb\xff")

    assert fault.value.line == 2


def test_places_count_from_one() -> None:
    """EDT-1: line and column of an offset."""
    assert [position("ab\ncd", offset) for offset in (0, 3, 4)] == [(1, 1), (2, 1), (2, 2)]
    assert str(refusal("/f", fault_at("ab\ncd", 4, "bad"))) == "/f:2:2: bad"
    assert str(RefusedError("/f", "bad")) == "/f: bad"
