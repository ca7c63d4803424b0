"""The shim around a status line, and the shim itself in a real shell."""

import json
import subprocess
from pathlib import Path

import pytest

from harness import until
from tma.install.dialect import FaultError
from tma.install.statusline import CURRENT, FOREIGN, NONE, STALE, former_of, shim, state_of, unwrapped, wrapped

TMA = "/opt/tma/bin/tma"


def test_the_former_command_stands_in_the_shim_word_for_word() -> None:
    """SLN-2, SLN-3: also one with quotes, braces and a comment; wrapping a shim re-wraps what is inside."""
    former = "jq -r '.a | {b}' # \"mine\"\n}"
    data = json.dumps({"statusLine": {"type": "command", "command": former, "padding": 0}}).encode()

    new = wrapped(data, "claude", TMA)

    assert former_of(json.loads(new)["statusLine"]["command"]) == former
    assert json.loads(new)["statusLine"]["padding"] == 0
    assert wrapped(new, "claude", TMA) == new
    assert wrapped(wrapped(data, "claude", "/old/tma"), "claude", TMA) == new
    assert unwrapped(new, "claude") == data


def test_a_missing_object_is_made_and_goes_again() -> None:
    """SLN-3, SLN-4."""
    new = wrapped(b'{"model": "opus"}', "claude", TMA)

    assert json.loads(new)["statusLine"]["type"] == "command"
    assert unwrapped(new, "claude") == b'{"model": "opus"}'


@pytest.mark.parametrize("value", ["null", '"x"', '{"command": 3}'])
def test_a_value_of_another_shape_is_refused(value: str) -> None:
    """SLN-3."""
    with pytest.raises(FaultError, match="must be"):
        wrapped(f'{{"statusLine": {value}}}'.encode(), "claude", TMA)


def test_a_status_line_is_none_foreign_current_or_stale() -> None:
    """SLN-5: the rows of the matrix."""
    foreign = b'{"statusLine": {"type": "command", "command": "x"}}'

    assert [state_of(data, "claude", TMA) for data in (b"", b"{}", foreign)] == [NONE, NONE, FOREIGN]
    assert state_of(wrapped(foreign, "claude", TMA), "claude", TMA) == CURRENT
    assert state_of(wrapped(foreign, "claude", "/old"), "claude", TMA) == STALE
    assert state_of(wrapped(foreign, "cursor", TMA), "claude", TMA) == FOREIGN


def test_the_former_command_gets_the_bytes_and_keeps_its_status(tmp_path: Path) -> None:
    """SLN-2: output and exit status are the former command's; one copy is forwarded in five seconds."""
    (tmp_path / "run").mkdir()
    program = tmp_path / "tma"
    program.write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/log\ncat >>{tmp_path}/log\n')
    program.chmod(0o755)
    command = shim("claude", str(program), "cat; exit 3")
    env = {"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path / "run"), "TMUX_PANE": "%7"}

    def run() -> tuple[int, str]:
        done = subprocess.run(
            ["/bin/sh", "-c", command], input="{}\n\n", capture_output=True, text=True, env=env, check=False
        )
        return done.returncode, done.stdout

    assert [run(), run()] == [(3, "{}\n\n")] * 2
    log = tmp_path / "log"
    until(lambda: log.exists() and log.read_text().endswith("\n\n"), what="the forwarded copy")
    assert log.read_text() == "event --agent claude --kind context --pane %7 --payload -\n{}\n\n"


@pytest.mark.parametrize("former", ["", " \n", "# only a remark", "\n# one\n\t# two\n"])
def test_a_command_that_does_nothing_is_wrapped_too(tmp_path: Path, former: str) -> None:
    """SLN-2, SLN-4: the shell wants a command between braces; what was there comes back word for word."""
    command = shim("claude", str(tmp_path / "tma"), former)
    env = {"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path)}

    done = subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, env=env, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert former_of(command) == former
