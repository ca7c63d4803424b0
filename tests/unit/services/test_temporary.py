"""Which session a temporary watcher lives in; that it opens, goes back and ends is tried on a real server."""

from typing import Any

import pytest

from tma.adapters import system
from tma.core.errors import TmaError
from tma.services import temporary
from tma.services.cache import Options

MARK = "m"
SIGHT = (
    f"|{MARK}.|choice|{MARK}|c1\n|{MARK}.|client|{MARK}|c1|{MARK}|0|{MARK}|9|{MARK}|90|{MARK}|30|{MARK}|$0|{MARK}|%1\n"
)


class Server:
    """A server with one client whose pid is 77."""

    def __init__(self, sessions: str = "") -> None:
        self.sessions = sessions
        self.asked: list[list[str]] = []

    def run(self, words: list[str]) -> str:
        """Answer."""
        if "list-panes" in words:
            return SIGHT + self.sessions
        self.asked.append(words)
        return f"77|{MARK}|c1\n" if words[0] == "list-clients" else ""


class Runtime:
    """Nothing but a server and options."""

    def __init__(self, sessions: str = "") -> None:
        self.server = Server(sessions)
        self.options = Options()


def shown(session: str, pane: str, *, at: str = "$4") -> str:
    """A pane as tmux lists it."""
    return f"|{MARK}.|shown|{MARK}|" + f"|{MARK}|".join((at, session, "1", "@1", "0", "1", "0", "1", pane)) + "\n"


@pytest.fixture(autouse=True)
def known_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are split by a mark that the test knows."""
    monkeypatch.setattr(system, "nonce", lambda _digits: MARK)


def test_a_session_is_made_for_the_client_and_shown() -> None:
    """TMP-1: with the client's size, the watcher's words, and where it came from."""
    runtime: Any = Runtime()
    temporary.open_session(runtime, ["watch", "--table"])
    _, made, switched = runtime.server.asked
    text = " ".join(made)
    assert text.startswith("new-session -d -s tma-watch-77 -x 90 -y 30 -- ")
    assert "--client c1 watch --table --origin %1 ; set-option -t =tma-watch-77: detach-on-destroy off" in text
    assert switched == ["switch-client", "-c", "c1", "-t", "=tma-watch-77"]


def test_a_session_that_is_there_is_only_shown() -> None:
    """TMP-1: no second one."""
    runtime: Any = Runtime(shown("tma-watch-77", "%8"))
    temporary.open_session(runtime, ["watch"])
    assert [words[0] for words in runtime.server.asked] == ["list-clients", "switch-client"]


def test_the_client_goes_back_unless_its_origin_is_gone() -> None:
    """TMP-2: then it goes where tmux puts it."""
    watcher = shown("tma-watch-77", "%8", at="$0")
    runtime: Any = Runtime(watcher + shown("work", "%1"))
    temporary.return_to(runtime, "%1", "%8")
    assert runtime.server.asked == [["switch-client", "-c", "c1", "-t", "$4"]]
    runtime = Runtime(watcher)
    temporary.return_to(runtime, "%1", "%8")
    assert runtime.server.asked == []


def test_a_client_that_went_elsewhere_stays_there() -> None:
    """TMP-4: nobody is taken away from where they type."""
    runtime: Any = Runtime(shown("tma-watch-77", "%8", at="$9") + shown("work", "%1"))
    temporary.return_to(runtime, "%1", "%8")
    assert runtime.server.asked == []


def test_a_client_that_left_meanwhile_opens_nothing() -> None:
    """TMP-1."""
    runtime: Any = Runtime()
    runtime.options.client = "other"
    with pytest.raises(TmaError, match="no client other"):
        temporary.open_session(runtime, ["watch"])
