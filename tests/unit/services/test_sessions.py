"""Sessions as the server lists them."""

import pytest

from tma.adapters import system
from tma.core.membership import Session
from tma.services.sessions import listing


class Server:
    """A server that prints what it is told to."""

    def __init__(self, text: str) -> None:
        self.text = text

    def run(self, _commands: list[str]) -> str:
        """The text."""
        return self.text


class Runtime:
    """A world with that server."""

    def __init__(self, text: str) -> None:
        self.server = Server(text)


def test_sessions_come_with_their_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """DCC-3, DCC-8: control clients are no people; broken lines are skipped."""
    monkeypatch.setattr(system, "nonce", lambda _digits: "5")
    lines = [
        "s|5|77|5|$0|5||5|100|5|off", "s|5|77|5|$1|5|g|5|x|5|keep-last", "s|5|77|5|$2|5||5|5|5|1", "s|5|broken",
        "c|5|0|5|$0", "c|5|1|5|$0", "c|5|0|5|$1", "c",
    ]  # fmt: skip
    found = listing(Runtime("\n".join(lines)))  # type: ignore[arg-type]
    assert found.pid == 77
    assert found.sessions == [
        Session("$0", "", 100, fragile=False, people=1),
        Session("$1", "g", 0, fragile=True, people=1),
        Session("$2", "", 5, fragile=True, people=0),
    ]


def test_nothing_listed_is_no_server() -> None:
    """DCC-6."""
    assert listing(Runtime("")).pid == 0  # type: ignore[arg-type]
