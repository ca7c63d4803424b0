"""Which command is ours."""

import pytest

from tma.install.ours import reference_in, reference_in_words


@pytest.mark.parametrize(
    ("command", "reference"),
    [
        ("tma-hook claude Stop", "tma-hook"),
        ("/opt/a b/tma-hook claude Stop", "/opt/a b/tma-hook"),
        ("'/opt/it'\\''s/tma-hook' claude Stop", "/opt/it's/tma-hook"),
        ('"/opt/a b/tma-hook" claude Stop', "/opt/a b/tma-hook"),
        ("my-tma-hook claude Stop", ""),
        ("tma-hook codex Stop", ""),
        ("tma-hook claude Start", ""),
        ("echo tma-hook claude Stop && x", ""),
        (None, ""),
    ],
)
def test_a_command_is_ours_by_its_shape(command: object, reference: str) -> None:
    """EDT-9: agent and event at the end, and the wrapper's name before them, wherever it is."""
    assert reference_in(command, "claude", "Stop") == reference


def test_an_argument_list_is_ours_by_its_first_word() -> None:
    """EDT-9."""
    assert reference_in_words(["/x/tma-hook", "codex", "notify"]) == "/x/tma-hook"
    assert reference_in_words(["notify-send"]) == reference_in_words("tma-hook") == reference_in_words([]) == ""
