"""The cycle on real panes: what it finds, what it costs, and what it survives."""

import json
import os
import signal
import subprocess
from typing import Any

import pytest

from harness import TmuxServer, until
from standin import Counter, StandIn, manifests, stand_in

RE_READ = "[fold]\nfreshness_secs = 0\n"


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with the stand-in's manifest alone."""
    return server.tma("--manifest-dir", manifests(server), *words, **options)


def rows(server: TmuxServer, **options: Any) -> dict[str, dict[str, Any]]:
    """The rows by pane, of a cycle that was not skipped because another ran in the same second (CYC-2)."""

    def looked() -> subprocess.CompletedProcess[str] | None:
        done = tma(server, "ls", "--json", "--debug-timing", **options)
        assert done.returncode == 0, done.stderr
        return None if "stampede-skipped" in done.stderr else done

    return {row["pane"]: row for row in json.loads(until(looked).stdout)["agents"]}


def configure(server: TmuxServer, text: str = RE_READ) -> None:
    """Write the user's configuration."""
    directory = server.home / "config" / "tma"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.toml").write_text(text)


def test_each_screen_is_read_as_its_state(server: TmuxServer) -> None:
    """CYC-5, FOLD-9, FOLD-4: idle, blocked with its detail, and a menu that freezes what stood."""
    server.start()
    configure(server)
    robot = StandIn(server)
    assert rows(server)[robot.pane]["state"] == "idle"
    robot.show("ALLOW?")
    row = rows(server)[robot.pane]
    assert (row["state"], row["detail"], row["attention"]) == ("blocked", "permission", True)
    robot.show("MENU")
    assert rows(server)[robot.pane]["state"] == "blocked"
    robot.show("BUSY")
    assert rows(server)[robot.pane]["state"] == "working"


def test_a_turn_that_ends_unseen_is_done_after_the_dwell(server: TmuxServer) -> None:
    """FOLD-10, FOLD-12, ATN-2: working holds for the dwell, then idle with the mark up."""
    server.start()
    configure(server, "[fold]\nfreshness_secs = 0\ndwell_secs = 600\n")
    robot = StandIn(server, screen="BUSY")
    assert rows(server)[robot.pane]["state"] == "working"
    robot.show("READY")
    assert rows(server)[robot.pane]["state"] == "working"
    configure(server, "[fold]\nfreshness_secs = 0\ndwell_secs = 1\n")
    row = until(lambda: (found := rows(server)[robot.pane])["state"] == "idle" and found, what="idle")
    assert (row["done"], row["attention"]) == (True, True)


def test_an_idle_fleet_costs_one_client_and_no_write(server: TmuxServer) -> None:
    """RC-2, CYC-4: nothing changed means nothing is looked at and nothing is written."""
    server.start()
    robots = [StandIn(server) for _ in range(3)]
    counter = Counter(server)
    quiet = "[fold]\nfreshness_secs = 1\n"
    configure(server, quiet)
    until(lambda: len(rows(server)) == len(robots))

    def settled() -> bool:
        before = [server.options(robot.pane) for robot in robots]
        counter.taken()
        done = tma(server, "status", "--format", "plain", env=counter.env)
        assert done.returncode == 0
        return counter.taken() == 1 and [server.options(robot.pane) for robot in robots] == before

    until(settled, what="a cycle without a write")


def test_two_hundred_panes_take_few_clients_and_no_ps(server: TmuxServer) -> None:
    """Fast by count: 200 panes with 40 agents, one read, one client for all screens and writes."""
    server.start("cat", width=200, height=400)
    configure(server)
    program = stand_in(server.home, "robot")
    script = server.home / "loop.sh"
    script.write_text("printf READY; while read -r x; do :; done\n")
    server("source-file", "-", stdin=f"new-window -d '{program} {script}'\n" * 40 + "new-window -d cat\n" * 160)
    counter = Counter(server)
    spy = server.home / "spy"
    spy.mkdir()
    (spy / "ps").write_text(f"#!/bin/sh\ntouch {server.home}/ps-ran\n")
    (spy / "ps").chmod(0o755)
    path = f"{spy}:{os.environ['PATH']}"
    done = tma(server, "ls", env={**counter.env, "PATH": path})
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 40
    assert counter.taken() <= 4
    assert not (server.home / "ps-ran").exists()


def test_a_respawned_pane_loses_the_agents_options(server: TmuxServer) -> None:
    """FC-33: options survive respawn-pane; the next cycle removes them with the row."""
    server.start()
    configure(server)
    robot = StandIn(server, screen="ALLOW?")
    assert rows(server)[robot.pane]["state"] == "blocked"
    server("respawn-pane", "-k", "-t", robot.pane, "cat")
    assert rows(server) == {}
    assert [name for name in server.options(robot.pane) if name.startswith("@agent")] == []
    assert tma(server, "status", "--format", "plain").stdout == ""


def test_a_respawned_pane_loses_a_claim_that_no_cycle_saw(server: TmuxServer) -> None:
    """FC-33: an event alone stamped the pane, and its process was never known."""
    server.start()
    configure(server)
    robot = StandIn(server)
    tma(server, "event", "--agent", "robot", "--kind", "Ask", "--payload", "-", stdin="{}", pane=robot.pane)
    assert server.options(robot.pane)["@agent_state"] == "blocked"
    server("respawn-pane", "-k", "-t", robot.pane, "cat")
    until(lambda: rows(server) == {}, what="no row")
    assert [name for name in server.options(robot.pane) if name.startswith("@agent")] == []


def test_a_dead_pane_loses_the_agents_options(any_server: TmuxServer) -> None:
    """FC-33, ID-4: remain-on-exit leaves a dead pane that names the last command; tmux 3.8 tells no process of it."""
    any_server.start()
    configure(any_server)
    any_server("set-option", "-g", "remain-on-exit", "on")
    robot = StandIn(any_server, screen="ALLOW?")
    assert rows(any_server)
    os.kill(robot.pid, signal.SIGKILL)
    until(lambda: any_server.show(robot.pane, "#{pane_dead}") == "1")
    assert rows(any_server) == {}
    assert [name for name in any_server.options(robot.pane) if name.startswith("@agent")] == []


def test_an_ignored_pane_has_no_row_and_loses_its_stamp(server: TmuxServer) -> None:
    """ID-3, RM-4: the user's switch is tested first and never cleared."""
    server.start()
    configure(server)
    robot = StandIn(server)
    assert rows(server)
    server("set-option", "-p", "-t", robot.pane, "@agent_ignore", "1")
    assert rows(server) == {}
    assert server.options(robot.pane) == {"@agent_ignore": "1"}


def test_a_pane_shown_by_three_sessions_is_one_row_of_all_of_them(server: TmuxServer) -> None:
    """FC-29, READ-4, RU-1: groups and links list a pane several times."""
    server.start()
    configure(server)
    robot = StandIn(server, screen="ALLOW?")
    window = server.show(robot.pane, "#{window_id}")
    server("new-session", "-d", "-t", "main", "-s", "grouped")
    server("new-session", "-d", "-s", "linked")
    server("link-window", "-d", "-s", window, "-t", "linked:9")
    assert list(rows(server)) == [robot.pane]
    first = rows(server)[robot.pane]["locator"]
    assert rows(server)[robot.pane]["locator"] == first
    assert tma(server, "status", "--format", "plain").stdout.endswith("1")
    for session in ("main", "grouped", "linked"):
        assert server("show-options", "-v", "-t", session, "@agent_session_summary") == "blocked:1"
        assert tma(server, "ls", "--session", session).stdout.startswith(robot.pane)
    assert server("show-options", "-wv", "-t", window, "@agent_summary") == "blocked:1"


@pytest.mark.parametrize("locale", [{"LC_ALL": "C"}, {"LC_ALL": "", "LANG": ""}, {"LC_ALL": "C.UTF-8"}])
def test_rows_and_titles_do_not_depend_on_the_locale(server: TmuxServer, locale: dict[str, str]) -> None:
    """FC-27: without UTF-8 a tmux client rewrites tabs and every other character."""
    server.start()
    configure(server)
    server("rename-session", "-t", "main", "two words")
    robot = StandIn(server)
    server("select-pane", "-t", robot.pane, "-T", "✳ Fix paging")
    row = rows(server, env=locale)[robot.pane]
    assert row["title"] == "✳ Fix paging"
    assert row["locator"].startswith("two words:")


def test_titles_without_end_cost_no_row(any_server: TmuxServer) -> None:
    """SEC-R-2: a megabyte each, of which one read takes eight."""
    any_server.start()
    robot = StandIn(any_server)
    title = any_server.home / "title"
    title.write_text(f"\x1b]2;é{'x' * 950_000}\x1b\\")
    loud = [any_server.pane("sh", "-c", f"cat {title}; exec sleep 600") for _ in range(9)]
    for pane in loud:
        until(lambda pane=pane: int(any_server.show(pane, "#{n:pane_title}")) > 900_000, what="the title")
    assert set(rows(any_server)) == {robot.pane}


def test_input_in_the_pane_takes_the_mark_down(server: TmuxServer) -> None:
    """ATN-4, ATN-6: a client that shows the pane and has typed since has seen it."""
    server.start()
    configure(server)
    robot = StandIn(server, screen="ALLOW?")
    assert rows(server)[robot.pane]["attention"]
    server("select-window", "-t", robot.pane)
    with server.client() as terminal:

        def answered() -> bool:
            os.write(terminal, b"x")
            return not rows(server)[robot.pane]["attention"]

        until(answered, what="the mark taken down")
    assert "@agent_attention" not in server.options(robot.pane)


def test_a_second_poll_within_the_second_only_consumes(server: TmuxServer) -> None:
    """CYC-2: stamped panes give rows, nothing is captured and nothing written."""
    server.start()
    configure(server)
    robot = StandIn(server)
    assert rows(server)

    def skipped() -> str:
        first = tma(server, "ls", "--debug-timing")
        second = tma(server, "ls", "--debug-timing")
        assert robot.pane in first.stdout
        assert robot.pane in second.stdout
        return second.stderr if "stampede-skipped" in second.stderr else ""

    assert " 0 captures" in until(skipped, what="two polls in one second")


def test_a_terminal_in_front_of_the_agent_reads_unknown(server: TmuxServer) -> None:
    """FOLD-3, ID-11: the screen belongs to another program; with the agent back it is read again."""
    server.start()
    configure(server)
    program = stand_in(server.home, "robot")
    pane = server.pane("bash", "--norc", "-i")
    server("send-keys", "-t", pane, f"{program} -c 'printf READY; while read -r x; do :; done'", "Enter")
    until(lambda: rows(server).get(pane, {}).get("state") == "idle", what="the agent in front")
    server("send-keys", "-t", pane, "C-z", "")
    until(lambda: rows(server).get(pane, {}).get("state") == "unknown", what="the shell in front")
    server("send-keys", "-t", pane, "fg", "Enter")
    until(lambda: rows(server).get(pane, {}).get("state") == "idle", what="the agent in front again")


def test_a_foreign_observer_reads_stamps_and_changes_nothing(server: TmuxServer) -> None:
    """FWD-7, FWD-8, CYC-14: a process in another pid namespace removes and captures nothing."""
    server.start()
    robot = StandIn(server, screen="ALLOW?")
    configure(server)
    assert rows(server)[robot.pane]["state"] == "blocked"
    before = server.options(robot.pane)
    probe = ["unshare", "--pid", "--fork", "--mount-proc", "true"]
    if subprocess.run(probe, check=False, capture_output=True).returncode:
        pytest.skip("no pid namespaces here")
    argv = ["unshare", "--pid", "--fork", "--mount-proc", "python3", "-m", "tma", "--manifest-dir", manifests(server)]
    for _ in range(3):
        done = subprocess.run(
            [*argv, "ls"], check=False, capture_output=True, text=True, env=server.environment, timeout=30
        )
        assert done.stdout.startswith(robot.pane), done.stderr
        assert "stamps alone" in done.stderr
    assert server.options(robot.pane) == before


def test_no_server_and_a_dead_socket_are_one_line_and_exit_1(server: TmuxServer) -> None:
    """CLI-9, FWD-4: what, where, and what to do; nothing on stdout, no server started."""
    done = tma(server, "ls", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no tmux server running" in done.stderr
    server.socket.touch()
    done = tma(server, "ls")
    assert done.returncode == 1
    assert str(server.socket) in done.stderr
    assert "StreamLocalBindUnlink" in done.stderr


def test_a_vanished_pane_is_one_pane_less(server: TmuxServer) -> None:
    """CYC-6: a pane killed between the read and the capture costs its row alone."""
    server.start()
    configure(server)
    robots = [StandIn(server) for _ in range(2)]
    killer = server.home / "killing-tmux"
    killer.write_text(
        f'#!/bin/sh\ncase "$*" in *capture-pane*) "{server.binary}" -S "{server.socket}"'
        f" kill-pane -t {robots[0].pane} ;; esac\n"
        f'exec "{server.binary}" "$@"\n'
    )
    killer.chmod(0o755)
    assert list(rows(server, env={"TMA_TMUX_BIN": str(killer)})) == [robots[1].pane]
