"""Exec actions: what a command gets, how it ends, and what hostile text cannot do to it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from actor import IDLE, Actor, act, configure, user_action
from harness import TmuxServer, until

FRESH = "[fold]\nfreshness_secs = 3600\n"
HOSTILE = "a\tb#(touch {mark})#[fg=red]%H\x1b]0;x\x07\u202ec\"'$(touch {mark})`touch {mark}`"


@pytest.fixture
def actor(server: TmuxServer) -> Actor:
    """An idle claude."""
    return idle_claude(server)


@pytest.fixture
def any_actor(any_server: TmuxServer) -> Actor:
    """An idle claude, on each tmux in turn."""
    return idle_claude(any_server)


def idle_claude(server: TmuxServer) -> Actor:
    """A pretended claude that a hook has just called idle."""
    server.start()
    configure(server, FRESH)
    made = Actor(server)
    made.stamp("idle", session="s-1")
    return made


def exec_action(actor: Actor, command: str, more: str = "") -> None:
    """Write an exec action named ``run``."""
    user_action(actor.server, "run", f"kind = \"exec\"\n{more}command = '''{command}'''\n")


def test_the_context_is_the_environment(any_actor: Actor) -> None:
    """ACT-EXEC-1 to ACT-EXEC-4: every name is set, words are numbered, an inherited word is gone."""
    exec_action(any_actor, "env | grep ^TMA_ | sort")
    words = ["--arg", "one two", "--arg=--", "--arg", ""]
    inherited = {"TMA_ARG_9": "old", "TMA_ARG": "old", "TMA_TITLE": "old"}
    done = any_actor.server.tma("act", "run", "--pane", any_actor.pane, *words, env=inherited)
    found = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert done.stderr == ""
    assert {name: text for name, text in found.items() if name.startswith("TMA_ARG")} == {
        "TMA_ARG": "one two",
        "TMA_ARG_1": "one two",
        "TMA_ARG_2": "--",
        "TMA_ARG_3": "",
        "TMA_ARG_COUNT": "3",
    }
    assert found["TMA_PANE"] == any_actor.pane
    assert (found["TMA_AGENT"], found["TMA_STATE"], found["TMA_DETAIL"]) == ("claude", "idle", "")
    assert (found["TMA_SESSION_ID"], found["TMA_PID"], found["TMA_ACTION"]) == ("s-1", str(any_actor.pid), "run")
    assert found["TMA_LOCATOR"] == any_actor.server.show(
        any_actor.pane, "#{session_name}:#{window_index}.#{pane_index}"
    )
    assert found["TMA_TITLE"] != "old"


def test_without_words_none_is_set(actor: Actor) -> None:
    """ACT-EXEC-4."""
    exec_action(actor, "env | grep -c ^TMA_ARG")
    assert actor.server.tma("act", "run", "--pane", actor.pane, env={"TMA_ARG": "old"}).stdout == "0\n"


def test_hostile_titles_and_paths_are_only_environment(any_actor: Actor) -> None:
    """SEC-X-1, SEC-T-13: the bytes arrive, and nothing runs; the manifest's command is untouched."""
    mark = any_actor.server.home / "touched"
    title = HOSTILE.replace("{mark}", str(mark)).replace("\t", " ").replace("\x1b", "").replace("\x07", "")
    any_actor.show(f"\x1b]2;{title}\x07{IDLE}")
    expected = until(
        lambda: (shown := any_actor.server.show(any_actor.pane, "#{pane_title}")).startswith("a b") and shown
    )
    hostile = any_actor.server.home / "$(touch touched);x"
    hostile.mkdir()
    other = any_actor.server(
        "new-window",
        "-d",
        "-P",
        "-F",
        "#{pane_id}",
        "-c",
        str(hostile),
        str(any_actor.server.home / "bin" / "claude"),
        "-c",
        "input()",
    )
    any_actor.server("set-option", "-p", "-t", other, "@agent_name", "claude")
    exec_action(any_actor, 'printf "%s|%s" "$TMA_TITLE" "$TMA_CWD"')
    done = any_actor.server.tma("act", "run", "--pane", any_actor.pane)
    assert done.stdout == f"{expected}|{any_actor.server.show(any_actor.pane, '#{pane_current_path}')}"
    done = any_actor.server.tma("act", "run", "--pane", other)
    assert done.stdout.endswith(f"|{hostile}")
    assert not mark.exists()


@pytest.mark.parametrize(
    ("command", "code"), [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("exit 4", 4), ("nonsense-x", 127)]
)
def test_the_childs_code_is_ours(actor: Actor, command: str, code: int) -> None:
    """ACT-EXEC-6, AJ-3: outcome tells them apart; the lock is free."""
    exec_action(actor, command)
    assert act(actor.server, "run", "--pane", actor.pane)[:3] == (code, "exited", None)
    assert actor.server.options(actor.pane)["@agent_action"] == ""


def test_a_late_child_is_killed_with_its_group(any_actor: Actor) -> None:
    """ACT-EXEC-5: exit 124."""
    pids = any_actor.server.home / "pids"
    exec_action(any_actor, f"sleep 60 & echo $$ $! > {pids}; wait", "timeout_ms = 400\n")
    assert act(any_actor.server, "run", "--pane", any_actor.pane)[:3] == (124, "timeout", None)
    for pid in pids.read_text().split():
        until(lambda pid=pid: not Path(f"/proc/{pid}").exists(), what="the end of the group")


def test_the_result_is_the_last_line_of_output(actor: Actor) -> None:
    """ACT-EXEC-2: the child's output first; its input is ours."""
    exec_action(actor, "cat; echo more")
    done = actor.server.tma("act", "run", "--pane", actor.pane, "--json", stdin="given\n")
    lines = done.stdout.splitlines()
    assert lines[:2] == ["given", "more"]
    assert json.loads(lines[2])["outcome"] == "exited"


def test_a_command_needs_no_agent_in_front(actor: Actor) -> None:
    """ACT-GATE-5: only keystrokes do; the lock is held while it runs."""
    exec_action(actor, 'tmux -S "$TMA_SOCKET_PATH" show-options -pqv -t "$TMA_PANE" @agent_action')
    actor.server("copy-mode", "-t", actor.pane)
    done = actor.server.tma("act", "run", "--pane", actor.pane)
    assert done.stdout.endswith(":run\n")


@pytest.mark.parametrize("words", [["--arg", "x" * 65537], [word for _ in range(65) for word in ("--arg", "x")]])
def test_too_many_words_are_a_usage_error(server: TmuxServer, words: list[str]) -> None:
    """ACT-EXEC-4: exit 2."""
    user_action(server, "run", 'kind = "exec"\ncommand = "true"\n')
    assert server.tma("act", "run", "--pane", "%1", *words).returncode == 2


class TestDetached:
    """ACT-DET-1 to ACT-DET-3."""

    def configure(self, actor: Actor) -> None:
        """Have completions logged and handed to a command."""
        home = actor.server.home
        command = f"cat > {home}/payload; env | grep ^TMA_ | sort > {home}/env; mv {home}/payload {home}/told"
        configure(actor.server, f"{FRESH}[notify]\nlog = \"{home}/notify.log\"\ncommand = '''{command}'''\n")

    def test_it_outlives_the_fire_and_tells_of_its_end(self, any_actor: Actor) -> None:
        """Spawned at once; the lock is the supervisor's until the end."""
        self.configure(any_actor)
        home = any_actor.server.home
        exec_action(any_actor, f"echo out; while [ ! -e {home}/go ]; do sleep 0.05; done; exit 3", "detach = true\n")
        assert act(any_actor.server, "run", "--pane", any_actor.pane)[:3] == (0, "spawned", None)
        lock = any_actor.server.options(any_actor.pane)["@agent_action"].split(":")
        holder = int(lock[2])
        assert lock[3] == "run"
        assert os.getsid(holder) == holder
        assert {str(Path(f"/proc/{holder}/fd/{fd}").readlink()) for fd in (0, 1, 2)} == {"/dev/null"}
        assert "run" not in Path(f"/proc/{holder}/cmdline").read_text().split("\0")
        assert act(any_actor.server, "run", "--pane", any_actor.pane)[:3] == (5, "refused", "locked")
        (home / "go").touch()
        until((home / "told").exists, what="the completion")
        locator = any_actor.server.show(any_actor.pane, "#{session_name}:#{window_index}.#{pane_index}")
        payload = {
            "schema": 1,
            "action": "run",
            "pane": any_actor.pane,
            "agent": "claude",
            "outcome": "exited",
            "exit_code": 3,
            "locator": locator,
        }
        assert list(json.loads((home / "told").read_text()).items()) == list(payload.items())
        logged = json.loads((home / "notify.log").read_text())
        assert list(logged)[:2] == ["schema", "at"]
        assert {key: value for key, value in logged.items() if key != "at"} == payload
        env = (home / "env").read_text()
        assert "TMA_OUTCOME=exited" in env
        assert "TMA_EXIT_CODE=3" in env
        until(lambda: any_actor.server.options(any_actor.pane)["@agent_action"] == "", what="a free lock")

    def test_a_late_one_is_killed(self, actor: Actor) -> None:
        """By the wall clock; the outcome is a timeout."""
        self.configure(actor)
        exec_action(actor, "sleep 60", "detach = true\ndetach_timeout_ms = 300\n")
        assert act(actor.server, "run", "--pane", actor.pane).outcome == "spawned"
        until((actor.server.home / "told").exists, what="the completion")
        told = json.loads((actor.server.home / "told").read_text())
        assert (told["outcome"], told["exit_code"]) == ("timeout", None)

    def test_a_supervisor_that_does_not_start_is_an_error(self, actor: Actor) -> None:
        """And the lock is free: the program is told to be one that ends at once."""
        exec_action(actor, "true", "detach = true\n")
        code = (
            "import sys; from tma.services import program; program.own_words = lambda: ['/bin/false'];"
            f"sys.argv = ['tma', 'act', 'run', '--pane', '{actor.pane}', '--json'];"
            "from tma.cli.main import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], env=actor.server.environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, json.loads(done.stdout)["outcome"]) == (1, "error")
        assert actor.server.options(actor.pane)["@agent_action"] == ""

    def test_a_pane_that_goes_away_has_no_locator(self, actor: Actor) -> None:
        """The notice still comes, once."""
        self.configure(actor)
        home = actor.server.home
        exec_action(actor, f"while [ ! -e {home}/go ]; do sleep 0.05; done", "detach = true\n")
        assert act(actor.server, "run", "--pane", actor.pane).outcome == "spawned"
        actor.server("kill-pane", "-t", actor.pane)
        (home / "go").touch()
        until((home / "told").exists, what="the completion")
        assert json.loads((home / "told").read_text())["locator"] is None
        assert len((home / "notify.log").read_text().splitlines()) == 1


def test_a_title_is_text_however_it_is_quoted(any_actor: Actor) -> None:
    """SEC-X-1, SEC-X-7: quoted it is itself, unquoted the shell splits it; neither runs it, and only ``eval`` does."""
    mark = any_actor.server.home / "touched"
    any_actor.show(f"\x1b]2;$(touch {mark});  x\x07{IDLE}")
    until(lambda: "touch" in any_actor.server.show(any_actor.pane, "#{pane_title}"), what="the title")
    said = {}
    for name, command in {"quoted": 'echo "$TMA_TITLE"', "unquoted": "echo $TMA_TITLE"}.items():
        exec_action(any_actor, command)
        said[name] = any_actor.server.tma("act", "run", "--pane", any_actor.pane).stdout
    assert said == {"quoted": f"$(touch {mark});  x\n", "unquoted": f"$(touch {mark}); x\n"}
    assert not mark.exists()
