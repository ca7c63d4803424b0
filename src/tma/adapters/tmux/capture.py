"""Screens: one client that captures several panes, and its output split again."""

from tma.adapters.system import nonce

HISTORY_LINES = 50
"""Lines above the screen that a capture takes (CAP-1)."""


def commands_for(pane_ids: list[str]) -> tuple[list[str], str]:
    """One client's commands that capture panes, and the mark to split their output with.

    Each capture stands under a test that its pane exists, because a command that fails ends the
    whole chain.
    """
    mark = nonce(8)
    commands: list[str] = []
    for pane_id in pane_ids:
        capture = f"capture-pane -p -e -t {pane_id} -S -{HISTORY_LINES}"
        body = f"display-message -p -t {pane_id} '|{mark}|#{{pane_id}}' ; {capture}"
        commands += ["if-shell", "-F", "-t", pane_id, "#{pane_id}", body, ";"]
    return commands[:-1], mark


def parse(text: str, mark: str) -> dict[str, str]:
    """The captured text of each pane that was still there."""
    found = {}
    for piece in text.split(f"|{mark}|")[1:]:
        pane_id, _, body = piece.partition("\n")
        found[pane_id] = body
    return found
