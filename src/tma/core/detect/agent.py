"""One loaded agent manifest, as every reader of it holds it."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Manifest:
    """What is known of one agent: how to recognise it, and what its events and screens mean.

    Made from the plain form that ``manifest.parse`` returns and the cache stores; nothing is
    checked again. ``searches`` keeps what the manifest's patterns were compiled to, so that a
    pattern is compiled when it is first used and only then (MAN-RX-7). ``costs`` names the
    patterns whose search can be more than linear (MAN-RX-6).
    """

    __slots__ = (
        "context_channel",
        "context_format",
        "costs",
        "covers",
        "exclusive",
        "file",
        "has_hooks",
        "hook_map",
        "name",
        "process_names",
        "published",
        "rules",
        "searches",
        "title_patterns",
        "visible",
    )

    def __init__(self, plain: "dict[str, Any]") -> None:
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
        self.rules: list[dict[str, Any]] = plain["rules"]
        self.published: str = plain["published"]
        channel, form = plain["context"] or ("", "")
        self.context_channel: str = channel
        self.context_format: str = form
        self.costs: dict[str, dict[str, Any]] = plain.get("costs", {})
        self.searches: dict[str, Any] = {}
