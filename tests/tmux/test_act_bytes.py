"""What reaches the agent, byte for byte: keys, lines, and the time between a line and its end."""

import random
import subprocess
import sys
import time

import pytest

from actor import IDLE, PERMISSION, Actor, act, configure, named_python, user_action
from harness import TmuxServer, until
from tma.adapters import typeahead

FRESH = "[fold]\nfreshness_secs = 3600\n"
TYPED = [
    "git status;",
    ";",
    "x;",
    "it's",
    "$HOME",
    "#{pane_id}",
    "#(touch {mark})",
    "%5",
    "{",
    "}",
    "-x",
    "--",
    "~",
    "a,b",
    "日本 ✳",
    "%if",
    '"',
    "\\",
    "\\;",
    "`id`",
    "$(id)",
    "'; kill-server '",
    "' ; kill-server ; '",
    "a" * 256,
]
NAMED = {
    "Enter": b"\r",
    "Escape": b"\x1b",
    "C-c": b"\x03",
    "0x41": b"A",
    "Up": b"\x1b[A",
    "Tab": b"\t",
    "M-x": b"\x1bx",
}
LINES = [
    *TYPED,
    "Enter",
    "C-c",
    'it\'s "quoted" $HOME ~ #{pane_id} #(touch {mark}) ; %5 {',
    "'" * 4096,
    "'a" * 2048,
    "é" * 2048,
]


def ready(server: TmuxServer, screen: str = PERMISSION) -> Actor:
    """A claude under a fresh stamp."""
    server.start()
    configure(server, FRESH)
    return Actor(server, screen=screen)


def test_keys_are_typed_as_they_stand(any_server: TmuxServer) -> None:
    """ACT-KEY-1, ACT-Q-1, FC-31: free text is typed, key names are keys, in one list."""
    actor = ready(any_server)
    actor.block()
    mark = any_server.home / "touched"
    keys = [text.replace("{mark}", str(mark)) for text in TYPED]
    literal = "\n".join(toml(key) + "," for key in [*keys, *NAMED])
    user_action(any_server, "all", f'kind = "keys"\n[keys]\nclaude = [\n{literal}\n]\n')
    assert act(any_server, "all", "--pane", actor.pane).outcome == "sent"
    actor.hears("".join(keys).encode() + b"".join(NAMED.values()))
    assert not mark.exists()


@pytest.mark.parametrize("number", range(len(LINES)))
def test_a_line_is_typed_as_it_stands(server: TmuxServer, number: int) -> None:
    """ACT-TEXT-2, ACT-Q-1, FC-31: every byte, and a key's name is only letters."""
    actor = ready(server, IDLE)
    actor.stamp("idle")
    mark = server.home / "touched"
    text = LINES[number].replace("{mark}", str(mark))
    fired = act(server, "steer", "--pane", actor.pane, "--text", text)
    assert fired.outcome == "sent", fired
    actor.hears(text.encode() + b"\r")
    assert not mark.exists()


def test_random_lines_are_typed_as_they_stand(any_server: TmuxServer) -> None:
    """FZ-6: quoting, for any text without control characters."""
    actor = ready(any_server, IDLE)
    actor.stamp("idle")
    user_action(any_server, "say", 'kind = "text"\nsigils = []\n[text]\nclaude = {}\n')
    chance = random.Random(3)
    expected = b""
    for _ in range(8):
        text = "x" + "".join(chance.choice("';\\\"{}#$%~ ,|&()é日🙂abc-") for _ in range(chance.randrange(1, 60)))
        assert act(any_server, "say", "--pane", actor.pane, f"--text={text}").outcome == "sent"
        expected += text.encode()
    actor.hears(expected)


@pytest.mark.parametrize("text", ["", "   ", "a\nb", "a\tb", "\x1b[2J", "/clear", "!ls", " /x", "x" * 4097, "a\x9bb"])
def test_a_line_that_may_not_be_typed_reaches_nobody(server: TmuxServer, text: str) -> None:
    """ACT-TEXT-1: exit 4, before any tmux call: none is there."""
    done = server.tma(
        "act", "steer", "--pane", "%1", "--json", "--text", text, env={"TMA_TMUX_BIN": "/nonexistent/tmux"}
    )
    assert done.returncode == 4
    assert '"outcome":"refused"' in done.stdout


def test_a_value_after_text_may_begin_with_a_dash(server: TmuxServer) -> None:
    """CAC: the next argument is always its value."""
    actor = ready(server, IDLE)
    actor.stamp("idle")
    assert act(server, "steer", "--pane", actor.pane, "--text", "--json is nice").outcome == "sent"
    actor.hears(b"--json is nice\r")


PASTING = r"""
import os, sys, termios, time, tty
tty.setraw(0)
attributes = termios.tcgetattr(0)
attributes[1] |= termios.OPOST | termios.ONLCR
termios.tcsetattr(0, termios.TCSANOW, attributes)
os.write(1, b"\x1b[2J\x1b[H" + open(sys.argv[1], "rb").read())
log = open(sys.argv[2], "w", buffering=1)
draft, typed_at = b"", 0.0
while data := os.read(0, 65536):
    for byte in data:
        now = time.monotonic()
        if byte == 13 and len(draft) >= 3 and now - typed_at < 0.12:
            draft += b"\n"
        elif byte == 13:
            log.write(f"submitted {draft!r}\n")
            draft = b""
        else:
            draft += bytes([byte])
        typed_at = now
"""


def test_a_command_and_its_enter_are_no_paste(server: TmuxServer) -> None:
    """FC-47, ACT-KEY-4: an agent that takes a quick Enter for a newline still submits, once."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server, screen=IDLE)
    script, log = server.home / "pasting.py", server.home / "pasting.log"
    script.write_text(PASTING)
    server(
        "respawn-pane",
        "-k",
        "-t",
        actor.pane,
        str(server.home / "bin" / "claude"),
        "-I",
        "-S",
        str(script),
        str(actor.file),
        str(log),
    )
    until(log.exists, what="an agent that listens")
    until(lambda: "shortcuts" in server.screen(actor.pane), what="its screen")
    actor.stamp("idle", context_pct=80)
    assert act(server, "compact", "--pane", actor.pane).outcome == "sent"
    until(log.read_text, what="a submitted command")
    actor.stamp("idle")
    assert act(server, "steer", "--pane", actor.pane, "--text", "x" * 400).outcome == "sent"
    until(lambda: len(log.read_text().splitlines()) == 2, what="a submitted line")
    assert log.read_text().splitlines() == ["submitted b'/compact'", f"submitted b'{'x' * 400}'"]


def test_two_keys_go_apart_under_one_lock(any_server: TmuxServer) -> None:
    """ACT-KEY-4, MAN-KEY-1: the gap is the action's own."""
    actor = ready(any_server)
    actor.stamp("working")
    user_action(
        any_server, "twice", 'kind = "keys"\n[keys]\nclaude = ["Escape", "Escape"]\n[key_delay_ms]\nclaude = 150\n'
    )
    assert act(any_server, "twice", "--pane", actor.pane).outcome == "sent"
    actor.hears(b"\x1b\x1b")
    (first, _), (last, _) = actor.reads
    assert 140 <= last - first <= 2000


def test_a_prompt_between_a_line_and_its_enter_is_not_answered(any_server: TmuxServer) -> None:
    """ACT-TEXT-4, ACT-BUN-5: the dialog opens in the gap; the Enter stays away, and the message says so."""
    actor = ready(any_server, IDLE)
    actor.stamp("idle")
    user_action(
        any_server,
        "slow",
        'kind = "text"\nwhen = { state = ["idle"] }\n[text]\nclaude = { suffix = ["Enter"], suffix_delay_ms = 2000 }\n'
        '[screen.claude]\nabsent = ["Esc to cancel"]\n',
    )
    words = [sys.executable, "-m", "tma", "act", "slow", "--pane", actor.pane, "--text", "go on", "--json"]
    with subprocess.Popen(
        words, env=any_server.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as fire:
        until(lambda: actor.heard == b"go on", what="the line")
        actor.show(PERMISSION)
        out, err = fire.communicate(timeout=20)
    assert fire.returncode == 1
    assert '"outcome":"error"' in out
    assert "typed and not submitted" in err
    assert actor.heard == b"go on"
    assert any_server.options(actor.pane)["@agent_action"] == ""


def test_an_agent_that_hangs_gets_no_enter(any_server: TmuxServer) -> None:
    """ACT-TEXT-4, FC-45: the line is still unread; were the agent killed now, the shell would run it with its Enter."""
    any_server.start()
    configure(any_server, FRESH)
    hangs = f"import time, tty; tty.setraw(0); print({IDLE!r}.replace(chr(10), chr(13) + chr(10))); time.sleep(600)"
    pane = any_server.pane(str(named_python(any_server.home, "claude")), "-I", "-S", "-c", hangs)
    until(lambda: "? for shortcuts" in any_server.screen(pane), what="its screen")
    now = time.time_ns() // 1_000_000
    stored = {"name": "claude", "pid": any_server.show(pane, "#{pane_pid}"), "state": "idle", "source": "hook"}
    for key, value in (stored | dict.fromkeys(("since", "evidence_at", "stamped_at"), now)).items():
        any_server("set-option", "-p", "-t", pane, f"@agent_{key}", str(value))
    fired = act(any_server, "steer", "--pane", pane, "--text", "rm -rf build")
    assert (fired.code, fired.outcome) == (1, "error")
    assert "the line was typed and not submitted; the agent does not read it" in fired.err
    assert typeahead.unread(any_server.show(pane, "#{pane_tty}")) == len("rm -rf build")
    assert any_server.options(pane)["@agent_action"] == ""


def test_more_than_one_message_holds_is_refused_by_tmux(server: TmuxServer) -> None:
    """ACT-Q-3, ACT-SEND-6: an error, with tmux's words, and nothing typed."""
    actor = ready(server)
    actor.block()
    keys = ",".join(f'"{"x" * 256}"' for _ in range(64))
    user_action(server, "huge", f'kind = "keys"\n[keys]\nclaude = [{keys}]\n')
    fired = act(server, "huge", "--pane", actor.pane)
    assert (fired.code, fired.outcome) == (1, "error")
    assert "too long" in fired.err
    assert actor.heard_nothing()
    assert server.options(actor.pane)["@agent_action"] == ""


def toml(text: str) -> str:
    """A TOML string of a text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
