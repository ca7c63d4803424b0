"""The short road of the commands that tmux and agents run all day: exact flags, no argument parser.

It reads a command line exactly as the general parser does, or leaves it to that parser; what it
runs are the same services.
"""

import _frozen_importlib_external as machinery
import gc
import marshal
import posix
import sys

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


_TMUX = (
    "tma.adapters", "tma.adapters.system", "tma.adapters.files", "tma.core", "tma.core.state", "tma.core.stamp",
    "tma.adapters.child", "tma.adapters.tmux", "tma.adapters.tmux.client", "tma.adapters.tmux.read",
)  # fmt: skip
_CACHE = ("tma.services", "tma.services.cache")
_BUNDLED = ("tma.services.prebuilt",)
"""What is loaded where nothing is configured."""

_BEFORE = {
    "event": (*_TMUX, "tma.core.pane", *_CACHE, "tma.services.intake"),
    "clear-attention": (
        *_TMUX, *_CACHE, "tma.core.guard", "tma.core.ops", "tma.core.writes", "tma.adapters.tmux.write",
        "tma.services.runtime", "tma.services.attention",
    ),
    "status": _TMUX,
}  # fmt: skip
"""What a command loads before it asks tmux, each module behind those that it imports itself."""

_MEANWHILE = (
    "tma.core.pane", *_CACHE, "tma.services.runtime", "tma.core.names", "tma.core.settings",
    f"tma.adapters.{'darwin' if sys.platform == 'darwin' else 'linux'}",
    "tma.core.triage", "tma.core.quiet", "tma.services.cycle", "tma.view", "tma.view.status",
)  # fmt: skip
"""What a status line loads while tmux reads."""

_RULES = (
    "tma.core.jsontext", "tma.core.text", "tma.core.events", "tma.core.events.hooks", "tma.core.guard", "tma.core.ops",
    "tma.core.writes", "tma.adapters.tmux.write", "tma.core.events.chains",
)  # fmt: skip
"""What an event loads while tmux reads."""

_LOOK = (
    "tma.core.jsontext",
    "tma.core.detect", "tma.core.guard", "tma.core.detect.identity", "tma.core.detect.evidence", "tma.core.detect.fold",
    "tma.core.detect.pipeline", "tma.adapters.tmux.capture", "tma.services.look", "tma.core.detect.regex",
    "tma.core.detect.agent", "tma.services.codes",
)  # fmt: skip
"""What a closer look loads."""

_HEAD, _PIECE, _BITS = 16, 1 << 15, 0xFFFFFFFF
_ROOT = __file__.rpartition("/tma/")[0]


def main() -> None:
    """Run the command line of this process and end the process."""
    args = read(sys.argv[1:])
    gc.disable()  # The process ends before rubbish could matter; looking for it costs more than the configuration.
    _take_all(_BEFORE.get(args.command if args else "", ()))
    if args is None or sys.stdin is None or sys.stdout is None or sys.stderr is None:
        general()
    elif args.command == "status":
        status(args)
    else:
        hook(args)


def general() -> None:
    """Leave the command line to the general parser."""
    gc.enable()
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
    _shorten_the_way_to_the_document()
    if args.command == "event":
        from tma.services import intake

        intake.before_rules = lambda: _take_all(_RULES)
        intake.take(options, agent=args.agent, kind=args.kind, pane=args.pane, payload=args.payload)
        return
    from tma.services import attention

    attention.take(options, args.pane)


def status(args: "Namespace") -> None:
    """Print the counts; what must be said of the configuration, the general road says."""
    try:
        from tma.adapters.tmux import read as reading

        asked = reading.ask_early(vars(args))
        _take_all(_MEANWHILE)
        document = _document(args)
        if document is None or document.skipped:
            general()
            return
        from tma.adapters import system
        from tma.services import cycle, runtime
        from tma.view.status import counted

        world = runtime.connect(options_of(args), document)
        if runtime.wants_keeper(world):
            from tma.services import keeper

            keeper.attend(world)
        world.before_look = lambda: _take_all(_LOOK)
        rows = cycle.counted(world, asked).rows()
        stamps = [plan.stamp_after for plan in rows if plan.stamp_after and not plan.is_snoozed]
        shown = [(stamp.state, stamp.attention) for stamp in stamps]
        text = counted(args.format, shown, document.settings.status, ascii_only=system.is_ascii_only())
        _say(text.encode("utf-8", "replace"))
    except BaseException as error:  # noqa: BLE001  # worded, and given its exit code, in one place
        fail(error)
    else:
        end(world.notes)


def _say(text: bytes) -> None:
    """Write to standard output past its buffer: what cannot be written must not wait there for the next attempt."""
    while text:
        text = text[posix.write(1, text) :]


def _document(args: "Namespace") -> "Document | None":
    """The loaded configuration, or None where it is broken and the general road shall say so."""
    from tma.adapters import system
    from tma.services import cache

    _shorten_the_way_to_the_document()
    options = options_of(args)
    env = system.environment()
    try:
        return cache.load(config_path=options.config, manifest_dir=options.manifest_dir, env=env)
    except Exception:  # noqa: BLE001  # the general road meets it again
        return None


def _shorten_the_way_to_the_document() -> None:
    from tma.services import cache

    cache.before_bundled = lambda: _take_all(_BUNDLED)


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
    from tma.services import cache

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


def _take_all(names: tuple[str, ...]) -> None:
    """Take modules from where Python keeps them compiled, without a search.

    Python's import asks every directory of the path, looks at a file three times and passes through
    a dozen calls, for each module. One is taken here as Python would take it: the compiled file
    is this interpreter's, and its source is as it was. At the first doubt the rest is left to the
    ordinary import.
    """
    if sys.pycache_prefix is not None or sys.flags.optimize:
        return
    try:
        for name in names:
            if name not in sys.modules:
                _take(name)
    except Exception:  # noqa: BLE001  # the ordinary import meets it again, where it is handled
        return


def _take(name: str) -> None:
    place = f"{_ROOT}/{name.replace('.', '/')}"
    try:
        seen = posix.stat(f"{place}.py")
    except FileNotFoundError:
        _run(name, f"{place}/__init__.py", posix.stat(f"{place}/__init__.py"), [place])
    else:
        _run(name, f"{place}.py", seen, None)


def _run(name: str, source: str, seen: posix.stat_result, path: list[str] | None) -> None:
    directory, _, file = source.rpartition("/")
    content = _content(f"{directory}/__pycache__/{file[:-3]}.{sys.implementation.cache_tag}.pyc")
    times = (int(seen.st_mtime) & _BITS, seen.st_size & _BITS)
    wanted = machinery.MAGIC_NUMBER + bytes(4) + b"".join(number.to_bytes(4, "little") for number in times)
    if content[:_HEAD] != wanted:
        message = f"{name} is not compiled"
        raise ValueError(message)
    code = marshal.loads(memoryview(content)[_HEAD:])  # noqa: S302  # what Python's import would load
    module = type(sys)(name)
    module.__file__ = source
    parent, _, leaf = name.rpartition(".")
    module.__package__ = parent if path is None else name
    if path is not None:
        module.__path__ = path
    sys.modules[name] = module
    try:
        exec(code, module.__dict__)  # noqa: S102  # as Python's import runs it
    except BaseException:
        del sys.modules[name]
        raise
    if parent in sys.modules:
        setattr(sys.modules[parent], leaf, module)


def _content(path: str) -> bytes:
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    try:
        content = posix.read(descriptor, _PIECE)
        while len(content) % _PIECE == 0 and (more := posix.read(descriptor, _PIECE)):
            content += more
        return content
    finally:
        posix.close(descriptor)
