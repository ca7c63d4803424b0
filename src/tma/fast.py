"""The short road of the commands that tmux and agents run all day: exact flags, no argument parser.

It reads a command line exactly as the general parser does, or leaves it to that parser; what it
runs are the same services.
"""

import posix
import sys

from tma.adapters import system
from tma.services import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from tma.services.cache import Document, Options
else:

    class Namespace:
        """What a command line said, by attribute."""


_GLOBAL = ("--socket-name", "--socket-path", "--manifest-dir", "--config")
_OWN: dict[str, dict[str, str | None]] = {
    "event": {"--agent": None, "--kind": None, "--pane": "", "--payload": ""},
    "status": {"--format": "tmux"},
    "clear-attention": {},
}
"""Each command's flags with their defaults; every one takes a value."""

_FORMATS = ("tmux", "plain")
"""The formats of a status line; others are a script's."""


def main() -> None:
    """Run the command line of this process and end the process."""
    args = read(sys.argv[1:])
    if args is None or sys.stdout is None or sys.stderr is None:
        general()
    elif args.command == "status":
        status(args)
    else:
        hook(args)


def general() -> None:
    """Leave the command line to the general parser."""
    from tma.cli import main as boundary

    boundary.main()


def hook(args: "Namespace") -> None:
    """Run a hook command: it must not speak, and exits 0 whatever happens (CFG-5, HOOK-1)."""
    try:
        _run_hook(args, options_of(args))
    except BaseException:  # noqa: BLE001  # an agent would take any sign of trouble for its own
        posix._exit(0)  # noqa: SLF001
    posix._exit(0)  # noqa: SLF001


def _run_hook(args: "Namespace", options: "Options") -> None:
    if args.command == "event":
        from tma.services import intake

        intake.take(options, agent=args.agent, kind=args.kind, pane=args.pane, payload=args.payload)
        return
    from tma.services import attention

    attention.take(options, args.pane)


def status(args: "Namespace") -> None:
    """Print the counts; what must be said of the configuration, the general road says."""
    document = _document(args)
    if document is None or document.skipped:
        general()
        return
    try:
        from tma.services import cycle, runtime
        from tma.view.status import counted

        world = runtime.connect(options_of(args), document)
        rows = cycle.run(world, paths=False).rows()
        stamps = [plan.stamp_after for plan in rows if plan.stamp_after]
        shown = [(stamp.state, stamp.attention) for stamp in stamps]
        text = counted(args.format, shown, document.settings.status, ascii_only=system.is_ascii_only())
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    except BaseException as error:  # noqa: BLE001  # worded, and given its exit code, in one place
        fail(error)
    else:
        end(world.notes)


def _document(args: "Namespace") -> "Document | None":
    """The loaded configuration, or None where it is broken and the general road shall say so."""
    options = options_of(args)
    env = system.environment()
    try:
        return cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=env)
    except Exception:  # noqa: BLE001  # the general road meets it again
        return None


def fail(error: BaseException) -> None:
    """End the process as the general road ends it after an error."""
    from tma.cli import main as boundary

    def again() -> int:
        raise error

    boundary.plug_streams()
    boundary.end(boundary.guarded(again))


def end(notes: list[str]) -> None:
    """Say what is to be said and end the process without the interpreter's own clean-up."""
    if notes:
        from tma.cli.main import report

        for note in notes:
            report(note)
    posix._exit(0)  # noqa: SLF001


def options_of(args: "Namespace") -> "Options":
    """The global options of a command line."""
    options = cache.Options()
    for name in cache.Options.__slots__:
        setattr(options, name, getattr(args, name, getattr(options, name)))
    return options


def read(argv: list[str]) -> "Namespace | None":
    """What a command line says, or None where the general parser must decide."""
    if not argv or argv[0] not in _OWN:
        return None
    own = _OWN[argv[0]]
    given = _pairs(argv[1:], own)
    if given is None:
        return None
    positional = given.pop("", None)
    if (positional is None) is (argv[0] == "clear-attention") or {"--socket-name", "--socket-path"} <= given.keys():
        return None
    args = Namespace()
    args.command = argv[0]
    if positional is not None:
        args.pane = positional
    for flag, value in (own | given).items():
        setattr(args, flag[2:].replace("-", "_"), value)
    if args.command == "event" and None in (args.agent, args.kind):
        return None
    return None if args.command == "status" and args.format not in _FORMATS else args


def _pairs(words: list[str], own: dict[str, str | None]) -> dict[str, str] | None:
    """The flags with their values, a lone argument under ""; None for anything unusual."""
    given: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        flag, equals, value = word.partition("=")
        if not word.startswith("-"):
            flag, value = "", word
        elif flag not in own and flag not in _GLOBAL:
            return None
        elif not equals:
            value = next(rest, "")
            if value.startswith("-") and value != "-":
                return None
        if flag in given or (flag and not value):
            return None
        given[flag] = value
    return given
