"""Notices on real servers: who is told, how often, and what reaches each terminal."""

import json
import os
import pty
import select
import shutil
import stat
import threading
import time
from pathlib import Path

import pytest

from harness import TmuxServer, until
from notices import Desk, banners, put
from people import attached, report, tma
from standin import StandIn, manifests
from tma.adapters import system
from tma.services import cycle
from tma.services.notify.dispatch import Notifier

BANNER = "\x1b]9;robot blocked\x07"


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch, server: TmuxServer) -> TmuxServer:
    """The test's server, whose surroundings this process takes over for what it dispatches itself."""
    for name in ("TMUX", "TMUX_PANE", "DBUS_SESSION_BUS_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    return server


@pytest.fixture
def taken_over(monkeypatch: pytest.MonkeyPatch, any_server: TmuxServer) -> TmuxServer:
    """The same on every tmux."""
    for name, value in any_server.environment.items():
        monkeypatch.setenv(name, value)
    return any_server


def test_a_banner_reaches_a_hidden_panes_owner_on_every_terminal_and_no_pane(taken_over: TmuxServer) -> None:
    """OSC-1, OSC-2, row 12: each real client's terminal once, with passthrough off; the pane's own gets nothing."""
    server = taken_over
    server.start()
    robot = StandIn(server)
    desk = Desk(server, "osc = true")
    program = [server.binary, "-u", "-S", str(server.socket), "-C", "attach-session", "-t", "=main"]
    with attached(server) as (first, _), attached(server) as (second, _):
        until(lambda: first.reads("robot") and second.reads("robot"), what="two drawn clients")
        master, slave = pty.openpty()
        pid = os.posix_spawn(program[0], program, server.environment, file_actions=[
            (os.POSIX_SPAWN_DUP2, slave, 0), (os.POSIX_SPAWN_DUP2, slave, 1), (os.POSIX_SPAWN_DUP2, slave, 2),
        ])  # fmt: skip
        until(lambda: len(server("list-clients").splitlines()) == 3, what="three clients")
        put(server, robot.pane, "blocked")
        notifier = desk.notifier()
        assert desk.dispatch(notifier) == 1
        until(lambda: first.reads(BANNER) and second.reads(BANNER), what="a banner on both terminals")
        until(lambda: ("osc", second_name(server)) in desk.results(), what="the record")
        assert banners(first) == banners(second) == 1
        assert desk.dispatch(notifier) == 0
        notifier.close()
        assert "robot blocked" not in server.screen(robot.pane)
        assert sorted(each["last_ok_at"] is None for (sink, _), each in desk.results().items() if sink == "osc") == [
            False, False, True,
        ]  # fmt: skip
        os.kill(pid, 15)
        os.waitpid(pid, 0)
        os.close(master)
        os.close(slave)


def second_name(server: TmuxServer) -> str:
    """The name of the last real client."""
    lines = server("list-clients", "-F", "#{client_control_mode} #{client_name}").splitlines()
    return [line.removeprefix("0 ") for line in lines if line.startswith("0 ")][-1]


def test_five_producers_that_see_one_transition_ring_once(env: TmuxServer) -> None:
    """NMK-1, rows 2 and 5: three passes at once and two hooks, many times."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env, "from_event = true")
    notifiers = [desk.notifier() for _ in range(3)]
    for round_ in range(1, 5):
        report(robot, "Work")
        passes = [threading.Thread(target=several, args=(desk, each)) for each in notifiers]
        hooks = [threading.Thread(target=report, args=(robot, "Ask")) for _ in range(2)]
        for thread in [*hooks, *passes]:
            thread.start()
        for thread in [*hooks, *passes]:
            thread.join()
        desk.dispatch(notifiers[0])
        desk.logged(round_)
        assert len(desk.lines()) == round_
    robots = StandIn(env)
    report(robots, "Ask")
    assert [each["pane"] for each in desk.logged(5)] == [*[robot.pane] * 4, robots.pane]
    for notifier in notifiers:
        notifier.close()


def several(desk: Desk, notifier: Notifier) -> None:
    """Passes in a row."""
    for _ in range(6):
        desk.dispatch(notifier)


def test_a_marker_outlives_who_wrote_it(env: TmuxServer) -> None:
    """Rows 3 and 4: another notifier does not ring for that episode, and does for the next."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env)
    put(env, robot.pane, "blocked")
    first = desk.notifier()
    assert desk.dispatch(first) == 1
    desk.logged(1)
    first.close()
    second = desk.notifier()
    assert desk.dispatch(second) == 0
    put(env, robot.pane, "working")
    assert desk.dispatch(second) == 0
    put(env, robot.pane, "blocked")
    assert desk.dispatch(second) == 1
    second.close()


def test_the_marker_stands_before_the_command_runs(env: TmuxServer) -> None:
    """Row 1: what the command finds on the pane is the marker; stdin and environment are the notice."""
    env.start()
    robot = StandIn(env)
    out = env.home / "out"
    show = f"{env.binary} -S {env.socket} show-options -pqv -t $TMA_PANE @agent_notified_at"
    desk = Desk(env, f"from_event = true\ncommand = '''{show} > {out}.m; cat > {out}.tmp; mv {out}.tmp {out}'''")
    report(robot, "Ask")
    until(out.exists, what="the command")
    marker, told = int(Path(f"{out}.m").read_text()), desk.logged(1)[0]
    assert marker == int(env.options(robot.pane)["@agent_notified_at"])
    assert told["episode_ms"] <= marker
    read = json.loads(out.read_text())
    assert read == {key: value for key, value in told.items() if key != "at"}
    assert (read["state"], read["detail"], read["since_ms"]) == ("blocked", "permission", 0)


def test_two_completions_ring_twice_even_when_no_work_was_seen(env: TmuxServer) -> None:
    """TRG-2, row 6: the second turn is an episode of its own, once the first was seen."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env, "from_event = true\non = ['done']")
    report(robot, "Work")
    report(robot, "Stop")
    desk.logged(1)
    env("set-option", "-pu", "-t", robot.pane, "@agent_attention")
    report(robot, "Stop")
    first, second = desk.logged(2)
    assert second["since_ms"] == 0
    assert second["episode_ms"] > first["episode_ms"]
    report(robot, "Stop")
    other = StandIn(env)
    report(other, "Work")
    report(other, "Stop")
    assert [each["pane"] for each in desk.logged(3)] == [robot.pane, robot.pane, other.pane]


def test_a_trigger_that_is_added_rings_once_for_what_stands(env: TmuxServer) -> None:
    """DRL-2, row 7."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env, "on = ['blocked']")
    put(env, robot.pane, "idle", attention="1")
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 0
    desk.configure("on = ['blocked', 'done']")
    notifier.adopt(desk.runtime())
    assert desk.dispatch(notifier) == 1
    assert desk.dispatch(notifier) == 0
    assert desk.logged(1)[0]["state"] == "done"
    notifier.close()


def test_a_gauge_rings_at_each_crossing(env: TmuxServer) -> None:
    """Row 9: 74, 76, 90, 70, 64, 76 at 75."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env, "on = []\ncontext_high = { threshold = 75 }")
    put(env, robot.pane, "working")
    notifier = desk.notifier()
    rung = []
    for percent in (74, 76, 90, 70, 64, 76):
        env("set-option", "-p", "-t", robot.pane, "@agent_context_pct", str(percent))
        env("set-option", "-p", "-t", robot.pane, "@agent_context_at", str(system.now_ms()))
        rung.append(desk.dispatch(notifier))
    assert rung == [0, 1, 0, 0, 0, 1]
    assert [each["context_pct"] for each in desk.logged(2)] == [76, 76]
    notifier.close()


def test_a_mute_consumes_and_the_next_episode_rings(env: TmuxServer) -> None:
    """MTE-1, NMK-5, row 10: for a pass and for a hook."""
    env.start()
    robot, other = StandIn(env), StandIn(env)
    desk = Desk(env, "from_event = true")
    for pane in (robot.pane, other.pane):
        assert tma(env, "mute", "--pane", pane).returncode == 0
    put(env, robot.pane, "blocked")
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 0
    report(other, "Ask")
    for pane in (robot.pane, other.pane):
        assert "@agent_notified_at" in env.options(pane)
        assert tma(env, "mute", "--pane", pane, "--clear").returncode == 0
    assert desk.dispatch(notifier) == 0
    assert notifier.outcomes == {"muted": 1}
    put(env, robot.pane, "working")
    put(env, robot.pane, "blocked")
    assert desk.dispatch(notifier) == 1
    desk.logged(1)
    notifier.close()


def test_a_snoozed_pane_rings_again_when_it_wakes(env: TmuxServer) -> None:
    """POL-6, MUT-5: it is in no count and on no road meanwhile, and never out of the list."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env)
    at = put(env, robot.pane, "blocked")
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 1
    done = tma(env, "snooze", "--pane", robot.pane, "--for", "15m")
    assert (done.returncode, done.stdout) == (0, f"snoozed 15m {robot.pane}\n")
    assert env.options(robot.pane)["@agent_snooze"].endswith(f":{at}")
    assert tma(env, "status", "--format", "plain").stdout == ""
    assert json.loads(tma(env, "status", "--format", "json").stdout)["counts"]["blocked"] == 0
    (row,) = json.loads(tma(env, "ls", "--json").stdout)["agents"]
    assert (row["snoozed"], row["state"]) == (True, "blocked")
    assert tma(env, "jump", "--attention", "--json").returncode != 0
    assert desk.dispatch(notifier) == 0
    env("set-option", "-p", "-t", robot.pane, "@agent_snooze", f"{system.now_ms() - 1}:{at}")
    assert desk.dispatch(notifier) == 1
    assert desk.dispatch(notifier) == 0
    assert "@agent_snooze" not in env.options(robot.pane)
    assert tma(env, "snooze", "--pane", robot.pane, "--for", "1h").returncode == 0
    put(env, robot.pane, "working")
    put(env, robot.pane, "blocked")
    assert desk.dispatch(notifier) == 1
    assert tma(env, "snooze", "--pane", robot.pane, "--clear").stdout == f"woken {robot.pane}\n"
    assert tma(env, "snooze", "--pane", robot.pane).returncode == 2
    notifier.close()


def test_a_stall_rings_once_a_run(env: TmuxServer) -> None:
    """TRG-6, row 19: and says how old the run is; the deadline is known beforehand."""
    env.start()
    robot = StandIn(env, screen="BUSY")
    desk = Desk(env, "on = []\nstall = { threshold_s = 60 }")
    now = system.now_ms()
    at = put(env, robot.pane, "working", since=now - 59_000, evidence_at=str(now))
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 0
    assert notifier.next_deadline_ms(cycle.run(desk.runtime())) == at + 60_000
    for since in (now - 61_000, now - 70_000):
        put(env, robot.pane, "working", since=since, evidence_at=str(now))
        assert desk.dispatch(notifier) == 1
        assert desk.dispatch(notifier) == 0
    first, second = desk.logged(2)
    assert first["state"] == second["state"] == "stall"
    assert second["since_ms"] >= 70_000
    notifier.close()


def test_hostile_text_is_text_in_every_sink(taken_over: TmuxServer) -> None:
    """Row 11, SAN-3, FC-37: nothing runs; one status line; the payload parses; the terminal gets its frame alone."""
    server = taken_over
    server.start()
    repo = server.home / "a$(touch P)b"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/feat/ünï-☕\n")
    title = f"a#[fg=red]%H\u202ec\"'#(touch {server.home}/P)$(touch P)`touch P`"
    (server.home / "title").write_text(f"\x1b]2;{title}\x07")
    words = ["sh", "-c", 'cat "$1"; exec cat', "sh", str(server.home / "title")]
    server("new-session", "-d", "-s", 'QA "n" & co', "-c", str(repo), *words)
    pane = server.show('=QA "n" & co:', "#{pane_id}")
    until(lambda: "touch" in server.show(pane, "#{pane_title}"), what="the title")
    # A newer tmux keeps some of it out of titles itself.
    title = server.show(pane, "#{pane_title}")
    out = server.home / "out"
    desk = Desk(server, f"osc = true\nbell = true\ninclude_title = true\ncommand = 'env > {out}'")
    put(server, pane, "blocked")
    with attached(server) as (person, _):
        until(lambda: person.reads("main"), what="a drawn client")
        notifier = desk.notifier()
        assert desk.dispatch(notifier) == 1
        until(lambda: person.reads(BANNER), what="the banner")
        (line,) = desk.logged(1)
        assert (line["title"], line["repo"], line["branch"]) == (title, "a$(touch P)b", "feat/ünï-☕")
        assert line["locator"] == 'QA "n" & co:0.0'
        until(lambda: out.exists() and "TMA_TITLE" in out.read_text(), what="the command")
        told = next(each for each in out.read_text().split("\n") if each.startswith("TMA_TITLE="))
        assert not [char for char in told if char < " " or "\x7f" <= char <= "\x9f"]
        notifier.close()
        assert banners(person) == 1
        until(lambda: person.reads("tma: robot blocked — "), what="the line")
        assert b"\xe2\x80\xae" not in person.seen
    assert list(server.home.rglob("P")) == []


def test_a_title_without_end_costs_no_notice(env: TmuxServer) -> None:
    """SEC-R-1, NOT-4: it goes to no command whole, and so keeps no claimed notice from being told."""
    env.start()
    robot = StandIn(env)
    out = env.home / "out"
    desk = Desk(env, f"from_event = true\ninclude_title = true\ncommand = 'cat > {out}.tmp; mv {out}.tmp {out}'")
    robot.show(f"\x1b]2;{'x' * 100_000}\x1b\\\nREADY")
    until(lambda: len(env.show(robot.pane, "#{pane_title}")) > 90_000, what="the title")
    report(robot, "Ask")
    assert desk.logged(1)[0]["title"] == "x" * 1024
    until(out.exists, what="the command")
    assert json.loads(out.read_text())["title"] == "x" * 1024


def test_a_terminal_that_nobody_reads_delays_nobody(env: TmuxServer) -> None:
    """Row 13, NOT-4: it is told busy, and the others get theirs."""
    env.start()
    robot = StandIn(env)
    desk = Desk(env, "osc = true")
    put(env, robot.pane, "blocked")
    with attached(env) as (stuck, name), attached(env) as (person, _):
        until(lambda: person.reads("robot") and stuck.reads("robot"), what="two drawn clients")
        os.kill(stuck.pid, 19)
        path = env("list-clients", "-F", "#{client_name} #{client_tty}").splitlines()
        tty = next(line.split()[1] for line in path if line.split()[0] == name)
        fill(tty)
        notifier = desk.notifier()
        before = time.monotonic()
        assert desk.dispatch(notifier) == 1
        assert time.monotonic() - before < 5
        until(lambda: person.reads(BANNER), what="the other's banner")
        until(lambda: ("osc", name) in desk.results(), what="the record")
        assert desk.results()["osc", name]["last_failure"]["result"] == "client-busy"
        notifier.close()
        os.kill(stuck.pid, 18)


def fill(path: str) -> None:
    """Write to a terminal until it takes no more."""
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    full = 0
    while full < 3:
        try:
            os.write(descriptor, b"x")
            full = 0
        except BlockingIOError:
            full += 1
            select.select([], [descriptor], [], 0.02)
    os.close(descriptor)


def test_a_notifier_that_hangs_delays_no_hook_and_does_not_pile_up(env: TmuxServer) -> None:
    """Row 14, FC-35, CMD-3, CMD-4: hooks return, at most eight run, none is left, and doctor shows the time-out."""
    env.start()
    desk = Desk(env, "from_event = true\ncommand = 'exec sleep 91.7'\ncommand_timeout_s = 2")
    panes = [StandIn(env) for _ in range(2)]
    most = 0
    for turn in range(6):
        for robot in panes:
            began = time.monotonic()
            report(robot, "Ask" if turn % 2 == 0 else "End")
            assert time.monotonic() - began < 12
            most = max(most, sleepers())
    assert most <= 8
    desk.logged(6)
    until(lambda: not sleepers(), what="the end of the sleepers")
    until((env.home / "tma" / "notify-error").exists, what="the record")
    assert "timed out after 2s" in tma(env, "doctor").stdout
    desk.configure("from_event = true\ncommand = 'true'")
    report(panes[0], "Ask")
    until(lambda: not (env.home / "tma" / "notify-error").exists(), what="a clean run")


def sleepers() -> int:
    """How many of this test's commands run."""
    found = 0
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += each.read_bytes() == b"sleep\x0091.7\x00"
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    ("command", "reason"), [("exit 7", "exited 7"), ("/no/such", "exited 127"), ("kill -9 $$", "killed by signal 9")]
)
def test_a_commands_failure_is_kept_until_a_good_run(env: TmuxServer, command: str, reason: str) -> None:
    """Row 15, NTF-4, DBG-5: its exit decides nothing."""
    env.start()
    desk = Desk(env, f"command = '{command}'")
    failed = tma(env, "debug", "notify-test")
    assert failed.returncode == 1
    assert f"exit: {reason}" in failed.stdout
    doctor = tma(env, "doctor", "--json").stdout
    assert '"last_failure":{"at":' in doctor
    assert reason in doctor
    desk.configure("command = 'cat; echo noise >&2'")
    good = tma(env, "debug", "notify-test", "--trigger", "done")
    assert good.returncode == 0
    assert '"state":"done"' in good.stdout.splitlines()[0]
    assert "stderr: noise" in good.stdout
    assert '"last_failure":null' in tma(env, "doctor", "--json").stdout
    desk.configure("")
    assert tma(env, "debug", "notify-test").returncode == 1


def test_without_a_session_bus_nothing_is_started(env: TmuxServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 16, DSK-4."""
    env.start()
    fakes = env.home / "fakes"
    fakes.mkdir()
    (fakes / "notify-send").write_text(f"#!/bin/sh\ntouch {env.home}/started\n")
    (fakes / "notify-send").chmod(0o755)
    monkeypatch.setenv("PATH", f"{fakes}:{os.environ['PATH']}")
    desk = Desk(env, "desktop = true")
    told = tma(env, "debug", "notify-test", "--all-sinks", env={"PATH": os.environ["PATH"]})
    assert told.returncode == 1
    assert "desktop\tnotify-send\tno-session-bus" in told.stdout
    assert not (env.home / "started").exists()
    assert ("desktop", "notify-send") in desk.results()


@pytest.mark.parametrize("kind", ["fifo", "directory", "dangling"])
def test_a_log_that_is_no_file_of_ours_delays_nothing(env: TmuxServer, kind: str) -> None:
    """Row 18, SNK-3, SEC-F-5: the other sinks run."""
    env.start()
    robot = StandIn(env)
    out = env.home / "out"
    desk = Desk(env, f"command = 'touch {out}'")
    if kind == "fifo":
        os.mkfifo(desk.log)
    elif kind == "directory":
        desk.log.mkdir()
    else:
        desk.log.symlink_to("/nonexistent/x")
    put(env, robot.pane, "blocked")
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 1
    until(out.exists, what="the command")
    notifier.close()
    mode = desk.log.lstat().st_mode
    assert stat.S_ISFIFO(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def test_sixty_panes_at_once_are_sixty_lines(env: TmuxServer) -> None:
    """Row 20: in one pass, and none is lost."""
    env.start()
    desk = Desk(env, "")
    panes = [env.pane("cat") for _ in range(60)]
    for pane in panes:
        put(env, pane, "blocked")
    notifier = desk.notifier()
    snapshot = cycle.run(desk.runtime())
    assert notifier.dispatch(snapshot) == 60
    assert {each["pane"] for each in desk.logged(60)} == set(panes)
    notifier.close()


def test_a_pane_of_many_sessions_rings_once(env: TmuxServer) -> None:
    """FC-29, TRG-3: a session group and a linked window show it, and clients stand at each."""
    env.start()
    robot = StandIn(env)
    env("new-session", "-d", "-t", "main", "-s", "group")
    env("new-session", "-d", "-s", "other")
    env("link-window", "-s", robot.pane, "-t", "other:7")
    desk = Desk(env, "osc = true")
    put(env, robot.pane, "blocked")
    with attached(env) as (first, _), attached(env, "group") as (second, _), attached(env, "other") as (third, _):
        people = (first, second, third)
        until(lambda: {person.reads("0:sh") for person in people} == {True}, what="three drawn clients")
        notifier = desk.notifier()
        assert desk.dispatch(notifier) == 1
        until(lambda: {person.reads(BANNER) for person in people} == {True}, what="three banners")
        assert [banners(person) for person in people] == [1, 1, 1]
        assert len(desk.logged(1)) == 1
        notifier.close()


def test_what_outlived_its_agent_is_not_told(env: TmuxServer) -> None:
    """FC-33: a pane that another program took, and one whose agent died."""
    env.start()
    env("set-option", "-g", "remain-on-exit", "on")
    taken, dead = StandIn(env), StandIn(env)
    desk = Desk(env)
    for robot in (taken, dead):
        old = put(env, robot.pane, "blocked", since=system.now_ms() - 9_000_000)
        env("set-option", "-p", "-t", robot.pane, "@agent_stamped_at", str(old))
        env("set-option", "-p", "-t", robot.pane, "@agent_pid", str(robot.pid))
        env("set-option", "-pu", "-t", robot.pane, "@agent_session")
    env("respawn-pane", "-k", "-t", taken.pane, "cat")
    os.kill(dead.pid, 9)
    until(lambda: env.show(dead.pane, "#{pane_dead}") == "1", what="a dead pane")
    notifier = desk.notifier()
    assert desk.dispatch(notifier) == 0
    assert "@agent_state" not in env.options(taken.pane)
    notifier.close()


def test_a_watched_pane_rings_once_nobody_watches(env: TmuxServer) -> None:
    """POL-2, POL-3, row 21: by the focus of its terminal where tmux asks for it."""
    env.start()
    env("set-option", "-s", "focus-events", "on")
    robot = StandIn(env)
    env("select-window", "-t", robot.pane)
    desk = Desk(env, "policy = { suppress_watched = true }")
    with attached(env) as (person, _):
        until(lambda: person.reads("READY"), what="a drawn client")
        person.type(b"\x1b[I")
        until(lambda: "focused" in env("list-clients", "-F", "#{client_flags}"), what="the focus")
        put(env, robot.pane, "blocked")
        notifier = desk.notifier()
        assert desk.dispatch(notifier) == 0
        assert "@agent_notified_at" not in env.options(robot.pane)
        person.type(b"\x1b[O")
        until(lambda: "focused" not in env("list-clients", "-F", "#{client_flags}"), what="no focus")
        assert desk.dispatch(notifier) == 1
        assert desk.dispatch(notifier) == 0
        notifier.close()


def test_a_command_that_approves_is_an_ordinary_act(env: TmuxServer) -> None:
    """NOT-1, row 23: it is gated as any other, and nothing answers by itself."""
    env.start()
    robot = StandIn(env, screen="ALLOW?")
    act = f"{shutil.which('python3')} -m tma --manifest-dir {manifests(env)} act approve --pane $TMA_PANE --yes"
    audit = env.home / "act.jsonl"
    desk = Desk(env, f"from_event = true\ncommand = '{act}'\n[act]\nlog = '{audit}'")
    report(robot, "Ask")
    desk.logged(1)
    until(lambda: ("command", None) in desk.results(), what="the command's end")
    (line,) = [json.loads(each) for each in audit.read_text().splitlines()]
    assert (line["outcome"], line["source"], line["via_agent"]) == ("refused", "cli-yes", None)
    assert "heard" not in env.screen(robot.pane)
