"""``tma event`` against real servers: what it stamps, which pane it takes, and what it leaves alone."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from daemons import is_gone
from harness import DEADLINE_S, ROOT, TmuxServer, until
from tma.core import stamp

PROBE = """
min_engine_version = "0.6.0"
[identity]
process_names = ["probe"]
[hooks]
[[hooks.map]]
event = "start"
claim = { lifecycle = "start" }
[[hooks.map]]
event = "end"
claim = { lifecycle = "end" }
[[hooks.map]]
event = "working"
claim = { state = "working" }
[[hooks.map]]
event = "plan"
where = { tool_name = "Plan" }
claim = { state = "blocked", detail = "plan" }
[[hooks.map]]
event = "plan"
claim = { state = "blocked", detail = "permission" }
[[hooks.map]]
event = "blocked"
claim = { state = "blocked", detail = "permission" }
[[hooks.map]]
event = "reminder"
claim = { state = "blocked" }
keep_detail = true
[[hooks.map]]
event = "stop"
claim = { state = "idle" }
turn_end = true
[[hooks.map]]
event = "interrupted"
claim = { state = "idle", detail = "interrupted" }
[[hooks.map]]
event = "permission-replied"
claim = { ignore = true }
[capture]
[telemetry.context]
channel = "event"
format = "claude-statusline-json"
"""

HOSTILE = ("#(touch x)", "a,b}c;", "S1;", "it's '\\''", '$HOME `id` ~ \\ " %1 #{pane_id} é✳', "{ }")


class Hooks:
    """A server and the hooks that report to it."""

    def __init__(self, server: TmuxServer) -> None:
        self.server = server
        self.directory = server.home / "agents"
        self.directory.mkdir()
        (self.directory / "probe.toml").write_text(PROBE)
        self.pane = server.start()

    def words(self, kind: str, agent: str = "probe") -> list[str]:
        """The command line of one event, without the program."""
        return ["event", "--manifest-dir", str(self.directory), "--agent", agent, "--kind", kind, "--payload", "-"]

    def send(
        self, kind: str, payload: object = None, *, pane: str | None = None, agent: str = "probe", **env: str
    ) -> dict[str, str]:
        """Report an event for a pane and give the pane's options; it must stay silent."""
        pane = self.pane if pane is None else pane
        text = payload if isinstance(payload, str) else json.dumps(payload or {})
        known = {"TMA_TRUST_PANE": "1"} | env
        done = self.server.tma(*self.words(kind, agent), stdin=text, pane=pane, env=known)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        return self.server.options(pane) if pane else {}

    def command(self, kind: str) -> str:
        """One event as a shell command without a variable that names a pane."""
        words = " ".join(f"'{word}'" for word in [sys.executable, "-m", "tma", *self.words(kind)])
        return f"unset TMUX_PANE; {words} </dev/null"

    def agent(self) -> Path:
        """A shell that the kernel calls ``probe``: an agent that runs hooks."""
        path = self.server.home / "probe"
        if not path.exists():
            shutil.copy(os.path.realpath("/bin/sh"), path)
        return path


@pytest.fixture
def hooks(server: TmuxServer) -> Hooks:
    """Hooks on the system's tmux."""
    return Hooks(server)


@pytest.fixture
def any_hooks(any_server: TmuxServer) -> Hooks:
    """Hooks on each tmux in turn."""
    return Hooks(any_server)


def test_a_session_is_stamped_from_start_to_end(any_hooks: Hooks) -> None:
    """CH-REGISTER, CH-EVENT, CH-DEREG: every step on a real server."""
    left = any_hooks.send("start", {"session_id": "S1", "model": "m;", "transcript_path": "/t"})
    assert (left[stamp.STATE], left[stamp.SESSION], left[stamp.MODEL]) == ("idle", "S1", "m;")
    assert (left[stamp.NAME], left[stamp.PID], left[stamp.SOURCE]) == ("probe", "0", "hook")
    assert left[stamp.STAMPED_AT] == left[stamp.EVIDENCE_AT] == left[stamp.SINCE]
    left = any_hooks.send("working", {"session_id": "S1"})
    assert left[stamp.STATE] == "working"
    assert stamp.ATTENTION not in left
    left = any_hooks.send("blocked", {"session_id": "S1", "tool_name": "Bash", "tool_input": {"command": "ls"}})
    assert (left[stamp.STATE], left[stamp.DETAIL], left[stamp.ATTENTION]) == ("blocked", "permission", "1")
    assert (left[stamp.PENDING_TOOL], left[stamp.PENDING_SUMMARY]) == ("Bash", "ls")
    left = any_hooks.send("stop", {"session_id": "S1"})
    assert (left[stamp.STATE], left[stamp.TURN_AT]) == ("idle", left[stamp.EVIDENCE_AT])
    assert not {key for key in stamp.PENDING if left.get(key)}
    assert any_hooks.send("end", {"session_id": "S1"}) == {}


@pytest.mark.parametrize("value", HOSTILE)
def test_hostile_values_are_stored_and_run_nothing(any_hooks: Hooks, value: str) -> None:
    """Race 8 of the store, WR-4, WR-5, FC-31: verbatim, on every tmux."""
    payload = {"session_id": value, "model": value, "transcript_path": value, "api_endpoint": "http://127.0.0.1:1/;"}
    left = any_hooks.send("start", payload)
    assert [left[key] for key in (stamp.SESSION, stamp.MODEL, stamp.TRANSCRIPT)] == [value] * 3
    assert left[stamp.API_ENDPOINT] == "http://127.0.0.1:1/;"
    call = {"tool_name": value, "tool_use_id": value, "request_id": value, "tool_input": {"command": value}}
    left = any_hooks.send("blocked", {"session_id": value} | call)
    keys = (stamp.PENDING_TOOL, stamp.PENDING_CALL, stamp.PENDING_SUMMARY, stamp.PERMISSION_REQUEST)
    assert [left[key] for key in keys] == [value] * 4
    assert stamp.STAGE not in left
    again = any_hooks.send("blocked", {"session_id": value} | call)
    assert again[stamp.SINCE] == left[stamp.SINCE]
    other = any_hooks.send("blocked", {"session_id": value} | call | {"request_id": f"{value}2"})
    assert other[stamp.SINCE] == other[stamp.EVIDENCE_AT]
    assert any_hooks.send("end", {"session_id": "another"})[stamp.STATE] == "blocked"
    assert any_hooks.send("end", {"session_id": value}) == {}
    assert not list(any_hooks.server.home.rglob("x"))


def test_huge_values_are_cut_where_every_character_must_be_quoted(any_hooks: Hooks) -> None:
    """SEC-T-3, WR-1, FZ-2: each at its limit at once, which makes the longest script there is."""
    long = "'" * 5000
    call = {"session_id": long, "transcript_path": long, "tool_name": long, "tool_use_id": long, "request_id": long}
    left = any_hooks.send("blocked", call | {"tool_input": {"x": long}})
    keys = (stamp.SESSION, stamp.TRANSCRIPT, stamp.PENDING_TOOL, stamp.PENDING_CALL, stamp.PERMISSION_REQUEST)
    assert {left[key] for key in keys} == {"'" * 1024}
    assert left[stamp.PENDING_SUMMARY] == "'" * 117 + "…"


def test_control_characters_and_lone_surrogates_are_not_stored(hooks: Hooks) -> None:
    """WR-6, FZ-2: a payload may spell them out."""
    left = hooks.send("blocked", {"tool_name": "a\x1b[1m\tb\nc\ud800"})
    assert left[stamp.PENDING_TOOL] == "a[1m b c\ufffd"


def test_subagents_that_start_at_once_all_survive(any_hooks: Hooks) -> None:
    """CH-SUB: each write reads what the last one left."""
    any_hooks.send("start", {"session_id": "S1"})
    names = [f"a{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: any_hooks.send("SubagentStart", {"agent_id": name}), names))
    options = any_hooks.server.options(any_hooks.pane)
    assert sorted(options[stamp.SUBAGENTS].split()) == names
    assert any_hooks.send("stop", {"session_id": "S2"}) == options
    for name in names:
        options = any_hooks.send("SubagentStop", {"agent_id": name})
    assert stamp.SUBAGENTS not in options


def test_a_stray_subagent_stop_writes_nothing(any_hooks: Hooks) -> None:
    """FC-03: bookkeeping does not grow."""
    before = any_hooks.send("SubagentStart", {"agent_id": "a1"})
    for _ in range(3):
        assert any_hooks.send("SubagentStop", {"agent_id": "never-started"}) == before


def test_a_reminder_keeps_the_detail_in_the_server(any_hooks: Hooks) -> None:
    """HOOK-9, CH-EVENT: ``keep_detail`` on a real server."""
    any_hooks.send("plan", {"tool_name": "Plan"})
    assert any_hooks.send("reminder")[stamp.DETAIL] == "plan"
    any_hooks.send("working")
    assert not any_hooks.send("reminder").get(stamp.DETAIL)


def test_an_interruption_raises_the_mark_after_work_alone(any_hooks: Hooks) -> None:
    """HOOK-10: decided by the server before the state is written."""
    any_hooks.send("working")
    left = any_hooks.send("interrupted")
    assert (left[stamp.DETAIL], left[stamp.ATTENTION]) == ("interrupted", "1")
    any_hooks.server("set-option", "-pu", "-t", any_hooks.pane, stamp.ATTENTION)
    assert not any_hooks.send("interrupted").get(stamp.ATTENTION)


def test_a_heartbeat_writes_nothing(hooks: Hooks) -> None:
    """HOOK-9: two working events within two seconds."""
    began = time.monotonic()
    before = hooks.send("working")
    after = hooks.send("working")
    assert after == before or time.monotonic() - began >= 2


def test_a_server_notes_when_each_event_was_last_seen(any_hooks: Hooks) -> None:
    """WTR-1: also of one that changed nothing, once a minute, and in the same client; no pane carries it."""
    note = stamp.event_seen("probe", "working")
    server = any_hooks.server

    def noted() -> str:
        return server("show-options", "-sqv", note)

    left = any_hooks.send("working")
    first = noted()
    assert (first, note in left) == (left[stamp.EVIDENCE_AT], False)
    any_hooks.send("working")
    assert noted() == first
    server("set-option", "-s", note, str(int(first) - 60_001))
    any_hooks.send("working")
    assert int(noted()) >= int(first)
    server("set-option", "-s", note, str(int(first) + 10_000_000))
    any_hooks.send("working")
    assert int(noted()) < int(first) + 10_000_000
    any_hooks.send("unmapped")
    assert server("show-options", "-sqv", stamp.event_seen("probe", "unmapped")) == ""


def test_every_session_that_shows_the_window_counts_it(any_hooks: Hooks) -> None:
    """RU-3, FC-29: a session group and a linked window; each pane counts once."""
    server = any_hooks.server
    server("new-session", "-d", "-t", "main", "-s", "grouped")
    server("new-session", "-d", "-s", "other")
    server("link-window", "-s", any_hooks.pane, "-t", "other:7")
    second = server("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", any_hooks.pane)
    any_hooks.send("working")
    any_hooks.send("blocked", pane=second)
    wanted = "blocked:1 working:1"
    assert server.show(any_hooks.pane, "#{@agent_summary}") == wanted
    for session in ("main", "grouped", "other"):
        assert server("show-options", "-qv", "-t", session, "@agent_session_summary") == wanted
    any_hooks.send("end")
    any_hooks.send("end", pane=second)
    assert server.show(any_hooks.pane, "#{@agent_summary}") == ""


def test_work_that_goes_on_counts_its_window_anew_once_a_minute(hooks: Hooks) -> None:
    """RU-3: a pane vanishes without an event, and an event of another pane may have come since."""
    server, mine = hooks.server, hooks.pane
    gone = server("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", mine)
    for pane in (mine, gone):
        hooks.send("working", pane=pane)
    server("kill-pane", "-t", gone)
    minute_ago = str(int(time.time() * 1000) - 60_000)
    for key in (stamp.EVIDENCE_AT, stamp.STAMPED_AT, stamp.SINCE):
        server("set-option", "-p", "-t", mine, key, minute_ago)

    hooks.send("working")

    assert server.show(mine, "#{@agent_summary}|#{@agent_session_summary}") == "working:1|working:1"


def test_an_event_costs_one_client(hooks: Hooks) -> None:
    """Section 4 of the architecture, WR-1: proven, without a claim, and at the end; none for an unmapped one."""
    log = hooks.server.home / "clients"
    counting = hooks.server.home / "tmux-counting"
    counting.write_text(f'#!/bin/sh\necho x >>"{log}"\nexec "{hooks.server.binary}" "$@"\n')
    counting.chmod(0o755)
    for kind, pane in (("start", hooks.pane), ("working", hooks.pane), ("working", ""), ("end", hooks.pane)):
        log.write_text("")
        hooks.send(kind, {"session_id": "S1"}, pane=pane, TMA_TMUX_BIN=str(counting))
        assert log.read_text() == "x\n"
    inside = f"export TMA_TMUX_BIN={counting}; {_plain(hooks, 'working')}; exec sleep 600"
    log.write_text("")
    pane = hooks.server.pane("/bin/sh", "-c", inside)
    until(lambda: hooks.server.options(pane).get(stamp.STATE) == "working", what="the stamp of the pane's own child")
    assert log.read_text() == "x\n"
    log.write_text("")
    hooks.send("unmapped", TMA_TMUX_BIN=str(counting))
    assert log.read_text() == ""
    pane = hooks.server.pane("/bin/sh", "-c", inside.replace("working", "unmapped"))
    until(lambda: hooks.server.show(pane, "#{pane_current_command}") == "sleep", what="the hook's end")
    assert log.read_text() == ""


def _noted(server: TmuxServer) -> tuple[dict[str, str], Path]:
    """An environment whose tmux notes the process of each client, and the file of its notes."""
    log, program = server.home / "noted", server.home / "tmux-noting"
    log.write_text("")
    program.write_text(f'#!/bin/sh\necho $$ >>"{log}"\nexec "{server.binary}" "$@"\n')
    program.chmod(0o755)
    return {"TMA_TMUX_BIN": str(program)}, log


@pytest.mark.parametrize("kind", ["Stop", "PreToolUse", "Unmapped"])
def test_an_event_without_a_configuration_costs_one_client(server: TmuxServer, kind: str) -> None:
    """Section 4 of the architecture, WR-1: the question is asked before the defaults are loaded."""
    env, log = _noted(server)
    words = f"{sys.executable} -m tma event --agent claude --kind {kind} --payload -"
    inside = f"export TMA_TMUX_BIN={env['TMA_TMUX_BIN']}; echo '{{}}' | {words}; exec sleep 600"
    server.start()
    pane = server.pane("/bin/sh", "-c", inside)
    until(lambda: server.show(pane, "#{pane_current_command}") == "sleep", what="the hook's end")
    says = kind != "Unmapped"
    # A question that is dropped may end before its client noted itself.
    assert says <= len(log.read_text().split()) <= 1
    assert (stamp.STATE in server.options(pane)) is says


@pytest.mark.parametrize("agent", ["claude", "nobody"])
def test_an_event_that_says_nothing_leaves_no_client_at_a_server_that_hangs(server: TmuxServer, agent: str) -> None:
    """DEV-5, HOOK-1: the question that was asked early is dropped with the event."""
    env, log = _noted(server)
    pane = server.start()
    os.kill(server.pid, signal.SIGSTOP)
    try:
        done = server.tma("event", "--agent", agent, "--kind", "Unmapped", "--payload", "-", pane=pane, env=env)
        until(lambda: all(map(is_gone, map(int, log.read_text().split()))), what="the client's end")
    finally:
        os.kill(server.pid, signal.SIGCONT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert server.options(pane) == {}


@pytest.mark.parametrize("variable", ["TMA_CONFIG", "XDG_CONFIG_HOME"])
def test_a_configured_tmux_is_asked_and_no_other(server: TmuxServer, variable: str) -> None:
    """GLO-2: with a configuration nothing is asked before it is read."""
    env, log = _noted(server)
    pane = server.start()
    place = server.home / "chosen" / "tma" / "config.toml"
    place.parent.mkdir(parents=True)
    place.write_text(f'[tmux]\nbin = "{env["TMA_TMUX_BIN"]}"\n')
    other = server.home / "bin" / "tmux"
    other.parent.mkdir(exist_ok=True)
    other.write_text(f'#!/bin/sh\necho other >>"{log}"\n')
    other.chmod(0o755)
    chosen = {"TMA_CONFIG": place, "XDG_CONFIG_HOME": place.parent.parent}[variable]
    surroundings = {variable: str(chosen), "PATH": f"{other.parent}:{os.environ['PATH']}", "TMA_TMUX_BIN": ""}
    server.tma("ls", env=surroundings)
    log.write_text("")
    words = ["event", "--agent", "claude", "--kind", "Stop", "--payload", "-"]
    until(lambda: [server.tma(*words, pane=pane, env=surroundings), log.read_text()][1], what="a client")
    assert "other" not in log.read_text()


@pytest.mark.parametrize(
    "words",
    [
        ["event"],
        ["event", "--agent", "probe"],
        ["event", "--agent", "nobody", "--kind", "stop"],
        ["event", "--agent", "probe", "--kind", "stop", "--bogus"],
        ["event", "--agent", "probe", "--kind", "stop", "--payload", "/nonexistent"],
        ["event", "--config", "/dev/null/x", "--agent", "probe", "--kind", "stop"],
        ["event", "--help", "--agent", "probe", "--kind", "unmapped"],
    ],
)
def test_a_call_that_cannot_be_served_is_silent(hooks: Hooks, words: list[str]) -> None:
    """HEV-1, SEC-E-3: usage errors included."""
    done = hooks.server.tma(*words, pane=hooks.pane)
    assert (done.returncode, done.stderr) == (0, "")
    if "--help" not in words:
        assert done.stdout == ""
    assert hooks.server.options(hooks.pane) == {}


def test_a_broken_configuration_means_the_defaults(hooks: Hooks) -> None:
    """CFG-5, HOOK-1: a typo must not silence every hook."""
    config = hooks.server.home / "broken.toml"
    config.write_text("[fold\n")
    assert hooks.send("working", TMA_CONFIG=str(config))[stamp.STATE] == "working"


def test_an_ignored_pane_is_left_alone(hooks: Hooks) -> None:
    """HOOK-5, RM-4: also for sub-agents and readings."""
    hooks.server("set-option", "-p", "-t", hooks.pane, stamp.IGNORE, "1")
    for kind in ("start", "working", "SubagentStart", "context"):
        assert hooks.send(kind, {"session_id": "S", "agent_id": "a", "context_window": None}) == {stamp.IGNORE: "1"}


def test_a_payload_may_come_from_a_file(hooks: Hooks) -> None:
    """HEV-1: ``--payload PATH``; a pipe without a writer holds nobody."""
    file = hooks.server.home / "payload.json"
    file.write_text('{"session_id": "S1"}')
    words = hooks.words("start")[:-1]
    hooks.server.tma(*words, str(file), pane=hooks.pane, env={"TMA_TRUST_PANE": "1"})
    assert hooks.server.options(hooks.pane)[stamp.SESSION] == "S1"
    pipe = hooks.server.home / "pipe"
    os.mkfifo(pipe)
    done = hooks.server.tma(*words, str(pipe), pane=hooks.pane, env={"TMA_TRUST_PANE": "1"})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_payload_over_the_limit_counts_as_text(hooks: Hooks) -> None:
    """MAN-MAP-3, DEV-1: a plan too long to read is no permission; an event without conditions still counts."""
    long = json.dumps({"session_id": "S1", "tool_name": "Plan", "plan": "x" * (17 << 20)})
    assert hooks.send("plan", long) == {}
    left = hooks.send("working", long)
    assert left[stamp.STATE] == "working"
    assert stamp.SESSION not in left


def test_a_payload_of_the_longest_argument_is_taken(hooks: Hooks) -> None:
    """FC-07: about 131,000 bytes, and none of the prompt's text in any option."""
    left = hooks.send("stop", {"session_id": "t1", "input-messages": ["é" * 5000, "y" * 100_700], "last": None})
    assert left[stamp.STATE] == "idle"
    assert "yyy" not in "".join(left.values())


@pytest.mark.parametrize("closed", ["<&-", "</dev/null >&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_lose_no_event(hooks: Hooks, closed: str) -> None:
    """HOOK-1: no pipe to tmux takes the place of one and is read for the payload."""
    words = _plain(hooks, "working", stdin=True).replace(" -m tma ", f" {ROOT / 'bin' / 'tma'} ")
    pane = hooks.server.pane("/bin/sh", "-c", f"{words} {closed}; exec sleep 600")
    until(lambda: hooks.server.options(pane).get(stamp.STATE) == "working", what="the stamp")


def test_a_stale_variable_of_a_former_server_stamps_nothing(hooks: Hooks) -> None:
    """DEV-4: ``TMUX`` names a pid that is not the live server's; an explicit socket is not asked."""
    server = hooks.server
    env = server.environment | {"TMUX_PANE": hooks.pane, "TMA_TRUST_PANE": "1"}
    del env["TMA_SOCKET_PATH"]
    argv = [sys.executable, "-m", "tma", *hooks.words("working")]
    for pid, stamped in ((server.pid + 1, False), (server.pid, True)):
        known = env | {"TMUX": f"{server.socket},{pid},0"}
        subprocess.run(argv, check=True, env=known, input=b"{}", timeout=DEADLINE_S)
        assert bool(server.options(hooks.pane)) is stamped


def test_a_dead_socket_starts_no_server(hooks: Hooks) -> None:
    """WRP-8, FWD-5: silent, and nothing new."""
    gone = hooks.server.home / "gone"
    hooks.send("working", TMA_SOCKET_PATH=str(gone))
    assert not gone.exists()
    hooks.server.stop()
    done = hooks.server.tma(*hooks.words("working"), stdin="{}", pane=hooks.pane)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with pytest.raises(AssertionError):
        hooks.server("list-panes")


def test_a_background_session_is_dropped_first(hooks: Hooks) -> None:
    """OWN-6: its parents may lead to somebody's pane."""
    assert hooks.send("working", CLAUDE_JOB_DIR="/jobs/1") == {}


def test_an_event_without_a_pane_is_never_the_focused_panes(hooks: Hooks) -> None:
    """OWN-1: no variable, no ancestor, no session: dropped."""
    hooks.send("working", pane="")
    assert hooks.server.options(hooks.pane) == {}


def test_an_event_without_a_variable_finds_the_pane_above_it(hooks: Hooks) -> None:
    """OWN-4 (1): the pane's own process is an ancestor."""
    pane = hooks.server.pane("/bin/sh", "-c", f"{hooks.command('working')}; exec sleep 600")
    until(lambda: hooks.server.options(pane).get(stamp.STATE) == "working", what="the stamp")
    assert hooks.server.options(hooks.pane) == {}


def test_an_event_without_a_variable_finds_the_pane_of_its_session(hooks: Hooks) -> None:
    """OWN-4 (2): name and session; two panes end the search."""
    hooks.send("start", {"session_id": "S 1;"})
    hooks.send("blocked", {"session_id": "S 1;"}, pane="")
    assert hooks.server.options(hooks.pane)[stamp.STATE] == "blocked"
    twin = hooks.server.pane("sleep", "600")
    hooks.send("start", {"session_id": "S 1;"}, pane=twin)
    before = hooks.server.options(hooks.pane), hooks.server.options(twin)
    hooks.send("stop", {"session_id": "S 1;"}, pane="")
    assert (hooks.server.options(hooks.pane), hooks.server.options(twin)) == before


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's name of a copied shell is asked of /proc")
class TestSharedAgent:
    """An agent process outside the claimed pane."""

    def test_its_events_leave_the_claimed_pane_alone(self, hooks: Hooks) -> None:
        """OWN-2 (a), OWN-7: 0 options written."""
        subprocess.run(
            [hooks.agent(), "-c", f"export TMUX_PANE={hooks.pane}; {_plain(hooks, 'working')}; :"],
            check=True, env=hooks.server.environment, timeout=DEADLINE_S,
        )  # fmt: skip
        assert hooks.server.options(hooks.pane) == {}

    def test_a_vouched_pane_is_taken(self, hooks: Hooks) -> None:
        """OWN-2: ``TMA_TRUST_PANE=1``."""
        subprocess.run(
            [hooks.agent(), "-c", f"export TMUX_PANE={hooks.pane}; {_plain(hooks, 'working')}; :"],
            check=True, env=hooks.server.environment | {"TMA_TRUST_PANE": "1"}, timeout=DEADLINE_S,
        )  # fmt: skip
        assert hooks.server.options(hooks.pane)[stamp.STATE] == "working"

    def test_an_agent_of_another_pane_stamps_its_own(self, hooks: Hooks) -> None:
        """OWN-2 (a), OWN-4 (1): the second pane's agent carries the first pane's variable."""
        body = f"export TMUX_PANE={hooks.pane}; {_plain(hooks, 'working')}; exec sleep 600"
        pane = hooks.server.pane("/bin/sh", "-c", f"'{hooks.agent()}' -c \"{body}\"; exec sleep 600")
        until(lambda: hooks.server.options(pane).get(stamp.STATE) == "working", what="the stamp")
        assert hooks.server.options(hooks.pane) == {}

    def test_a_claim_that_the_first_question_disproves_is_searched_for(self, hooks: Hooks) -> None:
        """OWN-2, OWN-4: the claimed pane is asked for at once, every other one only after that."""
        work = hooks.server.pane("/bin/sh", "-c", f"'{hooks.agent()}' -c 'sleep 600; :'; :")
        hooks.send("start", {"session_id": "S1"}, pane=work)
        assert hooks.server.options(work)[stamp.SESSION] == "S1"
        self._from_daemon(hooks, "working", json.dumps({"session_id": "S1"}))
        assert hooks.server.options(work)[stamp.STATE] == "working"
        assert hooks.server.options(hooks.pane) == {}

    def test_a_start_finds_the_one_agent_that_works_in_its_directory(self, hooks: Hooks) -> None:
        """OWN-5: registered there, and found by its session from then on; two agents are ambiguous."""
        work = hooks.server.home / "work"
        work.mkdir()
        pane = hooks.server.pane("-c", str(work), "/bin/sh", "-c", f"'{hooks.agent()}' -c 'sleep 600; :'; :")
        until(lambda: _has_child(hooks.server, pane, "probe"), what="the agent")
        payload = json.dumps({"session_id": "S1", "cwd": str(work)})
        self._from_daemon(hooks, "start", payload)
        assert hooks.server.options(pane)[stamp.SESSION] == "S1"
        self._from_daemon(hooks, "blocked", payload)
        assert hooks.server.options(pane)[stamp.STATE] == "blocked"
        assert hooks.server.options(hooks.pane) == {}
        twin = hooks.server.pane("-c", str(work), "/bin/sh", "-c", f"'{hooks.agent()}' -c 'sleep 600; :'; :")
        until(lambda: _has_child(hooks.server, twin, "probe"), what="the second agent")
        self._from_daemon(hooks, "start", json.dumps({"session_id": "S2", "cwd": str(work)}))
        assert hooks.server.options(twin) == {}
        assert hooks.server.options(pane)[stamp.SESSION] == "S1"

    def _from_daemon(self, hooks: Hooks, kind: str, payload: str) -> None:
        subprocess.run(
            [hooks.agent(), "-c", f"export TMUX_PANE={hooks.pane}; {_plain(hooks, kind, stdin=True)}; :"],
            check=True, env=hooks.server.environment, input=payload, text=True, timeout=DEADLINE_S,
        )  # fmt: skip

    def test_a_plugin_outside_the_pane_disproves_it(self, hooks: Hooks) -> None:
        """OWN-2 (b): ``TMA_HOOK_PID`` alive and elsewhere; a gone one says nothing."""
        other = hooks.server.pane("sleep", "600")
        pid = hooks.server.show(other, "#{pane_pid}")
        assert hooks.send("working", TMA_TRUST_PANE="", TMA_HOOK_PID=pid) == {}
        inside = hooks.server.show(hooks.pane, "#{pane_pid}")
        assert hooks.send("working", TMA_TRUST_PANE="", TMA_HOOK_PID=inside)[stamp.STATE] == "working"
        assert hooks.send("blocked", TMA_TRUST_PANE="", TMA_HOOK_PID="999999999")[stamp.STATE] == "blocked"


class TestContext:
    """Gauge readings by ``--kind context``."""

    def payload(self, share: object, **more: object) -> dict[str, object]:
        """A reading as Claude's status line gives it."""
        window = {"used_percentage": share, "total_input_tokens": 1234}
        return {"version": "2.1.332", "model": {"id": "opus;"}, "context_window": window} | more

    def test_a_reading_is_stamped(self, any_hooks: Hooks) -> None:
        """CTX-1, CH-CONTEXT: percentage, tokens, model."""
        left = any_hooks.send("context", self.payload(41.5))
        assert (left[stamp.CONTEXT_PCT], left[stamp.TOKENS], left[stamp.MODEL]) == ("42", "1234", "opus;")
        assert left[stamp.CONTEXT_AT] == left[stamp.TOKENS_AT]
        left = any_hooks.send("context", {"context_window": None})
        assert not left.get(stamp.CONTEXT_PCT)

    def test_a_reading_of_another_session_is_dropped(self, any_hooks: Hooks) -> None:
        """CTX-2: hostile text included."""
        before = any_hooks.send("start", {"session_id": "a,b}c;"})
        assert any_hooks.send("context", self.payload(50, session_id="other")) == before
        assert any_hooks.send("context", self.payload(50, session_id="a,b}c;"))[stamp.CONTEXT_PCT] == "50"

    def test_the_pane_may_be_named(self, hooks: Hooks) -> None:
        """CTX-1, HEV-1: ``--pane`` counts for this kind alone."""
        other = hooks.server.pane("sleep", "600")
        for kind, payload in (("context", self.payload(50)), ("working", {})):
            words = [*hooks.words(kind), "--pane", other]
            hooks.server.tma(*words, stdin=json.dumps(payload), pane=hooks.pane, env={"TMA_TRUST_PANE": "1"})
        assert hooks.server.options(other)[stamp.CONTEXT_PCT] == "50"
        assert stamp.STATE not in hooks.server.options(other)
        assert hooks.server.options(hooks.pane)[stamp.STATE] == "working"

    @pytest.mark.parametrize("payload", ["", "[]", "{", '{"context_window": {"used_percentage": 101}}'])
    def test_a_payload_without_a_reading_changes_nothing(self, hooks: Hooks, payload: str) -> None:
        """CTX-1, CTX-3: stored values stay."""
        before = hooks.send("context", self.payload(50))
        assert hooks.send("context", payload) == before


def _plain(hooks: Hooks, kind: str, *, stdin: bool = False) -> str:
    """One event as a shell command that keeps the environment."""
    words = " ".join([sys.executable, "-m", "tma", *hooks.words(kind)])
    return words if stdin else f"{words} </dev/null"


def _has_child(server: TmuxServer, pane: str, name: str) -> bool:
    """Whether a pane's own process has a child of that name."""
    pid = server.show(pane, "#{pane_pid}")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return any(Path(f"/proc/{child}/comm").read_text().strip() == name for child in children)
