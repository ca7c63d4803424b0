"""Agents whose process has an unexpected name, and a program that only looks like one."""

import json
import shutil
from pathlib import Path

import pytest

from harness import TmuxServer, until


def sleeper(path: Path) -> str:
    """A program that only sleeps, under a name of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy("/bin/sleep", path)
    return str(path)


def found(server: TmuxServer, pane: str) -> str:
    """Which agent a cycle finds in a pane; "" for none."""
    done = server.tma("ls", "--json")
    assert done.returncode == 0, done.stderr
    return next((row["agent"] for row in json.loads(done.stdout)["agents"] if row["pane"] == pane), "")


def shapes(home: Path) -> dict[str, tuple[str, str]]:
    """The command line of each shape, and the agent that it is."""
    version = sleeper(home / "v" / "2.1.220")
    installed = sleeper(home / "share" / "claude" / "versions" / "2.1.220")
    unwrapped = sleeper(home / ".claude-unwrapped")
    long = sleeper(home / "codex-aarch64-apple-darwin")
    launched = sleeper(home / "bin" / "claude")
    script = home / "lib" / "bin" / "codex"
    script.parent.mkdir(parents=True)
    script.write_text("setTimeout(() => {}, 600000)\n")
    return {
        "named by argv0": (f"bash -c 'exec -a claude {version} 600'", "claude"),
        "named by its version": (f"{installed} 600", "claude"),
        "unwrapped": (f"{unwrapped} 600", "claude"),
        "cut at 15 characters": (f"{long} 600", "codex"),
        "run by node": (f"node {script}", "codex"),
        "below a launcher": (f"bash -c 'cd /tmp && {launched} 600; echo bye'", "claude"),
        "only looks like one": (f"bash -c 'exec -a worker {version} 600'", ""),
    }


@pytest.mark.parametrize("shape", ["named by argv0", "named by its version", "unwrapped", "cut at 15 characters",
                                   "run by node", "below a launcher", "only looks like one"])  # fmt: skip
def test_an_agent_is_known_whatever_its_process_is_called(server: TmuxServer, shape: str) -> None:
    """FC-39, PROC-2, PROC-3, PROC-8, ID-11: the right name, in front, and no claim on a stranger."""
    command, agent = shapes(server.home)[shape]
    if command.startswith("node ") and shutil.which("node") is None:
        pytest.skip("no node here")
    server.start()
    pane = server.pane("sh", "-c", f"exec {command}")
    (server.home / "config" / "tma").mkdir(parents=True)
    (server.home / "config" / "tma" / "config.toml").write_text("[fold]\nfreshness_secs = 0\n")
    if agent:
        until(lambda: found(server, pane) == agent, what=agent)
        assert server.options(pane)["@agent_source"] == "capture"
    else:
        until(lambda: server.show(pane, "#{pane_current_command}") in {"worker", "2.1.220"}, what="the stranger")
        assert found(server, pane) == ""
