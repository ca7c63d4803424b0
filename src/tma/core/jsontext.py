"""JSON text to values and back on the interpreter's own C code, without loading ``json``.

Every short-lived command reads JSON, and ``json`` costs more to load than all of tma.
"""

import _json
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_LIBRARY = ("json", "json.decoder")
_BLANKS = " \t\n\r"


class _BadTextError(ValueError):
    """Stands in for ``json.JSONDecodeError``; tells the place and not the text."""

    def __init__(self, message: str, _text: str, at: int) -> None:
        super().__init__(f"{message.removesuffix(' at')} at character {at}")


def _constant(name: str) -> object:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _unknown(value: object) -> object:
    message = f"{type(value).__name__} is not JSON"
    raise TypeError(message)


class _Reading:
    """What the scanner asks of its maker."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_constant)


_scan = _json.make_scanner(_Reading)  # type: ignore[arg-type]  # it asks for the attributes only
_encode, _encode_sorted, _encode_ascii = (
    _json.make_encoder(None, _unknown, basestring, None, ":", ",", is_sorted, False, False)  # noqa: FBT003
    for basestring, is_sorted in (
        (_json.encode_basestring, False),
        (_json.encode_basestring, True),
        (_json.encode_basestring_ascii, False),
    )
)


def parse(text: str) -> object:
    """The value of a JSON text; strict: one value, no constants beyond the standard's three.

    Raises:
        ValueError: the text is not JSON, or is nested or long-numbered beyond the parser's limits.
    """
    start = len(text) - len(text.lstrip(_BLANKS))
    if _LIBRARY[0] in sys.modules:
        value, end = _scanned(text, start)
    else:
        value, end = _scanned_alone(text, start)
    if text[end:].strip(_BLANKS):
        message = f"more text after the value, at character {end}"
        raise ValueError(message)
    return value


def compact(value: object) -> str:
    """A value as JSON text of one line: no blanks, keys as they come, all but control characters kept.

    Raises:
        ValueError: a number has no JSON form, or the value holds itself or too many levels.
        TypeError: something is no JSON value.
    """
    return _text(_encode, value)


def compact_sorted(value: object) -> str:
    """The same with sorted keys, so that equal values have equal texts."""
    return _text(_encode_sorted, value)


def compact_ascii(value: object) -> str:
    """The same in ASCII alone, which is the quickest to read back."""
    return _text(_encode_ascii, value)


def _text(encode: "Callable[[object, int], Iterable[str]]", value: object) -> str:
    try:
        return "".join(encode(value, 0))
    except RecursionError:
        message = "nested too deeply"
        raise ValueError(message) from None


def _scanned(text: str, start: int) -> tuple[object, int]:
    try:
        value, end = _scan(text, start)
    except StopIteration as stop:
        message = f"no value at character {stop.value}"
        raise ValueError(message) from None
    except RecursionError:
        message = "nested too deeply"
        raise ValueError(message) from None
    return value, end


def _scanned_alone(text: str, start: int) -> tuple[object, int]:
    """Scan with a stand-in for the library, which an error would load for its exception class."""
    stand_in = type(sys)(_LIBRARY[1])
    stand_in.JSONDecodeError = _BadTextError  # type: ignore[attr-defined]
    for name in _LIBRARY:
        sys.modules[name] = stand_in
    try:
        return _scanned(text, start)
    finally:
        for name in _LIBRARY:
            del sys.modules[name]
