"""The notice of a detached action's end."""

from tma.services.completion import Completion, payload, variables

ENDED = Completion("report", "%5", "claude", "exited", 3, release_failed=False)


def test_the_payload_has_fixed_keys() -> None:
    """Section 6 of the JSON contracts; no title, no words, no command."""
    assert payload(ENDED, "work:1.0") == [
        ("action", "report"),
        ("pane", "%5"),
        ("agent", "claude"),
        ("outcome", "exited"),
        ("exit_code", 3),
        ("locator", "work:1.0"),
    ]
    failed = payload(ENDED._replace(outcome="timeout", exit_code=None, release_failed=True), None)
    assert failed[-3:] == [("exit_code", None), ("locator", None), ("lock_release_failed", True)]


def test_a_variable_without_a_value_is_not_set() -> None:
    """NTF-1: and control characters are in none."""
    assert variables(ENDED, "a\tb:1.0")["TMA_LOCATOR"] == "ab:1.0"
    assert set(variables(ENDED._replace(exit_code=None), None)) == {
        "TMA_ACTION",
        "TMA_PANE",
        "TMA_AGENT",
        "TMA_OUTCOME",
    }
