"""Tests of process names."""

import re
import tomllib

import pytest

from harness import ROOT
from recipes import blocks
from tma.core.config import parse
from tma.core.names import (
    MULTIPLEXERS,
    REMOTE_COMMANDS,
    SHELLS,
    carried_names,
    is_shell,
    normalise,
    out_of_scope,
    remote_commands,
)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("claude", "claude"),
        ("/usr/local/bin/claude", "claude"),
        ("./v/2.1.220", "2.1.220"),
        ("npm exec @openai/codex", "npm"),
        ("-zsh", "-zsh"),
        (".claude-wrapped", "claude"),
        (".opencode-wrapp", "opencode"),
        (".claude-w", "claude"),
        (".claude-", "claude"),
        (".claude-unwrapped", "claude"),
        ("/nix/store/x/bin/.claude-unwrapped", "claude"),
        ("claude-wrapped", "claude-wrapped"),
        (".claude", ".claude"),
        (".claude-unwrapp", ".claude-unwrapp"),
        (".a-wrapped-wrapped", "a-wrapped"),
        (".-wrapped", ".-wrapped"),
        ("/usr/bin/", "/usr/bin/"),
        ("  ", "  "),
        ("", ""),
    ],
)
def test_a_command_is_reduced_to_the_program_name(command: str, name: str) -> None:
    """First word, last path part, Nix wrapping off; nothing left keeps the original (PROC-2)."""
    assert normalise(command) == name


@pytest.mark.parametrize("shell", ["-bash", "--zsh", *sorted(SHELLS)])
def test_a_shell_is_known_with_or_without_its_dash(shell: str) -> None:
    """Leading dashes do not count (PROC-6)."""
    assert is_shell(shell)


@pytest.mark.parametrize("name", ["", "-", "claude", "bash2", "/bin/sh"])
def test_another_program_is_no_shell(name: str) -> None:
    """Names are compared whole (PROC-6)."""
    assert not is_shell(name)


@pytest.mark.parametrize(
    ("comm", "argv", "names"),
    [
        ("claude", ["claude"], ("claude",)),
        ("2.1.220", ["claude", "600"], ("2.1.220", "claude")),
        ("2.1.220", ["/home/u/.local/share/claude/versions/2.1.220"], ("2.1.220", "claude")),
        ("2.1.220", ["claude/versions/2.1.220"], ("2.1.220", "claude")),
        ("2.1.220", ["/opt/other/versions/2.1.220"], ("2.1.220",)),
        (".claude-unwrapp", ["./.claude-unwrapped"], (".claude-unwrapp", "claude")),
        ("codex-aarch64-a", ["codex-aarch64-apple-darwin"], ("codex-aarch64-a", "codex-aarch64-apple-darwin")),
        ("MainThread", ["node", "--no-warnings", "/x/my tools/bin/codex"], ("MainThread", "node", "codex")),
        ("node", ["node", "/x/cli.js", "claude"], ("node", "cli.js")),
        ("python3.11", ["python3.11", "-u", "agent"], ("python3.11", "agent")),
        ("MainThread", ["MainThread", "", ""], ("MainThread",)),
        ("bun", ["bun"], ("bun",)),
        ("vim", ["vim", "claude"], ("vim",)),
        ("bash", [], ("bash",)),
        ("", [], ("",)),
    ],
)
def test_a_process_carries_the_names_of_its_command_line(comm: str, argv: list[str], names: tuple[str, ...]) -> None:
    """Its own word, an interpreter's script, and `claude` for a versioned executable (PROC-8)."""
    assert carried_names(comm, argv) == names


@pytest.mark.parametrize("command", ["ssh", "-ssh", "/usr/bin/mosh-client", ".kubectl-wrapped", "distrobox-enter"])
def test_a_remote_shell_in_front_hides_the_screen(command: str) -> None:
    """The normalised command decides, a leading dash removed (REM-4, ID-5)."""
    assert out_of_scope(command) == "remote_shell"


@pytest.mark.parametrize("command", ["tmux", "zellij", "screen", "dvtm", "abduco"])
def test_a_nested_multiplexer_hides_the_screen(command: str) -> None:
    """The list of nested multiplexers is its own kind (REM-16, ID-5)."""
    assert out_of_scope(command) == "nested_multiplexer"


@pytest.mark.parametrize("command", ["", "bash", "claude", "sshd", "ssh-agent", "lazydocker"])
def test_any_other_command_hides_nothing(command: str) -> None:
    """Names are compared whole (REM-4)."""
    assert out_of_scope(command) == ""


def test_the_list_of_remote_commands_can_be_changed() -> None:
    """REM-4: plus ``add``, minus ``remove``, a built-in name included."""
    changed = remote_commands({"add": ["hop"], "remove": ["docker", "no-such"]})
    assert out_of_scope("/usr/bin/hop", changed) == "remote_shell"
    assert out_of_scope("docker", changed) == ""
    assert remote_commands({"add": None, "remove": None}) == REMOTE_COMMANDS


def test_the_reference_lists_the_commands() -> None:
    """REM-4, REM-16: the page names every command and no other."""
    page = (ROOT / "docs" / "reference" / "remote-panes.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (remote shell|nested multiplexer) \| (.*) \|$", page, re.MULTILINE))
    assert set(re.findall("`([^`]+)`", rows["remote shell"])) == REMOTE_COMMANDS
    assert set(re.findall("`([^`]+)`", rows["nested multiplexer"])) == MULTIPLEXERS


def test_every_page_with_the_recipe_has_its_price() -> None:
    """FWD-6: what a forward or a mount exposes, and that nothing stands behind it."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")}
    recipes = {name: text for name, text in texts.items() if "tmux display -p '#{socket_path}'" in text}
    assert set(recipes) == {"run-over-ssh.md", "agents-in-containers.md"}
    for text in recipes.values():
        assert "exposes your complete" in text
        assert "every pane of it" in text
        assert "no second check" in text


def test_the_settings_of_the_remote_pages_are_settings() -> None:
    """NOT-1, REM-24: what the page on notifications writes is accepted."""
    for text in blocks("how-to/notify-from-a-remote-host.md", "toml"):
        assert parse(tomllib.loads(text))["notify"]["osc"] or "ntfy" in text
