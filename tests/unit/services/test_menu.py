"""Which entries a menu has, and which client shows it."""

import pytest

from acting import facts, fake_runtime
from tma.core.errors import TmaError
from tma.services import actions, menu


def server(*clients: tuple[str, str, str, str]) -> object:
    """A server with clients: name, height, session, control mode."""

    def reply(words: list[str]) -> str:
        if words[0] != "list-clients":
            return ""
        mark = words[-1].split("|")[1]
        return "".join(
            f"|{mark}|".join([name, "80", height, session, str(at), control]) + "\n"
            for at, (name, height, session, control) in enumerate(clients)
        )

    return reply


@pytest.fixture(autouse=True)
def everything_fires(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every action may be fired."""
    monkeypatch.setattr(menu.broker, "verdict", lambda *_: None)


def shown(calls: list[list[str]]) -> list[str]:
    """The labels of the menu that was shown."""
    items = calls[-1][calls[-1].index("--") + 1 :]
    return items[::3]


def test_a_menu_has_no_lines_to_type() -> None:
    """ACT-TEXT-5, ACT-MENU-1: in list order, the first with keys."""
    runtime, fake = fake_runtime(server(("tty1", "24", "work", "0")))
    assert menu.show(runtime, actions.load({}), facts())
    assert shown(fake.calls) == ["Approve", "Deny", "Interrupt", "Compact the context"]
    assert fake.calls[-1][fake.calls[-1].index("--") + 2 :: 3] == ["1", "2", "3", "4"]


def test_a_menu_that_does_not_fit_ends_with_the_rest() -> None:
    """MNU-4: tmux would show nothing at all."""
    runtime, fake = fake_runtime(server(("tty1", "7", "work", "0")))
    menu.show(runtime, actions.load({}), facts())
    assert shown(fake.calls) == ["Approve", "Deny", "… 2 more"]


def test_the_client_that_shows_the_pane_is_asked_first() -> None:
    """MNU-1: then the one used last; control clients show no menu, and a named one is the one."""
    clients = (("a", "24", "work", "0"), ("b", "24", "other", "0"), ("c", "24", "work", "1"))
    runtime, fake = fake_runtime(server(*clients))
    menu.show(runtime, actions.load({}), facts())
    assert fake.calls[-1][2] == "a"
    runtime.options.client = "b"
    menu.show(runtime, actions.load({}), facts())
    assert fake.calls[-1][2] == "b"
    runtime.options.client = "gone"
    with pytest.raises(TmaError, match="no client"):
        menu.show(runtime, actions.load({}), facts())


def test_nothing_to_fire_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACT-MENU-1: no client is even asked for."""
    monkeypatch.setattr(menu.broker, "verdict", lambda *_: object())
    runtime, fake = fake_runtime(server())
    assert not menu.show(runtime, actions.load({}), facts())
    assert fake.calls == []
