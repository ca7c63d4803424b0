"""One tmux client: which server and binary, the argument list, and what its errors mean.

A client is an argument list, never a shell string; ``-u`` keeps UTF-8 whatever the locale is
(CLI-12).
"""

import posix

from tma.adapters import child, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tma.core.errors import TmaError

TIMEOUT_S = 3.0
"""Seconds that one call may take (WR-8)."""

ANSWER_S = 1.0
"""Seconds within which a forward drops the connection to a server that has ended."""

_KIND, _PLAIN_FILE = 0o170000, 0o100000
_GONE = ("no server running", "error connecting", "failed to connect to server", "server exited", "lost server")
_REFUSED_USER = ("access not allowed", "permission denied")
_MISSING = "tmux is not installed or not on PATH"
_MISSING_HINT = "install tmux, or name the program by [tmux] bin or TMA_TMUX_BIN"


class Server:
    """A tmux server, as every call addresses it.

    ``selector`` is ``()`` for tmux's own choice, else ``("-L", name)`` or ``("-S", path)``.
    """

    __slots__ = ("_running", "binary", "selector")

    def __init__(self, selector: tuple[str, ...], binary: str) -> None:
        """Keep the choice; ``binary`` is an absolute path, or empty when there is none."""
        self.selector = selector
        self.binary = binary
        self._running: set[child.Child] = set()

    def abandon(self) -> None:
        """Kill the calls that other threads still wait for (DLC-12)."""
        for started in list(self._running):
            started.kill()

    def argv(self, commands: list[str]) -> list[str]:
        """The whole argument list of a client; an argument that ends in ``;`` stays text (WR-4)."""
        if not self.binary:
            raise failure(_MISSING, _MISSING_HINT)
        return [self.binary, "-u", *self.selector, *commands]

    def run(self, commands: list[str], *, timeout_s: float = TIMEOUT_S) -> str:
        """Run commands in one client and give what they print.

        Raises:
            TmuxGoneError: no server answers.
            TmuxTimeoutError: the call was killed at its deadline.
            TmuxError: tmux refused, is missing, or speaks another protocol.
        """
        return self.finish(self.begin(commands, timeout_s=timeout_s))

    def begin(self, commands: list[str], *, timeout_s: float = TIMEOUT_S) -> child.Child:
        """Start commands in one client; ``finish`` gives what they print. Errors are those of ``run``."""
        return self._start(commands, timeout_s, talk=False)

    def finish(self, begun: child.Child) -> str:
        """What a client prints that ``begin`` started; errors are those of ``run``."""
        return self._result(begun, "")

    def take(self, begun: child.Child, end: str) -> str:
        """What such a client prints up to ``end``, for a caller that will not live long: nobody waits for its exit."""
        text = begun.read_until(end.encode())
        if text is None:
            return self.finish(begun)
        begun.leave()
        self._running.discard(begun)
        return text.decode("utf-8", "replace")

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
        return self.converse(read, timeout_s=timeout_s)(reply)

    def converse(
        self, read: list[str], *, timeout_s: float = TIMEOUT_S, leaves: bool = False
    ) -> "Callable[[Callable[[str], str]], str]":
        """Start the client of an exchange; the result takes the ``reply`` and ends the exchange.

        A caller that ``leaves`` will not live long: it waits until the server has done all, and not for the exit.
        """
        mark = posix.urandom(8).hex()
        commands = [*read, ";", "display-message", "-p", mark, ";", "source-file", "-"]
        started = self._start(commands, timeout_s, talk=True)
        return lambda reply: self._answered(started, mark, reply, leaves=leaves)

    def _answered(self, started: child.Child, mark: str, reply: "Callable[[str], str]", *, leaves: bool) -> str:
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
            self._running.discard(started)
            raise
        if leaves and answer:
            answer = f"{answer}display-message -p {mark}\n"
        started.send(answer.encode("utf-8", "replace"))
        return self.take(started, f"{mark}\n" if answer else "") if leaves else self._result(started, "")

    def _start(self, commands: list[str], timeout_s: float, *, talk: bool) -> child.Child:
        try:
            started = child.Child(self.argv(commands), timeout_s=timeout_s, talk=talk)
        except FileNotFoundError:
            raise failure(_MISSING, _MISSING_HINT) from None
        except OSError as error:
            text = f"cannot start {self.binary}: {error.strerror}"
            raise failure(text) from None
        self._running.add(started)
        return started

    def _result(self, started: child.Child, broken: str) -> str:
        try:
            done = started.finish()
        finally:
            self._running.discard(started)
        if done.timed_out:
            text = f"tmux timed out after {TIMEOUT_S:.0f}s"
            raise failure(text, "the server may be stopped or overloaded; try again", kind="TmuxTimeoutError")
        if done.truncated:
            text = "tmux printed more than 8 MiB"
            raise failure(text)
        said = done.err.decode("utf-8", "replace").strip()
        # tmux refuses a client of another user and ends with 0 (3.3a, 3.7c).
        if done.code or broken or said == _REFUSED_USER[0]:
            said = said or broken or f"{self.binary} ended with {done.code} and said nothing"
            raise self._refused(said, min(started.left_s, ANSWER_S))
        return done.out.decode("utf-8", "replace")

    def _refused(self, text: str, within_s: float) -> "TmaError":
        if "server exited unexpectedly" in text and self._answers(within_s):
            text = f"protocol version mismatch: a server answers, but not to {self.binary}"
        if "protocol version mismatch" in text:
            return failure(f"tmux: {text}", "let [tmux] bin or TMA_TMUX_BIN name the client that belongs to the server")
        if any(word in text.lower() for word in _REFUSED_USER):
            return failure(f"tmux: {text}", "the server is another user's: run as that user, in a container by --user")
        missing_socket = "no such file or directory" in text.lower()
        if any(word in text for word in _GONE) or (missing_socket and "tmux" in text):
            return self._gone()
        return failure(f"tmux: {text}")

    def _answers(self, within_s: float) -> bool:
        """Whether a server holds the line: an old client calls a newer server gone (3.3a, 3.7c).

        A forward whose server has ended takes the connection, and drops it.
        """
        import _socket

        path = socket_path(self.selector, posix.geteuid(), system.env)
        probe = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            probe.settimeout(within_s)
            probe.connect(path)
            return bool(probe.recv(1))
        except TimeoutError:
            return True
        except (OSError, ValueError):
            return False
        finally:
            probe.close()

    def _gone(self) -> "TmaError":
        path = self.selector[1] if self.selector[:1] == ("-S",) else ""
        if not path:
            hint = "start tmux, or name a server by --socket-name"
            return failure("no tmux server running", hint, kind="TmuxGoneError")
        hint = "start tmux, or name another socket"
        if _exists(path):
            hint = "forward or mount it anew; sshd replaces the file only with StreamLocalBindUnlink in its own config"
        return failure(f"no tmux server running on {path}", hint, kind="TmuxGoneError")


def socket_path(selector: tuple[str, ...], uid: int, env: "Callable[[str], str]") -> str:
    """The socket that tmux itself would use for a selector (tmux(1), -L and -S)."""
    if selector[:1] == ("-S",):
        return selector[1]
    inside = own_server(env)[0]
    if inside and not selector:
        return inside
    directory = env("TMUX_TMPDIR") or "/tmp"  # noqa: S108  # tmux's own rule
    return f"{directory}/tmux-{uid}/{selector[1] if selector else 'default'}"


def own_server(env: "Callable[[str], str]") -> tuple[str, int]:
    """The socket and the process of the server whose pane this is, as ``TMUX`` says; "" and 0 for none."""
    path, pid, *_ = [*env("TMUX").rsplit(",", 2), "", ""]
    return path, int(pid) if pid.isascii() and pid.isdecimal() else 0


def failure(message: str, hint: str = "", *, kind: str = "TmuxError") -> "TmaError":
    """An error of ``core.errors`` by its name: loaded here, because most calls succeed."""
    from tma.core import errors

    error: TmaError = getattr(errors, kind)(message, hint)
    return error


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except (OSError, ValueError):
        return False
    return True


def choose(env: "Mapping[str, str]", *, socket_name: str = "", socket_path: str = "", configured: str = "") -> Server:
    """The server and binary of a command (GLO-1, GLO-2)."""
    wanted = env.get("TMA_TMUX_BIN", "") or configured or "tmux"
    selector = selector_of(env, socket_name=socket_name, socket_path=socket_path)
    return Server(selector, find_binary(wanted, env.get("PATH", "")))


def selector_of(env: "Mapping[str, str]", *, socket_name: str = "", socket_path: str = "") -> tuple[str, ...]:
    """What names the server, by option before environment; ``()`` leaves it to tmux (GLO-1)."""
    if socket_name:
        return ("-L", socket_name)
    path = socket_path or env.get("TMA_SOCKET_PATH", "")
    return ("-S", path) if path else ()


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
        return posix.access(path, posix.X_OK) and posix.stat(path).st_mode & _KIND == _PLAIN_FILE
    except (OSError, ValueError):
        return False
