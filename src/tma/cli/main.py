"""The command line: choose a command, run it, and turn whatever ends it into a line and an exit code.

This is the one boundary where errors become text. What the short road imports stays light, so
parsers are loaded where they are used.
"""

import posix
import sys

from tma.core import errors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from types import FrameType

    from tma.cli.table import Command
    from tma.services.cache import Options
    from tma.services.runtime import Runtime

_SIGTERM = 15
_DISK_FULL = 28


class TerminatedError(BaseException):
    """The process was told to end."""


def main() -> None:
    """Run the command line of this process and end the process."""
    try:
        plug_streams()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = errors.INTERRUPTED
    end(code)


def run(argv: list[str]) -> int:
    """Run one command line and give its exit code."""
    from tma.cli import table

    command = table.named(command_word(argv))
    if command is not None and command.hook:
        return run_hook(lambda: _run_command(command, argv))
    return guarded(lambda: _run_command(command, argv) if command else _without_command(argv))


def guarded(action: "Callable[[], int]") -> int:
    """Run an action; whatever ends it becomes an exit code, and on standard error a line (CLI-1)."""
    try:
        _listen_for_term()
        return _flushed(_code_of(action))
    except errors.TmaError as error:
        report(str(error), error.hint)
        return error.exit_code
    except KeyboardInterrupt:
        return errors.INTERRUPTED
    except TerminatedError:
        return errors.TERMINATED
    except BrokenPipeError:
        return errors.BROKEN_PIPE
    except OSError as error:
        if error.errno != _DISK_FULL:
            return _report_unexpected(error)
        report(f"cannot write the output: {error.strerror}")
        return errors.FAILURE
    except Exception as error:  # noqa: BLE001  # the boundary: no command writes a traceback
        return _report_unexpected(error)


def run_hook(action: "Callable[[], int]") -> int:
    """Run a hook command: it must not speak, and exits 0 whatever happens (CFG-5, HOOK-1)."""
    try:
        action()
    except BaseException:  # noqa: BLE001  # an agent would take any sign of trouble for its own
        return errors.OK
    return errors.OK


def report(message: str, hint: str = "") -> None:
    """Say something on standard error: ``tma:`` and a line, what follows indented, all of it cleaned."""
    from tma.core.text import clean

    first, *rest = [clean(line) for text in (message, hint) if text for line in text.split("\n")]
    say("".join(f"{line}\n" for line in (f"tma: {first}", *(f"  {line}" for line in rest))))


def say(text: str) -> None:
    """Write to standard error; one that cannot be written to is nobody's business."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        return


def command_word(argv: list[str]) -> str:
    """The command of a line, empty where it has none."""
    return "".join(argv[_place_of_command(argv) :][:1])


def plug_streams() -> None:
    """Make standard streams that take any text, also where the caller closed them.

    Text is UTF-8 whatever the locale says (A11Y-4). A closed descriptor would be handed to the
    next file that is opened; closed output becomes a pipe that nobody reads (CLI-8).
    """
    if sys.stdin is None:
        sys.stdin = open(posix.open("/dev/null", posix.O_RDONLY))  # noqa: PTH123, SIM115
    for fd, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            ends = posix.pipe()
            posix.dup2(ends[1], fd)
            for spare in {*ends} - {fd}:
                posix.close(spare)
            setattr(sys, name, open(fd, "w"))  # noqa: PTH123, SIM115
        getattr(sys, name).reconfigure(encoding="utf-8", errors="replace")


def end(code: int) -> None:
    """End the process without the interpreter's own clean-up, which takes longer than a command."""
    posix._exit(code)  # noqa: SLF001


def _run_command(command: "Command", argv: list[str]) -> int:
    from importlib import import_module

    from tma.cli.args import parse

    args = parse(argv, command)
    options = options_of(args)
    module = import_module(command.module)
    if command.bare:
        return int(module.run(args, options))
    return with_runtime(lambda world: int(module.run(args, world)), options, attends=command.attends)


def with_runtime(act: "Callable[[Runtime], int]", options: "Options", *, attends: bool = False) -> int:
    """Run a command in a loaded configuration, and say the notes that it leaves (GLO-5, MAN-SET-3).

    One that ``attends`` sees to the daemon first (CDM-4).
    """
    from tma.adapters.system import environment
    from tma.services import cache, runtime

    document = cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=environment())
    world = runtime.connect(options, document)
    for path, reason in document.skipped:
        world.note(f"skipping manifest {path}: {reason}")
    try:
        if attends and runtime.wants_keeper(world):
            from tma.services import keeper

            keeper.attend(world)
        return act(world)
    finally:
        for note in world.notes:
            report(note)


def options_of(args: "Namespace") -> "Options":
    """The global options of a parsed command line."""
    from tma.services.cache import Options

    options = Options()
    for name in Options.__slots__:
        setattr(options, name, getattr(args, name, getattr(options, name)))
    return options


def _without_command(argv: list[str]) -> int:
    """The picker; a key opens it without any option, and then no parser is loaded."""
    from tma.services.cache import Options

    options = _only_options(argv) if argv else Options()
    from tma.commands import picker

    return with_runtime(picker.run, options, attends=True)


def _only_options(argv: list[str]) -> "Options":
    from tma.cli import args, table

    place = _place_of_command(argv)
    parsed = args.Program().parse_args(argv[:place])
    if place < len(argv):
        message = f"unknown command: {argv[place]}"
        raise errors.UsageError(message, _closest(argv[place], [row.name for row in table.visible()]))
    return options_of(parsed)


def _place_of_command(argv: list[str]) -> int:
    """Where the first word stands that is neither an option nor a global option's value."""
    if not argv:
        return 0
    from tma.cli.args import VALUED

    place = 0
    while place < len(argv) and argv[place].startswith("-") and argv[place] != "-":
        if argv[place] == "--":
            return place + 1
        place += 2 if argv[place] in VALUED else 1
    return place


def _closest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    return f"did you mean `tma {near[0]}`?" if near else "tma --help lists the commands"


def _code_of(action: "Callable[[], int]") -> int:
    """The exit code, also of a parser that printed help or the version."""
    try:
        return action()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else errors.FAILURE


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return errors.BROKEN_PIPE
    except OSError as error:
        message = f"cannot write the output: {error.strerror}"
        raise errors.TmaError(message) from None
    return code


def _listen_for_term() -> None:
    import _signal  # type: ignore[import-not-found]  # in every interpreter; `signal` would load enums

    def stop(_number: int, _frame: "FrameType | None") -> None:
        raise TerminatedError

    _signal.signal(_SIGTERM, stop)


def _report_unexpected(error: Exception) -> int:
    from tma.adapters import system
    from tma.services import crash

    argv = sys.argv[1:]
    options = [word.partition("=")[0] for word in argv if word.startswith("--") and word != "--"]
    path = crash.report(
        error,
        command=command_word(argv) or "",
        options=options,
        env=system.environment(),
        now_ms=system.now_ms(),
    )
    report(f"internal error: {type(error).__name__}" + (f"; a report is in {path}" if path else ""))
    if system.env("TMA_DEBUG") == "1":
        from traceback import format_exception

        say("".join(format_exception(error)))
    return errors.FAILURE
