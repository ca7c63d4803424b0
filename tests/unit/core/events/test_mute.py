"""The grammar of mute durations and their words."""

import pytest

from rows import NOW
from tma.core.events import mute


@pytest.mark.parametrize(
    ("text", "seconds", "words"),
    [
        ("90", 90, "90s"),
        ("90s", 90, "90s"),
        (" 30m ", 1800, "30m"),
        ("120m", 7200, "2h"),
        ("2h", 7200, "2h"),
        ("24h", 86_400, "1d"),
        ("1d", 86_400, "1d"),
        ("0090", 90, "90s"),
        ("99999999d", 99_999_999 * 86_400, "99999999d"),
    ],
)
def test_a_duration_is_read_and_said_in_its_coarsest_exact_unit(text: str, seconds: int, words: str) -> None:
    """MUT-2, MUT-4."""
    assert mute.parse(text) == seconds
    if mute.deadline(NOW, seconds) < mute.FOR_EVER:
        assert mute.wording(NOW, seconds) == words


@pytest.mark.parametrize(
    "text",
    ["", " ", "0", "0h", "00s", "-1", "+1", "1.5h", "1 h", "1w", "1H", "h", "1hm", "m1", "１h", "²", "1\t", "1h30m"],
)
def test_anything_else_is_refused_with_the_grammar(text: str) -> None:
    """MUT-2."""
    with pytest.raises(ValueError, match="90s, 30m, 2h or 1d"):
        mute.parse(text)


@pytest.mark.parametrize("text", ["9" * 14, "9" * 5000, "9" * 5000 + "d", "99999999999d"])
def test_what_is_out_of_range_is_for_ever(text: str) -> None:
    """MUT-2: values saturate at the sentinel."""
    seconds = mute.parse(text)

    assert mute.deadline(NOW, seconds) == mute.FOR_EVER == 99999999999999
    assert mute.wording(NOW, seconds) == "indefinitely"


def test_no_duration_is_for_ever() -> None:
    """MUT-3."""
    assert mute.deadline(NOW, None) == mute.FOR_EVER
    assert mute.wording(NOW, None) == "indefinitely"
    assert mute.deadline(NOW, 60) == NOW + 60_000
