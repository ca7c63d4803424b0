"""The records of what was seen."""

from tma.core.pane import PaneRecord, proven


def test_a_pane_without_sessions_has_an_empty_name_and_options_read_empty() -> None:
    """READ-5, RD-1: absent is empty."""
    pane = PaneRecord("%1", 5)
    assert (pane.locator, pane.option("@x")) == (":0.0", "")
    pane.sessions = [("$1", "a"), ("$2", "b")]
    assert pane.locator == "a:0.0"


def test_a_pane_is_proven_by_its_session_or_a_parent() -> None:
    """OWN-2: tested first, no walk needed."""
    assert proven(5, 5, [])
    assert proven(5, 9, [(7, "sh"), (5, "bash")])
    assert not proven(5, 9, [(7, "sh")])
