"""The watcher's command line; what it shows is tried on a real server."""

from typing import Any

import pytest

from tma.cli import args, table
from tma.commands import watch
from tma.core.errors import UsageError
from tma.services import temporary


def parsed(*words: str) -> Any:
    """A parsed command line."""
    command = table.named("watch")
    assert command is not None
    return args.parse(["watch", *words], command)


def test_a_temporary_session_gets_the_same_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """TMP-1: the table and every selector, in a form that may begin with a dash."""
    made: list[list[str]] = []
    monkeypatch.setattr(temporary, "open_session", lambda _runtime, words: made.append(words))
    unused: Any = None

    chosen = parsed("--temporary-session", "--table", "--state", "done,blocked", "--repo=-x")
    assert watch.run(chosen, unused) == 0

    assert made == [["watch", "--table", "--repo=-x", "--state=blocked,done"]]
    again = parsed(*made[0][1:])
    assert (again.table, again.repo, again.state) == (True, "-x", chosen.state)


def test_the_origin_is_no_option_for_people() -> None:
    """TMP-3, CLI-5: it is between the two processes, and a pane id."""
    assert parsed().origin is None
    assert parsed("--origin", "%4").origin == "%4"
    with pytest.raises(UsageError):
        parsed("--origin", "4")
