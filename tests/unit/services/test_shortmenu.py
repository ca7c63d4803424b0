"""The menu that opens when a popup is gone."""

import sys
from typing import Any

import pytest

from tma.services import shortmenu
from tma.services.cache import Options


class Server:
    """A server that notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def run(self, words: list[str]) -> str:
        """Note it."""
        self.asked.append(words)
        return ""


class Runtime:
    """Nothing but a server and options."""

    def __init__(self) -> None:
        self.server = Server()
        self.options = Options()


@pytest.mark.parametrize("client", ["", "/dev/pts/3", "it's #{x}"])
def test_tmux_starts_it_a_moment_later(monkeypatch: pytest.MonkeyPatch, client: str) -> None:
    """MNU-8, MNU-7, GLO-4: within a second, on the client that acted, and what tmux expands once is doubled."""
    monkeypatch.setattr(sys, "argv", ["/x/tma.py"])
    monkeypatch.setenv("TMA_SOCKET_PATH", "/s")
    runtime: Any = Runtime()

    shortmenu.show_later(runtime, "%5", client)

    ((*words, shell),) = runtime.server.asked
    assert words == ["run-shell", "-b", "-d", "0.2"]
    assert shell.endswith("'act' '--menu' '--pane' '%5' >/dev/null 2>&1 || :")
    assert "'--socket-path' '/s'" in shell
    assert ("--client" in shell) is bool(client)
    assert "#{" not in shell.replace("##", "")
