"""What agents say about their context window: four formats to one gauge (CTX-3, CTX-4, CTX-6).

Each field is read inside its own object, since the same names stand elsewhere in these
payloads with another meaning. A reading says what to store, what to clear, and nothing of
what it does not know.
"""

from tma.core.jsontext import parse
from tma.core.state import MAX_NUMBER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Payload = dict[str, object]

CLAUDE_STATUSLINE = "claude-statusline-json"
CODEX_ROLLOUT = "codex-rollout-jsonl"
PI_CONTEXT = "pi-context-json"
CURSOR_STATUSLINE = "cursor-statusline-json"

FULL = 100
LONGEST_MODEL = 64
CLAUDE_COUNTS_FROM = (2, 1, 132)
"""The first Claude version whose ``total_input_tokens`` is what fills the window."""


class Gauge:
    """One reading: ``percent`` and ``tokens`` are None where they are not known.

    ``clear`` means that the agent says there is no value now. ``model`` is empty when the
    payload names none. ``session`` is the session the payload names, empty for none.
    """

    __slots__ = ("clear", "model", "percent", "session", "tokens")

    def __init__(self) -> None:
        """Start with nothing known."""
        self.percent: int | None = None
        self.tokens: int | None = None
        self.clear = False
        self.model = ""
        self.session = ""


def parse_payload(form: str, text: str) -> Gauge | None:
    """The gauge of an event's payload; None when stored values must stay (CTX-1, CTX-3)."""
    read = _EVENTS.get(form)
    payload = _object_of(text)
    if read is None or payload is None:
        return None
    gauge = read(payload)
    if gauge is not None:
        session = payload.get("session_id", payload.get("sessionId"))
        gauge.session = session if isinstance(session, str) else ""
    return gauge


def parse_rollout(text: str, *, from_start: bool) -> Gauge | None:
    """The gauge at the end of a rollout; None when the text holds no usable count (ROL-4, ROL-5).

    ``text`` is a window onto the file's end; ``from_start`` says that it is the whole file,
    so that its first line is no torn one.
    """
    gauge: Gauge | None = None
    model = ""
    for record in _records_from_end(text, from_start=from_start):
        payload = _inside(record, "payload")
        if gauge is None and payload.get("type") == "token_count":
            gauge = _codex(_inside(payload, "info"))
        if not model and record.get("type") == "turn_context":
            model = _model(payload.get("model"))
        if gauge is not None and model:
            break
    if gauge is not None:
        gauge.model = model
    return gauge


def _records_from_end(text: str, *, from_start: bool) -> "Iterator[Payload]":
    lines = text.split("\n")[:-1]
    for line in reversed(lines if from_start else lines[1:]):
        # Most lines are long messages; a parse of each would cost far more than this look.
        record = _object_of(line) if '"token_count"' in line or '"turn_context"' in line else None
        if record is not None:
            yield record


def _claude(payload: "Payload") -> Gauge | None:
    gauge = Gauge()
    gauge.model = _model(_inside(payload, "model").get("id"))
    window = payload.get("context_window")
    used = window.get("used_percentage") if isinstance(window, dict) else window
    if used is None:
        gauge.clear = True
        return gauge
    share = _number(used)
    if not isinstance(window, dict) or share is None or not 0 <= share <= FULL:
        return None
    gauge.percent = _rounded(share)
    if _version(payload.get("version")) >= CLAUDE_COUNTS_FROM:
        gauge.tokens = _count(window.get("total_input_tokens"))
    return gauge


def _codex(info: "Payload") -> Gauge | None:
    used = _count(_inside(info, "total_token_usage").get("total_tokens"))
    return _share(used, info.get("model_context_window"))


def _pi(payload: "Payload") -> Gauge | None:
    usage = _inside(payload, "context_usage")
    tokens = _count(usage.get("tokens"))
    percent = _number(usage.get("percent"))
    if percent is None:
        gauge = _share(tokens, usage.get("contextWindow"))
    else:
        gauge = Gauge()
        gauge.percent = _clamped(percent)
    if gauge is not None:
        gauge.tokens = tokens
    return gauge


def _cursor(payload: "Payload") -> Gauge | None:
    window = _inside(payload, "context_window")
    tokens = _count(window.get("total_input_tokens"))
    gauge = _share(tokens, window.get("context_window_size"))
    if gauge is not None:
        gauge.tokens = tokens
    return gauge


_EVENTS: "dict[str, Callable[[Payload], Gauge | None]]" = {
    CLAUDE_STATUSLINE: _claude,
    PI_CONTEXT: _pi,
    CURSOR_STATUSLINE: _cursor,
}


def _share(tokens: int | None, size: object) -> Gauge | None:
    """The part of a window that tokens fill, if both are known."""
    whole = _number(size)
    if tokens is None or whole is None or whole <= 0:
        return None
    gauge = Gauge()
    gauge.percent = _clamped(tokens / whole * FULL)
    return gauge


def _object_of(text: str) -> "Payload | None":
    try:
        value = parse(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _inside(payload: "Payload", key: str) -> "Payload":
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def _number(value: object) -> float | None:
    """A finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    # Only a finite number is no distance from itself; ``math`` is not worth loading for that.
    return number if number - number == 0 else None


def _count(value: object) -> int | None:
    number = _number(value)
    return int(number) if number is not None and 0 <= number <= MAX_NUMBER else None


def _clamped(share: float) -> int:
    return _rounded(min(max(share, 0.0), float(FULL)))


def _rounded(share: float) -> int:
    """Half rounds up; a share is never negative."""
    return int(share + 0.5)


def _version(value: object) -> tuple[int, ...]:
    """The three leading numbers of a version; empty, and so below every other, if it has none."""
    parts = value.split(".", 2) if isinstance(value, str) else []
    if len(parts) != len(CLAUDE_COUNTS_FROM):
        return ()
    digits = len(parts[2]) - len(parts[2].lstrip("0123456789"))
    numbers = (parts[0], parts[1], parts[2][:digits])
    return tuple(int(part) for part in numbers) if all(_is_number(part) for part in numbers) else ()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_MODEL


def _model(value: object) -> str:
    text = value.strip() if isinstance(value, str) else ""
    return text if len(text.encode("utf-8", "surrogatepass")) <= LONGEST_MODEL else ""
