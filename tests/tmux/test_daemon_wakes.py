"""What a daemon gives to others: wakes, history, a reload, and itself where a configuration asks for it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from daemons import daemon, file_of, is_gone
from harness import DEADLINE_S, TmuxServer, until
from standin import Counter, StandIn, manifests
from tma.core import wire
from tma.services import holder


@pytest.fixture
def robot(server: TmuxServer) -> StandIn:
    """A server with a stand-in that its hooks report for: no look and no client is needed."""
    server.start()
    made = StandIn(server)
    event(made, "Start", '{"session_id": "S"}')
    return made


def event(robot: StandIn, kind: str, payload: str = '{"session_id": "S"}') -> None:
    """A hook of the pane."""
    words = ["event", "--agent", "robot", "--kind", kind, "--payload", "-"]
    robot.server.tma("--manifest-dir", manifests(robot.server), *words, stdin=payload, pane=robot.pane)


def command(server: TmuxServer, *words: str, env: dict[str, str] | None = None) -> "subprocess.Popen[str]":
    """A command that runs beside the test."""
    argv = [sys.executable, "-m", "tma", "--manifest-dir", manifests(server), *words]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(argv, text=True, env=server.environment | (env or {}), **pipes)  # type: ignore[call-overload, no-any-return]


def configure(server: TmuxServer, text: str) -> None:
    """Write the configuration."""
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def subscriber(server: TmuxServer) -> socket.socket:
    """A subscriber by hand."""
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(file_of(server, "sock")))
    connection.sendall(wire.SUBSCRIBE)
    connection.settimeout(DEADLINE_S)
    return connection


def test_each_turn_wakes_each_subscriber(robot: StandIn) -> None:
    """DSU-1: one ``0x11``, then a wake after the state stands."""
    with daemon(robot.server):
        listeners = [subscriber(robot.server) for _ in range(3)]
        assert [listener.recv(1) for listener in listeners] == [wire.SUBSCRIBED] * 3
        event(robot, "Ask")
        assert [listener.recv(1) for listener in listeners] == [wire.WAKE] * 3
        assert robot.server.options(robot.pane)["@agent_state"] == "blocked"
        for listener in listeners:
            listener.close()


def test_over_64_a_subscriber_is_closed_and_one_that_speaks_is_dropped(robot: StandIn) -> None:
    """DSU-1."""
    with daemon(robot.server):
        listeners = [subscriber(robot.server) for _ in range(65)]
        said = [listener.recv(1) for listener in listeners]
        assert said == [wire.SUBSCRIBED] * 64 + [b""]
        listeners[0].sendall(b"x")
        until(lambda: _subscribes(robot.server), what="room for another one")
        for listener in listeners:
            listener.close()


def _subscribes(server: TmuxServer) -> bool:
    with subscriber(server) as again:
        return again.recv(1) == wire.SUBSCRIBED


def test_a_subscriber_that_does_not_read_is_dropped(robot: StandIn) -> None:
    """DSU-1: nobody waits for it."""
    with daemon(robot.server) as running:
        lazy = subscriber(robot.server)
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        event(robot, "Ask")
        until(lambda: running.count("frames") == 1, what="the frame")
        lazy.close()


def test_a_wait_is_woken(robot: StandIn) -> None:
    """WAI-3, DSU-2: and between wakes it looks every five seconds and not every second."""
    server = robot.server
    counter = Counter(server)
    with daemon(server):
        waiting = command(server, "wait", "--pane", robot.pane, "--until", "blocked", env=counter.env)
        until(counter.taken, what="the first look")
        event(robot, "Ask")
        out, said = waiting.communicate(timeout=DEADLINE_S)
        assert (waiting.returncode, said) == (0, "")
        assert robot.pane in out


def test_a_wait_outlives_the_daemon(robot: StandIn) -> None:
    """DSU-3, section 15 (11): it ends by polling, and nothing is printed."""
    server = robot.server
    with daemon(server) as running:
        waiting = command(server, "wait", "--pane", robot.pane, "--until", "blocked", "--timeout", "15")
        until(lambda: _fd_count(running.pid, "socket") >= 1, what="its subscription")
        running.end(signal.SIGKILL)
        event(robot, "Ask")
        _, said = waiting.communicate(timeout=DEADLINE_S)
        assert (waiting.returncode, said) == (0, "")


def _fd_count(pid: int, kind: str) -> int:
    links = [os.readlink(f"/proc/{pid}/fd/{name}") for name in os.listdir(f"/proc/{pid}/fd")]  # noqa: PTH115, PTH208
    return sum(link.startswith(kind) for link in links)


def test_a_subscription_emits_at_a_push(robot: StandIn) -> None:
    """SUB-2: the entry line, then one for each push; time alone emits nothing."""
    server = robot.server
    with daemon(server):
        stream = command(server, "subscribe", "--json")
        assert stream.stdout is not None
        first = json.loads(stream.stdout.readline())
        event(robot, "Ask")
        second = json.loads(stream.stdout.readline())
        states = [document["agents"][0]["state"] for document in (first, second)]
        assert states == ["idle", "blocked"]
        stream.terminate()
        stream.communicate(timeout=DEADLINE_S)


def test_the_history_lists_what_changed(robot: StandIn) -> None:
    """DHI-1, DBG-4: in order, the first sight without a former state."""
    server = robot.server
    with daemon(server) as running:
        until(lambda: len(_history(server)) == 1, what="the first sight")
        for number, kind in enumerate(("Ask", "Work")):
            event(robot, kind)
            until(lambda number=number: len(_history(server)) == 2 + number, what="the next state")
        assert [(each["from"], each["to"], each["source"]) for each in _history(server)] == [
            (None, "idle", "hook"),
            ("idle", "blocked", "hook"),
            ("blocked", "working", "hook"),
        ]
        text = server.tma("debug", "transitions").stdout.splitlines()
        assert text[0] == "3 held, 256 kept at most, 3 recorded"
        assert f"{robot.pane}  blocked -> working" in text[3]
        assert running.process.poll() is None


def _history(server: TmuxServer) -> list[dict[str, object]]:
    document = json.loads(server.tma("debug", "transitions", "--json").stdout)
    assert (document["schema"], document["cap"]) == (1, 256)
    found: list[dict[str, object]] = document["transitions"]
    return found


def test_without_a_daemon_there_is_no_history(robot: StandIn) -> None:
    """DBG-4: exit 1, nothing on stdout."""
    done = robot.server.tma("debug", "transitions", "--json")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_reload_takes_over_what_the_files_say(robot: StandIn) -> None:
    """CRL-1, DRL-1: a kind that was unknown is mapped afterwards."""
    server = robot.server
    file = server.home / "manifests" / "robot.toml"
    with daemon(server) as running:
        file.write_text(file.read_text().replace('event = "Work"', 'event = "Toil"'))
        frame = wire.event(robot.pane, "robot", "Toil", '{"session_id": "S"}', {"at": int(time.time() * 1000)})
        assert frame is not None
        assert _answer(server, frame) == wire.NAK
        done = server.tma("reload")
        assert (done.returncode, done.stderr) == (0, "")
        assert len(done.stdout.splitlines()) == 1
        until(lambda: _answer(server, frame) == wire.ACK, what="the reload")
        assert running.process.poll() is None


def test_a_broken_file_keeps_the_pair_in_use(robot: StandIn) -> None:
    """CFG-10, CFG-11: one line in the log, said once; a good file heals it."""
    server = robot.server
    with daemon(server) as running:
        configure(server, "[daemon]\nquiet_ms = -1\n")
        for _ in range(2):
            assert server.tma("--config", "/dev/null", "reload").returncode in {0, 1}
            os.kill(running.pid, signal.SIGHUP)
            until(lambda: "reload failed" in running.said, what="the line")
        assert "keeping the last good pair" in running.said
        configure(server, "[daemon]\nquiet_ms = 100\n")
        os.kill(running.pid, signal.SIGHUP)
        until(lambda: "read again" in running.said, what="a good reload")
        event(robot, "Ask")
        assert running.process.poll() is None


def test_a_reload_without_a_daemon_is_a_note(robot: StandIn) -> None:
    """CRL-1: exit 0, a line on standard error."""
    done = robot.server.tma("reload")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no daemon" in done.stderr


def test_stop_wins_over_a_reload(robot: StandIn) -> None:
    """DLC-11: both pending."""
    with daemon(robot.server) as running:
        os.kill(running.pid, signal.SIGSTOP)
        os.kill(running.pid, signal.SIGHUP)
        os.kill(running.pid, signal.SIGTERM)
        os.kill(running.pid, signal.SIGCONT)
        assert running.process.wait(DEADLINE_S) == 0


@pytest.mark.parametrize("words", [("ls",), ("status", "--format", "plain")])
def test_a_surface_starts_one_where_the_configuration_says_so(robot: StandIn, words: tuple[str, ...]) -> None:
    """CDM-4: ``autostart``."""
    server = robot.server
    configure(server, "[daemon]\nautostart = true\n")
    assert server.tma(*words).returncode == 0
    until(lambda: file_of(server, "sock").exists(), what="the daemon")
    assert server.tma("daemon", "--stop").returncode == 0


def test_a_surface_replaces_an_older_one_and_starts_none(robot: StandIn) -> None:
    """CFG-14, section 15 (8): a hook replaces none."""
    server = robot.server
    assert server.tma("ls").returncode == 0
    assert not file_of(server, "sock").exists()
    with daemon(server, "--fake-version", "0.0.1") as old:
        event(robot, "Work")
        assert old.process.poll() is None
        assert server.tma("ls").returncode == 0
        assert is_gone(old.pid) or old.process.poll() is not None
    record = holder.read_record(str(file_of(server, "lock")))
    assert record.version != "0.0.1"
    assert server.tma("daemon", "--stop").returncode == 0


def test_a_seen_mark_is_told_of_before_it_goes(server: TmuxServer) -> None:
    """DSW-4, section 15 (13): a done mark that input answers before the sweep still notifies, once."""
    configure(server, '[notify]\non = ["done"]\nlog = "~/notices"\n')
    server.start()
    robot = StandIn(server)
    event(robot, "Start")
    event(robot, "Work")
    event(robot, "Stop")
    server("select-window", "-t", robot.pane)
    with server.client() as terminal, daemon(server, sweep_ms=500):
        until(lambda: _typed(server, terminal, robot), what="the mark's end")
        notices = server.home / "notices"
        until(notices.exists, what="the notice")
        assert len(notices.read_text().splitlines()) == 1


def _typed(server: TmuxServer, terminal: int, robot: StandIn) -> bool:
    """Type; the server tells its times in seconds, so it may take one until a key counts as later than the mark."""
    os.write(terminal, b"x")
    return not server.options(robot.pane).get("@agent_attention")


def _answer(server: TmuxServer, data: bytes) -> bytes:
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(file_of(server, "sock")))
        connection.settimeout(DEADLINE_S)
        connection.sendall(data)
        return connection.recv(1)
