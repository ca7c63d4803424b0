"""``tma clear-attention`` on real panes: which marks go, in one client and in silence."""

import subprocess
from typing import Any

import pytest

from harness import TmuxServer
from standin import Counter

MARK = "@agent_attention"


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command."""
    done = server.tma(*words, **options)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    return done


def marked(server: TmuxServer, panes: list[str]) -> list[str]:
    """The panes whose mark is up."""
    return [pane for pane in panes if MARK in server.options(pane)]


def four(server: TmuxServer) -> list[str]:
    """Two windows of two panes, all marked; the last pane is in front, its neighbour was before."""
    first = server.start("cat")
    second = server("split-window", "-P", "-F", "#{pane_id}", "-t", first, "cat")
    third = server("new-window", "-P", "-F", "#{pane_id}", "cat")
    fourth = server("split-window", "-P", "-F", "#{pane_id}", "-t", third, "cat")
    panes = [first, second, third, fourth]
    for pane in panes:
        server("set-option", "-p", "-t", pane, MARK, "1")
    return panes


@pytest.mark.parametrize(
    ("hook", "left"),
    [
        ("", [0, 1, 2]),
        ("client-session-changed", [0, 1, 2]),
        ("after-select-pane", [0, 1]),
        ("session-window-changed", [0, 2]),
    ],
)
def test_the_mark_of_the_pane_and_of_the_one_left_is_taken_down(
    any_server: TmuxServer, hook: str, left: list[int]
) -> None:
    """ATN-3: a session switch clears no departed pane; one client does it all."""
    panes = four(any_server)
    counter = Counter(any_server)

    tma(any_server, "clear-attention", panes[3], env={"TMA_HOOK_KIND": hook, **counter.env})

    assert counter.taken() == 1
    assert marked(any_server, panes) == [panes[index] for index in left]


@pytest.mark.parametrize("pane", ["", "#{pane_id}", "%", "4", "%999", "--help-me"])
def test_anything_but_a_live_pane_has_no_effect(server: TmuxServer, pane: str) -> None:
    """CLI-5, HCL-1: silent, exit 0."""
    panes = four(server)

    tma(server, "clear-attention", pane, env={"TMA_HOOK_KIND": "after-select-pane"})

    assert marked(server, panes) == panes


def test_it_says_nothing_without_a_server_or_with_a_broken_configuration(server: TmuxServer) -> None:
    """CLI-9, CFG-5."""
    tma(server, "clear-attention", "%0")
    panes = four(server)
    config = server.home / "broken.toml"
    config.write_text("x")

    tma(server, "--config", str(config), "clear-attention", panes[3])

    assert marked(server, panes) == panes[:3]
