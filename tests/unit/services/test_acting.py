"""Requests, and who a call came from."""

import os

import pytest

from acting import exec_action, fake_runtime, keys_action
from tma.core.act.gate import Binders
from tma.core.errors import TmuxError
from tma.services import acting
from tma.services.acting import Request


def test_each_order_of_a_request_has_a_nonce_of_its_own() -> None:
    """LK-1, ACT-ALL-2: the words are the same for all."""
    request = Request(exec_action(), binders=Binders(), source="cli", force=True)
    request.args = ("a",)
    first, second = request.order("%1"), request.order("%2")
    assert first.nonce != second.nonce
    assert len(first.nonce) == 32
    assert (first.pane, first.args, first.force) == ("%1", ("a",), True)


def test_what_was_not_confirmed_is_an_error_for_each_target() -> None:
    """ACT-CONF-1."""
    results = acting.refuse_all(Request(keys_action(), binders=Binders(), source="cli"), ["%1", "%2"])
    assert [(each.outcome, each.exit_code) for each in results] == [("error", 1)] * 2


def panes(*rows: tuple[str, int, str]) -> object:
    """A server with these panes."""

    def reply(words: list[str]) -> str:
        mark = words[-1].split("|")[1]
        return "".join(f"|{mark}|".join(map(str, row)) + "\n" for row in rows)

    return reply


@pytest.mark.parametrize(
    ("source", "named", "expected"),
    [("cli", "%9", "%1"), ("menu", "%9", "%1")],
)
def test_an_ancestor_decides_first(monkeypatch: pytest.MonkeyPatch, source: str, named: str, expected: str) -> None:
    """ACT-FROM-1: this process's own parent stands for the agent."""
    monkeypatch.setenv("TMUX_PANE", named)
    runtime, _ = fake_runtime(panes(("%1", os.getppid(), "claude"), ("%9", 0, "claude")))
    assert acting.calling_agent(runtime, source) == expected


@pytest.mark.parametrize(
    ("source", "name", "expected"),
    [("cli", "claude", "%9"), ("cli", "nobody", None), ("menu", "claude", None)],
)
def test_the_environment_decides_next(
    monkeypatch: pytest.MonkeyPatch, source: str, name: str, expected: str | None
) -> None:
    """ACT-FROM-1: only for a pane of a loaded agent, and never for a menu."""
    monkeypatch.setenv("TMUX_PANE", "%9")
    runtime, _ = fake_runtime(panes(("%1", 0, "claude"), ("%9", 0, name)))
    monkeypatch.setitem(acting.posix.environ, b"TMUX_PANE", b"%9")
    assert acting.calling_agent(runtime, source) == expected


def test_a_server_that_fails_names_nobody() -> None:
    """ACT-FROM-1: a record, not a check."""
    runtime, _ = fake_runtime(lambda _: TmuxError("tmux: no"))
    assert acting.calling_agent(runtime, "cli") is None
