"""``tma subscribe`` as a program reads it: documents, edges, and how the stream ends."""

import json
import os
import select
import signal
import subprocess
import sys
from typing import Any

import pytest

from harness import DEADLINE_S, TmuxServer, until
from people import attached, report, running, tma
from standin import MANIFEST, Counter, StandIn, manifests

KEYS = ["schema", "at_ms", "pane", "agent", "from", "to", "detail", "locator", "repo", "branch"]


def line(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next document, read past every buffer; a stream that stays silent fails the test."""
    assert process.stdout is not None
    text = b""
    while not text.endswith(b"\n"):
        assert select.select([process.stdout], [], [], DEADLINE_S)[0], f"no line came behind {text!r}"
        text += os.read(process.stdout.fileno(), 1)
    value: dict[str, Any] = json.loads(text)
    return value


def polled(server: TmuxServer) -> str:
    """When the last cycle wrote something."""
    return server("show-options", "-sqv", "@tma_last_poll")


def test_a_snapshot_is_the_document_of_ls_at_every_interval(any_server: TmuxServer) -> None:
    """SUB-2, STRM-1: changed or not, from the first cycle on, selected."""
    any_server.start()
    robot = StandIn(any_server)
    with running(any_server, "subscribe", "--json", "--agent", "robot") as process:
        first, second = line(process), line(process)

        assert [*first] == ["schema", "agents"]
        assert [row["pane"] for row in first["agents"]] == [robot.pane]
        assert first == second == json.loads(tma(any_server, "ls", "--json").stdout)


def test_only_changes_are_sent_where_only_they_are_wanted(server: TmuxServer) -> None:
    """SUB-3, STRM-2: what differs from the last line sent."""
    server.start()
    robot = StandIn(server)
    report(robot, "Stop")
    with running(server, "subscribe", "--json", "--changes-only") as process:
        assert line(process)["agents"][0]["state"] == "idle"
        late = StandIn(server)
        report(late, "Ask")

        found = line(process)
        while len(found["agents"]) == 1:
            found = line(process)
        assert [row["pane"] for row in found["agents"]] == [late.pane, robot.pane]


def test_each_change_of_class_is_one_edge(server: TmuxServer) -> None:
    """EDG-1 to EDG-5, SUB-4: coming, working, asking, done, the mark taken down, leaving; the first look is silent."""
    server.start()
    present = StandIn(server)
    report(present, "Stop")
    with running(server, "subscribe", "--json", "--events") as process:
        until(lambda: polled(server), what="the first cycle")
        robot = StandIn(server)
        steps = [("Start", "", "idle"), ("Work", "idle", "working"), ("Ask", "working", "blocked"),
                 ("Work", "blocked", "working"), ("Stop", "working", "done")]  # fmt: skip
        for kind, before, after in steps:
            report(robot, kind)
            edge = line(process)
            assert [*edge] == KEYS
            assert (edge["pane"], edge["agent"], edge["from"], edge["to"]) == (robot.pane, "robot", before, after)
            assert edge["detail"] == ("permission" if after == "blocked" else None)
        tma(server, "clear-attention", robot.pane)
        edge = line(process)
        assert (edge["pane"], edge["from"], edge["to"]) == (robot.pane, "done", "idle")
        server("kill-pane", "-t", robot.pane)
        edge = line(process)
        assert (edge["from"], edge["to"], edge["locator"]) == ("idle", "", "main:2.0")


DAY = (
    ({"ann": "Start", "bob": "Start", "cid": "Work"}, {"ann": "-idle", "bob": "-idle", "cid": "-working"}),
    ({"ann": "Work", "bob": "Work"}, {"ann": "idle-working", "bob": "idle-working"}),
    ({"ann": "Ask", "cid": "Stop"}, {"ann": "working-blocked", "cid": "working-done"}),
    (
        {"ann": "Work", "bob": "Ask", "cid": "look"},
        {"ann": "blocked-working", "bob": "working-blocked", "cid": "done-idle"},
    ),
    ({"ann": "Work", "bob": "Ask", "cid": "Work"}, {"cid": "idle-working"}),
    (
        {"ann": "Stop", "bob": "Stop", "cid": "Ask"},
        {"ann": "working-done", "bob": "blocked-done", "cid": "working-blocked"},
    ),
    (
        {"ann": "Work", "bob": "look", "cid": "Work"},
        {"ann": "done-working", "bob": "done-idle", "cid": "blocked-working"},
    ),
    ({"ann": "Stop", "bob": "close", "cid": "Stop"}, {"ann": "working-done", "bob": "idle-", "cid": "working-done"}),
    ({"ann": "close", "cid": "close"}, {"ann": "done-", "cid": "done-"}),
)
"""A day of three agents: what happens between two looks, and the edges that it makes."""


def test_a_day_of_three_agents_is_told_edge_by_edge(server: TmuxServer) -> None:
    """EDG-1 to EDG-5, SUB-4: what repeats a class makes no edge, and no edge is told twice."""
    server.start()
    report(StandIn(server), "Stop")
    robots: dict[str, StandIn] = {}
    with running(server, "subscribe", "--json", "--events") as process:
        until(lambda: polled(server), what="the first cycle")
        time_of = [0]
        for happens, expected in DAY:
            for name, what in happens.items():
                if name not in robots:
                    robots[name] = StandIn(server)
                _happens(robots[name], what)
            told: dict[str, str] = {}
            while told != {robots[name].pane: change for name, change in expected.items()}:
                edge = line(process)
                time_of.append(edge["at_ms"])
                # A look may fall between an agent's first screen and its first event.
                start, _, _ = told.get(edge["pane"], f"{edge['from']}-").partition("-")
                told[edge["pane"]] = f"{start}-{edge['to']}"
        assert time_of == sorted(time_of)


def _happens(robot: StandIn, what: str) -> None:
    if what == "look":
        tma(robot.server, "clear-attention", robot.pane)
    elif what == "close":
        robot.server("kill-pane", "-t", robot.pane)
    else:
        report(robot, what)


def test_leaving_the_selection_is_a_departure(server: TmuxServer) -> None:
    """EDG-3: selectors apply before the comparison."""
    server.start()
    robot = StandIn(server)
    report(robot, "Ask")
    with running(server, "subscribe", "--json", "--events", "--state", "blocked") as process:
        until(lambda: polled(server), what="the first cycle")
        report(robot, "Work")

        edge = line(process)
    assert (edge["from"], edge["to"]) == ("blocked", "")


def test_done_is_always_seen_before_its_mark_is_taken_down(server: TmuxServer) -> None:
    """SUB-6, ATN-6: though somebody looks at the pane and types."""
    server.start()
    robot = StandIn(server)
    report(robot, "Work")
    with attached(server) as (person, _), running(server, "subscribe", "--json", "--events") as process:
        server("select-window", "-t", robot.pane)
        until(lambda: polled(server), what="the first cycle")
        report(robot, "Stop")
        first = line(process)
        since = int(server.options(robot.pane)["@agent_turn_at"])

        def typed() -> bool:
            person.type(b" ")
            return int(server("list-clients", "-F", "#{client_activity}")) * 1000 > since

        until(typed, what="input after the turn's end")
        second = line(process)
    assert [(edge["from"], edge["to"]) for edge in (first, second)] == [("working", "done"), ("done", "idle")]


@pytest.mark.parametrize("words", [[], ["--events"], ["--changes-only"], ["--interval", "3600"]])
def test_a_reader_that_leaves_ends_it_in_silence(server: TmuxServer, words: list[str]) -> None:
    """CLI-8, SUB-7: exit 0 at once, also while there is nothing to say."""
    server.start()
    StandIn(server)
    argv = [sys.executable, "-m", "tma", "--manifest-dir", manifests(server), "subscribe", "--json", *words]
    reader, writer = os.pipe()
    with subprocess.Popen(argv, env=server.environment, stdout=writer, stderr=subprocess.PIPE) as process:
        os.close(writer)
        until(lambda: polled(server), what="the first cycle")
        os.close(reader)

        _, err = process.communicate(timeout=DEADLINE_S)
    assert (process.returncode, err) == (0, b"")


def test_a_closed_output_ends_it_too(server: TmuxServer) -> None:
    """CLI-8: nobody ever read."""
    server.start()
    argv = f"exec {sys.executable} -m tma subscribe --json >&-"

    ended = subprocess.run(
        ["/bin/sh", "-c", argv], check=False, capture_output=True, env=server.environment, timeout=DEADLINE_S
    )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_a_server_that_goes_ends_it(server: TmuxServer) -> None:
    """SUB-7: exit 1, one line."""
    server.start()
    with running(server, "subscribe", "--json") as process:
        line(process)
        server("kill-server")

        _, err = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 1
    assert err.startswith("tma: no tmux server running")


def test_a_stalled_server_costs_an_emission_and_no_more(server: TmuxServer) -> None:
    """STRM-3, CLI-11: nothing but documents on standard output, and no false departure."""
    server.start()
    robot = StandIn(server)
    report(robot, "Work")
    counter = Counter(server)
    with running(server, "subscribe", "--json", "--events", env=counter.env) as process:
        until(lambda: polled(server), what="the first cycle")
        os.kill(server.pid, signal.SIGSTOP)
        try:
            counter.taken()
            until(counter.log.exists, what="a call that nobody answers")
            counter.taken()
            until(counter.log.exists, what="the next call, for the first was given up")
        finally:
            os.kill(server.pid, signal.SIGCONT)
        report(robot, "Ask")

        edge = line(process)
    assert (edge["from"], edge["to"]) == ("working", "blocked")


def test_a_broken_configuration_is_said_once_while_the_stream_goes_on(server: TmuxServer) -> None:
    """CFG-10, CFG-11: and nothing of the new pair is used."""
    server.start()
    robot = StandIn(server)
    config = server.home / "config" / "tma" / "config.toml"
    with running(server, "subscribe", "--json") as process:
        line(process)
        config.parent.mkdir(parents=True)
        config.write_text("[fold]\nfreshness = 1\n")
        manifest = server.home / "manifests" / "robot.toml"
        manifest.write_text(MANIFEST.replace("robot", "android"))
        assert process.stderr is not None
        assert select.select([process.stderr], [], [], DEADLINE_S)[0]
        said = process.stderr.readline()
        assert said.startswith(f"tma: reload failed: config {config}: ")
        assert said.endswith("; keeping the last good pair\n")

        assert [row["agent"] for row in [line(process) for _ in range(3)][-1]["agents"]] == ["robot"]
        assert not select.select([process.stderr], [], [], 0)[0]
    assert robot.pane


@pytest.mark.parametrize(
    "words", [[], ["--interval", "2"], ["--json", "--interval", "0"], ["--json", "--interval", "1.5"], ["--json", "x"]]
)
def test_a_wrong_line_is_a_usage_error(server: TmuxServer, words: list[str]) -> None:
    """SUB-1, CLI-3: exit 2, nothing on standard output."""
    server.start()

    refused = tma(server, "subscribe", *words)

    assert (refused.returncode, refused.stdout) == (2, "")
