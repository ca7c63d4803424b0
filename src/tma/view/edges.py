"""An edge as one line of JSON (EDG-1 to EDG-5)."""

from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.events.changes import Edge


def document(edge: "Edge", at: int) -> str:
    """The object of ``subscribe --events``; of a pane that went it says what was seen last."""
    row = edge.row
    return jsonline.document(
        [
            ("at_ms", at),
            ("pane", row.pane),
            ("agent", row.agent),
            ("from", edge.before),
            ("to", edge.after),
            ("detail", row.detail),
            ("locator", row.locator),
            ("repo", row.repo),
            ("branch", row.branch),
        ]
    )
