"""Matching what a person types against a row's text: atoms, folding, scores and the letters that matched.

1. A query is split at unescaped spaces; every atom must match (QRY-2).
2. Case and accents count only where the atom has some (QRY-3).
3. The score is that of the best alignment: 16 a letter, 8 more if it follows the one before, 10
   more at the start of a word, 3 less for the first and 1 less for each further letter skipped
   between two (QRY-4).
"""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANSWERS = 16
"""Answers that a text keeps."""

LETTER, FOLLOWS, WORD_START, GAP = 16, 8, 10, 2
_ANYWHERE, _SUBSTRING, _NOT = "anywhere", "substring", "not"


class Atom(NamedTuple):
    """One part of a query; ``start`` and ``end`` tie a substring to an end of the text."""

    word: str
    kind: str
    start: bool
    end: bool
    cased: bool
    accented: bool


class Match(NamedTuple):
    """How well a text matches, and which of its letters did."""

    score: int
    marks: frozenset[int]


class Haystack:
    """One text to search, folded once for each way of folding, and what it said to recent atoms."""

    __slots__ = ("_answers", "_folded", "text")

    def __init__(self, text: str) -> None:
        """Keep the text."""
        self.text = text
        self._folded: dict[tuple[bool, bool], tuple[str, Sequence[int]]] = {}
        self._answers: dict[Atom, Match | None] = {}

    def answer(self, atom: Atom) -> Match | None:
        """How well the text matches an atom; most atoms of a query outlive a key."""
        if atom not in self._answers:
            if len(self._answers) >= _ANSWERS:
                self._answers.clear()
            self._answers[atom] = _match(self, atom)
        return self._answers[atom]

    def folded(self, *, cased: bool, accented: bool) -> "tuple[str, Sequence[int]]":
        """The text as it is compared, and for each of its letters the place in the text."""
        key = (cased, accented or self.text.isascii())
        if key not in self._folded:
            self._folded[key] = _fold(self.text, cased=cased, accented=key[1])
        return self._folded[key]


def parse(query: str) -> list[Atom]:
    r"""The atoms of a query; ``\ `` is a space that does not split."""
    words = [part.replace("\0", " ") for part in query.replace("\\ ", "\0").split(" ")]
    return [_atom(word) for word in words if word]


def match(haystack: Haystack, atoms: "Sequence[Atom]") -> Match | None:
    """The match of all atoms, None where one does not match; no atoms match anything."""
    score = 0
    marks: set[int] = set()
    for atom in atoms:
        found = haystack.answer(atom)
        if found is None:
            return None
        score += found.score
        marks |= found.marks
    return Match(score, frozenset(marks))


def _atom(word: str) -> Atom:
    kind, start, end = _ANYWHERE, False, False
    if word.startswith("!") and len(word) > 1:
        kind, word = _NOT, word[1:]
    elif word.startswith("'") and len(word) > 1:
        kind, word = _SUBSTRING, word[1:]
    else:
        start = word.startswith("^") and len(word) > 1
        word = word[1:] if start else word
        end = word.endswith("$") and len(word) > 1
        word = word[:-1] if end else word
        kind = _SUBSTRING if start or end else _ANYWHERE
    cased, accented = any(char.isupper() for char in word), not word.isascii()
    folded, _ = _fold(word, cased=cased, accented=accented)
    return Atom(folded, kind, start, end, cased, accented)


def _fold(text: str, *, cased: bool, accented: bool) -> "tuple[str, Sequence[int]]":
    if text.isascii():
        return text if cased else text.lower(), range(len(text))
    import unicodedata

    letters: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        bare = char if accented else unicodedata.normalize("NFD", char)[0]
        if accented or not unicodedata.combining(bare):
            letters.append(bare if cased else bare.lower()[0])
            places.append(place)
    return "".join(letters), places


def _match(haystack: Haystack, atom: Atom) -> Match | None:
    text, places = haystack.folded(cased=atom.cased, accented=atom.accented)
    if atom.kind == _NOT:
        return None if atom.word in text else Match(0, frozenset())
    found = _aligned(text, atom.word) if atom.kind == _ANYWHERE else _placed(text, atom)
    return found and Match(found[0], frozenset(places[at] for at in found[1]))


def _placed(text: str, atom: Atom) -> tuple[int, list[int]] | None:
    """The best place of a substring."""
    size = len(atom.word)
    starts: list[int] = []
    at = text.find(atom.word)
    while at >= 0:
        if (not atom.start or at == 0) and (not atom.end or at + size == len(text)):
            starts.append(at)
        at = text.find(atom.word, at + 1)
    if not starts:
        return None
    score, negated = max((_run(text, start, size), -start) for start in starts)
    return score, list(range(-negated, size - negated))


def _run(text: str, start: int, size: int) -> int:
    return LETTER * size + FOLLOWS * (size - 1) + sum(_bonus(text, at) for at in range(start, start + size))


def _bonus(text: str, at: int) -> int:
    return WORD_START if at == 0 or not text[at - 1].isalnum() else 0


def _aligned(text: str, word: str) -> tuple[int, list[int]] | None:
    """The best way to find a word's letters in order: for each place of a letter the best before it."""
    if not _has_letters(text, word):
        return None
    at = _word_start(text, word) if word.isalnum() else -1
    if at >= 0:
        return _run(text, at, len(word)), list(range(at, at + len(word)))
    scores: dict[int, int] = {at: LETTER + _bonus(text, at) for at in _places(text, word[0])}
    steps: list[dict[int, int]] = []
    for letter in word[1:]:
        scores, came_from = _advance(text, scores, _places(text, letter))
        if not scores:
            return None
        steps.append(came_from)
    at = max(scores, key=lambda place: (scores[place], -place))
    best, path = scores[at], [at]
    for came_from in reversed(steps):
        path.append(came_from[path[-1]])
    return best, path[::-1]


def _advance(text: str, scores: dict[int, int], places: list[int]) -> tuple[dict[int, int], dict[int, int]]:
    """The best scores of one more letter, and where each came from.

    A gap of n letters costs n + 2, so among places further back the best is the greatest score + place.
    """
    found: dict[int, int] = {}
    came_from: dict[int, int] = {}
    before = iter(sorted(scores))
    following = next(before, None)
    furthest = -1
    for at in places:
        while following is not None and following < at - 1:
            if furthest < 0 or scores[following] + following > scores[furthest] + furthest:
                furthest = following
            following = next(before, None)
        best = None if furthest < 0 else scores[furthest] - (at - furthest - 1) - GAP
        source = furthest
        if at - 1 in scores and (best is None or scores[at - 1] + FOLLOWS >= best):
            best, source = scores[at - 1] + FOLLOWS, at - 1
        if best is not None:
            found[at] = best + LETTER + _bonus(text, at)
            came_from[at] = source
    return found, came_from


def _word_start(text: str, word: str) -> int:
    """Where a word begins with this one, -1 for nowhere.

    No other alignment of letters and digits scores more: a gap costs at least 3, and the start of
    a word behind it gives only 2 more than following would.
    """
    at = text.find(word)
    while at > 0 and text[at - 1].isalnum():
        at = text.find(word, at + 1)
    return at


def _has_letters(text: str, word: str) -> bool:
    at = -1
    for letter in word:
        at = text.find(letter, at + 1)
        if at < 0:
            return False
    return True


def _places(text: str, letter: str) -> list[int]:
    places = []
    at = text.find(letter)
    while at >= 0:
        places.append(at)
        at = text.find(letter, at + 1)
    return places
