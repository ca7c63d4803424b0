"""How whatever ends a command becomes a line and an exit code."""

import io
import os
import signal
import sys
from pathlib import Path

import pytest

from tma.cli import main
from tma.core import errors


class Broken(io.StringIO):
    """An output whose reader is gone, or whose disk is full."""

    def __init__(self, error: OSError) -> None:
        """Fail with this on flush."""
        super().__init__()
        self._error = error

    def flush(self) -> None:
        """Fail."""
        raise self._error


@pytest.fixture(autouse=True)
def _kept_handler() -> object:
    """The boundary listens for SIGTERM; the test process must not go on doing so."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def fail(error: BaseException) -> int:
    """End as a command would."""
    raise error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.UsageError("x"), 2),
        (errors.TmuxGoneError("x"), 1),
        (errors.GoneError("x"), 3),
        (KeyboardInterrupt(), 130),
        (main.TerminatedError(), 143),
        (BrokenPipeError(), 141),
        (SystemExit(0), 0),
    ],
)
def test_what_ends_a_command_decides_its_exit_code(error: BaseException, code: int) -> None:
    """Exit codes of cli.md section 1, CLI-8."""
    assert main.guarded(lambda: fail(error)) == code


def test_a_command_gives_its_own_code() -> None:
    """Exit codes of cli.md section 1."""
    assert main.guarded(lambda: 5) == 5


def test_an_expected_failure_is_one_line_and_an_indented_hint(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-1, SAN-2: foreign text in it colors and moves nothing."""
    main.guarded(lambda: fail(errors.TmaError("no pane \x1b[31m%1\nrest", "try\nthat")))

    assert capsys.readouterr() == ("", "tma: no pane [31m%1\n  rest\n  try\n  that\n")


def test_an_unexpected_failure_names_a_report_and_shows_no_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CLI-1, PTH-9: one line with `internal error` and the path; the report holds no option value."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("TMA_DEBUG", raising=False)
    monkeypatch.setattr(sys, "argv", ["tma", "--config", "secret", "ls", "--agent=secret"])

    code = main.guarded(lambda: fail(ZeroDivisionError("x")))

    said = capsys.readouterr().err
    report = next((tmp_path / "tma" / "crash").iterdir())
    assert code == 1
    assert said == f"tma: internal error: ZeroDivisionError; a report is in {report}\n"
    assert "command: ls --config --agent" in report.read_text()
    assert "secret" not in report.read_text()


def test_a_traceback_is_added_for_those_who_ask(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CLI-1: TMA_DEBUG=1."""
    monkeypatch.setenv("TMA_DEBUG", "1")
    monkeypatch.delenv("HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)

    main.guarded(lambda: fail(ZeroDivisionError("x")))

    said = capsys.readouterr().err
    assert said.startswith("tma: internal error: ZeroDivisionError\n")
    assert "Traceback" in said


def test_a_reader_that_went_away_ends_the_command_in_silence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CLI-8."""
    monkeypatch.setattr(sys, "stdout", Broken(BrokenPipeError()))

    assert main.guarded(lambda: 0) == 141
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_said(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that did not arrive is no success."""
    monkeypatch.setattr(sys, "stdout", Broken(OSError(28, "No space left on device")))

    assert main.guarded(lambda: 0) == 1
    assert capsys.readouterr().err == "tma: cannot write the output: No space left on device\n"


def test_the_term_signal_ends_a_command_by_its_code() -> None:
    """Exit codes: 143."""
    assert main.guarded(lambda: os.kill(os.getpid(), signal.SIGTERM) or 0) == 143


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyboardInterrupt(), SystemExit(2), errors.UsageError("x")])
def test_a_hook_command_says_nothing_and_exits_zero(capsys: pytest.CaptureFixture[str], error: BaseException) -> None:
    """HOOK-1, CFG-5, SEC-E-3."""
    assert main.run_hook(lambda: fail(error)) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "argv", [["event"], ["event", "--foo"], ["--config", "x", "clear-attention"], ["clear-attention", "#{pane_id}"]]
)
def test_a_hook_commands_usage_error_is_silent_too(capsys: pytest.CaptureFixture[str], argv: list[str]) -> None:
    """HEV-1, CLI-5: no effect."""
    assert main.run(argv) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        ([], ""),
        (["-V"], ""),
        (["ls", "status"], "ls"),
        (["--config", "status", "ls"], "ls"),
        (["--config=x", "-c", "y", "-h", "ls"], "ls"),
        (["--", "ls"], "ls"),
        (["--socket-name"], ""),
        (["-"], "-"),
        ([""], ""),
    ],
)
def test_the_command_is_the_first_word_that_is_no_option(argv: list[str], word: str) -> None:
    """Section 2 of cli.md: global options may come first, with their values."""
    assert main.command_word(argv) == word


@pytest.mark.parametrize(("typed", "closest"), [("lss", "ls"), ("stats", "status"), ("Version", "version")])
def test_an_unknown_command_is_told_the_closest_one(
    capsys: pytest.CaptureFixture[str], typed: str, closest: str
) -> None:
    """CLI-3."""
    assert main.run([typed]) == 2
    assert capsys.readouterr() == ("", f"tma: unknown command: {typed}\n  did you mean `tma {closest}`?\n")


def test_an_unknown_command_without_a_neighbour_is_told_where_to_look(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-3, CLI-7: hidden commands are not offered."""
    assert main.run(["evnt"]) == 2
    assert capsys.readouterr().err == "tma: unknown command: evnt\n  tma --help lists the commands\n"


@pytest.mark.parametrize("argv", [["--sock", "x", "ls"], ["--json", "lss"], ["--config", "ls", "--foo", "ls2"]])
def test_an_unknown_option_before_an_unknown_command_is_named_first(
    capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    """CLI-3: the option is what went wrong."""
    assert main.run(argv) == 2
    assert capsys.readouterr().err.startswith("tma: unrecognized arguments: --")


@pytest.mark.parametrize("argv", [[], ["--config", "/nowhere"]])
def test_no_command_is_the_picker_which_needs_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, argv: list[str]
) -> None:
    """TTY-1: nothing on standard output, exit 2, and a hint that names what works without."""
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main.run(argv) == 2
    out, said = capsys.readouterr()
    assert out == ""
    assert said == "tma: this needs a terminal\n  tma ls lists the agents as text\n"


def test_help_and_version_need_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-4."""
    assert main.run(["--help"]) == 0
    assert main.run(["--version"]) == 0
    out, said = capsys.readouterr()
    assert out.startswith("usage: tma [options] COMMAND ...\n")
    assert out.endswith("tma 0.1.0\n")
    assert said == ""


def test_the_global_options_are_handed_on() -> None:
    """GLO-1, GLO-5: what was not given keeps its default."""
    from tma.cli import args, table

    command = table.named("version")
    assert command is not None
    options = main.options_of(args.parse(["version", "--config", "c", "--debug-timing"], command))

    assert (options.config, options.debug_timing, options.socket_name) == ("c", True, "")


def test_a_full_disk_is_one_line_and_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-1: what the user can mend is no internal error."""

    def fill() -> int:
        raise OSError(28, "No space left on device")

    assert main.guarded(fill) == errors.FAILURE
    assert capsys.readouterr().err == "tma: cannot write the output: No space left on device\n"
