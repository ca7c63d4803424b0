"""One pane's cycle before an action."""

from collections.abc import Callable

import pytest

from acting import facts, fake_runtime
from tma.core import stamp
from tma.core.errors import TmaError, TmuxError
from tma.services import recheck
from tma.services.glance import PaneGoneError


def test_a_pane_that_is_not_there_is_an_error() -> None:
    """ACT-FRESH-2: and nothing is written."""
    runtime, server = fake_runtime(lambda _: "")
    with pytest.raises(TmaError, match="%5"):
        recheck.recheck(runtime, "%5")
    assert len(server.calls) == 1


def screen(text: str) -> Callable[[list[str]], str]:
    """A server whose pane shows a text."""

    def reply(words: list[str]) -> str:
        mark = words[5].split("|")[1] if words[0] == "if-shell" else ""
        return f"|{mark}|%5\n{text}"

    return reply


def test_a_screen_is_read_by_the_agents_rules() -> None:
    """STO-8, FC-05: what is open, and that nothing was written."""
    dialog = (
        "─" * 20 + "\n Bash command\n\n   make\n\n Proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n"
    )
    runtime, server = fake_runtime(screen(dialog))
    found = recheck.see(runtime, facts())
    assert found is not None
    assert (found.states, found.details, found.history) == ({"blocked"}, {"permission"}, False)
    assert found.dialog
    assert "set-option" not in " ".join(word for words in server.calls for word in words)


def test_what_cannot_be_read_is_never_taken_for_a_screen() -> None:
    """An agent without rules shows nothing; no such pane, and a server that refuses, end the fire."""
    runtime, _ = fake_runtime(screen("x"))
    assert recheck.see(runtime, facts({stamp.NAME: "nobody"})) is None
    gone, _ = fake_runtime(lambda _: "")
    with pytest.raises(PaneGoneError):
        recheck.see(gone, facts())
    refusing, _ = fake_runtime(lambda _: TmuxError("tmux: no"))
    with pytest.raises(TmuxError):
        recheck.see(refusing, facts())
