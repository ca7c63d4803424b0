"""``@tma_status`` on real servers: what tmux shows without any process is what ``tma status`` prints."""

import json
import os
import select
from pathlib import Path

import pytest

from harness import TmuxServer, until
from standin import StandIn, manifests

SHOWN = "#{E:@tma_status}"


def tma(server: TmuxServer, *words: str) -> str:
    """Run a command with the stand-in's manifest alone and give what it prints."""
    done = server.tma(*words, "--manifest-dir", manifests(server))
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def event(server: TmuxServer, pane: str, kind: str, session: str) -> None:
    """Report an event from inside a pane."""
    payload = json.dumps({"session_id": session})
    words = ("event", "--agent", "robot", "--kind", kind, "--payload", "-", "--manifest-dir", manifests(server))
    server.tma(*words, pane=pane, stdin=payload)


def shown(server: TmuxServer) -> str:
    """The status line as tmux shows it."""
    return server("display-message", "-p", SHOWN)


def test_cycles_events_and_removals_keep_it(any_server: TmuxServer) -> None:
    """STL-1, RU-3: each producer leaves what a count would print, a mark that was seen included."""
    server = any_server
    server.start("cat")
    first, second = StandIn(server), StandIn(server, screen="ALLOW?")
    line = tma(server, "status")
    assert "blocked" in line
    assert shown(server) == line

    for kind in ("Start", "Work", "Ask", "Work", "Stop"):
        event(server, first.pane, kind, "one")
        assert shown(server) == tma(server, "status"), kind
    assert "tma:done" in shown(server)

    server.tma("clear-attention", first.pane)
    assert "tma:done" not in shown(server)
    assert shown(server) == tma(server, "status")

    event(server, first.pane, "End", "one")
    assert "tma:idle" not in shown(server)

    second.server("kill-pane", "-t", second.pane)
    server("kill-pane", "-t", first.pane)
    until(lambda: tma(server, "status") == shown(server) == "", what="no count, once a cycle is not of the same second")


def test_sessions_of_a_group_are_counted_once(any_server: TmuxServer) -> None:
    """RU-1, SW-4: nor does a pane whose state is no state."""
    server = any_server
    server.start("cat")
    robot = StandIn(server)
    server("new-session", "-d", "-t", "main", "-s", "beside")
    for value in ("idlebusy", "b|w", "#{pid}", "IDLE"):
        server("set-option", "-p", "-t", server.pane("cat"), "@agent_state", value)
    event(server, robot.pane, "Ask", "one")
    assert shown(server).count("⚑1") == 1
    assert shown(server) == tma(server, "status")


@pytest.mark.parametrize(("glyph", "color"), [("#", "red,bold"), (",", "#DD0000"), ("}", "default"), ("", "colour9")])
def test_any_glyph_and_color_is_shown_as_it_is_printed(any_server: TmuxServer, glyph: str, color: str) -> None:
    """CFG-13, SEC-T-2: what would end a branch of a condition, or begin an expansion, is text."""
    server = any_server
    directory = Path(server.environment["XDG_CONFIG_HOME"]) / "tma"
    directory.mkdir(parents=True)
    (directory / "config.toml").write_text(f'[status]\nblocked = {{ glyph = "{glyph}", color = "{color}" }}\n')
    server.start("cat")
    robot = StandIn(server)
    event(server, robot.pane, "Ask", "one")
    stored = server("show-options", "-sv", "@tma_status")

    assert stored == tma(server, "status")
    assert server("show-options", "-sv", "@tma_status") == stored


def test_a_fleet_at_rest_writes_nothing_and_redraws_nothing(any_server: TmuxServer) -> None:
    """RC-2, STL-3: a person's terminal gets not a byte from status lines over agents at rest."""
    server = any_server
    pane = server.start("sh", "-c", "echo PLAIN-SIGHT; exec cat")
    for _ in range(3):
        StandIn(server)
    with server.client() as terminal:
        until(lambda: tma(server, "status") == shown(server) != "", what="the first count")
        sent_until(server, terminal, pane, "FIRST")
        before = options_of(server)

        for _ in range(3):
            tma(server, "status")

        assert b"PLAIN-SIGHT" not in sent_until(server, terminal, pane, "SECOND")
        assert options_of(server) == before
        server("set-option", "-s", "@anything", "1")
        assert b"PLAIN-SIGHT" in sent_until(server, terminal, pane, "THIRD"), "a write is seen to redraw"


def options_of(server: TmuxServer) -> tuple[str, list[dict[str, str]]]:
    """The server's options and every pane's."""
    return server("show-options", "-s"), [server.options(pane) for pane in server("list-panes", "-aF", "#D").split()]


def sent_until(server: TmuxServer, terminal: int, pane: str, word: str) -> bytes:
    """What a person's terminal is sent until a word that is typed into a pane shows."""
    server("send-keys", "-t", pane, word, "Enter")
    sent = bytearray()

    def seen() -> bool:
        if select.select([terminal], [], [], 0.1)[0]:
            sent.extend(os.read(terminal, 65536))
        return word.encode() in sent

    until(seen, what=word)
    return bytes(sent)


def test_it_goes_with_the_last_agent(any_server: TmuxServer) -> None:
    """STA-2: no rows, no text."""
    server = any_server
    server.start("cat")
    robot = StandIn(server)
    event(server, robot.pane, "Start", "one")
    assert shown(server)
    event(server, robot.pane, "End", "one")
    server("kill-pane", "-t", robot.pane)
    tma(server, "status")
    assert server("show-options", "-sqv", "@tma_status") == ""
