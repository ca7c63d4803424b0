"""One tmux client: which server and binary, the argument list, and what its errors mean.

A client is an argument list, never a shell string; ``-u`` keeps UTF-8 whatever the locale is
(CLI-12).
"""

import posix
import time

from tma.adapters import child
from tma.core.errors import TmuxError, TmuxGoneError, TmuxTimeoutError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

TIMEOUT_S = 3.0
"""Seconds that one call may take (WR-8)."""

_GONE = ("no server running", "error connecting", "failed to connect to server", "server exited", "lost server")
_MISSING = "tmux is not installed or not on PATH"
_MISSING_HINT = "install tmux, or name the program by [tmux] bin or TMA_TMUX_BIN"


class Server:
    """A tmux server, as every call addresses it.

    ``selector`` is ``()`` for tmux's own choice, else ``("-L", name)`` or ``("-S", path)``.
    """

    __slots__ = ("binary", "selector")

    def __init__(self, selector: tuple[str, ...], binary: str) -> None:
        """Keep the choice; ``binary`` is an absolute path, or empty when there is none."""
        self.selector = selector
        self.binary = binary

    def argv(self, commands: list[str]) -> list[str]:
        """The whole argument list of a client; an argument that ends in ``;`` stays text (WR-4)."""
        if not self.binary:
            raise TmuxError(_MISSING, _MISSING_HINT)
        return [self.binary, "-u", *self.selector, *commands]

    def run(self, commands: list[str], *, timeout_s: float = TIMEOUT_S) -> str:
        """Run commands in one client and give what they print.

        Raises:
            TmuxGoneError: no server answers.
            TmuxTimeoutError: the call was killed at its deadline.
            TmuxError: tmux refused, is missing, or speaks another protocol.
        """
        return self._result(self._start(commands, timeout_s, talk=False), "")

    def feed(self, script: str, *, timeout_s: float = TIMEOUT_S) -> str:
        """Run a script through ``source-file`` and give what it prints; errors are those of ``run``."""
        started = self._start(["source-file", "-"], timeout_s, talk=True)
        started.send(script.encode("utf-8", "replace"))
        return self._result(started, "")

    def exchange(self, read: list[str], reply: "Callable[[str], str]", *, timeout_s: float = TIMEOUT_S) -> str:
        """Read, decide and write in one client: commands print, ``reply`` answers with more commands.

        ``reply`` gets what ``read`` printed and returns a text for tmux's ``source-file``; the
        result is what that text printed. The server may do other work between the two, so every
        write in the reply carries its own condition. Errors are those of ``run``.
        """
        mark = posix.urandom(8).hex()
        commands = [*read, ";", "display-message", "-p", mark, ";", "source-file", "-"]
        started = self._start(commands, timeout_s, talk=True)
        end = f"{mark}\n".encode()
        text = started.read_until(end)
        if text is None:
            started.send(b"")
            return self._result(started, f"{mark} was not printed")
        try:
            answer = reply(text[: -len(end)].decode("utf-8", "replace"))
        except BaseException:
            started.kill()
            started.finish()
            raise
        started.send(answer.encode("utf-8", "replace"))
        return self._result(started, "")

    def _start(self, commands: list[str], timeout_s: float, *, talk: bool) -> child.Child:
        try:
            return child.Child(self.argv(commands), timeout_s=timeout_s, talk=talk)
        except FileNotFoundError:
            raise TmuxError(_MISSING, _MISSING_HINT) from None
        except OSError as error:
            msg = f"cannot start {self.binary}: {error.strerror}"
            raise TmuxError(msg) from None

    def _result(self, started: child.Child, broken: str) -> str:
        done = started.finish()
        if done.timed_out:
            msg = f"tmux timed out after {TIMEOUT_S:.0f}s"
            raise TmuxTimeoutError(msg, "the server may be stopped or overloaded; try again")
        if done.truncated:
            msg = "tmux printed more than 8 MiB"
            raise TmuxError(msg)
        if done.code or broken:
            raise self._failure(done.err.decode("utf-8", "replace").strip() or broken)
        return done.out.decode("utf-8", "replace")

    def _failure(self, text: str) -> Exception:
        if "protocol version mismatch" in text:
            msg = f"tmux: {text}"
            return TmuxError(msg, "let [tmux] bin or TMA_TMUX_BIN name the client that belongs to the server")
        missing_socket = "No such file or directory" in text or "no such file or directory" in text
        if any(word in text for word in _GONE) or (missing_socket and "tmux" in text):
            return self._gone()
        return TmuxError(f"tmux: {text}")

    def _gone(self) -> TmuxGoneError:
        path = self.selector[1] if self.selector[:1] == ("-S",) else ""
        try:
            if path and posix.stat(path):
                return TmuxGoneError(
                    f"no tmux server running on {path}",
                    "nothing answers there; a forwarded socket needs StreamLocalBindUnlink=yes to be replaced",
                )
        except (OSError, ValueError):
            return TmuxGoneError(f"no tmux server running on {path}", "start tmux, or name another socket")
        return TmuxGoneError("no tmux server running", "start tmux, or name a server by --socket-name")


def choose(env: "Mapping[str, str]", *, socket_name: str = "", socket_path: str = "", configured: str = "") -> Server:
    """The server and binary of a command (GLO-1, GLO-2)."""
    selector: tuple[str, ...] = ()
    if socket_name:
        selector = ("-L", socket_name)
    elif path := socket_path or env.get("TMA_SOCKET_PATH", ""):
        selector = ("-S", path)
    wanted = env.get("TMA_TMUX_BIN", "") or configured or "tmux"
    return Server(selector, find_binary(wanted, env.get("PATH", "")))


def find_binary(wanted: str, path: str) -> str:
    """An absolute program path, or "": absolute as it is, a bare name on PATH, nothing else (GLO-2)."""
    if wanted.startswith("/"):
        return wanted
    if "/" in wanted:
        return ""
    for directory in path.split(":"):
        if directory.startswith("/") and _is_program(candidate := f"{directory}/{wanted}"):
            return candidate
    return ""


def _is_program(path: str) -> bool:
    try:
        return posix.access(path, posix.X_OK) and posix.stat(path).st_mode & 0o170000 == 0o100000
    except (OSError, ValueError):
        return False


def remaining(deadline: float) -> float:
    """Seconds until a monotonic deadline, at least a little, for calls that share one budget."""
    return max(0.05, deadline - time.monotonic())
