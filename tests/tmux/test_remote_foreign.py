"""A tma that reaches the server and sees none of its processes, or is another user's."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from harness import ROOT, TmuxServer, until
from people import attached, where
from person import TMA
from sshd import need_namespaces
from standin import StandIn, manifests
from users import NOBODY

SPACES = ["unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "/run/tma.sock"

POKE = """
min_engine_version = "0.6"
name = "poke"
label = "Poke"
kind = "keys"
when = { state = ["blocked"] }
[keys]
robot = ["h", "i", "Enter"]
[screen.robot]
absent = ["MENU"]
"""


@contextmanager
def mounted(server: TmuxServer) -> Iterator[list[str]]:
    """Words that run a command in process and mount namespaces, with the socket at another path."""
    need_namespaces(*SPACES[1:])
    script = f"mount -t tmpfs tmpfs /run && touch {INSIDE} && mount --bind {server.socket} {INSIDE} && "
    yield [*SPACES, "sh", "-c", script + 'exec "$@"', "sh"]


class Observer:
    """A tma in another process space, and a robot that asks for something on this side."""

    def __init__(self, server: TmuxServer, inside: list[str]) -> None:
        """Start the robot, and let a look of this side stamp it."""
        self.server = server
        self.inside = inside
        self.loaded = ("--manifest-dir", manifests(server))
        actions = server.home / "config" / "tma" / "actions"
        actions.mkdir(parents=True)
        (actions / "poke.toml").write_text(POKE)
        self.robot = StandIn(server, screen="ALLOW?")
        until(lambda: json.loads(server.tma(*self.loaded, "ls", "--json").stdout)["agents"], what="the row")

    def argv(self, *words: str) -> list[str]:
        """The words that run tma there."""
        return [*self.inside, *TMA.split(), "--socket-path", INSIDE, *self.loaded, *words]

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run tma there."""
        return self._run(self.argv(*words))

    def counts(self) -> str:
        """What a status line there shows, by the short road."""
        program = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma")]
        options = ["--format", "plain", "--socket-path", INSIDE, *self.loaded]
        return self._run([*self.inside, *program, "status", *options]).stdout.strip()

    def _run(self, argv: list[str]) -> subprocess.CompletedProcess[str]:
        env = self.server.environment
        return subprocess.run(argv, check=False, capture_output=True, text=True, env=env, timeout=30)

    def stored(self) -> list[str | dict[str, str]]:
        """What a look of this side would write: stamp, summaries, poll."""
        server = self.server
        summaries = [
            server.show(self.robot.pane, f"#{{@{name}}}") for name in ("agent_summary", "agent_session_summary")
        ]
        return [server.options(self.robot.pane), *summaries, server("show-options", "-sqv", "@tma_last_poll")]


@pytest.fixture
def observer(server: TmuxServer) -> Iterator[Observer]:
    """Such a tma, on a started server."""
    server.start("cat")
    with mounted(server) as inside:
        yield Observer(server, inside)


def test_ten_looks_from_another_process_space_remove_no_stamp(observer: Observer) -> None:
    """FWD-7, FWD-8, CYC-14: the host is the same, the processes are out of sight; rows come from the stamps."""
    before = observer.stored()
    assert observer.server.options(observer.robot.pane)["@agent_state"] == "blocked"

    for _ in range(10):
        done = observer("status", "--format", "plain")
        assert (done.returncode, done.stdout.strip()) == (0, "⚑1"), done.stderr
        assert len(done.stderr.splitlines()) == 1

    row = json.loads(observer("ls", "--json").stdout)["agents"][0]
    assert (row["state"], row["server"]) == ("blocked", str(observer.server.socket))
    assert json.loads(observer("doctor", "--json").stdout)["foreign"] is True
    assert observer("daemon", "--ensure").returncode == 0
    assert observer("daemon").returncode == 1
    assert observer.stored() == before


def test_a_foreign_status_line_counts_no_pane_behind_a_boundary(observer: Observer) -> None:
    """CYC-14, ID-7: nor where the window was silent since the stamp, whose process is of this side."""
    server = observer.server
    far = StandIn(server, "ssh")
    silent_at = (int(server.show(far.pane, "#{window_activity}")) + 1) * 1000
    parts = {"name": "robot", "pid": far.pid, "state": "idle", "source": "capture", "hash": 1}
    for key, value in {**parts, "evidence_at": silent_at, "since": silent_at, "stamped_at": silent_at}.items():
        server("set-option", "-p", "-t", far.pane, f"@agent_{key}", str(value))

    assert observer.counts() == "⚑1"
    assert len(json.loads(observer("ls", "--json").stdout)["agents"]) == 1


def test_what_a_foreign_process_may_it_can(observer: Observer) -> None:
    """FWD-9: jump, wait, subscribe, mute, snooze, act on the stored state, clear-attention."""
    server, robot = observer.server, observer.robot
    with attached(server) as (_, client):
        assert observer("jump", "--pane", robot.pane, "--client", client).returncode == 0
        assert where(server, client) == f"main {robot.pane}"
    assert observer("wait", "--pane", robot.pane, "--until", "blocked", "--timeout", "0").returncode == 0
    stream = subprocess.Popen(
        observer.argv("subscribe", "--json"), stdout=subprocess.PIPE, text=True, env=server.environment
    )
    with stream:
        assert stream.stdout is not None
        assert json.loads(stream.stdout.readline())["agents"][0]["state"] == "blocked"
        stream.kill()
    assert observer("mute", "--pane", robot.pane).returncode == 0
    assert "@agent_mute_until" in server.options(robot.pane)
    assert observer("snooze", "--pane", robot.pane, "--for", "1h").returncode == 0
    assert "@agent_snooze" in server.options(robot.pane)

    robot.file.unlink()
    done = observer("act", "poke", "--pane", robot.pane)
    assert done.returncode == 0, done.stderr
    until(lambda: "heard hi" in server.screen(robot.pane), what="the keys")
    server("set-option", "-p", "-t", robot.pane, "@agent_attention", "1")
    assert observer("clear-attention", robot.pane).returncode == 0
    assert "@agent_attention" not in server.options(robot.pane)


def test_an_agent_behind_a_boundary_needs_no_process_table(server: TmuxServer) -> None:
    """FWD-7, REM-8: where no process can be seen the host decides, and such a pane is never walked."""
    server.start("cat")
    far, robot = StandIn(server, "ssh"), StandIn(server)
    loaded = ("--manifest-dir", manifests(server))
    words = ("event", "--agent", "robot", "--kind", "Ask")
    assert server.tma(*loaded, *words, env={"TMUX_PANE": far.pane}).returncode == 0
    need_namespaces("--mount")
    blind = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs tmpfs /proc && exec "$@"', "sh", *TMA.split(), *loaded]

    def tries(*line: str) -> subprocess.CompletedProcess[str]:
        argv = [*blind, *line]
        return subprocess.run(argv, check=False, capture_output=True, text=True, env=server.environment, timeout=30)

    told = tries("debug", "explain", far.pane)
    assert "behind remote shell ssh" in told.stdout, told.stderr
    assert "cannot read the process table" in tries("debug", "explain", robot.pane).stderr
    report = json.loads(tries("doctor", "--json").stdout)
    assert (report["foreign"], report["process_walk"]["ok"]) == (False, False)
    assert [each["pane"] for each in report["agents"]] == [far.pane]


@pytest.mark.parametrize(("mode", "words"), [(0o777, "access not allowed"), (0o770, "Permission denied")])
def test_another_user_is_turned_away_in_tmuxs_words(server: TmuxServer, mode: int, words: str) -> None:
    """CON-2: by tmux itself or by the socket's directory; hooks say nothing."""
    server.start("cat")
    drop = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    env = {name: server.environment[name] for name in ("PATH", "PYTHONPATH", "TMA_TMUX_BIN")}
    env |= {"HOME": "/nowhere", "TMUX_PANE": "%0", "PYTHONDONTWRITEBYTECODE": "1"}
    python = shutil.which("python3", path="/usr/bin") or sys.executable
    with mounted(server) as inside:
        readable = [*drop, python, "-c", "import tma, tomllib"]
        if subprocess.run(readable, check=False, capture_output=True, env=env).returncode:
            pytest.skip("no Python of 3.11 or newer, or no source tree, that another user may read")
        server.socket.chmod(mode)

        def tries(*line: str) -> subprocess.CompletedProcess[str]:
            argv = [*inside, *drop, python, "-m", "tma", *line, "--socket-path", INSIDE]
            said = '{"session_id":"s"}'
            return subprocess.run(argv, check=False, capture_output=True, text=True, input=said, env=env, timeout=30)

        done = tries("ls")
        assert (done.returncode, done.stdout) == (1, "")
        assert words in done.stderr
        assert "--user" in done.stderr
        hook = tries("event", "--agent", "claude", "--kind", "SessionStart", "--payload", "-")
        assert (hook.returncode, hook.stdout, hook.stderr) == (0, "", "")
        assert "@agent_session" not in server.options("%0")
