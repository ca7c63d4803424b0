"""Notices of the daemon: at once, once whoever sees it too, across its death, and never in its way."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from daemons import Daemon, daemon
from harness import TmuxServer, until
from notices import Desk
from people import attached, report, tma
from standin import StandIn


@contextmanager
def started(server: TmuxServer, toml: str = "", **options: int) -> Iterator[tuple[Desk, Daemon, StandIn]]:
    """A robot, its settings, and a daemon that has had its first look."""
    server.start()
    robot = StandIn(server)
    desk = Desk(server, toml)
    with daemon(server, **options) as running:
        running.watches("main")
        until(lambda: server.options(robot.pane).get("@agent_state"), what="the first look")
        yield desk, running, robot


def test_a_prompt_is_told_at_once_and_once(server: TmuxServer) -> None:
    """Rows 1 to 3: by the daemon, which took the event; repeats and looks tell nothing more."""
    with started(server) as (desk, running, robot):
        report(robot, "Ask")
        (told,) = desk.logged(1)
        (row,) = json.loads(tma(server, "ls", "--json", "--pane", robot.pane).stdout)["agents"]
        assert told["state"] == "blocked"
        assert (told["repo"], told["branch"]) == (row["repo"] or "", row["branch"] or "")
        assert told["episode_ms"] == row["episode_ms"]
        frames = running.count("frames")
        report(robot, "Ask")
        until(lambda: running.count("frames") > frames, what="the second event")
        report(robot, "Stop")
        report(robot, "Ask")
        assert len(desk.logged(2)) == 2
        assert running.count("notify_fires") == 2


def test_a_killed_daemons_marker_stands(server: TmuxServer) -> None:
    """Row 4, TRG-3: its successor does not ring for that episode, and does for one that nobody told of."""
    with started(server) as (desk, running, robot):
        report(robot, "Ask")
        desk.logged(1)
        other = StandIn(server)
        running.end(signal.SIGKILL)
        running.status.unlink()
        report(other, "Ask")
        with daemon(server) as second:
            assert [each["pane"] for each in desk.logged(2)] == [robot.pane, other.pane]
            report(robot, "Stop")
            report(robot, "Ask")
            assert [each["pane"] for each in desk.logged(3)] == [robot.pane, other.pane, robot.pane]
            until(lambda: second.count("notify_fires") == 2, what="two notices of the second")


def test_a_daemon_that_does_not_answer_in_time_and_the_hook_ring_once(server: TmuxServer) -> None:
    """Row 5, DEV-3, NMK-1: both see it, since the daemon sleeps past the hook's patience."""
    with started(server, "from_event = true") as (desk, running, robot):
        running.process.send_signal(signal.SIGSTOP)
        report(robot, "Ask")
        running.process.send_signal(signal.SIGCONT)
        (first,) = desk.logged(1)
        frames = running.count("frames")
        report(robot, "Stop")
        until(lambda: running.count("frames") > frames, what="an event after it woke")
        report(robot, "Ask")
        lines = desk.logged(2)
        assert [each["state"] for each in lines] == ["blocked", "blocked"]
        assert lines[0] == first


def test_a_trigger_that_a_reload_adds_rings_once(server: TmuxServer) -> None:
    """DRL-2, row 7."""
    with started(server, "on = ['blocked']") as (desk, running, robot):
        report(robot, "Work")
        report(robot, "Stop")
        desk.configure("on = ['blocked', 'done']")
        running.process.send_signal(signal.SIGHUP)
        assert [each["state"] for each in desk.logged(1)] == ["done"]
        running.process.send_signal(signal.SIGHUP)
        report(robot, "Ask")
        assert [each["state"] for each in desk.logged(2)] == ["done", "blocked"]


def test_a_done_mark_that_is_typed_past_is_told_first(server: TmuxServer) -> None:
    """Row 8, DSW-4: a sweep tells, and only then takes the mark down."""
    with started(server, "on = ['done']", sweep_ms=1000) as (desk, _, robot):
        with attached(server) as (person, _):
            server("select-window", "-t", robot.pane)
            report(robot, "Work")
            report(robot, "Stop")
            person.type(b"x")
            assert [each["state"] for each in desk.logged(1)] == ["done"]

            def lowered() -> bool:
                person.type(b"x")
                person.reads("")
                return "@agent_attention" not in server.options(robot.pane)

            until(lowered, what="the mark's end")
        assert len(desk.lines()) == 1


def test_commands_that_hang_do_not_delay_the_daemon(server: TmuxServer) -> None:
    """Row 14, NOT-4: events are taken while eight commands hang, and a stop ends those."""
    with started(server, "on = ['blocked', 'done']\ncommand = 'exec sleep 93.1'") as (desk, running, robot):
        for turn in range(6):
            report(robot, "Work")
            report(robot, "Ask")
            desk.logged(2 * turn + 1)
            report(robot, "Stop")
            desk.logged(2 * turn + 2)
        assert sleepers() <= 8
        frames = running.count("frames")
        report(robot, "Ask")
        until(lambda: running.count("frames") > frames, what="an event meanwhile")
        assert running.end() == 0
        until(lambda: not sleepers(), what="the end of what the daemon ran")
    assert not (server.home / "tma" / "notify-error").exists()


def sleepers() -> int:
    """How many of this test's commands run."""
    found = 0
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += each.read_bytes() == b"sleep\x0093.1\x00"
        except OSError:
            continue
    return found


def test_a_stall_is_told_at_its_time_without_any_news(server: TmuxServer) -> None:
    """TRG-6: by a timer that is there only while a run could stall."""
    with started(server, "on = []\nstall = { threshold_s = 1 }") as (desk, _, robot):
        report(robot, "Work")
        (line,) = desk.logged(1)
        assert (line["state"], line["since_ms"] >= 1000) == ("stall", True)


def test_the_progress_mark_follows_the_agents(server: TmuxServer) -> None:
    """PRG-1 to PRG-4: cleared at the start, on at work, held at a prompt, and off when the daemon goes."""
    server.start()
    robot = StandIn(server)
    Desk(server, "osc_progress = true")
    with attached(server) as (person, _), daemon(server) as running:
        running.watches("main")
        until(lambda: person.reads("\x1b]9;4;0\x07"), what="a cleared mark")
        report(robot, "Work")
        until(lambda: person.reads("\x1b]9;4;3\x07"), what="the mark")
        report(robot, "Ask")
        until(lambda: person.reads("\x1b]9;4;4;100\x07"), what="the held mark")
        assert person.seen.count(b"\x1b]9;4;3\x07") == 1
        running.end()
        until(lambda: person.reads("") or person.seen.rstrip().endswith(b"\x1b]9;4;0\x07"), what="a cleared mark")
