"""The demo: a tmux server of its own with replay agents in it, started, found and ended.

It addresses its own socket only, and gives the programs in it a configuration directory of
their own, so that neither side sees the user's settings.
"""

import posix
import select
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from tma.adapters import files, owned
from tma.adapters.tmux import client
from tma.adapters.tmux.write import quote
from tma.core.errors import TmaError, TmuxGoneError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

IDLE_MINUTES = 30
"""A demo that nobody has looked at for so long ends itself (DEM-5)."""

_PACKAGES = Path(__file__).resolve().parent.parent.parent
DATA = _PACKAGES / "tma" / "data" / "demo"
"""Its stories, its guide and what its tmux server is told."""

_AGENTS = (("claude", "claude", "shop"), ("pi", "pi", "api"), ("codex", "codex", "api"), ("plan", "claude", "docs"))
"""Each replay: its story, the name of its process, its session."""

_SOCKET_BYTES = 107 if sys.platform == "linux" else 103
_MINUTE_S = 60
_REMOVALS = 60
_PAUSE_S = 0.05


class Demo:
    """The one demo of this user; ``socket`` is its tmux server's."""

    def __init__(self, env: "Mapping[str, str]", *, minute_s: int = _MINUTE_S, data: Path = DATA) -> None:
        """Find its place; ``minute_s`` is how long its server takes a minute to be, ``data`` holds its files."""
        self._env = env
        self._data = data
        self._minute_s = minute_s
        self._directory = Path(files.runtime_dir(env)) / "demo"
        self.socket = str(self._directory / "tmux.sock")
        self._server = client.choose(env, socket_path=self.socket)

    def running(self) -> bool:
        """Whether the demo's server answers."""
        try:
            self._server.run(["display-message", "-p", ""])
        except TmuxGoneError:
            return False
        return True

    def start(self, speed: float) -> None:
        """Write the demo's files and start its server; a failure leaves nothing behind.

        Raises:
            TmaError: no usable runtime directory, or tmux would not start.
        """
        if len(self.socket.encode()) > _SOCKET_BYTES:
            message = f"the demo's socket path has more than {_SOCKET_BYTES} bytes: {self.socket}"
            raise TmaError(message, "set XDG_RUNTIME_DIR to a shorter directory")
        try:
            for directory in (self._directory.parent, self._directory):
                posix.close(owned.private_dir(str(directory), missing=1))
        except files.FileRefusedError as error:
            raise TmaError(str(error), "the demo needs a directory of its own; set XDG_RUNTIME_DIR") from None
        try:
            self._write()
            self._server.run(self._layout(speed))
        except BaseException:
            with suppress(TmaError):
                self._server.run(["kill-server"])
            self._remove()
            raise

    def stop(self) -> bool:
        """End the demo's server by its socket and remove its files; whether one was running."""
        running = self.running()
        if running:
            self._server.run(["kill-server"])
        self._remove()
        return running

    def attach_words(self) -> list[str]:
        """The command that shows the demo."""
        return self._server.argv(["attach-session", "-t", "=shop"])

    def _remove(self) -> None:
        """Remove the demo's directory; programs that just lost their pane may still write in it."""
        for _try in range(_REMOVALS):
            shutil.rmtree(self._directory, ignore_errors=True)
            if not self._directory.exists():
                return
            select.select([], [], [], _PAUSE_S)

    def _path(self, *names: str) -> str:
        return str(self._directory.joinpath(*names))

    def _write(self) -> None:
        """The files of a fresh demo; those of one that ended by itself are replaced."""
        for name in ("bin", "agents", "config", "cache", "state"):
            (self._directory / name).mkdir(mode=0o700, exist_ok=True)
        for session, branch in (("shop", "steady-uploads"), ("api", "billing-client"), ("docs", "main")):
            # The least that is a repository, so that rows have a branch to show.
            for part in ("objects", "refs"):
                (self._directory / "work" / session / ".git" / part).mkdir(parents=True, exist_ok=True)
            self._put(f"ref: refs/heads/{branch}\n", "work", session, ".git", "HEAD")
        self._put(self._program(), "bin", "tma", mode=0o700)
        for _story, process, _session in _AGENTS:
            self._put(_AGENT.format(packages=str(_PACKAGES)), "agents", process)
        self._put(self._tmux_conf(), "tmux.conf")
        self._put(self._watch_conf(), "watch.conf")

    def _put(self, text: str, *names: str, mode: int = 0o600) -> None:
        owned.replace(self._path(*names), text.encode("utf-8", "surrogateescape"), mode)

    def _program(self) -> str:
        """A `tma` for the demo's PATH that is the one which runs now, wherever it is installed.

        It says its own name, for menus and sessions start it again by that.
        """
        name, packages = self._path("bin", "tma"), str(_PACKAGES)
        code = f"import sys; sys.argv[0] = {name!r}; sys.path.insert(0, {packages!r})"
        code += "; from tma.cli.main import main; main()"
        return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -S -c {shlex.quote(code)} "$@"\n'

    def _tmux_conf(self) -> str:
        """What the demo's programs find around them: its own server and settings, and nobody else's."""
        own = {
            "PATH": f"{self._path('bin')}:{self._env.get('PATH', '')}",
            "TMA_SOCKET_PATH": self.socket,
            "TMA_TMUX_BIN": self._server.binary,
            "XDG_CACHE_HOME": self._path("cache"),
            "XDG_CONFIG_HOME": self._path("config"),
            "XDG_STATE_HOME": self._path("state"),
            "CLAUDE_CONFIG_DIR": self._path("config", "claude"),
            "CODEX_HOME": self._path("config", "codex"),
        }
        foreign = [name for name in self._env if name.startswith("TMA_") or name in ("TMUX_PANE", "CLAUDE_JOB_DIR")]
        shell = self._env.get("SHELL", "") or "/bin/sh"
        lines = [f"set-environment -gr {quote(name)}" for name in foreign if name not in own]
        lines += [f"set-environment -g {name} {quote(value)}" for name, value in own.items()]
        lines += [
            # A login shell would set PATH anew and lose the demo's `tma`.
            f"set-option -g default-command {quote(shlex.quote(shell))}",
            f"source-file {quote(str(self._data / 'tmux.conf'))}",
            f"source-file {quote(str(self._data / 'keys.conf'))}",
            f"source-file {quote(self._path('watch.conf'))}",
        ]
        return "".join(f"{line}\n" for line in lines)

    def _watch_conf(self) -> str:
        """What ends a demo that nobody looks at any more; it sources itself every minute."""
        path = quote(self._path("watch.conf"))
        again = quote(f"run-shell -b -d {self._minute_s} -C {quote(f'source-file {path}')}")
        too_long = f"#{{e|>=:#{{@demo_unseen}},{IDLE_MINUTES}}}"
        counted = quote(str(self._data / "unseen.conf"))
        return f"source-file {counted}\nif-shell -F '{too_long}' kill-server {again}\n"

    def _layout(self, speed: float) -> list[str]:
        """Three sessions, an agent in each window, and a shell with the guide below the first."""
        commands = ["-f", self._path("tmux.conf")]
        shown: set[str] = set()
        for story, process, session in _AGENTS:
            where = ["-n", story, "-c", self._path("work", session)]
            agent = [sys.executable, "-I", "-S", self._path("agents", process)]
            agent += [str(self._data / f"{story}.toml"), f"{speed:g}", self._path("bin", "tma")]
            if session in shown:
                commands += ["new-window", "-d", "-t", f"={session}:", *where, *agent, ";"]
            else:
                commands += ["new-session", "-d", "-x", "120", "-y", "45", "-s", session, *where, *agent, ";"]
            shown.add(session)
        # tmux gives a pane the PATH of the client that opens it while that client is not attached.
        path = f"PATH={shlex.quote(self._path('bin'))}:$PATH; export PATH"
        guide = f'{path}; cat {shlex.quote(str(self._data / "guide.txt"))}; exec "${{SHELL:-sh}}"'
        work = self._path("work", "shop")
        return [*commands, "split-window", "-t", "=shop:", "-v", "-l", "14", "-c", work, guide]


_AGENT = """\
import sys

sys.path.insert(0, {packages!r})
from tma.services.replay import play

play(sys.argv[1], float(sys.argv[2]), sys.argv[3])
"""
