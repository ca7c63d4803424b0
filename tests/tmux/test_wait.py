"""``tma wait`` against agents that come, go and change, and a server that stalls."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from harness import DEADLINE_S, TmuxServer, until
from people import attached, blocked, done, report, running, tma
from standin import MANIFEST, StandIn, manifests, stand_in

ROUNDS = 100
SUPERVISOR = """
since=0
while row=$(tma wait --pane "$pane" --until blocked,done --since "$since" --json); do
    since=$(printf '%s' "$row" | sed 's/.*"episode_ms":\\([0-9]*\\).*/\\1/')
    echo "$since"
done
"""


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """How a command ended: code, output, errors."""
    out, err = process.communicate(timeout=DEADLINE_S)
    return process.returncode, out, err


@contextmanager
def session_of(argv: list[str], env: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A script and everything that it starts, killed in the end; a script that hangs is killed before."""
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=env, start_new_session=True) as process:
        watchdog = threading.Timer(ROUNDS * 3.0, os.killpg, (process.pid, signal.SIGKILL))
        watchdog.start()
        try:
            yield process
        finally:
            watchdog.cancel()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def test_a_state_that_holds_already_ends_the_wait_at_once(any_server: TmuxServer) -> None:
    """WAI-2, WAI-3, WAI-10: level-triggered; the line of `ls`, or one document."""
    any_server.start()
    robot = blocked(any_server)

    line = tma(any_server, "wait", "--until", "blocked", "--pane", robot.pane, "--timeout", "0")
    document = tma(any_server, "wait", "--until", "idle, blocked,", "--agent", "robot", "--json", "--timeout", "0")

    assert (line.returncode, line.stderr) == (0, "")
    assert line.stdout == tma(any_server, "ls").stdout
    value = json.loads(document.stdout)
    assert [*value][:3] == ["schema", "pane", "agent"]
    row = json.loads(tma(any_server, "ls", "--json").stdout)["agents"][0]
    # The pane printed in the second of its stamp, so that each look may look again.
    assert value == {"schema": 1} | row | {"stamped_at_ms": value["stamped_at_ms"]}


def test_an_episode_is_waited_for_once(server: TmuxServer) -> None:
    """WAI-2: `--since` is strict, so the episode that was answered does not count again."""
    server.start()
    robot = blocked(server)
    words = ["wait", "--until", "blocked", "--pane", robot.pane, "--json"]
    episode = json.loads(tma(server, *words).stdout)["episode_ms"]

    assert tma(server, *words, "--since", str(episode - 1), "--timeout", "0").returncode == 0
    again = tma(server, *words, "--since", str(episode), "--timeout", "0.2")

    assert (again.returncode, again.stdout, again.stderr) == (124, "", "")


def test_a_supervisor_misses_no_episode_and_doubles_none(server: TmuxServer) -> None:
    """CLK-5, WAI-2: a hundred rounds of the recipe against an agent that keeps asking."""
    server.start()
    robot = StandIn(server)
    report(robot, "Start")
    program = stand_in(server.home, "unused").with_name("tma")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tma --manifest-dir {manifests(server)} "$@"\n')
    program.chmod(0o755)
    env = server.environment | {"pane": robot.pane, "PATH": f"{program.parent}:{server.environment['PATH']}"}
    happened = []
    with session_of(["sh", "-c", SUPERVISOR], env) as supervisor:
        assert supervisor.stdout is not None
        for _ in range(ROUNDS):
            report(robot, "Work")
            report(robot, "Ask")
            happened.append(server.options(robot.pane)["@agent_since"])
            assert supervisor.stdout.readline() == f"{happened[-1]}\n"
        report(robot, "Work")
        os.killpg(supervisor.pid, signal.SIGKILL)
        rest = supervisor.stdout.read()

    assert rest == ""
    assert len(set(happened)) == ROUNDS


def test_any_takes_the_first_and_does_not_mind_who_leaves(server: TmuxServer) -> None:
    """WAI-6: never pinned."""
    server.start()
    leaving = StandIn(server)
    with running(server, "wait", "--until", "blocked", "--any") as process:
        staying = StandIn(server)
        server("kill-pane", "-t", leaving.pane)
        report(staying, "Ask")

        code, out, err = ended(process)
    assert (code, out.split("\t")[0], err) == (0, staying.pane, "")


def test_count_reads_its_members_anew_each_time(server: TmuxServer) -> None:
    """WAI-7: panes that come count, panes that went do not."""
    server.start()
    leaving = blocked(server)
    with running(server, "wait", "--until", "blocked", "--count", "2", "--json") as process:
        server("kill-pane", "-t", leaving.pane)
        stays = [blocked(server), blocked(server)]

        code, out, err = ended(process)
    assert (code, err) == (0, "")
    assert {row["pane"] for row in json.loads(out)["agents"]} == {robot.pane for robot in stays}


def test_all_keeps_to_those_that_were_there_at_first(server: TmuxServer) -> None:
    """WAI-7: a pane that comes later is no member, and all must satisfy in the same cycle."""
    server.start()
    robots = [StandIn(server), StandIn(server)]
    for robot in robots:
        report(robot, "Work")
    with running(server, "wait", "--until", "blocked", "--all", "--state", "working") as process:
        until(lambda: "@tma_last_poll" in server("show-options", "-s"), what="the first cycle")
        late = StandIn(server)
        report(late, "Work")
        report(robots[0], "Ask")
        assert process.poll() is None
        report(robots[1], "Ask")

        code, out, err = ended(process)
    assert (code, err) == (0, "")
    assert [line.split("\t")[0] for line in out.splitlines()] == [robot.pane for robot in robots]


def test_a_member_that_vanishes_ends_the_wait_for_all(server: TmuxServer) -> None:
    """WAI-8: exit 3 names the pane, though another member still waits."""
    server.start()
    robots = [StandIn(server), blocked(server)]
    with running(server, "wait", "--until", "blocked", "--all") as process:
        until(lambda: "@agent_state" in server.options(robots[0].pane), what="the first cycle")
        server("kill-pane", "-t", robots[0].pane)

        code, out, err = ended(process)
    assert (code, out, err) == (3, "", f"tma: pane {robots[0].pane} vanished\n")


@pytest.mark.parametrize("how", ["respawned", "dead"])
@pytest.mark.parametrize("target", ["--pane", "--agent"])
def test_an_agent_that_ends_in_a_pane_that_stays_ends_the_wait(server: TmuxServer, how: str, target: str) -> None:
    """WAI-8, FC-33: exit 4 names the pane."""
    server.start()
    robot = StandIn(server)
    server("set-option", "-g", "remain-on-exit", "on")
    words = ["--pane", robot.pane] if target == "--pane" else ["--agent", "robot"]
    with running(server, "wait", "--until", "blocked", *words) as process:
        until(lambda: "@agent_state" in server.options(robot.pane), what="the first cycle")
        if how == "dead":
            server("send-keys", "-t", robot.pane, "quit", "Enter")
        else:
            server("respawn-pane", "-k", "-t", robot.pane, "cat")

        code, out, err = ended(process)
    assert (code, out, err) == (4, "", f"tma: the agent in pane {robot.pane} is gone\n")


def test_a_pane_without_an_agent_is_waited_for_with_one_hint(server: TmuxServer) -> None:
    """WAI-9: and the agent that starts there counts."""
    shell = server.start()
    script = server.home / "standin.sh"
    with running(server, "wait", "--until", "idle", "--pane", shell) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == f"tma: no agent in pane {shell} yet; waiting for one\n"
        StandIn(server)
        server("respawn-pane", "-k", "-t", shell, str(stand_in(server.home, "robot")), str(script), "/dev/null")
        tma(server, "event", "--agent", "robot", "--kind", "Start", pane=shell, env={"TMA_TRUST_PANE": "1"})

        code, out, err = ended(process)
    assert (code, out.split("\t")[0], err) == (0, shell, "")


def test_a_pane_that_never_was_is_waited_for_in_silence(server: TmuxServer) -> None:
    """WAI-9, WAI-11."""
    server.start()

    waited = tma(server, "wait", "--until", "idle", "--pane", "%99", "--timeout", "1.2")

    assert (waited.returncode, waited.stdout, waited.stderr) == (124, "", "")


def test_a_done_row_in_front_of_a_person_is_met_before_its_mark_goes(server: TmuxServer) -> None:
    """WAI-4, ATN-6: the wait does not destroy what it waits for."""
    server.start()
    with attached(server) as (person, _):
        robot = done(server)
        server("select-window", "-t", robot.pane)
        since = int(server.options(robot.pane)["@agent_turn_at"])
        typed = lambda: person.type(b"x") or int(server("list-clients", "-F", "#{client_activity}")) * 1000 > since  # noqa: E731
        until(typed, what="input after the turn's end")

        waited = tma(server, "wait", "--until", "done", "--pane", robot.pane, "--timeout", "0")

        assert (waited.returncode, waited.stdout.split("\t")[7]) == (0, "1")
        assert "@agent_attention" not in server.options(robot.pane)


def test_a_server_that_stalls_for_a_while_is_waited_out(server: TmuxServer) -> None:
    """CLI-11: said once, and the wait goes on."""
    server.start()
    robot = StandIn(server)
    report(robot, "Work")
    with running(server, "wait", "--until", "blocked", "--pane", robot.pane) as process:
        until(lambda: "@tma_last_poll" in server("show-options", "-s"), what="the first cycle")
        assert process.stderr is not None
        os.kill(server.pid, signal.SIGSTOP)
        try:
            said = process.stderr.readline()
        finally:
            os.kill(server.pid, signal.SIGCONT)
        report(robot, "Ask")

        code, out, err = ended(process)
    assert said == "tma: tmux timed out after 3s; still waiting\n"
    assert (code, out.split("\t")[0], err) == (0, robot.pane, "")


def test_a_server_that_goes_ends_the_wait(server: TmuxServer) -> None:
    """CLI-9: one line, exit 1."""
    server.start()
    robot = StandIn(server)
    with running(server, "wait", "--until", "blocked", "--pane", robot.pane) as process:
        until(lambda: "@agent_state" in server.options(robot.pane), what="the first cycle")
        server("kill-server")

        code, out, err = ended(process)
    assert (code, out) == (1, "")
    assert err.startswith("tma: no tmux server running")


def test_manifests_are_read_again_and_a_broken_one_keeps_the_last_good_pair(server: TmuxServer) -> None:
    """WAI-12, CFG-9 to CFG-11: said once while it stays the same, and once more after it was mended."""
    server.start()
    robot = StandIn(server, screen="NOVEL")
    file = Path(manifests(server)) / "robot.toml"
    with running(server, "wait", "--until", "blocked", "--pane", robot.pane) as process:
        assert process.stderr is not None
        until(lambda: "@agent_state" in server.options(robot.pane), what="the first cycle")
        for _ in range(2):
            file.write_text("x")
            said = process.stderr.readline()
            assert said.startswith(f"tma: reload failed: manifests: {file}: ")
            assert said.endswith("; keeping the last good pair\n")
            polled = server("show-options", "-sqv", "@tma_last_poll")
            file.write_text(MANIFEST)
            report(robot, "Work")
            until(lambda old=polled: server("show-options", "-sqv", "@tma_last_poll") != old, what="another cycle")
        file.write_text(MANIFEST.replace('"ALLOW?"', '"NOVEL"'))
        robot.server("send-keys", "-t", robot.pane, "show", "Enter")

        code, out, err = ended(process)
    assert (code, out.split("\t")[0], err) == (0, robot.pane, "")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 2),
        (["--until", "idle"], 2),
        (["--until", "", "--any"], 2),
        (["--until", "idle,blockd", "--any"], 2),
        (["--until", "idle", "--any", "--all"], 2),
        (["--until", "idle", "--pane", "%0", "--any"], 2),
        (["--until", "idle", "--pane", "%0", "--agent", "robot"], 2),
        (["--until", "idle", "--count", "0"], 2),
        (["--until", "idle", "--any", "--timeout", "-1"], 2),
        (["--until", "idle", "--any", "--timeout", "inf"], 2),
        (["--until", "idle", "--any", "--since", "now"], 2),
        (["--until", "idle", "--all", "--agent", "nobody"], 2),
        (["--until", "idle", "--agent", "robot"], 1),
        (["--until", "working", "--any", "--timeout", "0"], 124),
    ],
)
def test_a_refusal_has_its_code_and_prints_no_row(server: TmuxServer, words: list[str], code: int) -> None:
    """WAI-1, WAI-5, WAI-7, WAI-11, JSN-8."""
    server.start()
    robots = [StandIn(server), StandIn(server)]

    refused = tma(server, "wait", *words, "--json")

    assert (refused.returncode, refused.stdout) == (code, "")
    if code == 1:
        assert all(robot.pane in refused.stderr for robot in robots)


def test_an_interrupt_ends_it_by_its_code(server: TmuxServer) -> None:
    """Exit codes: 130 for SIGINT, 143 for SIGTERM, in silence."""
    server.start()
    robot = StandIn(server)
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        server("set-option", "-pu", "-t", robot.pane, "@agent_state")
        with running(server, "wait", "--until", "blocked", "--any") as process:
            until(lambda: "@agent_state" in server.options(robot.pane), what="the first cycle")
            process.send_signal(number)

            assert ended(process) == (code, "", "")
