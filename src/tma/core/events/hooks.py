"""What a hook event says: its payload's fields, and the manifest entry that it falls under.

Fields and conditions are read from the parsed payload, never searched in its text, so a text
inside a tool's input cannot imitate one (MAN-MAP-2). Only an entry's ``matcher`` sees the text.
"""

from tma.core import jsontext, text
from tma.core.state import is_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from hashlib import _Hash
    from typing import Any, TypeAlias

    Entry: TypeAlias = Mapping[str, Any]

SUBAGENT_START = "SubagentStart"
SUBAGENT_STOP = "SubagentStop"
NOTIFY = "notify"
PERMISSION_REPLIED = "permission-replied"

MATCHED_CHARACTERS = 1 << 20
"""How much of a payload a matcher sees (MAN-RX-5)."""

MAX_MODEL = 64
_DIGEST = 16
_COMMAND_TOOLS = frozenset(("Bash", "bash", "run_shell_command"))
_FILE_TOOLS = frozenset(("Edit", "Write", "Read", "edit", "write_file"))


class Event:
    """One event at the instant ``at``: what the payload names, each as it may be stored, else "".

    ``data`` is the parsed payload, None where it is no JSON object; ``raw`` is its text.
    """

    __slots__ = (
        "_call", "agent_id", "at", "cwd", "data", "endpoint", "kind", "model", "raw", "request", "session", "tool",
        "transcript",
    )  # fmt: skip

    def __init__(self, kind: str, at: int, raw: str, *, cut: bool = False) -> None:
        """Parse a payload; one that was ``cut`` at its size limit counts as text (MAN-MAP-3)."""
        self.kind = kind
        self.at = at
        self.raw = raw
        self.data = None if cut else _object(raw)
        self.session = self._stored("session_id", "sessionId", *(["thread-id"] if kind == NOTIFY else []))
        self.transcript = self._stored("transcript_path", "transcriptPath")
        self.request = self._stored("request_id", "requestId")
        self.cwd = self._text("cwd")
        self.model = _model(self._text("model"))
        self.endpoint = _endpoint(self._text("api_endpoint", "apiEndpoint"))
        self.tool = self._stored("tool_name", "toolName")
        self.agent_id = _word(self._text("agent_id", "agentId"))
        self._call: str | None = None

    @property
    def call(self) -> str:
        """The id of the call that waits: the payload's own, else one made of what it asks (HOOK-14)."""
        if self._call is None:
            self._call = self._stored("tool_use_id", "toolUseId") or self._digested() if self.tool else ""
        return self._call

    @property
    def summary(self) -> str:
        """One line about the call (HOOK-15)."""
        asked = self._field("tool_input", "toolInput")
        if not isinstance(asked, dict):
            return ""
        key = "command" if self.tool in _COMMAND_TOOLS else "file_path" if self.tool in _FILE_TOOLS else ""
        named = asked.get(key)
        told = named if isinstance(named, str) else next((v for v in asked.values() if isinstance(v, str)), "")
        return text.summary(told)

    def _digested(self) -> str:
        """A call's id made of its session, prompt and content: the same for a repeat of one call only."""
        if not self.session:
            return ""
        try:
            asked = jsontext.compact_sorted(self._field("tool_input", "toolInput"))
        except ValueError:
            return ""
        return _digest("\0".join((self.session, self._text("prompt_id", "promptId"), self.tool, asked)))

    def _field(self, *spellings: str) -> object:
        """A field by the first of its spellings that is there (HOOK-3)."""
        for name in spellings:
            if self.data is not None and name in self.data:
                return self.data[name]
        return None

    def _text(self, *spellings: str) -> str:
        value = self._field(*spellings)
        return value if isinstance(value, str) else ""

    def _stored(self, *spellings: str) -> str:
        return text.store_text(self._text(*spellings))


def find(entries: "Sequence[Entry]", event: Event, costs: "Mapping[str, Any] | str | None" = None) -> "Entry | None":
    """The entry that an event falls under, or None for an unmapped one (MAN-MAP-1, MAN-MAP-3).

    ``costs`` are the manifest's, maybe packed: what its patterns may cost to search for.
    """
    own = [entry for entry in entries if entry["event"] == event.kind]
    for entry in own:
        conditional = "where" in entry or "matcher" in entry
        if conditional and _where_holds(entry, event.data) and _matcher_holds(entry, event.raw, costs or {}):
            return entry
    if event.data is None and any("where" in entry for entry in own):
        return None
    return next((entry for entry in own if "where" not in entry and "matcher" not in entry), None)


def matters(event: "Event", entry: "Entry | None") -> bool:
    """Whether an event may write anything at all; an unmapped or ignored one needs no server."""
    if event.kind in {SUBAGENT_START, SUBAGENT_STOP}:
        return bool(event.agent_id)
    return entry is not None and (not entry.get("ignore") or event.kind == PERMISSION_REPLIED)


def is_start(entry: "Entry | None") -> bool:
    """Whether an entry registers a session."""
    return entry is not None and entry.get("lifecycle") == "start"


def _where_holds(entry: "Entry", data: "dict[str, object] | None") -> bool:
    conditions = entry.get("where")
    if conditions is None:
        return True
    return data is not None and all(_holds(data, path, wanted) for path, wanted in conditions.items())


def _matcher_holds(entry: "Entry", raw: str, costs: "Mapping[str, Any] | str") -> bool:
    pattern = entry.get("matcher")
    if pattern is None:
        return True
    # Loaded here: few entries need regular expressions.
    from tma.core.detect.agent import unpacked
    from tma.core.detect.search import Search

    return Search(pattern, unpacked(costs).get(pattern)).found(raw[:MATCHED_CHARACTERS])


def _holds(data: "dict[str, object]", path: str, wanted: object) -> bool:
    """Whether one condition of a ``where`` holds (MAN-MAP-6)."""
    values = _reached(data, path.split("."))
    if isinstance(wanted, bool):
        return any(value is not None and value not in ("", [], {}) for value in values) is wanted
    texts = [wanted] if isinstance(wanted, str) else wanted
    return any(_json_text(value) in texts for value in values)  # type: ignore[operator]


def _reached(value: object, steps: "list[str]") -> "Iterator[object]":
    if not steps:
        yield value
        return
    key = steps[0].removesuffix("[]")
    if not isinstance(value, dict) or key not in value:
        return
    inner = value[key]
    if key == steps[0]:
        yield from _reached(inner, steps[1:])
    elif isinstance(inner, list):
        for element in inner:
            yield from _reached(element, steps[1:])


def _json_text(value: object) -> str | None:
    """The text that a condition compares a value by: a string itself, a number or bool as JSON has it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (int, float)) else None


def _object(raw: str) -> "dict[str, object] | None":
    try:
        value = jsontext.parse(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _model(name: str) -> str:
    """A model's label, trimmed; one that is too long is none (HOOK-7)."""
    name = text.store_text(name).strip()
    return name if len(name.encode()) <= MAX_MODEL else ""


def _endpoint(url: str) -> str:
    """A base URL in the clear, of printable ASCII without blanks, else none (HOOK-7)."""
    fine = url.startswith("http://") and url.isascii() and url.isprintable() and " " not in url
    return url if fine and len(url) <= text.MAX_STORED else ""


def _word(name: str) -> str:
    """A sub-agent's id as one word of a list (CH-SUB)."""
    return name if not name or is_id(name) else f"h-{_digest(name)}"


def _digest(secret: str) -> str:
    return str(_sha256(secret.encode("utf-8", "surrogatepass")).hexdigest())[:_DIGEST]


def _sha256(data: bytes) -> "_Hash":
    """The hash from the lightest module that has it: 3.12 renamed it, and some builds leave it out."""
    for name in ("_sha2", "_sha256"):
        try:
            return __import__(name).sha256(data)  # type: ignore[no-any-return]
        except ImportError:
            continue
    from hashlib import sha256

    return sha256(data)
