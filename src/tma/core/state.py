"""The closed sets of the store: states, sources, classes, and the order they rank in."""

IDLE = "idle"
WORKING = "working"
BLOCKED = "blocked"
UNKNOWN = "unknown"
DONE = "done"

STATES = frozenset((IDLE, WORKING, BLOCKED, UNKNOWN))

HOOK = "hook"
CAPTURE = "capture"
PROCESS = "process"
SOURCES = frozenset((HOOK, CAPTURE, PROCESS))

CLASSES = (BLOCKED, WORKING, DONE, IDLE, UNKNOWN)
"""The disjoint classes in display order (STA-1)."""

ATTENTION_ORDER = (BLOCKED, DONE, WORKING, IDLE, UNKNOWN)
"""The same classes in the order of who needs a person first (ORD-1)."""

TOKEN_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
ID_CHARS = TOKEN_CHARS | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
MAX_NUMBER = 2**53 - 1
MAX_TOKEN, MAX_ID, MAX_PANE_DIGITS, MAX_DIGITS = 64, 128, 9, 16


def is_token(text: str) -> bool:
    """Whether a text may be a detail or a name: ``[a-z0-9_-]{1,64}``."""
    return 0 < len(text) <= MAX_TOKEN and TOKEN_CHARS.issuperset(text)


def is_id(text: str) -> bool:
    """Whether a text may leave the store as an id: ``[A-Za-z0-9_-]{1,128}``."""
    return 0 < len(text) <= MAX_ID and ID_CHARS.issuperset(text)


def is_pane_id(text: str) -> bool:
    """Whether a text is ``%`` and one to nine digits (CLI-5), as tmux writes them: a padded number names no pane."""
    digits = text[1:]
    is_decimal = 0 < len(digits) <= MAX_PANE_DIGITS and digits.isascii() and digits.isdigit()
    return text[:1] == "%" and is_decimal and (digits[0] != "0" or digits == "0")


def number(text: str) -> int | None:
    """A stored non-negative decimal of at most 16 digits, or None (SEC-R-1)."""
    if 0 < len(text) <= MAX_DIGITS and text.isascii() and text.isdigit():
        value = int(text)
        return value if value <= MAX_NUMBER else None
    return None


def class_of(state: str, *, marked: bool) -> str:
    """The disjoint class of a row: an idle row with the mark up is done (ATN-2)."""
    return DONE if marked and state == IDLE else state
