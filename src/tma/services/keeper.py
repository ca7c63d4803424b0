"""Seeing to a server's daemon from outside: is one there, start it, stop it, replace it (DLC-4 to DLC-10, CFG-14)."""

import os
import select
import signal
import time

from tma.adapters import files, system
from tma.core.errors import TmaError, TmuxGoneError
from tma.core.pane import ServerFacts
from tma.services import holder, launch, link, upgrading
from tma.services.holder import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

STOP_S = 5.0
"""Longer than a tmux call may take: the daemon lets the one under way go (DLC-7)."""

START_S = 2.0
_POLL_S = 0.01


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
        return holder.read_record(self.path("lock"))

    def is_held(self) -> bool:
        """Whether a daemon holds the lock, or it cannot be told."""
        return holder.is_held(self.path("lock"))

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
        launch.start(self._runtime.options, self._env, self.socket_text)

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
        if not upgrading.is_older(record.version) or not system.exists(record.pid):
            return False
        stamp = self.path("restart")
        now = self._runtime.now_ms()
        if not upgrading.may_replace(stamp, now):
            return False
        upgrading.write_stamp(stamp, now)
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
    fields = ("socket_path", "version", "host", "pid")
    try:
        text = runtime.server.run(["display-message", "-p", "\n".join(f"#{{{name}}}" for name in fields)])
    except TmuxGoneError:
        return None
    path, version, host, pid = (text.split("\n") + [""] * 4)[:4]
    return ServerFacts(path, version, host, int(pid) if pid.isdecimal() else 0, 0)


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except OSError:
        return
