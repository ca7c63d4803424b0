"""Panes whose foreground command leads elsewhere, with programs that are ssh and docker in name."""

import json
import os
import signal
from pathlib import Path
from typing import Any

from harness import TmuxServer, until
from people import tma
from standin import SCRIPT, StandIn, stand_in

RE_READ = "[fold]\nfreshness_secs = 0\n"


def configure(server: TmuxServer, text: str = RE_READ) -> None:
    """Write the user's configuration."""
    directory = server.home / "config" / "tma"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.toml").write_text(text)


def rows(server: TmuxServer) -> dict[str, dict[str, Any]]:
    """The rows by pane, of a cycle that was not skipped because another ran in the same second (CYC-2)."""

    def looked() -> str:
        done = tma(server, "ls", "--json", "--debug-timing")
        assert done.returncode == 0, done.stderr
        return "" if "stampede-skipped" in done.stderr else done.stdout

    return {row["pane"]: row for row in json.loads(until(looked))["agents"]}


def reports(server: TmuxServer, pane: str, kind: str, session: str = "far") -> None:
    """One hook event for a pane, sent by no process of it."""
    payload = json.dumps({"session_id": session})
    words = ("event", "--agent", "robot", "--kind", kind, "--payload", "-")
    done = tma(server, *words, stdin=payload, env={"TMUX_PANE": pane})
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def agent_options(server: TmuxServer, pane: str) -> dict[str, str]:
    """What an agent left on a pane."""
    return {name: value for name, value in server.options(pane).items() if name.startswith("@agent")}


class Shell:
    """A pane with an interactive shell in which programs are started and ended."""

    def __init__(self, server: TmuxServer) -> None:
        """Start the shell."""
        self.server = server
        self.pane = server.pane("env", "PS1=back$ ", "/bin/sh")
        script = server.home / "standin.sh"
        script.write_text(SCRIPT)
        (server.home / "shown").write_text("ALLOW?")

    def run(self, name: str) -> None:
        """Start a program of that name, which shows an agent's prompt."""
        program = stand_in(self.server.home, name)
        line = f"{program} {self.server.home}/standin.sh {self.server.home}/shown"
        self.server("send-keys", "-t", self.pane, line, "Enter")
        until(lambda: self.command == name and "ALLOW?" in self.server.screen(self.pane), what=name)

    def end(self) -> None:
        """End the program."""
        self.server("send-keys", "-t", self.pane, "quit", "Enter")
        until(lambda: self.command == "sh", what="the shell")

    def kill(self, name: str) -> None:
        """Kill the program without a word."""
        pids = self.server("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}").splitlines()
        shell = next(line.split()[1] for line in pids if line.startswith(f"{self.pane} "))
        children = Path(f"/proc/{shell}/task/{shell}/children").read_text(encoding="ascii")
        os.kill(int(children.split()[0]), signal.SIGKILL)
        until(lambda: self.command == "sh", what=f"the end of {name}")

    @property
    def command(self) -> str:
        """The program in the foreground."""
        return self.server.show(self.pane, "#{pane_current_command}")


def test_a_remote_shell_without_a_claim_is_left_alone(server: TmuxServer) -> None:
    """REM-4 to REM-7, REM-18: no row, no stamp, one line of doctor and no warning."""
    server.start()
    configure(server)
    far = StandIn(server, "ssh", screen="ALLOW?")

    assert rows(server) == {}
    assert agent_options(server, far.pane) == {}
    report = json.loads(tma(server, "doctor", "--json").stdout)
    assert report["remote_panes"] == [{"pane": far.pane, "locator": "main:1.0", "command": "ssh", "stamped": False}]
    text = tma(server, "doctor").stdout
    assert "1 pane behind a remote shell" in text
    assert "reach this tmux socket" in text
    assert "docs/how-to/agents-in-containers.md" in text
    assert f"\n  - {far.pane} main:1.0 (ssh)\n" in text


def test_an_agents_name_behind_a_remote_shell_is_not_an_agent_here(server: TmuxServer) -> None:
    """REM-5, ID-5: the command in the foreground outranks a local child that bears the name."""
    server.start()
    configure(server)
    far, robot = stand_in(server.home, "ssh"), stand_in(server.home, "robot")
    (server.home / "shown").write_text("ALLOW?")
    (server.home / "standin.sh").write_text(SCRIPT)
    inner = f"{robot} {server.home}/standin.sh {server.home}/shown; true"
    pane = server.pane(str(far), "-c", inner)
    until(lambda: "ALLOW?" in server.screen(pane) and server.show(pane, "#{pane_current_command}") == "ssh")

    assert rows(server) == {}


def test_the_list_can_be_changed(server: TmuxServer) -> None:
    """REM-4: a name that was added is left alone, one that was taken out is a pane like any other."""
    server.start()
    configure(server, f'{RE_READ}[remote]\nadd = ["hop"]\nremove = ["ssh"]\n')
    hop, plain = StandIn(server, "hop", screen="ALLOW?"), StandIn(server, "ssh", screen="ALLOW?")
    for pane in (hop.pane, plain.pane):
        reports(server, pane, "Start")

    report = json.loads(tma(server, "doctor", "--json").stdout)
    assert report["remote_panes"] == []
    assert server.options(hop.pane)["@agent_pid"] == "0"
    told = [json.loads(tma(server, "debug", "explain", pane, "--json").stdout) for pane in (hop.pane, plain.pane)]
    assert [each["registered_behind"] for each in told] == ["hop", None]
    text = tma(server, "doctor").stdout
    assert "[remote] hop leads to another host" in text
    assert "[remote] ssh leads nowhere else" in text
    reports(server, hop.pane, "End")
    assert [each["pane"] for each in json.loads(tma(server, "doctor", "--json").stdout)["remote_panes"]] == [hop.pane]


def test_options_behind_a_remote_shell_are_held_until_it_ends(server: TmuxServer) -> None:
    """REM-6, REM-18: unchanged after ten cycles and not counted; gone with the next cycle once a shell is back."""
    server.start()
    configure(server)
    shell = Shell(server)
    shell.run("robot")
    assert rows(server)[shell.pane]["state"] == "blocked"
    assert server.show(shell.pane, "#{@agent_summary}").startswith("blocked")
    shell.end()
    shell.run("ssh")
    before = agent_options(server, shell.pane)
    assert before["@agent_state"] == "blocked"

    for _ in range(10):
        assert tma(server, "status", "--format", "plain").stdout == ""

    assert rows(server) == {}
    assert agent_options(server, shell.pane) == before
    assert server("show-options", "-wqv", "-t", shell.pane, "@agent_summary") == ""
    found = json.loads(tma(server, "doctor", "--json").stdout)["remote_panes"]
    assert [each["stamped"] for each in found] == [True]
    assert "(ssh; its @agent_* options are held, not refreshed)" in tma(server, "doctor").stdout

    shell.end()
    assert rows(server) == {}
    assert agent_options(server, shell.pane) == {}


def test_a_report_from_the_far_side_makes_a_row(server: TmuxServer) -> None:
    """REM-8, REM-11, REM-13, REM-19: states by events alone, and everything that works by them."""
    server.start()
    configure(server)
    far = StandIn(server, "ssh", screen="READY")
    reports(server, far.pane, "Start")
    assert rows(server)[far.pane]["state"] == "idle"
    reports(server, far.pane, "Ask")

    for _ in range(3):
        row = rows(server)[far.pane]
        assert (row["state"], row["detail"], row["attention"], row["session"]) == ("blocked", "permission", True, "far")
    assert server.options(far.pane)["@agent_pid"] == "0"
    assert tma(server, "wait", "--pane", far.pane, "--until", "blocked", "--timeout", "0").returncode == 0
    text = tma(server, "debug", "explain", far.pane).stdout
    assert "behind remote shell ssh" in text
    assert "hook events are the only evidence" in text
    told = json.loads(tma(server, "debug", "explain", far.pane, "--json").stdout)
    assert (told["registered_behind"], told["registered_behind_kind"]) == ("ssh", "remote_shell")
    assert told["out_of_scope"] is None
    report = json.loads(tma(server, "doctor", "--json").stdout)
    assert report["remote_panes"] == []
    assert [each["pane"] for each in report["agents"]] == [far.pane]
    reports(server, far.pane, "End")
    assert rows(server) == {}


def test_who_reports_from_the_far_side_is_wired_there(server: TmuxServer) -> None:
    """CON-4, DJ-1: tier 2 without a daemon, and no advice about files of this side, which say nothing of that one."""
    server.start()
    far = StandIn(server, "ssh", screen="READY")
    words = ("event", "--agent", "claude", "--kind", "SessionStart", "--payload", "-")
    server.tma(*words, stdin='{"session_id": "far"}', env={"TMUX_PANE": far.pane})

    (row,) = json.loads(server.tma("doctor", "--json").stdout)["agents"]
    told = server.tma("doctor", "--exit-code")

    assert (row["pane"], row["tier"], row["hook_status"], row["hooks_wired"]) == (far.pane, 2, "wired", True)
    assert (row["trust"], row["config_path"], row["config_mismatch"]) == (None, None, False)
    assert "install-hooks" not in told.stdout.partition("panes (1)")[2]
    assert "0 panes below their tier" in told.stderr


def test_a_registration_from_before_the_hop_is_none(server: TmuxServer) -> None:
    """REM-9: it was a local process's; another session that registers from the far side takes over."""
    server.start()
    configure(server)
    shell = Shell(server)
    shell.run("robot")
    reports(server, shell.pane, "Start", "local")
    assert rows(server)[shell.pane]["session"] == "local"
    assert int(agent_options(server, shell.pane)["@agent_pid"]) > 0
    shell.kill("robot")
    shell.run("ssh")

    assert rows(server) == {}
    assert agent_options(server, shell.pane)["@agent_session"] == "local"
    reports(server, shell.pane, "Start", "far")
    assert rows(server)[shell.pane]["session"] == "far"


def test_a_container_that_exits_to_a_shell_loses_its_row_in_30_s(server: TmuxServer) -> None:
    """REM-10, ID-14: the client keeps the row; among shells alone it waits 30 s, here by moving the mark back."""
    server.start()
    configure(server)
    shell = Shell(server)
    shell.run("docker")
    reports(server, shell.pane, "Start")
    reports(server, shell.pane, "Work")
    assert rows(server)[shell.pane]["state"] == "working"
    shell.end()

    assert rows(server)[shell.pane]["state"] == "working"
    since = int(until(lambda: server.options(shell.pane).get("@tma_reg_dead_since"), what="the mark"))
    server("set-option", "-p", "-t", shell.pane, "@tma_reg_dead_since", str(since - 29_000))
    assert shell.pane in rows(server)
    server("set-option", "-p", "-t", shell.pane, "@tma_reg_dead_since", str(since - 30_000))
    assert rows(server) == {}
    assert agent_options(server, shell.pane) == {}


def test_a_multiplexer_inside_a_pane_is_listed_and_cleared(server: TmuxServer) -> None:
    """REM-16: no row, a leftover stamp goes, and a claim outranks it."""
    server.start()
    configure(server)
    shell = Shell(server)
    shell.run("robot")
    assert shell.pane in rows(server)
    shell.end()
    shell.run("screen")

    assert rows(server) == {}
    assert agent_options(server, shell.pane) == {}
    text = tma(server, "doctor").stdout
    assert "nested:   1 pane " in text
    assert "run tma inside" in text
    assert f"\n  - {shell.pane} main:1.0 (screen)\n" in text
    reports(server, shell.pane, "Start")
    assert rows(server)[shell.pane]["state"] == "idle"
    assert "behind nested multiplexer screen" in tma(server, "debug", "explain", shell.pane).stdout


POKE = """
min_engine_version = "0.6"
name = "poke"
label = "Poke"
kind = "keys"
when = { state = ["working"] }
[keys]
robot = ["h", "i", "Enter"]
[screen.robot]
absent = ["ALLOW?"]
"""


def test_keys_reach_the_far_side_if_the_stored_state_permits(server: TmuxServer) -> None:
    """REM-12: the gate judges what is stored, however old; the words on the screen are asked for all the same."""
    server.start()
    configure(server, "[fold]\nfreshness_secs = 1\n")
    actions = server.home / "config" / "tma" / "actions"
    actions.mkdir()
    (actions / "poke.toml").write_text(POKE)
    far = StandIn(server, "ssh", screen="READY")
    reports(server, far.pane, "Start")
    poke = ("act", "poke", "--pane", far.pane)

    far.file.unlink()
    assert tma(server, *poke).returncode == 4
    reports(server, far.pane, "Work")
    server("set-option", "-p", "-t", far.pane, "@agent_stamped_at", "1700000000000")
    done = tma(server, *poke)
    assert done.returncode == 0, done.stderr
    until(lambda: "heard hi" in server.screen(far.pane), what="the keys")
    far.show("ALLOW?")
    assert tma(server, *poke).returncode == 4
