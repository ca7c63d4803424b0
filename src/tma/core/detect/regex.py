"""Patterns as Python compiles them, without its warnings of what a later release may read otherwise."""

import re

_WARNED_OF = ("[[", "[^[", "--", "&&", "~~", "||")


def compiled(pattern: str) -> "re.Pattern[str]":
    """The pattern as Python searches for it, without a word on sets that Python may read otherwise one day."""
    if not any(mark in pattern for mark in _WARNED_OF):
        return re.compile(pattern)
    # Loaded here: few patterns hold such a set.
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern)
