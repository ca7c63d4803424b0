"""Every agent for a surface, on a server that answers from literals; real servers are in tests/tmux."""

from typing import Any

import pytest

from tma.core.errors import TmaError
from tma.core.selector import Selection
from tma.services.fleet import Fleet


class Server:
    """A server that notes what it is asked."""

    def __init__(self, answer: str | TmaError) -> None:
        self.answer = answer
        self.asked: list[object] = []

    def run(self, words: list[str], **_options: object) -> str:
        """Answer, or fail."""
        self.asked.append(words)
        if isinstance(self.answer, TmaError):
            raise self.answer
        return self.answer

    def feed(self, script: str, **_options: object) -> str:
        """The same for a script."""
        return self.run([script])


class Runtime:
    """Nothing but a server and a document."""

    def __init__(self, answer: str | TmaError) -> None:
        self.server = Server(answer)
        self.document: Any = None


def fleet(answer: str | TmaError) -> tuple[Fleet, Server]:
    """A fleet on a server with one answer."""
    runtime: Any = Runtime(answer)
    return Fleet(runtime, Selection()), runtime.server


def test_a_screen_is_captured_with_its_colours() -> None:
    """PRV-1: a failed capture shows nothing."""
    made, server = fleet("\x1b[1ma\nb\n")
    assert made.capture("%3") == ["\x1b[1ma", "b", ""]
    assert server.asked == [["capture-pane", "-p", "-e", "-t", "%3"]]
    assert fleet(TmaError("gone"))[0].capture("%3") == []


def test_the_pid_is_published_on_our_own_pane_alone() -> None:
    """NDG-1: nothing in a popup or outside tmux; a pane that is gone needs no withdrawal."""
    made, server = fleet("")
    made.publish("%3", 4711)
    made.withdraw("%3")
    made.publish("", 4711)
    (first,), (second,) = server.asked  # type: ignore[misc]
    assert "set-option -pq -t %3 @tma_watch_pid '4711'" in first
    assert "set-option -pqu -t %3 @tma_watch_pid" in second
    fleet(TmaError("gone"))[0].withdraw("%3")


@pytest.mark.parametrize(("answer", "seen"), [("0\n", False), ("1\n", True), (TmaError("slow"), True)])
def test_a_session_is_seen_unless_tmux_says_that_it_is_not(answer: str | TmaError, seen: bool) -> None:  # noqa: FBT001
    """TMP-4."""
    assert fleet(answer)[0].is_seen("%3") is seen
