"""Taking tma out of a machine: every wiring, binding, option and, if wanted, its own directories (RMV-1, RMV-2)."""

from contextlib import suppress
from pathlib import Path

from tma.adapters import files
from tma.core.errors import TmaError
from tma.install import hooks, keeping, keys, server, statusline, wrapper
from tma.install.dialect import RefusedError
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup
from tma.install.target import read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_OWN = "own files"
_NEEDING_COPIES = {"hooks", "keys", "other files"}
_MARKS = (b"tma-hook", b"--kind context", keys.MARK.encode(), keys.BANNER.encode())

NO_SERVER = "no tmux server running: its hooks and options cannot be removed"


def foreseen(setup: Setup, bindings: Keybindings, *, purge: bool) -> list[str]:
    """What would go, a line for each path and group of options (UNI-3)."""
    lines = []
    with suppress(TmaError):
        lines += [line] if (line := keeping.running(setup)) else []
    for adapter in hooks.removable(setup):
        wrapped = [setup.places.of(adapter.statusline)] if statusline.is_wrapped(setup, adapter) else []
        lines += dict.fromkeys([*(channel.path for channel in setup.channels(adapter)), *wrapped])
    lines += (
        [path for path in (bindings.managed, bindings.conf) if Path(path).exists()] if bindings.is_installed() else []
    )
    lines += [setup.wrapper_path] if wrapper.is_removable(setup.wrapper_path) else []
    with suppress(TmaError):
        if setup.facts is not None:
            lines.append(f"tmux hooks and options of panes, windows, sessions and the server {setup.facts.socket_path}")
    return [*lines, *(_own(setup) if purge else [])]


def remove(setup: Setup, bindings: Keybindings, *, purge: bool) -> bool:
    """Attempt every step; whether all of them were done."""
    steps: list[tuple[str, Callable[[], bool]]] = [
        ("daemon", lambda: keeping.stop(setup)),
        ("hooks", lambda: _unwire(setup)),
        ("keys", lambda: not bindings.is_installed() or bindings.uninstall()),
        ("tmux server", lambda: _leave_server(setup)),
        ("wrapper", lambda: _drop_wrapper(setup)),
        ("other files", lambda: _is_nothing_elsewhere(setup)),
        *([(_OWN, lambda: _purge(setup))] if purge else []),
    ]
    failed: list[str] = []
    for name, step in steps:
        if name == _OWN and _NEEDING_COPIES & set(failed):
            setup.console.note("tma's own files are kept, because the copies in them may still be needed")
            failed.append(name)
            continue
        try:
            done = step()
        except (TmaError, OSError) as error:
            setup.console.note(f"{name}: {error}")
            done = False
        failed += [] if done else [name]
    if failed:
        setup.console.note(f"not done: {', '.join(failed)}")
    return not failed


def left(setup: Setup) -> list[str]:
    """What is still there in the end, because it is the user's or was not asked for."""
    config = files.config_dir(setup.env)
    places = [f"{config}/config.toml", f"{config}/agents", f"{config}/actions", files.state_dir(setup.env)]
    places += _logs(setup)
    return [path for path in places if path and Path(path).exists()]


def _unwire(setup: Setup) -> bool:
    wired = hooks.removable(setup)
    return not wired or hooks.each(setup, wired, remove=True) == 0


def _is_nothing_elsewhere(setup: Setup) -> bool:
    """Name the files that were wired under other options or variables, and still are."""
    still = [path for path in setup.backups.every() if _holds_ours(path)]
    for path in still:
        setup.console.note(
            f"{path} is still wired: run `tma install-hooks AGENT --uninstall` or `tma install-keys --uninstall` "
            "with the option or variable that led there"
        )
    return not still


def _holds_ours(path: str) -> bool:
    try:
        data = read(path).data or b""
    except RefusedError:
        return False
    return any(mark in data for mark in _MARKS)


def _leave_server(setup: Setup) -> bool:
    setup.console.note(hooks.REMINDER)
    if setup.facts is None:
        setup.console.note(NO_SERVER)
        return False
    server.uninstall_hooks(setup)
    server.sweep(setup)
    return True


def _drop_wrapper(setup: Setup) -> bool:
    if not wrapper.is_removable(setup.wrapper_path):
        return True
    if not setup.console.ask(f"remove {setup.wrapper_path}"):
        return False
    Path(setup.wrapper_path).unlink()
    return True


def _own(setup: Setup) -> list[str]:
    """The directories and records of tma itself, without anything that the user wrote (UNI-2)."""
    places = [files.runtime_dir(setup.env), files.cache_dir(setup.env), files.state_dir(setup.env)]
    config = setup.places.config_dir()
    patterns = ("hooks-state-*.toml", "statusline-state.toml")
    records = [str(path) for pattern in patterns for path in Path(config).glob(pattern)] if config else []
    return [path for path in (*places, *records) if path and Path(path).exists()]


def _purge(setup: Setup) -> bool:
    paths = _own(setup)
    if paths and not setup.console.ask(f"remove {', '.join(paths)}"):
        return False
    for path in paths:
        _drop(Path(path), {Path(log).resolve() for log in _logs(setup)})
    with suppress(OSError):
        Path(setup.places.config_dir()).rmdir()
    return True


def _drop(path: Path, logs: set[Path]) -> None:
    """Remove a file or a directory, but for the user's logs in it."""
    if path.is_symlink() or not path.is_dir():
        if path.resolve() not in logs:
            path.unlink()
        return
    for entry in list(path.iterdir()):
        _drop(entry, logs)
    if not any(path.iterdir()):
        path.rmdir()


def _logs(setup: Setup) -> list[str]:
    """The logs at paths that the user chose (UNI-2)."""
    settings = setup.runtime.settings
    return [log for log in (settings.notify["log"], settings.act_log) if log]
