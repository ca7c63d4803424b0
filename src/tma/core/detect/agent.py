"""One loaded agent manifest, as every reader of it holds it."""

from tma.core import jsontext
from tma.core.detect.regex import Codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_BULK = ("rules", "costs")
_TURNED = str.maketrans('"~\\^', '~"^\\')
"""Exchanges what JSON text is full of with what it hardly holds: packed text then needs no escapes in its turn."""


def packed(plain: "dict[str, Any]") -> "dict[str, Any]":
    """The plain form as it is kept: the bulk of it, which few commands need, as JSON text."""
    return plain | {key: jsontext.compact_ascii(plain[key]).translate(_TURNED) for key in _BULK}


def unpacked(kept: "Any") -> "Any":  # noqa: ANN401  # JSON
    """A part of a plain form, whether or not it was packed."""
    return jsontext.parse(kept.translate(_TURNED)) if isinstance(kept, str) else kept


class Manifest:
    """What is known of one agent: how to recognise it, and what its events and screens mean.

    Made from the plain form that ``manifest.parse`` returns and the cache stores; nothing is
    checked again, and what is packed is read when it is first asked for. ``searches`` keeps what
    the manifest's patterns were compiled to, so that a pattern is compiled when it is first used
    and only then (MAN-RX-7), by what ``codes`` knows of it. ``costs`` names the patterns whose
    search can be more than linear (MAN-RX-6).
    """

    __slots__ = (
        "_costs",
        "_rules",
        "codes",
        "context_channel",
        "context_format",
        "covers",
        "exclusive",
        "file",
        "has_hooks",
        "hook_map",
        "name",
        "process_names",
        "published",
        "searches",
        "steady",
        "title_patterns",
        "visible",
    )

    def __init__(self, plain: "dict[str, Any]", codes: Codes | None = None) -> None:
        """Read the plain form."""
        self.name: str = plain["name"]
        self.file: str = plain["file"]
        self.process_names: tuple[str, ...] = tuple(plain["process_names"])
        self.title_patterns: tuple[str, ...] = tuple(plain["title_patterns"])
        self.has_hooks: bool = plain["hooks"]
        self.covers: tuple[str, ...] = tuple(plain["covers"])
        self.hook_map: list[dict[str, Any]] = plain["map"]
        self.visible: frozenset[str] = frozenset(plain["visible"])
        self.exclusive: bool = plain["exclusive"]
        self.steady: bool = plain["steady"]
        self._rules: str | list[dict[str, Any]] = plain["rules"]
        self.published: str = plain["published"]
        channel, form = plain["context"] or ("", "")
        self.context_channel: str = channel
        self.context_format: str = form
        self._costs: str | dict[str, dict[str, Any]] = plain.get("costs", {})
        self.searches: dict[str, Any] = {}
        self.codes = codes or Codes()

    @property
    def rules(self) -> "list[dict[str, Any]]":
        """The screen rules."""
        rules: list[dict[str, Any]] = unpacked(self._rules)
        self._rules = rules
        return rules

    @property
    def costs(self) -> "dict[str, dict[str, Any]]":
        """What the costly patterns' searches may cost."""
        costs: dict[str, dict[str, Any]] = unpacked(self._costs)
        self._costs = costs
        return costs
