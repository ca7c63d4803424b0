"""Completions in the shells themselves: typed on a terminal, with the values of a real server."""

import shutil
import sys

import pytest

from harness import TmuxServer, until
from standin import StandIn, manifests

START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
LOAD = {
    "bash": "PS1='READY> '; source <(tma completions bash)",
    "zsh": "PS1='READY> '; autoload -Uz compinit; compinit -D -u; source <(tma completions zsh)",
    "fish": "function fish_prompt; echo 'READY> '; end; tma completions fish | source",
}
SHELLS = [name for name in START if shutil.which(name)]
HOSTILE = "it's #(touch x) $(touch y)"


class Shell:
    """An interactive shell in a pane, with `tma` on its path."""

    def __init__(self, server: TmuxServer, name: str) -> None:
        self.server = server
        directory = server.home / "programs"
        directory.mkdir()
        program = directory / "tma"
        options = f"--manifest-dir {manifests(server)}"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m tma {options} "$@"\n')
        program.chmod(0o755)
        words = [f"-e{key}={value}" for key, value in server.environment.items()]
        # tmux gives a pane the PATH of the client that opens it, whatever -e says.
        start = ["env", f"PATH={directory}:{server.environment['PATH']}", *START[name]]
        self.pane = server("new-window", "-d", "-P", "-F", "#{pane_id}", "-c", str(server.home), *words, *start)
        self.type(f"{LOAD[name]}; clear")
        server("send-keys", "-t", self.pane, "Enter")
        until(lambda: self.screen().strip() == "READY>", what="the prompt")

    def type(self, text: str) -> None:
        """Type a text."""
        self.server("send-keys", "-t", self.pane, "-l", text)

    def screen(self) -> str:
        """What the pane shows, its lines joined."""
        return self.server("capture-pane", "-p", "-J", "-t", self.pane)

    def completed(self, text: str, expected: str) -> None:
        """Type a text and a tab, wait for what it becomes, and give the line up."""
        self.type(f"{text}\t")
        until(lambda: expected in self.screen(), what=f"{expected!r} for {text!r}")
        self.server("send-keys", "-t", self.pane, "C-c", "")
        until(lambda: self.screen().rstrip().endswith("READY>"), what="a new line")


@pytest.fixture
def robot(server: TmuxServer) -> StandIn:
    """An agent with a stamp, in a session whose name is a shell program."""
    server.start()
    made = StandIn(server)
    server("rename-session", "-t", "=main", HOSTILE.replace("#", "##"))
    server.tma("--manifest-dir", manifests(server), "ls")
    return made


@pytest.mark.parametrize("name", SHELLS)
def test_commands_options_and_live_values_complete(server: TmuxServer, robot: StandIn, name: str) -> None:
    """CMP-1: in each shell, behind global options too."""
    shell = Shell(server, name)

    shell.completed("tma mu", "tma mute ")
    shell.completed("tma --debug-timing jump --att", "jump --attention ")
    shell.completed("tma act app", "act approve ")
    shell.completed("tma act approve --pa", "approve --pane")
    shell.completed("tma jump --agent ro", "--agent robot ")
    shell.completed("tma status --format pr", "--format prom ")
    shell.completed("tma wait --until idle,bl", "--until idle,blocked")
    shell.completed("tma debug exp", "debug explain ")
    shell.completed("tma debug explain %", f"debug explain {robot.pane} ")


@pytest.mark.parametrize("name", SHELLS)
def test_a_hostile_session_name_completes_as_text(server: TmuxServer, robot: StandIn, name: str) -> None:
    """SAN-3 on a command line: it is quoted, nothing in it runs, and the command finds the session."""
    shell = Shell(server, name)
    shell.type("tma ls --session it\t")
    until(lambda: "touch\\ y" in shell.screen(), what="the name")

    shell.type("| cut -f1; echo $st''atus END\n")

    until(lambda: "END" in shell.screen() and f"\n{robot.pane}" in shell.screen(), what=shell.screen())
    assert not (server.home / "x").exists()
    assert not (server.home / "y").exists()
