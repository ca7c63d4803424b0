"""Patterns that pass the checker, against Python's own search and against the clock."""

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tma.core.detect.automaton import Automaton
from tma.core.detect.cost import cost_of
from tma.core.detect.patterns import check
from tma.core.detect.rules import BUDGET_MS, REGION_BYTES
from tma.core.detect.search import Search
from tma.core.screen import LINE_CHARS

HANG_S = 10 * BUDGET_MS / 1000

ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "x",
        ".",
        "[ab]",
        "[^a]",
        r"[^\n]",
        r"\s",
        r"\w",
        r"\d",
        r"\S",
        r"\n",
        " ",
        "^",
        "$",
        r"\b",
        r"\A",
        r"\Z",
        "é",
    ]
)
COUNTS = st.sampled_from(["*", "+", "?", "*?", "+?", "??", "{0,3}", "{2}", "{1,5}", "{3,}", "{0,64}", "{70}"])
GROUPS = st.sampled_from(["(", "(?:", "(?i:", "(?m:", "(?s:"])
FLAGS = st.sampled_from(["", "(?m)", "(?s)", "(?i)"])


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Sequences, repeats and alternatives of smaller patterns."""
    return (
        st.lists(inner, min_size=1, max_size=4).map("".join)
        | st.tuples(inner, COUNTS).map(lambda parts: f"(?:{parts[0]}){parts[1]}")
        | st.tuples(GROUPS, st.lists(inner, min_size=1, max_size=3)).map(
            lambda parts: f"{parts[0]}{'|'.join(parts[1])})"
        )
    )


PATTERNS = st.tuples(FLAGS, st.recursive(ATOMS, compound, max_leaves=10)).map("".join)
LIMIT_TEXTS = [
    "xyb" + "a" * (REGION_BYTES - 4),
    ("a" * (LINE_CHARS - 1) + "\n") * 15,
    "ab" * (REGION_BYTES // 2 - 1),
    "\n" * (REGION_BYTES - 1),
    "\na" * (REGION_BYTES // 2 - 1),
    ("a" + " " * (LINE_CHARS - 2) + "\n") * 15,
]


@contextmanager
def no_hang(seconds: float) -> Iterator[None]:
    """End what takes longer; Python's search looks at signals while it works."""

    def end(*_: object) -> None:
        message = "the search hangs"
        raise TimeoutError(message)

    previous = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def budget() -> Callable[[], bool]:
    """Says whether the time of MAN-RX-6 is over, from now on."""
    start = time.perf_counter()
    return lambda: (time.perf_counter() - start) * 1000 > BUDGET_MS


@given(
    PATTERNS,
    st.sampled_from(
        ["(?=a)", "(?<!a)b", r"(a)\1", "(?>a)", "a++", "(a)(?(1)b|c)", "(a+)+", "(.*,){20}x", "(a{65}){9}"]
    ),
)
def test_a_forbidden_part_is_refused_wherever_it_stands(around: str, part: str) -> None:
    """FZ-10: it never passes, before, after or inside another pattern."""
    flag, rest = (around[:4], around[4:]) if around.startswith("(?") and around[3:4] == ")" else ("", around)
    for pattern in (f"{flag}{part}{rest}", f"{flag}{rest}{part}", f"{flag}(?:{part}|{rest})"):
        assert check(pattern)


@given(st.text(st.sampled_from("ab.*+?{}()[]|^$\\1,-<=!:P>i \n"), max_size=30))
@example("(?P<a>(?P=a))")
@example("(?#" + "x" * 20)
def test_the_checker_never_raises(pattern: str) -> None:
    """FZ-10, FZ-9: any text gives a reason or passes; what passes compiles and has a cost."""
    if not check(pattern):
        Search(pattern, cost_of(pattern))


@settings(max_examples=60, deadline=None)
@given(PATTERNS, st.sampled_from(LIMIT_TEXTS))
@example("a*a*a*b", LIMIT_TEXTS[0])
@example("a.*a.*a.*b", LIMIT_TEXTS[1])
@example("[^x]*y", LIMIT_TEXTS[0])
@example("(a|a){40}b", LIMIT_TEXTS[0])
@example("(a?){64}b", LIMIT_TEXTS[0])
@example("(a{1,2}){64}b", LIMIT_TEXTS[0])
@example("(a{0,64}){9}b", LIMIT_TEXTS[0])
@example("a{0,64}" * 9 + "b", LIMIT_TEXTS[0])
@example("a?" * 200 + "b", LIMIT_TEXTS[0])
@example(r"(\n[^\n]*){0,9}x", LIMIT_TEXTS[3])
@example(r"(?m)^\s*b", LIMIT_TEXTS[3])
@example("a.*b.{60}x", LIMIT_TEXTS[2])
@example(r"(a[^a](\n*)?){0,200}$", "a\n" * 250)
def test_an_accepted_pattern_searches_text_at_the_limits_in_bounded_time(pattern: str, text: str) -> None:
    """FZ-10, MAN-RX-6: within the budget of a pane; the deadline of ten times that only stops a hang."""
    assume(not check(pattern))
    with no_hang(HANG_S):
        Search(pattern, cost_of(pattern)).found(text, budget())


@settings(deadline=None)
@given(PATTERNS, st.lists(st.text(st.sampled_from("aabx \né1A"), min_size=1, max_size=12), min_size=1, max_size=6))
def test_every_way_of_searching_agrees(pattern: str, texts: list[str]) -> None:
    """MAN-RX-1: a pattern means the same however long the text is."""
    assume(not check(pattern))
    automaton = Automaton(pattern)
    search = Search(pattern, cost_of(pattern))
    for text in texts:
        try:
            with no_hang(1):
                expected = re.search(pattern, text) is not None
        except TimeoutError:
            continue
        assert automaton.found(text) == expected
        assert search.found(text) == expected


@pytest.mark.parametrize("pattern", ["a.*b.*c", "(a|ab){9}b", "y[^x]*y"])
def test_a_payload_at_its_limit_is_searched_in_bounded_time(pattern: str) -> None:
    """MAN-RX-5: a mebibyte on one line."""
    with no_hang(HANG_S):
        assert not Search(pattern, cost_of(pattern)).found("cyb" + "a" * (1 << 20))
