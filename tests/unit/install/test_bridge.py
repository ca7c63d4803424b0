"""The plugins, run by a real JavaScript engine against a wrapper that writes down what it is told."""

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from harness import DEADLINE_S, until
from installs import Home
from tma.install.dialect import RefusedError

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no JavaScript engine here")

WRAPPER = """#!/bin/sh
payload=$(cat)
printf '%s %s %s %s\\n' "$1" "$2" "${TMA_HOOK_PID:+pid}" "$payload" >>"$HOME/log"
"""
OPENCODE = """
import { createServer } from "node:net"
import { TmaBridge } from "./tma.mjs"
const server = createServer((socket) => socket.destroy())
await new Promise((done) => server.listen(0, "127.0.0.1", done))
const { port } = server.address()
if (process.env.DEAF) await new Promise((done) => server.close(done))
const hooks = await TmaBridge({ serverUrl: (process.env.ADDRESS ?? "http://localhost:PORT/").replace("PORT", port) })
const tell = (type, properties) => hooks.event({ event: { type, properties } })
for (const [type, properties] of JSON.parse(process.argv[2])) await tell(type, properties)
setTimeout(() => {}, 3000)
"""
PI = """
import bridge from "./tma.mjs"
const handlers = {}
bridge({ on: (event, act) => { handlers[event] = act } })
const ctx = { sessionManager: { getSessionId: () => "s1" }, getContextUsage: () => ({ tokens: 5, percent: 1 }) }
for (const [event, told] of JSON.parse(process.argv[2])) handlers[event]?.(told, ctx)
setTimeout(() => {}, 3000)
"""


def whole_lines(log: Path) -> list[str]:
    """The lines whose end was written."""
    return log.read_text().split("\n")[:-1] if log.exists() else []


def reported(
    home: Home, agent: str, driver: str, events: list[object], wanted: int, **more: str
) -> list[tuple[str, object]]:
    """What reaches the wrapper: each event with its payload, in order; ``more`` is the driver's environment."""
    home.wrapper.write_text(WRAPPER)
    home.wrapper.chmod(home.wrapper.stat().st_mode | stat.S_IXUSR)
    channel = home.channels(agent)[0]
    plugin = home.write("js/tma.mjs", channel.install(b"", home.reference) or b"")
    script = home.write("js/run.mjs", driver.encode())
    env = {"HOME": str(home.directory), "PATH": os.environ["PATH"], "TMUX_PANE": "%0", **more}
    done = subprocess.Popen([NODE or "", script, json.dumps(events)], cwd=plugin.parent, env=env)
    log = home.directory / "log"
    until(lambda: len(whole_lines(log)) >= wanted, what="the reports")
    done.kill()
    done.wait(DEADLINE_S)
    lines = [line.split(" ", 3) for line in whole_lines(log)]
    assert {(name, pid) for name, _, pid, _ in lines} == {(agent, "pid")}
    return [(event, json.loads(payload)) for _, event, _, payload in lines]


@needs_node
def test_opencode_reports_a_turn_with_a_dialog_and_a_child(tmp_path: Path) -> None:
    """ADP-5, ADP-7: in order, child sessions by their root, and nothing busy under an open dialog."""
    session, child = {"sessionID": "a"}, {"sessionID": "b"}
    events = [
        ["session.created", {"info": {"id": "a"}}],
        ["session.created", {"info": {"id": "b", "parentID": "a"}}],
        ["session.status", {**session, "status": {"type": "busy"}}],
        ["session.status", {**child, "status": "busy"}],
        ["permission.asked", {**child, "id": "p1", "permission": "bash"}],
        ["session.status", {**session, "status": "retry"}],
        ["permission.replied", {**child, "requestID": "p1", "reply": "once"}],
        ["session.idle", child],
        ["session.error", {**session, "error": {"name": "MessageAbortedError"}}],
        ["session.idle", session],
    ]

    (first, about), *told = reported(Home(tmp_path), "opencode", OPENCODE, events, 7)

    assert first == "session-start"
    assert re.fullmatch(r"{'api_endpoint': 'http://localhost:\d+'}", str(about))
    assert told == [
        ("session-start", {"session_id": "a", **about}),
        ("user-prompt-submit", {"session_id": "a"}),
        ("permission-required", {"session_id": "a", "request_id": "p1", "permission": "bash"}),
        ("permission-replied", {"session_id": "a", "request_id": "p1", "reply": "once"}),
        ("interrupted", {"session_id": "a"}),
        ("stop", {"session_id": "a"}),
    ]


@needs_node
def test_opencode_that_listens_on_no_port_names_none(tmp_path: Path) -> None:
    """ADP-5, ACT-API-2: it has an address to give even then, and an answer to it could only fail."""
    events: list[object] = [["session.created", {"info": {"id": "a"}}]]

    told = reported(Home(tmp_path), "opencode", OPENCODE, events, 2, DEAF="1")

    assert told == [("session-start", {}), ("session-start", {"session_id": "a"})]


@needs_node
@pytest.mark.parametrize("address", [
        "", "no address", "http://[::1", "http://localhost:99999/", "https://localhost:PORT/",
        "http://me:secret@localhost:PORT/",
    ],
)  # fmt: skip
def test_opencode_with_an_address_of_no_use_reports_all_the_same(tmp_path: Path, address: str) -> None:
    """ADP-7: no fault of the plugin's may reach the agent or stop its reports."""
    told = reported(Home(tmp_path), "opencode", OPENCODE, [["session.idle", {"sessionID": "a"}]], 2, ADDRESS=address)

    assert told == [("session-start", {}), ("stop", {"session_id": "a"})]


def asked(session: str, request: str, kind: str = "permission") -> list[object]:
    """A request of a session's, as OpenCode tells it."""
    return [f"{kind}.asked", {"sessionID": session, "id": request}]


def answered(session: str, request: str, reply: str = "once") -> list[object]:
    """The answer to a request."""
    return ["permission.replied", {"sessionID": session, "requestID": request, "reply": reply}]


def required(request: str, kind: str = "permission") -> tuple[str, object]:
    """What tma is told of a request that is shown."""
    return f"{kind}-required", {"session_id": "s5", "request_id": request}


def gone(request: str, reply: str = "once") -> tuple[str, object]:
    """What tma is told of an answer."""
    return "permission-replied", {"session_id": "s5", "request_id": request, "reply": reply}


DEEP: tuple[str, object] = ("permission-required", {"session_id": "s5"})
STARTS: list[object] = [["session.created", {"info": {"id": "s5"}}]] + [
    ["session.created", {"info": {"id": name, "parentID": parent}}]
    for name, parent in (("s4", "s5"), ("s3", "s5"), ("s2", "s4"))
]


@needs_node
@pytest.mark.parametrize(
    ("events", "told"),
    [
        pytest.param(
            [asked("s5", "p1"), asked("s5", "p2"), answered("s5", "p1"), answered("s5", "p2")],
            [required("p1"), gone("p1"), required("p2"), gone("p2")],
            id="the older of one session's stands first",
        ),
        pytest.param(
            [asked("s4", "p1"), asked("s3", "p2"), answered("s3", "p2"), answered("s4", "p1")],
            [required("p1"), required("p2"), gone("p2"), required("p1"), gone("p1")],
            id="a newer session's stands in front",
        ),
        pytest.param(
            [asked("s5", "p1"), asked("s5", "p2"), answered("s5", "p2"), answered("s5", "p1")],
            [required("p1"), gone("p1")],
            id="one that was not shown is answered",
        ),
        pytest.param(
            [asked("s5", "q1", "question"), asked("s5", "p2"), answered("s5", "p2")],
            [required("q1", "question"), required("p2"), gone("p2"), required("q1", "question")],
            id="a permission before a question",
        ),
        pytest.param(
            [asked("s4", "p1"), asked("s5", "p2"), ["session.idle", {"sessionID": "s4"}], answered("s5", "p2")],
            [required("p1"), required("p2"), gone("p2")],
            id="a child ends with its request",
        ),
        pytest.param(
            [asked("s2", "p1"), asked("s4", "p2"), answered("s4", "p2")],
            [DEEP, required("p2"), gone("p2"), DEEP],
            id="a child's child is not shown, and so has no id to answer",
        ),
        pytest.param(
            [asked("s5", "p1"), ["session.idle", {"sessionID": "s5"}], asked("s5", "p2")],
            [required("p1"), ("stop", {"session_id": "s5"}), required("p2")],
            id="an end takes the session's requests along",
        ),
    ],
)
def test_opencode_tells_of_the_request_that_it_shows(
    tmp_path: Path, events: list[object], told: list[tuple[str, object]]
) -> None:
    """ADP-5, SEC-A-2: several wait at once, by parallel tools and sub-agents, and an answer goes to the stored id."""
    heard = reported(Home(tmp_path), "opencode", OPENCODE, [*STARTS, *events], 2 + len(told))
    assert [each for each in heard if each[0] != "session-start"] == told


@needs_node
def test_pi_reports_prompts_and_the_end(tmp_path: Path) -> None:
    """ADP-6: with the session's id, and the context gauge at the end."""
    events = [["session_start", {}], ["agent_start", {}], ["ui_prompt_start", {}], ["ui_prompt_end", {}]]

    told = reported(Home(tmp_path), "pi", PI, [*events, ["agent_settled", {"aborted": True}]], 6)

    assert told == [
        ("session_start", {"session_id": "s1"}),
        ("agent_start", {"session_id": "s1"}),
        ("ui_prompt_start", {"session_id": "s1"}),
        ("ui_prompt_end", {"session_id": "s1", "active": True}),
        ("agent_settled", {"session_id": "s1", "aborted": True}),
        ("context", {"session_id": "s1", "context_usage": {"tokens": 5, "percent": 1}}),
    ]


def pi_ended(reason: str) -> list[object]:
    """A turn of a pi that does not tell when it settles."""
    return ["agent_end", {"messages": [{"role": "assistant", "stopReason": reason}, {"role": "toolResult"}]}]


@needs_node
@pytest.mark.parametrize(("reason", "aborted"), [("stop", False), ("aborted", True)])
def test_an_older_pi_settles_with_its_turn(tmp_path: Path, reason: str, *, aborted: bool) -> None:
    """ADP-6: nothing but an error is tried again, so nothing else is waited for."""
    told = reported(Home(tmp_path), "pi", PI, [["agent_start", {}], pi_ended(reason)], 3)

    assert told[1] == ("agent_settled", {"session_id": "s1", "aborted": aborted})


@needs_node
def test_an_older_pi_that_tries_again_has_not_settled(tmp_path: Path) -> None:
    """ADP-6: an error's turn goes on with the next start."""
    turn = ["agent_start", {}], ["tool_execution_start", {}]

    told = reported(Home(tmp_path), "pi", PI, [*turn, pi_ended("error"), *turn, pi_ended("stop")], 6)

    once = ["agent_start", "tool_execution_start"]
    assert [event for event, _ in told] == [*once, *once, "agent_settled", "context"]


def test_a_wrapper_that_cannot_be_read_is_not_ours(tmp_path: Path) -> None:
    """ADP-7: a file with our first line and a broken string is left alone, and said so."""
    home = Home(tmp_path)
    text = b'// tma OpenCode bridge\nconst WRAPPER = "\\q/tma-hook"\n'
    file = home.write(".config/opencode/plugin/tma.js", text)

    with pytest.raises(RefusedError, match="not tma's"):
        home.install("opencode")

    assert file.read_bytes() == text
