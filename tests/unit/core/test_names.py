"""Tests of process names."""

import pytest

from tma.core.names import SHELLS, carried_names, is_shell, normalise, out_of_scope


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
