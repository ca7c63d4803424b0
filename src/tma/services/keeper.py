"""Seeing to a server's daemon from outside: is one there, start it, stop it, replace it (DLC-4 to DLC-10, CFG-14)."""

import fcntl
import os
import select
import signal
import time
from pathlib import Path
from typing import NamedTuple

import tma
from tma import __version__
from tma.adapters import files, lasting, system
from tma.core.errors import TmaError
from tma.core.pane import ServerFacts
from tma.services import link, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

STOP_S = 5.0
"""Longer than a tmux call may take: the daemon lets the one under way go (DLC-7)."""

START_S = 2.0
COOL_DOWN_MS = 60_000
_POLL_S = 0.01
_KEPT = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TMPDIR", "DISPLAY", "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK",
)  # fmt: skip
_KEPT_GROUPS = ("LC_", "XDG_", "TMA_")
_FORGOTTEN = ("TMA_HOOK_PID", "TMA_HOOK_KIND", "TMA_TRUST_PANE")
_BODY_LIMIT = 4096


class Record(NamedTuple):
    """What a lock file says; 0 and "" for what it does not."""

    pid: int
    version: str


class Keeper:
    """Sees to the daemon of one runtime's server."""

    def __init__(self, runtime: "Runtime", server: str = "") -> None:
        """Ask the server for the text that names its files, unless the caller knows it."""
        self._runtime = runtime
        self._server = server
        self._env = system.environment()

    @property
    def socket_text(self) -> str:
        """The server's own text of its socket path (DID-1), "" where no server runs.

        Raises:
            TmaError: the server does not answer.
        """
        if not self._server:
            facts = facts_of(self._runtime)
            self._server = facts.socket_path if facts is not None else ""
        return self._server

    def path(self, ending: str) -> str:
        """One of this server's files."""
        return files.daemon_file(self._env, self.socket_text, ending)

    def record(self) -> Record:
        """What the lock file says of its holder (DID-3)."""
        return read_record(self.path("lock"))

    def is_held(self) -> bool:
        """Whether a daemon holds the lock, or it cannot be told."""
        return is_held(self.path("lock"))

    def ensure(self) -> None:
        """Start one in the background unless one runs, or replace an older one (CDM-2, CFG-14).

        Raises:
            TmaError: it cannot be started.
        """
        facts = facts_of(self._runtime)
        if facts is None or self._runtime.foreign(facts):
            return
        self._server = facts.socket_path
        if not self.is_held():
            self.start()
        elif self._runtime.settings.daemon["restart_on_upgrade"]:
            self.upgrade()

    def start(self) -> None:
        """Start one in the background; nobody waits for its socket (DLC-4).

        Raises:
            TmaError: it cannot be started.
        """
        words = [
            *program.own_words(),
            *program.own_options(self._runtime.options, self._env.get("TMA_SOCKET_PATH", "")),
        ]
        if not any(word.startswith("--socket") for word in words):
            words += ["--socket-path", self.socket_text]
        log = open_log(self._env, files.short_hash(self.socket_text))
        try:
            lasting.detach([*words, "daemon"], env=self._environment(words), err=log)
        except OSError as error:
            message = f"cannot start the daemon: {error.strerror}"
            raise TmaError(message, f"the program is {words[0]}") from None
        finally:
            os.close(log)

    def _environment(self, words: list[str]) -> dict[str, str]:
        """The child's; an interpreter that is to find this build as a module is told where it is."""
        source = {"PYTHONPATH": str(Path(tma.__file__).parent.parent)} if "-m" in words else {}
        return child_environment(self._env) | source

    def stop(self) -> bool:
        """Stop the one that runs and wait until it is gone; whether one ran (DLC-7).

        Raises:
            TmaError: it cannot be told which process it is, or it does not end in time.
        """
        if not self.socket_text or link.ping(self.path("sock")) is None:
            return False
        pid = self.record().pid
        if pid <= 0:
            message = f"a daemon runs, but {self.path('lock')} does not say which process it is"
            raise TmaError(message, "end it by hand")
        if link.ping(self.path("sock")) is None:
            return False
        _signal(pid, signal.SIGTERM)
        end = time.monotonic() + STOP_S
        while time.monotonic() < end:
            silent = link.ping(self.path("sock")) is None
            if (silent and not self.is_held()) or (not silent and not system.exists(pid)):
                return True
            select.select([], [], [], _POLL_S)
        message = f"the daemon, process {pid}, did not end within {STOP_S:.0f} s"
        raise TmaError(message, "it was told to and may still do so; nothing new was started")

    def restart(self) -> None:
        """Stop the one that runs, start this build, and wait until it answers (DLC-8).

        Raises:
            TmaError: one of the three failed.
        """
        if not self.socket_text:
            message = "no tmux server running"
            raise TmaError(message)
        self.stop()
        self.start()
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            if link.ping(self.path("sock")):
                return
            select.select([], [], [], _POLL_S)
        message = f"the new daemon did not answer within {START_S:.0f} s; nothing is running now"
        raise TmaError(message, "tma daemon in a terminal says why")

    def upgrade(self) -> bool:
        """Replace an older daemon, at most once a minute; whether it was done (CFG-14, DLC-9).

        Raises:
            TmaError: the old one does not end, or the new one cannot be started.
        """
        record = self.record()
        if not is_older(record.version) or not system.exists(record.pid):
            return False
        stamp = self.path("restart")
        now = self._runtime.now_ms()
        if not may_replace(stamp, now):
            return False
        write_stamp(stamp, now)
        self.restart()
        return True

    def reload(self) -> bool:
        """Have the daemon read its files again; whether one runs (CRL-1).

        Raises:
            TmaError: one runs and it cannot be told which process it is.
        """
        if not self.socket_text or not self.is_held():
            return False
        pid = self.record().pid
        if pid <= 0:
            message = f"{self.path('lock')} does not say which process the daemon is"
            raise TmaError(message, "tma daemon --restart starts a new one")
        _signal(pid, signal.SIGHUP)
        return True


def attend(runtime: "Runtime") -> None:
    """Start or replace the daemon as the configuration wishes, before a surface works; nothing of it fails (CDM-4)."""
    daemon = runtime.settings.daemon
    keeper = Keeper(runtime)
    try:
        if daemon["autostart"]:
            keeper.ensure()
        elif keeper.socket_text and keeper.is_held() and daemon["restart_on_upgrade"]:
            keeper.upgrade()
    except (TmaError, OSError):
        return


def facts_of(runtime: "Runtime") -> ServerFacts | None:
    """What the server says of itself, None where none runs.

    Raises:
        TmaError: it does not answer.
    """
    from tma.core.errors import TmuxGoneError

    fields = ("socket_path", "version", "host", "pid")
    try:
        text = runtime.server.run(["display-message", "-p", "\n".join(f"#{{{name}}}" for name in fields)])
    except TmuxGoneError:
        return None
    path, version, host, pid = (text.split("\n") + [""] * 4)[:4]
    return ServerFacts(path, version, host, int(pid) if pid.isdecimal() else 0, 0)


def read_record(path: str) -> Record:
    """What a lock file says; an empty or torn body says nothing."""
    try:
        first, *lines = files.read_own(path, _BODY_LIMIT).decode("utf-8", "replace").split("\n")
    except OSError:
        return Record(0, "")
    pid = int(first) if first.isascii() and first.isdecimal() and len(first) < 11 else 0  # noqa: PLR2004  # digits of a pid
    version = next((line.partition("=")[2] for line in lines if line.startswith("version=")), "")
    return Record(pid, version) if pid > 0 and version else Record(0, "")


def is_held(path: str) -> bool:
    """Whether a lock is held; a missing file is free, one that cannot be opened counts as held."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    else:
        return False
    finally:
        os.close(descriptor)


def is_older(version: str) -> bool:
    """Whether a version is strictly lower than ours; one that cannot be read is not (DLC-9)."""
    theirs, ours = numbers(version), numbers(__version__)
    return theirs is not None and ours is not None and theirs < ours


def numbers(version: str) -> tuple[int, ...] | None:
    """``MAJOR.MINOR.PATCH`` as integers; a candidate equals its release."""
    words = version.partition("-")[0].partition("+")[0].split(".")
    if len(words) != 3 or not all(word.isascii() and word.isdecimal() for word in words):  # noqa: PLR2004  # three parts
        return None
    return tuple(map(int, words))


def may_replace(path: str, now: int) -> bool:
    """Whether no automatic replacement happened within a minute; one in the future is one just now."""
    try:
        text = files.read_own(path, 64).decode("ascii", "replace").strip()
    except OSError:
        return True
    return not text.isdecimal() or now - int(text) >= COOL_DOWN_MS


def write_stamp(path: str, now: int) -> None:
    """Note a replacement before it is tried, so that one that fails cools down too.

    Raises:
        TmaError: it cannot be noted; then nothing is replaced.
    """
    try:
        files.replace(path, str(now).encode())
    except OSError as error:
        message = f"cannot write {path}: {error}"
        raise TmaError(message) from None


def child_environment(env: "dict[str, str]") -> dict[str, str]:
    """What a background daemon is started with (DLC-5): nothing of the pane that happened to start it."""
    return {
        name: value
        for name, value in env.items()
        if (name in _KEPT or name.startswith(_KEPT_GROUPS)) and name not in _FORGOTTEN
    }


def open_log(env: "dict[str, str]", key: str) -> int:
    """The log of a background daemon to append to; nothing, where it cannot be had (PTH-9)."""
    directory = files.state_dir(env)
    try:
        os.close(files.private_dir(directory, missing=3))
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(f"{directory}/daemon-{key}.log", flags, 0o600)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return
