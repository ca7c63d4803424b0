"""Events by way of the daemon: the same options, one byte of answer, and nothing lost if it does not answer."""

import json
import os
import resource
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from daemons import Daemon, daemon, file_of
from harness import TmuxServer, until
from standin import Counter, StandIn, manifests, stand_in
from tma.core import wire
from users import IS_ROOT, NOBODY

TIMES = ("_at", "_since", "_claim")


@pytest.fixture
def robot(server: TmuxServer) -> StandIn:
    """A server with a stand-in."""
    server.start()
    return StandIn(server)


@pytest.fixture
def running(robot: StandIn) -> Iterator[Daemon]:
    """A daemon that has had its first look at it."""
    with daemon(robot.server) as started:
        started.watches("main")
        until(lambda: robot.server.options(robot.pane).get("@agent_state"), what="the first look")
        yield started


def event(
    robot: StandIn, kind: str, payload: str = "", *, agent: str = "robot", env: dict[str, str] | None = None
) -> None:
    """A hook process in the pane's environment."""
    words = ["event", "--agent", agent, "--kind", kind, *(["--payload", "-"] if payload else [])]
    done = robot.server.tma("--manifest-dir", manifests(robot.server), *words, stdin=payload, pane=robot.pane, env=env)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def frame(robot: StandIn, kind: str, payload: str = "", *, agent: str = "robot", **ext: object) -> bytes:
    """An event's bytes."""
    made = wire.event(robot.pane, agent, kind, payload, {"at": int(time.time() * 1000), **ext})
    assert made is not None
    return made


def answer(server: TmuxServer, data: bytes, *, close: bool = False) -> bytes:
    """What the daemon says to these bytes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(file_of(server, "sock")))
        connection.settimeout(20)
        connection.sendall(data)
        if close:
            connection.shutdown(socket.SHUT_WR)
        return connection.recv(1)


def state(robot: StandIn) -> str:
    """The pane's stored state."""
    return robot.server.options(robot.pane).get("@agent_state", "")


def timeless(server: TmuxServer, pane: str) -> dict[str, str]:
    """A pane's options without their instants."""
    return {name: value for name, value in server.options(pane).items() if not name.endswith(TIMES)}


STORY = (
    ("Start", '{"session_id": "S1", "cwd": "/x", "model": "m"}'),
    ("Work", '{"session_id": "S1"}'),
    ("Ask", '{"session_id": "S1", "tool_name": "Bash", "tool_use_id": "t1"}'),
    ("Stop", '{"session_id": "S1"}'),
    ("End", '{"session_id": "S1"}'),
)


def test_equal_events_give_equal_options(robot: StandIn) -> None:
    """Section 15 (1): through the daemon and by the hook alone, after each event of a turn."""
    server = robot.server
    config = server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[daemon]\nquiet_ms = 3600000\n")  # A look adds what hooks do not know.
    alone = []
    for kind, payload in STORY:
        event(robot, kind, payload)
        alone.append(timeless(server, robot.pane))
    with daemon(server) as running:
        for at, (kind, payload) in enumerate(STORY):
            event(robot, kind, payload)
            until(lambda at=at: running.count("frames") == at + 1, what="the frame")
            assert timeless(server, robot.pane) == alone[at], kind
        assert running.count("naks") == 0


@pytest.mark.usefixtures("running")
def test_an_event_that_was_taken_over_costs_the_hook_no_tmux_client(robot: StandIn) -> None:
    """DEV-2: the socket alone."""
    counter = Counter(robot.server)
    event(robot, "Work", env=counter.env)
    assert counter.taken() == 0
    assert state(robot) == "working"


@pytest.mark.parametrize(("agent", "kind"), [("nobody", "Work"), ("robot", "Unmapped")])
@pytest.mark.usefixtures("running")
def test_what_it_does_not_know_it_refuses(robot: StandIn, agent: str, kind: str) -> None:
    """DWP-3: unknown agent, unmapped kind: NAK."""
    assert answer(robot.server, frame(robot, kind, agent=agent)) == wire.NAK


def test_an_event_that_only_the_hook_knows_is_written_by_the_hook(running: Daemon, robot: StandIn) -> None:
    """Section 15 (3): its own manifests map the kind."""
    newer = robot.server.home / "newer"
    newer.mkdir()
    text = (robot.server.home / "manifests" / "robot.toml").read_text()
    (newer / "robot.toml").write_text(text.replace('event = "Work"', 'event = "Toil"'))
    words = ("--manifest-dir", str(newer), "event", "--agent", "robot", "--kind", "Toil")
    assert robot.server.tma(*words, pane=robot.pane).returncode == 0
    assert running.count("naks") == 1
    assert state(robot) == "working"


@pytest.mark.usefixtures("running")
def test_a_pane_that_is_not_there_is_refused(robot: StandIn) -> None:
    """DWP-3: pane not found: NAK."""
    made = wire.event("%999", "robot", "Work", "", {})
    assert made is not None
    assert answer(robot.server, made) == wire.NAK


@pytest.mark.usefixtures("running")
def test_a_sender_outside_the_pane_is_judged_and_nothing_is_written(robot: StandIn) -> None:
    """Section 15 (3), OWN-2: an agent of that name that runs in no pane; ACK, since a verdict was reached."""
    before = robot.server.options(robot.pane)
    assert answer(robot.server, frame(robot, "Work", sid=1, anc=[[4_000_000, "robot"], [1, "init"]])) == wire.ACK
    assert robot.server.options(robot.pane) == before


@pytest.mark.usefixtures("running")
def test_an_older_event_is_taken_and_changes_nothing(robot: StandIn) -> None:
    """DWP-3: older than the stored claim: ACK."""
    event(robot, "Stop")
    before = robot.server.options(robot.pane)
    old = wire.event(robot.pane, "robot", "Work", "", {"at": 1000})
    assert old is not None
    assert answer(robot.server, old) == wire.ACK
    assert robot.server.options(robot.pane) == before


@pytest.mark.usefixtures("running")
def test_an_event_from_the_future_counts_from_now(robot: StandIn) -> None:
    """CLK-1: more than 2000 ms ahead."""
    made = wire.event(robot.pane, "robot", "Work", "", {"at": int(time.time() * 1000) + 3_600_000})
    assert made is not None
    assert answer(robot.server, made) == wire.ACK
    assert int(robot.server.options(robot.pane)["@agent_evidence_at"]) < time.time() * 1000 + 3000


@pytest.mark.usefixtures("running")
def test_an_event_of_a_former_server_stamps_nothing(robot: StandIn) -> None:
    """DWP-5: ACK, nothing written."""
    before = robot.server.options(robot.pane)
    assert answer(robot.server, frame(robot, "Work", srv=robot.server.pid + 1)) == wire.ACK
    assert robot.server.options(robot.pane) == before


@pytest.mark.usefixtures("running")
def test_an_ignored_pane_is_a_verdict(robot: StandIn) -> None:
    """DWP-3: deliberately nothing."""
    robot.server("set-option", "-p", "-t", robot.pane, "@agent_ignore", "1")
    assert answer(robot.server, frame(robot, "Work")) == wire.ACK
    assert state(robot) != "working"


@pytest.mark.parametrize(
    "data", [b"X", b"GET / HTTP/1.0\r\n\r\n", wire.EVENT + b"\xff" * 4, wire.EVENT + b"\0" * 19 + b"\xff"]
)
@pytest.mark.usefixtures("running")
def test_garbage_is_refused(robot: StandIn, data: bytes) -> None:
    """DWP-2: NAK and close."""
    assert answer(robot.server, data) == wire.NAK


@pytest.mark.usefixtures("running")
def test_a_request_that_ends_half_way_is_refused(robot: StandIn) -> None:
    """DWP-2: an EOF inside a frame."""
    assert answer(robot.server, frame(robot, "Work")[:-3], close=True) == wire.NAK


@pytest.mark.usefixtures("running")
def test_silent_connections_delay_nobody(robot: StandIn) -> None:
    """DWP-2, section 15 (4): of forty half-read ones the oldest go, and a frame is answered meanwhile."""
    path = str(file_of(robot.server, "sock"))
    silent = []
    for _ in range(40):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        connection.sendall(b"TMA")
        silent.append(connection)
    assert answer(robot.server, frame(robot, "Work")) == wire.ACK
    for connection in silent:
        connection.settimeout(20)
        assert connection.recv(1) == wire.NAK
        connection.close()


@pytest.mark.usefixtures("running")
def test_a_ping_is_answered(robot: StandIn) -> None:
    """DST-4."""
    assert answer(robot.server, wire.PING) == wire.PONG


def test_ten_thousand_garbage_connections_leave_it_as_it_was(running: Daemon, robot: StandIn) -> None:
    """Section 14: memory and descriptors unchanged."""
    path = str(file_of(robot.server, "sock"))

    def storm(count: int) -> None:
        for number in range(count):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                connection.sendall((b"X", b"TMAE" + b"\xff" * 9, b"TM", b"")[number % 4])

    storm(500)
    answer(robot.server, wire.PING)
    before, files = memory(running.pid), descriptors(running.pid)
    storm(10_000)
    answer(robot.server, wire.PING)
    until(lambda: descriptors(running.pid) <= files, what="the same descriptors")
    assert memory(running.pid) < before + (2 << 10)


def test_a_frozen_daemon_costs_time_and_no_event(running: Daemon, robot: StandIn) -> None:
    """DEV-3, DEV-5, section 15 (9): the hook stamps itself; what arrives late changes nothing."""
    os.kill(running.pid, signal.SIGSTOP)
    event(robot, "Work")
    assert state(robot) == "working"
    event(robot, "Ask")
    stamped = timeless(robot.server, robot.pane)
    assert stamped["@agent_state"] == "blocked"
    os.kill(running.pid, signal.SIGCONT)
    until(lambda: running.count("frames") == 2, what="the late frames")
    answer(robot.server, frame(robot, "Unmapped"))
    assert timeless(robot.server, robot.pane) == stamped


def test_a_dead_daemon_loses_no_event(running: Daemon, robot: StandIn) -> None:
    """DEV-3: the socket is there and refuses."""
    running.end(signal.SIGKILL)
    assert file_of(robot.server, "sock").exists()
    event(robot, "Work")
    assert state(robot) == "working"


def test_a_socket_in_a_directory_of_others_is_offered_nothing(robot: StandIn) -> None:
    """PTH-5: who could write there could listen."""
    path = file_of(robot.server, "sock")
    path.parent.mkdir()
    path.parent.chmod(0o777)
    heard = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.settimeout(0.1)
        event(robot, "Work")
        with suppress(TimeoutError):
            heard.append(listener.accept())
    assert heard == []
    assert state(robot) == "working"


@pytest.mark.usefixtures("running")
def test_an_event_that_a_stopped_server_did_not_take_is_not_lost(robot: StandIn) -> None:
    """DEV-6: kept as a file, and applied by the next list."""
    server = robot.server
    os.kill(server.pid, signal.SIGSTOP)
    event(robot, "Ask")
    os.kill(server.pid, signal.SIGCONT)
    assert file_of(server, "spool").exists()
    found = json.loads(server.tma("--manifest-dir", manifests(server), "ls", "--json").stdout)
    assert [row["state"] for row in found["agents"]] == ["blocked"]
    assert not file_of(server, "spool").exists()


@pytest.mark.usefixtures("running")
def test_many_hooks_at_once_are_all_applied(robot: StandIn) -> None:
    """DEL-2: arrival order within the lane, and an answer for each."""
    answers: list[bytes] = []
    made = [frame(robot, "Work" if number % 2 else "Stop", at=1_000_000 + number) for number in range(40)]
    threads = [threading.Thread(target=lambda data=data: answers.append(answer(robot.server, data))) for data in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [wire.ACK] * 40


def test_memory_stays_bounded(robot: StandIn) -> None:
    """DBU-1: 10,000 frames and 1,000 edges, and at most 32 MiB."""
    server = robot.server
    config = server.home / "config" / "tma" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[daemon]\nquiet_ms = 5\n")
    program = str(stand_in(server.home, "robot"))
    busy = "while :; do printf 'READY\\n'; sleep 0.03; done"
    with daemon(server) as running:
        panes = [server.pane(program, "-c", busy) for _ in range(4)]
        server.tma("--manifest-dir", manifests(server), "ls")
        path = str(file_of(server, "sock"))
        kinds = ("Work", "Ask", "Stop", "Unmapped")
        refused = frame(robot, "Work", agent="nobody", payload="x" * 4000)
        for number in range(10_000):
            data = frame(robot, kinds[number % 4]) if number % 50 == 0 else refused
            with socket.socket(socket.AF_UNIX) as connection:
                connection.connect(path)
                connection.sendall(data)
                assert connection.recv(1)
        assert running.count("frames") >= 10_000 - 1
        until(lambda: running.count("captures") >= 1000, seconds=120, what="1,000 looks")
        for pane in panes:
            server("kill-pane", "-t", pane)
        assert memory(running.pid) < 32 << 10, running.status.read_text()


@pytest.mark.skipif(not IS_ROOT, reason="acts as another user")
@pytest.mark.usefixtures("running")
def test_another_user_does_not_get_in(robot: StandIn) -> None:
    """The socket's own mode and its directory's: EACCES (SEC-F-1)."""
    path = file_of(robot.server, "sock")
    robot.server.home.chmod(0o755)
    for opened in (0o700, 0o755):
        path.parent.chmod(opened)
        os.seteuid(NOBODY)
        try:
            with socket.socket(socket.AF_UNIX) as connection, pytest.raises(PermissionError):
                connection.connect(str(path))
        finally:
            os.seteuid(0)


def memory(pid: int) -> int:
    """Resident KiB."""
    with open(f"/proc/{pid}/status") as status:  # noqa: PTH123
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def descriptors(pid: int) -> int:
    """Open files."""
    return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208


def test_the_descriptor_limit_is_survived(robot: StandIn) -> None:
    """Section 14: accepting pauses, oldest half-read connections go first, and then it works again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (24, hard))
    try:
        context = daemon(robot.server)
        running = context.__enter__()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    try:
        held = []
        for _ in range(30):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(file_of(robot.server, "sock")))
            connection.sendall(b"TM")
            held.append(connection)
        for connection in held:
            connection.close()
        assert answer(robot.server, wire.PING) == wire.PONG
        assert running.process.poll() is None
    finally:
        context.__exit__(None, None, None)
