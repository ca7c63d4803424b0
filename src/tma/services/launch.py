"""A daemon started in the background: what it is called with, its environment, its log (DLC-4, DLC-5, PTH-9)."""

import copy
import os
from pathlib import Path

import tma
from tma.adapters import files, lasting, owned
from tma.core.errors import TmaError
from tma.services import program
from tma.services.cache import Options

_KEPT = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK",
)  # fmt: skip
_KEPT_GROUPS = ("LC_", "XDG_", "TMA_")
_FORGOTTEN = ("TMA_HOOK_PID", "TMA_HOOK_KIND", "TMA_TRUST_PANE")


def start(options: Options, env: dict[str, str], server: str) -> None:
    """Start a daemon for the server whose socket path is ``server``; nobody waits for it.

    Raises:
        TmaError: it cannot be started.
    """
    # A name means another socket where TMUX_TMPDIR is not passed on.
    chosen = copy.copy(options)
    chosen.socket_name, chosen.socket_path = "", options.socket_path or server
    words = [*program.own_words(), *program.own_options(chosen)]
    log = open_log(env, files.short_hash(server))
    try:
        lasting.detach([*words, "daemon"], env=_environment(env, words), err=log)
    except OSError as error:
        message = f"cannot start the daemon: {error.strerror}"
        raise TmaError(message, f"the program is {words[0]}") from None
    finally:
        os.close(log)


def _environment(env: dict[str, str], words: list[str]) -> dict[str, str]:
    """The child's; an interpreter that is to find this build as a module is told where it is."""
    source = {"PYTHONPATH": str(Path(tma.__file__).parent.parent)} if "-m" in words else {}
    return child_environment(env) | source


def child_environment(env: dict[str, str]) -> dict[str, str]:
    """What a background daemon is started with (DLC-5): nothing of the pane that happened to start it."""
    return {
        name: value
        for name, value in env.items()
        if (name in _KEPT or name.startswith(_KEPT_GROUPS)) and name not in _FORGOTTEN
    }


def open_log(env: dict[str, str], key: str) -> int:
    """The log of a background daemon to append to; nothing, where it cannot be had (PTH-9)."""
    directory = files.state_dir(env)
    try:
        os.close(owned.private_dir(directory, missing=3))
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(f"{directory}/daemon-{key}.log", flags, 0o600)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
