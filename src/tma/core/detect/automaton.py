"""Searches that backtracking may take too long over, run in step with the text instead.

All readings of the pattern advance together, one character at a time, so the time grows with
the text and not with the ways to match it. Each set of readings is worked out once and then
looked up. The answer is only whether there is a match.
"""

from re import _compiler, _constants, _parser  # type: ignore[attr-defined]

from tma.core.detect.charset import ONE_CHARACTER
from tma.core.detect.patterns import UNBOUNDED, inner_of, nodes, parsed, repeat_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable
    from typing import Any

    from tma.core.detect.patterns import Operand, Tree

    Step = tuple[str, Any]

MULTILINE = 8
ASCII_ONLY = 256
MOST_READINGS = 200_000

_TAKE = "take"
_FORK = "fork"
_ASSERT = "assert"
_LAST_NEWLINE = "\n$"


class Automaton:
    """One pattern's program, and the states of it that were met so far."""

    __slots__ = ("_held", "_program", "_states")

    def __init__(self, pattern: str) -> None:
        """Build the program of a checked pattern."""
        self._program = _Program()
        self._program.emit(*parsed(pattern))
        self._states: dict[tuple[frozenset[int], str], _State] = {}
        self._held = 0

    def found(self, text: str, gives_up: "Callable[[], bool] | None" = None) -> bool:
        """Whether the pattern matches anywhere; false as well once ``gives_up`` says so."""
        state = self._state(frozenset(), "")
        for symbol in _symbols(text):
            following = state.moves.get(symbol)
            if following is None:
                if gives_up is not None and gives_up():
                    return False
                following = state.moves[symbol] = self._move(state, symbol)
            if following.matched:
                return True
            state = following
        return self._move(state, "").matched

    def _move(self, state: "_State", symbol: str) -> "_State":
        readings: set[int] = set()
        for at in (0, *state.readings):
            onward = self._program.onward(at, state.before, symbol)
            if onward is None:
                return _MATCHED
            readings |= onward
        return self._state(frozenset(readings), symbol[:1])

    def _state(self, readings: frozenset[int], before: str) -> "_State":
        key = (readings, _kind(before))
        state = self._states.get(key)
        if state is None:
            self._held += len(readings)
            if self._held > MOST_READINGS:
                self._states.clear()
                self._held = len(readings)
            state = self._states[key] = _State(*key)
        return state


class _State:
    """The readings after one character, and where each next character leads.

    ``before`` keeps of that character only its kind, which is all that assertions ask for.
    """

    __slots__ = ("before", "matched", "moves", "readings")

    def __init__(self, readings: frozenset[int], before: str, *, matched: bool = False) -> None:
        self.readings = readings
        self.before = before
        self.matched = matched
        self.moves: dict[str, _State] = {}


_MATCHED = _State(frozenset(), "", matched=True)


class _Program:
    """A pattern as steps: take a character, fork to steps so far away, or assert a place."""

    __slots__ = ("_compiled", "_known", "_onward", "_steps")

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self._compiled: dict[tuple[str, str, int], re.Pattern[str]] = {}
        self._known: dict[tuple[int, str], bool] = {}
        self._onward: dict[tuple[int, str, str], frozenset[int] | None] = {}

    def onward(self, start: int, before: str, symbol: str) -> frozenset[int] | None:
        """Where readings at a step stand once they took the symbol; None if one matched before it."""
        key = (start, before, symbol)
        if key not in self._onward:
            if len(self._onward) > MOST_READINGS:
                self._onward.clear()
            self._onward[key] = self._worked_out(*key)
        return self._onward[key]

    def _worked_out(self, start: int, before: str, symbol: str) -> frozenset[int] | None:
        taken: list[int] = []
        reached: set[int] = set()
        waiting = [start]
        while waiting:
            at = waiting.pop()
            if at == len(self._steps):
                return None
            if at in reached:
                continue
            reached.add(at)
            kind, value = self._steps[at]
            if kind == _FORK:
                waiting.extend(at + far for far in value)
            elif kind == _TAKE:
                taken.extend([at + 1] if symbol and self._takes(value, symbol[0]) else [])
            else:
                name, flags = value
                waiting.extend([at + 1] if _holds(name, flags, before, symbol) else [])
        return frozenset(taken)

    def _takes(self, element: "re.Pattern[str]", char: str) -> bool:
        key = (id(element), char)
        if key not in self._known:
            self._known[key] = element.match(char) is not None
        return self._known[key]

    def emit(self, tree: "Tree", flags: int) -> None:
        """Append the steps of a sequence."""
        for operation, value, own in nodes(tree, flags):
            repeat = repeat_of(operation, value)
            if repeat:
                self._emit_repeat(*repeat, own)
            elif operation == "BRANCH":
                self._emit_branch(value[1], own)
            elif operation == "AT":
                self._steps.append((_ASSERT, (str(value), own)))
            elif operation in ONE_CHARACTER:
                self._steps.append((_TAKE, self._element(operation, value, own)))
            else:
                for inner, inner_flags in inner_of(operation, value, own):
                    self.emit(inner, inner_flags)

    def _block(self, body: "Tree", flags: int) -> "list[Step]":
        """The steps of a sequence by themselves; forks are relative, so a block may stand anywhere."""
        begin = len(self._steps)
        self.emit(body, flags)
        block = self._steps[begin:]
        del self._steps[begin:]
        return block

    def _emit_repeat(self, low: int, high: int, body: "Tree", flags: int) -> None:
        block = self._block(body, flags)
        size = len(block) + 1
        self._steps.extend(block * low)
        if high == UNBOUNDED:
            self._steps.extend([(_FORK, [1, size + 1]), *block, (_FORK, [-size])])
            return
        for left in range(high - low, 0, -1):
            self._steps.extend([(_FORK, [1, left * size]), *block])

    def _emit_branch(self, alternatives: "Iterable[Tree]", flags: int) -> None:
        blocks = [self._block(alternative, flags) for alternative in alternatives]
        starts = [1]
        for block in blocks:
            starts.append(starts[-1] + len(block) + 1)
        end = starts.pop()
        self._steps.append((_FORK, starts))
        for start, block in zip(starts, blocks, strict=True):
            self._steps.extend([*block, (_FORK, [end - start - len(block)])])

    def _element(self, operation: str, value: "Operand", flags: int) -> "re.Pattern[str]":
        """The element alone as Python's own search, so that it takes exactly what that takes."""
        key = (operation, repr(value), flags)
        if key not in self._compiled:
            state = _parser.State()
            state.flags = flags
            tree = _parser.SubPattern(state, [(getattr(_constants, operation), value)])
            self._compiled[key] = _compiler.compile(tree, flags)
        return self._compiled[key]


def _symbols(text: str) -> "Iterable[str]":
    """The characters of the text; a newline that ends it is a symbol of its own, for ``$``."""
    return [*text[:-1], _LAST_NEWLINE] if text.endswith("\n") else text


def _kind(char: str) -> str:
    """A character that every assertion takes for the same kind as this one."""
    if char in ("", "\n"):
        return char
    if not _is_word(char, 0):
        return " "
    return "a" if char.isascii() else "é"


def _is_word(char: str, flags: int) -> bool:
    return char == "_" or (char.isalnum() and (char.isascii() or not flags & ASCII_ONLY))


def _holds(name: str, flags: int, before: str, symbol: str) -> bool:
    after = symbol[:1]
    if name in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
        return not before or (before == "\n" and name == "AT_BEGINNING" and bool(flags & MULTILINE))
    if name == "AT_END_STRING":
        return not symbol
    if name == "AT_END":
        return symbol in ("", _LAST_NEWLINE) or (after == "\n" and bool(flags & MULTILINE))
    return (_is_word(before, flags) != _is_word(after, flags)) == (name == "AT_BOUNDARY")
