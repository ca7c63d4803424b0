"""Menus and messages as argument lists."""

import pytest

from acting import FakeServer
from tma.adapters.tmux import menu
from tma.core.act.menu import Entry


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("Approve", "Approve"),
        ("", " "),
        ("-x", " -x"),
        ("#(id)", "##(id)"),
        ("a;", "a\\;"),
        ("#[fg=red]", "##[fg=red]"),
    ],
)
def test_a_label_is_only_text(label: str, shown: str) -> None:
    """MNU-5, SAN-2, WR-4."""
    server = FakeServer(lambda _: "")
    menu.show(server, "/dev/pts/3", "%5", [Entry(label, "1", "run-shell -b 'x'")])
    assert server.calls[0][-3:] == [shown, "1", "run-shell -b 'x'"]
    assert server.calls[0][:5] == ["display-menu", "-c", "/dev/pts/3", "-t", "%5"]


def test_a_message_expands_nothing() -> None:
    """SAN-2: literally where tmux can, else with both signs doubled."""
    assert menu.message("c", "50% #(id);", literal=True) == ["display-message", "-c", "c", "-l", "--", "50% #(id)\\;"]
    assert menu.message("", "50% #(id)", literal=False) == ["display-message", "--", "50%% ##(id)"]


def test_clients_are_listed_with_their_size() -> None:
    """MNU-4."""
    assert menu.clients("ab")[2].split("|ab|")[:3] == ["#{client_name}", "#{client_width}", "#{client_height}"]
