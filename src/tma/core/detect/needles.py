"""Texts that a match of a pattern must hold: where they are not, it cannot match.

A needle is a list of texts of which one must be there, and the number of places before it
where what it belongs to can begin.
"""

from tma.core.detect.charset import IGNORECASE, ONE_CHARACTER
from tma.core.detect.patterns import inner_of, nodes, repeat_of
from tma.core.detect.steps import LONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from tma.core.detect.patterns import Element, Tree

    Needle: TypeAlias = tuple[list[str], int]

NEEDLE = "NEEDLE"
MOST_TEXTS = 16


def flattened(tree: "Tree", flags: int) -> "list[Element]":
    """The elements of a sequence with plain groups opened."""
    found: list[Element] = []
    for operation, value, own in nodes(tree, flags):
        if operation == "SUBPATTERN":
            for inner, inner_flags in inner_of(operation, value, own):
                found.extend(flattened(inner, inner_flags))
        else:
            found.append((operation, value, own))
    return found


def next_needle(elements: "Iterable[Element]") -> "Needle":
    """The needle that narrows most; without texts if there is none."""
    return max(_needles(elements, to_the_end=False), key=lambda needle: _length(needle[0]) / needle[1])


def one_of(needles: "Sequence[Needle]") -> "Needle":
    """One needle for a choice between what each belongs to; without texts unless each has some."""
    texts = [text for each, _ in needles for text in each]
    sure = all(each for each, _ in needles) and len(texts) <= MOST_TEXTS
    return (texts if sure else []), max(places for _, places in needles)


def stand_in(needle: "Needle") -> "Element":
    """An element that stands for everything from one place on, of which no more than a needle is known."""
    return NEEDLE, needle, 0


def all_needles(elements: "Iterable[Element]") -> list[list[str]]:
    """Lists of texts; every match holds a text of each list."""
    found = [_shortest(texts) for texts, _ in _needles(elements, to_the_end=True) if texts]
    return [texts for texts in found if _length(texts) > 1] or found


def _length(texts: list[str]) -> int:
    return min(map(len, texts), default=0)


def _needles(elements: "Iterable[Element]", *, to_the_end: bool) -> "Iterator[Needle]":
    """Each run of elements whose text is sure, and each choice of such runs."""
    texts, began, places = [""], 1, 1
    for element in elements:
        sure = _sure_texts(element)
        if sure and len(texts) * len(sure) <= MOST_TEXTS:
            texts = [text + more for text in texts for more in sure]
        else:
            yield _needle(texts, began)
            texts, began = sure or [""], places
        if element[0] == NEEDLE:
            yield element[1][0], places + element[1][1] - 1
            return
        if element[0] == "BRANCH" and not sure and to_the_end:
            yield one_of([(_longest(inner), 1) for inner in inner_of(*element)])
        least, most = _widths(element)
        places += most - least
        if not sure:
            began = places
            if most > LONG and not to_the_end:
                return
    yield _needle(texts, began)


def _shortest(texts: list[str]) -> list[str]:
    """The texts without those that hold another of them."""
    return [text for text in texts if not any(other in text and other != text for other in texts)]


def _longest(inner: "tuple[Tree, int]") -> list[str]:
    return max((texts for texts, _ in _needles(flattened(*inner), to_the_end=True)), key=_length)


def _needle(texts: list[str], places: int) -> "Needle":
    return ([] if "" in texts else texts), places


def _sure_texts(element: "Element") -> list[str]:
    """Every text the element can match, if they are few; else none."""
    operation, value, flags = element
    if operation == "AT":
        return [""]
    if flags & IGNORECASE:
        return []
    if operation == "LITERAL":
        return [chr(value)]
    if operation == "IN":
        return [chr(member) for _, member in value] if all(str(kind) == "LITERAL" for kind, _ in value) else []
    inner = [_sure_texts_of(flattened(tree, own)) for tree, own in inner_of(operation, value, flags)]
    repeat = repeat_of(operation, value)
    if repeat:
        low, high, _ = repeat
        return [text * low for text in inner[0]] if low == high <= LONG and len(inner[0]) == 1 else []
    return [text for texts in inner for text in texts] if all(inner) else []


def _sure_texts_of(elements: "list[Element]") -> list[str]:
    texts = [""]
    for element in elements:
        texts = [text + more for text in texts for more in _sure_texts(element)]
        if len(texts) > MOST_TEXTS:
            return []
    return texts


def _widths(element: "Element") -> tuple[int, int]:
    """The least and the greatest number of characters that the element takes."""
    operation, value, flags = element
    if operation in ONE_CHARACTER:
        return 1, 1
    inner = [_widths_of(flattened(tree, own)) for tree, own in inner_of(operation, value, flags)]
    repeat = repeat_of(operation, value)
    if repeat:
        low, high, _ = repeat
        return low * inner[0][0], high * inner[0][1]
    return min((least for least, _ in inner), default=0), max((most for _, most in inner), default=0)


def _widths_of(elements: "list[Element]") -> tuple[int, int]:
    widths = [_widths(element) for element in elements]
    return sum(least for least, _ in widths), sum(most for _, most in widths)
