"""What a daemon sees of panes without hooks, when it looks, and what it leaves alone."""

import os
import signal
import time

import pytest

from daemons import daemon
from harness import TmuxServer, until
from standin import Counter, StandIn, manifests


def stored(robot: StandIn) -> str:
    """The pane's stored state."""
    return robot.server.options(robot.pane).get("@agent_state", "")


def becomes(robot: StandIn, state: str) -> None:
    """Wait for a stored state."""
    until(lambda: stored(robot) == state, what=f"{state} in {robot.pane}")


def event(robot: StandIn, kind: str, payload: str = "") -> None:
    """A hook of the pane."""
    words = ["event", "--agent", "robot", "--kind", kind, *(["--payload", "-"] if payload else [])]
    robot.server.tma("--manifest-dir", manifests(robot.server), *words, stdin=payload, pane=robot.pane)


def attached(server: TmuxServer) -> list[str]:
    """The sessions that control clients are in."""
    listed = server("list-clients", "-F", "#{client_control_mode} #{session_name}").splitlines()
    return sorted(line.split()[1] for line in listed if line.startswith("1 "))


def session(server: TmuxServer, name: str, *command: str) -> str:
    """Another session with one pane."""
    return server("new-session", "-d", "-P", "-F", "#{pane_id}", "-s", name, *command)


def test_a_prompt_without_hooks_is_seen(any_server: TmuxServer) -> None:
    """DMN-1, CYC-11: output, silence, a look."""
    any_server.start()
    robot = StandIn(any_server)
    with daemon(any_server) as running:
        running.watches("main")
        becomes(robot, "idle")
        robot.show("ALLOW?")
        becomes(robot, "blocked")
        assert any_server.options(robot.pane)["@agent_detail"] == "permission"
        robot.show("BUSY")
        becomes(robot, "working")
        running.settled()
        assert running.key("probe") == "available"
        assert running.count("sweeps") == 0


def test_without_control_mode_a_prompt_is_seen_by_the_sweep(server: TmuxServer) -> None:
    """DCC-7: and no client is attached."""
    server.start()
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[daemon]\ncontrol_mode = false\n")
    robot = StandIn(server)
    with daemon(server, sweep_ms=100) as running:
        becomes(robot, "idle")
        robot.show("ALLOW?")
        becomes(robot, "blocked")
        assert attached(server) == []
        assert running.count("clients") == 0


def test_what_was_printed_before_the_client_came_is_seen(server: TmuxServer) -> None:
    """DED-3, section 15 (5): tmux replays nothing."""
    server.start()
    robot = StandIn(server, screen="ALLOW?")
    with daemon(server):
        becomes(robot, "blocked")


def test_a_prompt_while_the_client_comes_is_seen(server: TmuxServer) -> None:
    """Section 15 (5)."""
    server.start()
    robot = StandIn(server)
    with daemon(server):
        robot.show("ALLOW?")
        becomes(robot, "blocked")


def test_a_server_of_hooked_agents_gets_no_client(server: TmuxServer) -> None:
    """DCC-1, section 15 (14)."""
    server.start()
    robot = StandIn(server)
    event(robot, "Start", '{"session_id": "S"}')
    with daemon(server) as running:
        event(robot, "Work")
        until(lambda: running.count("frames") == 1, what="the frame")
        assert attached(server) == []


def test_clients_come_and_go_with_their_panes(server: TmuxServer) -> None:
    """DCC-1, DCC-2: one a session; it leaves when the last such pane does."""
    server.start()
    with daemon(server, sweep_ms=200) as running:
        assert attached(server) == []
        robot = StandIn(server)
        event(StandIn(server), "Start", '{"session_id": "S"}')
        running.watches("main")
        server("kill-pane", "-t", robot.pane)
        until(lambda: attached(server) == [], what="no client")


def test_sessions_that_end_in_a_row_leave_the_server_alive(any_server: TmuxServer) -> None:
    """DCC-4: tmux up to 3.5a dies of a notification while a control client is connecting."""
    any_server.start()
    robot = StandIn(any_server)
    names = [f"s{number}" for number in range(20)]
    program = any_server.show(robot.pane, "#{pane_start_command}").split()[0]
    with daemon(any_server) as running, any_server.client():
        running.watches("main")
        for name in names:
            session(any_server, name, program, "-c", "sleep 600; :")
        running.watches("main", *names)
        for name in names:
            any_server("kill-session", "-t", f"={name}")
        running.watches("main")
        assert running.process.poll() is None


def test_it_does_not_resize_what_it_watches(any_server: TmuxServer) -> None:
    """DCC-7: ``ignore-size``."""
    any_server.start(width=133, height=37)
    StandIn(any_server)
    before = any_server.show("main:", "#{window_width}x#{window_height}")
    with daemon(any_server) as running:
        running.watches("main")
        assert any_server.show("main:", "#{window_width}x#{window_height}") == before


def test_a_fragile_session_lives_and_dies_as_without_it(any_server: TmuxServer) -> None:
    """DCC-3, section 15 (12): ``destroy-unattached``."""
    any_server.start()
    robot = StandIn(any_server)
    with any_server.client():
        any_server("set-option", "-t", "main", "destroy-unattached", "on")
        session(any_server, "other")
        with daemon(any_server, sweep_ms=200):
            becomes(robot, "idle")
            assert "main" not in attached(any_server)
    until(lambda: any_server("list-sessions", "-F", "#{session_name}") == "other", what="the session's end")


def lands_in(server: TmuxServer) -> str:
    """Where a plain ``tmux attach`` of a person goes."""
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(server.binary, [server.binary, "-u", "-S", str(server.socket), "attach-session"], server.environment)
    try:
        listed = until(
            lambda: [
                line.split()[1]
                for line in server("list-clients", "-F", "#{client_control_mode} #{session_name}").splitlines()
                if line.startswith("0 ")
            ],
            what="a person's client",
        )
        return listed[0]
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)
        until(lambda: "0 " not in server("list-clients", "-F", "#{client_control_mode} "), what="its end")


@pytest.mark.parametrize("watched", [("one",), ("two",), ("three",), ("one", "three"), ("one", "two", "three")])
def test_a_plain_attach_lands_where_it_would_without_it(any_server: TmuxServer, watched: tuple[str, ...]) -> None:
    """DCC-1, section 15 (14): the session used last, wherever the clients are."""
    any_server.start()
    any_server("rename-session", "-t", "main", "one")
    for name in ("two", "three"):
        session(any_server, name)
    for name in watched:
        any_server("move-window", "-s", StandIn(any_server).pane, "-t", f"{name}:9")
    for used in ("one", "three", "two"):
        _past_a_second()
        with any_server.client(session=used):
            pass
    expected = lands_in(any_server)
    assert expected == "two"
    with daemon(any_server) as running:
        until(lambda: set(watched) <= set(attached(any_server)), what="the clients")
        running.settled()
        assert lands_in(any_server) == expected


def _past_a_second() -> None:
    """The server tells its times in seconds."""
    now = int(time.time())
    until(lambda: int(time.time()) > now, what="the next second")


def test_a_flooding_pane_keeps_its_speed_and_the_server_answers(any_server: TmuxServer) -> None:
    """DCC-14, section 15 (10): the pane is paused, other panes are still looked at."""
    any_server.start()
    robot, loud = StandIn(any_server), StandIn(any_server)
    with daemon(any_server) as running:
        running.watches("main")
        becomes(robot, "idle")
        any_server("respawn-pane", "-k", "-t", loud.pane, "yes")
        robot.show("ALLOW?")
        becomes(robot, "blocked")
        assert any_server.show(robot.pane, "#{pane_id}") == robot.pane
        any_server("respawn-pane", "-k", "-t", loud.pane, "sleep", "1000")
        until(lambda: running.key("active") == "0", what="silence")


def test_hooks_that_went_silent_are_distrusted(server: TmuxServer) -> None:
    """CYC-12, FOLD-16, DED-7: five unexplained bursts; an event makes it theirs again."""
    (server.home / "config" / "tma").mkdir(parents=True)
    (server.home / "config" / "tma" / "config.toml").write_text(
        "[fold]\nhook_decay_secs = 0\nblocked_decay_secs = 0\ndwell_secs = 0\n"
        "[daemon]\ndemote_edges = 2\nquiet_ms = 100\n"
    )
    server.start()
    hooked, plain = StandIn(server), StandIn(server)
    event(hooked, "Start", '{"session_id": "S"}')
    event(hooked, "Stop", '{"session_id": "S"}')
    with daemon(server) as running:
        running.watches("main")
        becomes(plain, "idle")
        for number in range(3):
            hooked.show(f"{number}\nALLOW?")
            running.settled()
        becomes(hooked, "blocked")
        assert server.options(hooked.pane)["@agent_source"] == "capture"


def test_an_agent_that_left_takes_its_options_along(server: TmuxServer) -> None:
    """DED-5: with both summaries, in one invocation."""
    server.start()
    robot = StandIn(server)
    server("set-option", "-p", "-t", robot.pane, "remain-on-exit", "off")
    shell = server.pane(
        "sh", "-c", f"{server.home}/bin/robot {server.home}/standin.sh {robot.file}; echo left; exec cat"
    )
    with daemon(server) as running:
        running.watches("main")
        until(lambda: server.options(shell).get("@agent_state") == "idle", what="the agent")
        server("send-keys", "-t", shell, "quit", "Enter")
        until(lambda: not server.options(shell).get("@agent_state"), what="its end")
        assert server("show-options", "-wqv", "-t", shell, "@agent_summary") == ""


def test_an_idle_daemon_looks_at_nothing(server: TmuxServer) -> None:
    """DMN-4: no tmux client between sweeps."""
    server.start()
    counter = Counter(server)
    robot = StandIn(server)
    with daemon(server, env=counter.env) as running:
        becomes(robot, "idle")
        running.settled()
        counter.taken()
        robot.show("BUSY")
        becomes(robot, "working")
        running.settled()
        assert 1 <= counter.taken() <= 3


def test_a_daemon_that_was_stopped_for_a_while_catches_up_once(server: TmuxServer) -> None:
    """DEL-5, section 15 (9): one look a pane, one sweep, and no backlog."""
    server.start()
    robots = [StandIn(server) for _ in range(4)]
    with daemon(server, sweep_ms=500) as running:
        for robot in robots:
            becomes(robot, "idle")
        os.kill(running.pid, signal.SIGSTOP)
        for number in range(5):
            for robot in robots:
                robot.show(f"{number}\nALLOW?")
        looks, sweeps = running.count("captures"), running.count("sweeps")
        os.kill(running.pid, signal.SIGCONT)
        for robot in robots:
            becomes(robot, "blocked")
        running.settled()
        looks = running.count("captures") - looks
        assert looks <= len(robots) * (1 + running.count("sweeps") - sweeps)


def test_a_stopped_server_opens_the_breaker_and_it_recovers(server: TmuxServer) -> None:
    """DSW-5: frames meanwhile are refused at once; afterwards a sweep runs."""
    server.start()
    robot = StandIn(server)
    with daemon(server, sweep_ms=200) as running:
        becomes(robot, "idle")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            until(lambda: running.key("breaker") == "open", seconds=60, what="the open breaker")
        finally:
            os.kill(server.pid, signal.SIGCONT)
        until(lambda: running.key("breaker") == "closed", seconds=60, what="the closed breaker")
        robot.show("ALLOW?")
        becomes(robot, "blocked")


def test_a_removed_tmux_socket_is_named_with_its_cure(server: TmuxServer) -> None:
    """Section 14: no other server is started."""
    server.start()
    StandIn(server)
    with daemon(server, sweep_ms=200) as running:
        running.watches("main")
        server.socket.unlink()
        until(lambda: f"kill -USR1 {server.pid}" in running.said, what="the cure")
        assert running.process.poll() is None
        os.kill(server.pid, signal.SIGUSR1)
        until(lambda: running.key("breaker") == "closed", seconds=60, what="recovery")


def test_sweeps_find_what_no_client_tells(server: TmuxServer) -> None:
    """DCC-2, DSW-3: a new agent in a session without a client."""
    server.start()
    with daemon(server, sweep_ms=200) as running:
        robot = StandIn(server)
        becomes(robot, "idle")
        running.watches("main")
