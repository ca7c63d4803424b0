"""``tma debug`` on real panes: what it shows, and that it only looks."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import TmuxServer, until
from standin import StandIn, manifests


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with the stand-in's manifest alone."""
    return server.tma("--manifest-dir", manifests(server), *words, **options)


def test_explain_tells_why_and_writes_nothing(server: TmuxServer) -> None:
    """DBG-2, EXP-1: text and JSON, without a stamp."""
    server.start("cat")
    robot = StandIn(server, screen="ALLOW?")

    text = tma(server, "debug", "explain", robot.pane).stdout
    found = json.loads(tma(server, "debug", "explain", "--json", robot.pane).stdout)

    assert server.options(robot.pane) == {}
    assert f"manifest  {manifests(server)}/robot.toml\n" in text
    assert "rule      ✓ #0 blocked/permission on bottom_non_empty_lines(1), priority 100\n" in text
    assert "verdict   publish blocked/permission, raises the mark\n" in text
    assert (found["agent"], found["verdict"]["state"], found["verdict"]["detail"]) == ("robot", "blocked", "permission")
    assert [rule["matched"] for rule in found["rules"]] == [True, False, False, False]


def test_explain_looks_again_where_a_cycle_would_reuse(server: TmuxServer) -> None:
    """EXP-1: a fresh stamp hides nothing."""
    server.start("cat")
    robot = StandIn(server)
    tma(server, "ls")
    before = server.options(robot.pane)

    found = json.loads(tma(server, "debug", "explain", "--json", robot.pane).stdout)

    assert found["evidence"][0]["claim"] == "idle"
    assert server.options(robot.pane) == before


def test_explain_names_an_unreadable_stamp(server: TmuxServer) -> None:
    """RD-3, SW-4: option and value, which nothing else tells."""
    pane = server.start("cat")
    server("set-option", "-p", "-t", pane, "@agent_state", "busy")

    text = tma(server, "debug", "explain", pane).stdout

    assert "stamp     unreadable: @agent_state is 'busy'\n" in text
    assert "agent     none: no process here belongs to a known agent" in text


@pytest.mark.parametrize("verb", ["explain", "capture"])
def test_an_unknown_pane_is_named(server: TmuxServer, verb: str) -> None:
    """DBG-2, EXP-1: exit 1, nothing on standard output."""
    server.start("cat")

    done = tma(server, "debug", verb, "%999")

    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith("tma: ")
    assert "%999" in done.stderr


def test_a_capture_is_a_header_and_the_raw_screen(server: TmuxServer) -> None:
    """DBG-1: in the form of a fixture, escapes and all, when it goes to a file."""
    server.start("cat")
    robot = StandIn(server, screen="\x1b]2;a\u202eb\x07\x1b[31m\nALLOW?")

    header, _, body = tma(server, "debug", "capture", robot.pane).stdout.partition("---\n")

    lines = header.splitlines()
    assert lines[:5] == [
        "# agent: robot",
        "# state: blocked/permission",
        "# title: a\\u202eb",
        "# command: robot",
        f"# pid: {robot.pid}",
    ]
    assert lines[5].startswith("# captured_at: 1")
    assert len(lines) == 6
    assert "\x1b[31mALLOW?" in body
    assert server.options(robot.pane) == {}


def test_a_capture_on_a_terminal_is_harmless(server: TmuxServer) -> None:
    """SAN-2: the body is raw only when standard output is not a terminal."""
    server.start("cat")
    robot = StandIn(server, screen="\x1b[31m\nALLOW?")
    ours, theirs = pty.openpty()
    words = ["--manifest-dir", manifests(server), "debug", "capture", robot.pane]

    subprocess.run([sys.executable, "-m", "tma", *words], check=True, stdout=theirs, env=server.environment)
    os.close(theirs)
    shown = until(lambda: os.read(ours, 65536)).decode()
    os.close(ours)

    assert "\\x1b[31mALLOW?" in shown
    assert "\x1b" not in shown


def test_redact_needs_no_server(tmp_path: Path) -> None:
    """DBG-3, CLI-9: a file in, placeholders out, any number of patterns."""
    capture = tmp_path / "screen.txt"
    capture.write_bytes(b"bob at acme: /home/bob/x \xff\r\nme@example.org\n")
    words = ["debug", "redact", str(capture), "--pattern", "bob", "--pattern", "acme"]

    done = subprocess.run(
        [sys.executable, "-m", "tma", *words], check=True, capture_output=True, env=environment(tmp_path)
    )

    assert done.stdout.decode() == "xxx at xxxx: [redactedx] \ufffd\r\n[emailxxxxxxx]\n"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["gone.txt"], "gone.txt"),
        (["."], "directory"),
        (["f", "--pattern", "("], "'('"),
        (["f", "--pattern", "(?=a)"], "look-around"),
    ],
)
def test_redact_names_a_bad_pattern_or_file(tmp_path: Path, words: list[str], shown: str) -> None:
    """DBG-3: exit 1."""
    (tmp_path / "f").write_text("x")

    done = subprocess.run(
        [sys.executable, "-m", "tma", "debug", "redact", *words],
        check=False, capture_output=True, text=True, cwd=tmp_path, env=environment(tmp_path),
    )  # fmt: skip

    assert (done.stdout, done.returncode) == ("", 1)
    assert shown in done.stderr


def environment(home: Path) -> dict[str, str]:
    """A home without a tmux server."""
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TMUX_TMPDIR": str(home),
    }
