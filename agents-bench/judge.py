"""What was true against what the stamps said: right and how late, or wrong and how."""

from dataclasses import dataclass

from observe import GONE, Seen

RIGHT, WRONG = "right", "wrong"
EARLY_MS = 300
"""A claim may precede the event that proves it: the model server notes an answer after sending it."""

_DONE = ("done", "idle")


@dataclass(frozen=True)
class Truth:
    """What holds in a pane from an instant on, and for how long at least."""

    at_ms: int
    expected: str
    within_s: float = 8.0
    via: tuple[str, ...] = ()
    optional: bool = False


@dataclass(frozen=True)
class Verdict:
    """How one expectation turned out."""

    word: str
    late_ms: int = 0
    reason: str = ""


def fits(seen: Seen, expected: str) -> bool:
    """Whether a claim is the expected one; a detail counts behind a slash, also an empty one, and idle may be done."""
    state, slash, detail = expected.partition("/")
    if slash and seen.detail != detail:
        return False
    return seen.state == state or (state == "idle" and seen.state in _DONE)


def arrival(truth: Truth, seen: list[Seen]) -> int | None:
    """The index of the first right claim that stood when the expectation began, or came later."""
    ends = [each.at_ms for each in seen[1:]] + [truth.at_ms + 1]
    standing = (index for index, end in enumerate(ends) if end > truth.at_ms - EARLY_MS)
    return next((index for index in standing if fits(seen[index], truth.expected)), None)


def judge(truth: Truth, seen: list[Seen], before: str) -> Verdict:
    """The verdict on what was seen from the step's start to the next step's; ``before`` should have held until then.

    What stood at the start was judged with the step before.

    An agent that says goodbye may be looked at once more before its process is gone.
    """
    found = arrival(truth, seen)
    if truth.expected == GONE and found is not None and fits(seen[-1], GONE):
        found = len(seen) - 1
    on_the_way = seen[: len(seen) if found is None else found]
    allowed = (
        "idle" if truth.expected == GONE else "",
        before,
        "working",
        truth.expected.partition("/")[0] + "/",
        *truth.via,
    )
    if found is None:
        last = seen[-1].claim if seen else GONE
        word = RIGHT if truth.optional else WRONG
        return Verdict(word, 0, "not seen" if truth.optional else f"{truth.expected} never came, it said {last}")
    for each in on_the_way[1:]:
        if not any(fits(each, one) for one in allowed if one):
            return Verdict(WRONG, 0, f"{each.claim} on the way to {truth.expected}")
    for each in seen[found + 1 :]:
        if not fits(each, truth.expected):
            after = (each.at_ms - seen[found].at_ms) / 1000
            return Verdict(WRONG, 0, f"{truth.expected} became {each.claim} after {after:.1f} s")
    return Verdict(RIGHT, max(0, seen[found].at_ms - truth.at_ms))


def told(expected: list[str], edges: list[str]) -> str:
    """The first expected state that a stream of edges never reached in this order; "" if it reached all."""
    rest = iter(edges)
    for claim in expected:
        state = claim.partition("/")[0]
        if not any(edge == state or (state == "idle" and edge in _DONE) for edge in rest):
            return claim
    return ""
