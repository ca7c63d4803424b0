"""The command that prints completion scripts."""

import shutil
import subprocess

import pytest

from tma.cli import completions, main


@pytest.mark.parametrize("shell", completions.SCRIPTS)
def test_a_script_comes_for_each_shell(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    """CMP-1: every visible command is in it, no hidden one and no internal flag."""
    assert main.run(["completions", shell]) == 0

    script, errors = capsys.readouterr()
    assert errors == ""
    assert all(word in script for word in ("jump", "subscribe", "attention", "until"))
    assert not any(word in script for word in ("clear-attention", "supervise", "from-menu", "KIND"))


def test_the_script_for_bash_is_bash() -> None:
    """It parses; the two others are tried where their shells are (tests on terminals)."""
    script = completions.SCRIPTS["bash"](completions.program())

    subprocess.run([shutil.which("bash") or "/bin/bash", "-n"], input=script, text=True, check=True)


@pytest.mark.parametrize(
    "words", [[], ["elvish"], ["bash", "zsh"], ["bash", "--values", "panes"], ["--values", "wishes"]]
)
def test_anything_but_one_known_shell_is_a_usage_error(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    """CMP-1: exit 2, nothing on standard output."""
    assert main.run(["completions", *words]) == 2
    assert capsys.readouterr().out == ""


def test_values_are_silent_on_any_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """CMP-1, CLI-9: a shell shows whatever is said in the middle of a line."""
    for words in (["--socket-path", "/nonexistent/s"], ["--manifest-dir", "/nonexistent"]):
        assert main.run(["completions", "--values", "panes", *words]) == 0
    assert capsys.readouterr() == ("", "")
