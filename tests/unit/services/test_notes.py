"""Notes on a client."""

import pytest

from acting import fake_runtime
from tma.core.errors import TmuxError
from tma.services import notes


@pytest.mark.parametrize(
    ("version", "shown"),
    [
        ("3.4", ["-l", "--", "tma: 5% #(id) x"]),
        ("3.3a", ["--", "tma: 5%% ##(id) x"]),
        ("3.2a", ["--", "tma: 5%% ##(id) x"]),
        ("next-3.6", ["-l", "--", "tma: 5% #(id) x"]),
        ("odd", ["-l", "--", "tma: 5% #(id) x"]),
    ],
)
def test_a_note_is_shown_as_it_stands(version: str, shown: list[str]) -> None:
    """SAN-2, TCP-1, ACT-MENU-5: cleaned, and nothing in it is expanded."""
    runtime, server = fake_runtime(lambda words: f"{version}\n" if words[-1] == "#{version}" else "")
    runtime.options.client = "tty1"
    runtime.note("5% #(id)\tx\x1b")
    notes.show(runtime)
    assert server.calls[1] == ["display-message", "-c", "tty1", *shown]
    assert runtime.notes == []


def test_what_cannot_be_shown_is_lost() -> None:
    """ACT-MENU-5: there is nowhere else."""
    runtime, _ = fake_runtime(lambda _: TmuxError("tmux: no client"))
    runtime.note("x")
    notes.show(runtime)
    assert runtime.notes == []
