"""The wrapper that agents call: whom it runs, what it passes on, and that it never speaks or fails."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT, TmuxServer, private_home

WRAPPER = ROOT / "bin" / "tma-hook"
SHELLS = [[path] for name in ("sh", "dash") if (path := shutil.which(name))]
SHELLS += [[path, "--posix"] for name in ("bash",) if (path := shutil.which(name))]

LOGGER = """#!/bin/sh
printf '%s\\n' "$0" "$@" >"$LOG.argv"
cat >"$LOG.stdin"
"""
CRASH = "#!/bin/sh\necho Traceback\necho boom >&2\nexit 2\n"


class Place:
    """A directory with a wrapper in it and a program that writes down how it was called."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.log = home / "log"
        self.wrapper = home / "own" / "tma-hook"
        self.wrapper.parent.mkdir()
        shutil.copy(WRAPPER, self.wrapper)

    def program(self, path: Path, text: str = LOGGER) -> Path:
        """Write an executable file."""
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run(
        self, *argv: str | Path, stdin: str = "", cwd: Path | None = None, **env: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run something with nothing known but what is given; it must stay silent and end with 0."""
        known = {"PATH": "/usr/bin:/bin", "LOG": str(self.log)} | env
        done = subprocess.run(
            [str(word) for word in argv], check=False, capture_output=True, text=True, input=stdin, env=known,
            cwd=cwd or self.home, timeout=DEADLINE_S,
        )  # fmt: skip
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return done

    def called(self) -> list[str] | None:
        """The program and its arguments as the last run had them."""
        file = self.log.with_suffix(".argv")
        return file.read_text().splitlines() if file.exists() else None

    def given(self) -> str:
        """What the program read from standard input."""
        return self.log.with_suffix(".stdin").read_text()


@pytest.fixture
def place() -> Iterator[Place]:
    """A fresh place."""
    with private_home() as home:
        yield Place(home)


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_the_event_and_its_payload_reach_the_program(place: Place, shell: list[str]) -> None:
    """WRP-2, WRP-3, WRP-5: standard input is the payload, whatever the shell."""
    program = place.program(place.home / "bin" / "any")
    place.run(*shell, place.wrapper, "claude", "Stop", stdin='{"a": "b"}', TMA_BIN=str(program))
    assert place.called() == [str(program), "event", "--agent", "claude", "--kind", "Stop", "--payload", "-"]
    assert place.given() == '{"a": "b"}'


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
@pytest.mark.parametrize("payload", ['{"type": "x"}', "", "-n", "%s\\n", "it's $HOME `id` \\", "a\nb"])
def test_a_third_argument_is_the_payload(place: Place, shell: list[str], payload: str) -> None:
    """WRP-2: codex appends it; it arrives byte by byte, and standard input is not read then."""
    program = place.program(place.home / "bin" / "any")
    place.run(*shell, place.wrapper, "codex", "notify", payload, stdin="other", TMA_BIN=str(program))
    assert place.given() == payload


def test_a_socket_name_is_passed_on(place: Place) -> None:
    """WRP-5: only when it is not empty."""
    program = place.program(place.home / "bin" / "any")
    place.run(place.wrapper, "claude", "Stop", TMA_BIN=str(program), TMA_HOOK_SOCKET="a b")
    assert (place.called() or [])[-2:] == ["--socket-name", "a b"]
    place.run(place.wrapper, "claude", "Stop", TMA_BIN=str(program), TMA_HOOK_SOCKET="")
    assert (place.called() or [])[-1] == "-"


@pytest.mark.parametrize("words", [(), ("claude",), ("", "Stop"), ("claude", ""), ("", "", "x")])
def test_a_missing_agent_or_event_ends_at_once(place: Place, words: tuple[str, ...]) -> None:
    """WRP-2: nothing is run."""
    program = place.program(place.home / "bin" / "any")
    place.run(place.wrapper, *words, TMA_BIN=str(program))
    assert place.called() is None


def test_the_program_is_the_named_one_then_the_neighbour_then_the_one_on_path(place: Place) -> None:
    """WRP-4: first match."""
    named = place.program(place.home / "named" / "x")
    beside = place.program(place.wrapper.parent / "tma")
    found = place.program(place.home / "path" / "tma")
    path = f"{found.parent}:/usr/bin:/bin"
    place.run(place.wrapper, "a", "b", TMA_BIN=str(named), PATH=path)
    assert (place.called() or [])[0] == str(named)
    place.run(place.wrapper, "a", "b", PATH=path)
    assert (place.called() or [])[0] == str(beside)
    beside.unlink()
    place.run(place.wrapper, "a", "b", PATH=path)
    assert (place.called() or [])[0] == str(found)


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_program_in_the_current_directory_is_never_run(place: Place, shell: list[str]) -> None:
    """WRP-4: not by a relative TMA_BIN, a wrapper without a directory, or an empty entry of PATH."""
    here = place.program(place.home / "cwd" / "tma").parent
    shutil.copy(WRAPPER, here / "tma-hook")
    place.run(*shell, "tma-hook", "a", "b", cwd=here, TMA_BIN="./tma")
    place.run(*shell, "tma-hook", "a", "b", cwd=here, PATH=":/usr/bin:/bin")
    assert place.called() is None


def test_a_program_that_cannot_run_is_passed_over(place: Place) -> None:
    """WRP-4: absolute and executable, else the next."""
    plain = place.program(place.home / "bin" / "plain")
    plain.chmod(0o644)
    for bad in (str(plain), str(place.home), "/nowhere/tma"):
        place.run(place.wrapper, "a", "b", TMA_BIN=bad)
    assert place.called() is None


def test_without_any_program_the_agent_notices_nothing(place: Place) -> None:
    """HEV-3, CON-5: exit 0, nothing said."""
    place.run(place.wrapper, "claude", "Stop", stdin="{}")


def test_a_python_program_is_run_isolated_by_its_own_interpreter(place: Place) -> None:
    """WRP-4: -I -S, so that the site directory costs nothing."""
    text = "import os, sys\nopen(os.environ['LOG'] + '.argv', 'w').write(f'{sys.flags.isolated} {sys.flags.no_site}')\n"
    for mark in ("#!", "#! "):
        program = place.program(place.home / "bin" / "any", f"{mark}{os.path.realpath(sys.executable)}\n{text}")
        place.run(place.wrapper, "a", "b", TMA_BIN=str(program))
        assert place.called() == ["1 1"]


def test_any_other_first_line_is_run_as_it_is(place: Place) -> None:
    """WRP-4: an interpreter with options, one found by env, no script at all."""
    text = "import os, sys\nopen(os.environ['LOG'] + '.argv', 'w').write(f'{sys.flags.isolated} {sys.flags.no_site}')\n"
    python = os.path.realpath(sys.executable)
    for line in (f"#!{python} -B", "#!/usr/bin/env python3"):
        program = place.program(place.home / "bin" / "any", f"{line}\n{text}")
        place.run(place.wrapper, "a", "b", TMA_BIN=str(program), PATH=f"{Path(python).parent}:/usr/bin:/bin")
        assert place.called() == ["0 0"]
    place.run(place.wrapper, "a", "b", TMA_BIN=shutil.which("true") or "/bin/true")


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
@pytest.mark.parametrize("words", [("gemini", "BeforeTool"), ("codex", "notify", "{}")])
def test_a_crashing_program_shows_nothing(place: Place, shell: list[str], words: tuple[str, ...]) -> None:
    """FC-09, WRP-6: a traceback and exit 2 would deny the agent's tool."""
    program = place.program(place.home / "crash.sh", CRASH)
    place.run(*shell, place.wrapper, *words, stdin="{}", TMA_BIN=str(program))


def test_a_program_that_does_not_read_its_payload_breaks_nothing(place: Place) -> None:
    """WRP-6: the pipe breaks in silence."""
    program = place.program(place.home / "deaf.sh", "#!/bin/sh\nexit 3\n")
    place.run(place.wrapper, "codex", "notify", "x" * 100_000, TMA_BIN=str(program))


def test_the_program_is_a_child_whose_parent_is_the_wrapper(place: Place) -> None:
    """WRP-6, WRP-7: no exec, and the chain of parents stays whole."""
    program = place.program(place.home / "p.sh", '#!/bin/sh\nps -o args= -p "$PPID" >"$LOG.argv"\n')
    for words in (("claude", "Stop"), ("codex", "notify", "{}")):
        place.run(place.wrapper, *words, TMA_BIN=str(program))
        assert str(place.wrapper) in (place.called() or [""])[0]


class TestFieldCase:
    """FC-09: what broke agents that ran a monitor's hook; the real program behind the wrapper."""

    STOP = '{"session_id":"S1","hook_event_name":"Stop"}'
    TOOL = '{"session_id":"G1","hook_event_name":"BeforeTool","tool_name":"write_file"}'

    def hook(self, server: TmuxServer, *words: str, stdin: str | None = None, **env: str) -> float:
        """Run the wrapper as an agent would; silent, exit 0, and in about a second."""
        known = server.environment | {"TMA_BIN": str(ROOT / "bin" / "tma"), "TMUX_TMPDIR": str(server.home)} | env
        for name in ("TMA_SOCKET_PATH",):
            known.pop(name)
        ends = os.pipe()
        began = time.monotonic()
        child = subprocess.Popen(
            [WRAPPER, *words], stdin=ends[0], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=known, text=True
        )
        os.close(ends[0])
        if stdin is not None:
            os.write(ends[1], stdin.encode())
            os.close(ends[1])
        out, err = child.communicate(timeout=DEADLINE_S)
        took = time.monotonic() - began
        if stdin is None:
            os.close(ends[1])
        assert (child.returncode, out, err) == (0, "", "")
        return took

    def test_no_variables_at_all(self, server: TmuxServer) -> None:
        """FC-09 (1): no server is started, nothing is stamped."""
        pane = server.start()
        self.hook(server, "claude", "Stop", stdin=self.STOP)
        assert server.options(pane) == {}
        assert not list(server.home.glob("tmux-*/*"))

    def test_a_server_but_no_pane(self, server: TmuxServer) -> None:
        """FC-09 (2): nothing is stamped on the pane in focus."""
        pane = server.start()
        self.hook(server, "claude", "Stop", stdin=self.STOP, TMUX=f"{server.socket},{server.pid},0")
        assert server.options(pane) == {}

    def test_a_socket_that_is_gone(self, server: TmuxServer) -> None:
        """FC-09 (3): no such path, and a path where nobody answers."""
        pane = server.start()
        gone = server.home / "gone"
        for path in ("/nonexistent/sock", str(gone)):
            self.hook(server, "gemini", "BeforeTool", stdin=self.TOOL, TMUX=f"{path},1,0", TMUX_PANE=pane)
        assert not gone.exists()
        assert server.options(pane) == {}

    def test_a_payload_near_the_limit_of_one_argument(self, server: TmuxServer) -> None:
        """FC-07: nulls and 130,900 bytes; idle with one done mark, and no prompt's text anywhere."""
        pane = server.start()
        env = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": pane, "TMA_TRUST_PANE": "1"}
        said = {"type": "agent-turn-complete", "thread-id": "t1", "turn-id": "u1", "client": None}
        long = json.dumps(said | {"input-messages": ["é" * 5000, "y" * 100_700], "last-assistant-message": None})
        assert 130_000 < len(long) < 131_072
        self.hook(server, "codex", "SessionStart", stdin='{"session_id": "t1"}', **env)
        self.hook(server, "codex", "UserPromptSubmit", stdin='{"session_id": "t1"}', **env)
        self.hook(server, "codex", "notify", long, stdin="", **env)
        left = server.options(pane)
        assert (left["@agent_state"], left["@agent_attention"]) == ("idle", "1")
        assert "yyy" not in "".join(left.values())

    def test_a_locale_without_utf8(self, server: TmuxServer) -> None:
        """FC-27: stored text is UTF-8 whatever the hook's locale says."""
        pane = server.start()
        env = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": pane, "TMA_TRUST_PANE": "1"}
        said = '{"session_id": "S✳", "source": "startup", "model": "é"}'
        self.hook(server, "claude", "SessionStart", stdin=said, **env, LC_ALL="C", LANG="")
        left = server.options(pane)
        assert (left["@agent_session"], left["@agent_model"]) == ("S✳", "é")

    def test_standard_input_that_never_ends(self, server: TmuxServer) -> None:
        """FC-09 (5), DEV-1, DEV-5: the read is bounded."""
        pane = server.start()
        env = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": pane}
        took = self.hook(server, "claude", "Stop", stdin=None, **env)
        assert took < 12
        assert server.options(pane) == {}
