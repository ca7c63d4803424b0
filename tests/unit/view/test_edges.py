"""The JSON of an edge."""

from rows import HOSTILE_TITLE, row
from tma.core.events.changes import Edge
from tma.view import edges


def test_an_edge_has_exactly_its_keys_in_their_order() -> None:
    """EDG-1 to EDG-5, JSN-1."""
    changed = row("%5", state="blocked", detail="plan", repo="app", branch="main")

    assert edges.document(Edge(changed, "", "blocked"), 17) == (
        '{"schema":1,"at_ms":17,"pane":"%5","agent":"claude","from":"","to":"blocked","detail":"plan",'
        '"locator":"work:1.0","repo":"app","branch":"main"}\n'
    )


def test_what_is_not_known_is_null_and_control_characters_are_escaped() -> None:
    """JSN-1, JSN-5."""
    text = edges.document(Edge(row("%5", locator=HOSTILE_TITLE), "done", ""), 17)

    assert '"detail":null' in text
    assert text.endswith('"repo":null,"branch":null}\n')
    assert text.rstrip("\n").isprintable() or "\u202e" in text
