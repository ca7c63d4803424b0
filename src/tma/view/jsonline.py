"""JSON of one line with every control character escaped (JSN-1), without loading ``json``."""

from tma.core.text import well_formed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SPECIAL = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t"}
_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(0x20), *range(0x7F, 0xA0))} | _SPECIAL


def document(pairs: "Iterable[tuple[str, object]]") -> str:
    """A whole document: ``schema`` first, then the pairs in their order, then one newline (JSN-2, JSN-3)."""
    return encode(dict((("schema", 1), *pairs))) + "\n"


def encode(value: object) -> str:
    """A value of texts, whole numbers, booleans, None, lists and dicts as compact JSON; keys keep their order."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{quote(key)}:{encode(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(encode(item) for item in value) + "]"
    return str(value)


def quote(text: str) -> str:
    """A text as a JSON string; what no UTF-8 can carry becomes U+FFFD."""
    return f'"{well_formed(text).translate(_ESCAPES)}"'
