"""For how long a pane is muted: the grammar of durations, the stored instant, and its words (MUT-2 to MUT-4)."""

FOR_EVER = 99_999_999_999_999
"""The instant that means for ever."""

GRAMMAR = "digits and one of s, m, h, d, such as 90s, 30m, 2h or 1d"

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_MOST_DIGITS = 14


def parse(text: str) -> int:
    """The seconds of a duration such as ``30m``; so many that they mean for ever count as so many.

    Raises:
        ValueError: the text is no duration, or none at all; the message names the grammar.
    """
    word = text.strip(" ")
    digits, unit = (word[:-1], word[-1:]) if word[-1:] in _UNITS else (word, "s")
    if not (digits.isascii() and digits.isdigit() and digits.strip("0")):
        message = f"{text!r} is no duration: {GRAMMAR}"
        raise ValueError(message)
    significant = digits.lstrip("0")
    return int(significant) * _UNITS[unit] if len(significant) <= _MOST_DIGITS else FOR_EVER


def deadline(now: int, seconds: int | None) -> int:
    """The instant that ends a mute of so many seconds, or of no limit."""
    return FOR_EVER if seconds is None else min(FOR_EVER, now + seconds * 1000)


def wording(now: int, seconds: int | None) -> str:
    """A duration in its coarsest exact unit, as ``2h``."""
    if seconds is None or deadline(now, seconds) == FOR_EVER:
        return "indefinitely"
    unit = next(unit for unit in reversed(_UNITS) if seconds % _UNITS[unit] == 0)
    return f"{seconds // _UNITS[unit]}{unit}"
