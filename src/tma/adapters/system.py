"""The process's surroundings: wall clock, environment, host name, user, randomness.

Uses ``posix`` and not ``os``, which would load seven modules on the hot path.
"""

import posix
import sys
import time

_CHUNK = 1 << 18
_LOCALE = ("LC_ALL", "LC_CTYPE", "LANG")

MAX_START_MS = 10_000

MAX_PARENTS = 64
"""How many processes up a hook looks for its pane (OWN-3)."""


def now_ms() -> int:
    """The wall clock in epoch milliseconds; the only place that reads it."""
    return time.time_ns() // 1_000_000


def begun_ms(root: str = "/proc") -> int:
    """When this process was started, in epoch milliseconds, never later than it was; now where that is not told.

    An age beyond ten seconds is no age of a command that has only begun: such a system counts otherwise.
    """
    try:
        descriptor = posix.open(f"{root}/self/stat", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return now_ms()
    try:
        ticks = int(posix.read(descriptor, 4096).rpartition(b")")[2].split()[19])
        age = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000 - ticks * 1000 // posix.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return now_ms()
    finally:
        posix.close(descriptor)
    return now_ms() - (age if ticks and 0 <= age <= MAX_START_MS else 0)


def env(name: str) -> str:
    """A variable's text, empty when unset or empty (GLO-6)."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def environment() -> dict[str, str]:
    """The whole environment as text."""
    return {
        key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for key, value in posix.environ.items()
    }


def is_ascii_only() -> bool:
    """Whether the locale names another encoding than UTF-8; no locale at all says nothing (A11Y-4).

    In the C locale Python turns its UTF-8 mode on and puts an ``LC_CTYPE`` of its own into the environment.
    """
    named = [name for name in _LOCALE if name != "LC_CTYPE" or not sys.flags.utf8_mode]
    chosen = next((text for name in named if (text := env(name))), "utf-8")
    return chosen.lower().replace("-", "").find("utf8") < 0


def node_name() -> str:
    """The machine's node name, as tmux's ``#{host}`` gives it."""
    return posix.uname().nodename


def uid() -> int:
    """The effective user id."""
    return posix.geteuid()


def exists(pid: int) -> bool:
    """Whether a process of that id is there, no matter whose."""
    if pid <= 0:
        return False
    try:
        posix.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def session_of(pid: int) -> int:
    """The id of the session that a process belongs to, 0 where it cannot be told; pid 0 is this one."""
    try:
        return posix.getsid(pid)
    except (OSError, OverflowError):
        return 0


def parents(pid: int, root: str = "/proc") -> list[tuple[int, str]]:
    """The parents of a process with the kernel's names, the nearest first, at most 64 (OWN-3).

    Empty where the system has no such files.
    """
    found: list[tuple[int, str]] = []
    _, above = _name_and_parent(pid, root)
    while above > 0 and len(found) < MAX_PARENTS:
        name, higher = _name_and_parent(above, root)
        if not name:
            break
        found.append((above, name))
        above = higher
    return found


def name_of(pid: int) -> str:
    """The kernel's name of a process, "" where it is gone or the system has no such files."""
    return _name_and_parent(pid, "/proc")[0]


def _name_and_parent(pid: int, root: str) -> tuple[str, int]:
    try:
        descriptor = posix.open(f"{root}/{pid}/stat", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return "", 0
    try:
        stat = posix.read(descriptor, 4096)
    except OSError:
        return "", 0
    finally:
        posix.close(descriptor)
    start, end = stat.find(b"("), stat.rfind(b")")
    fields = stat[end + 1 :].split(None, 2)
    return stat[start + 1 : end].decode("utf-8", "surrogateescape"), int(fields[1]) if len(fields) > 1 else 0


def read_until(descriptor: int, limit: int, deadline: float) -> bytes:
    """What comes until its end, ``limit`` bytes or more, or the instant ``deadline`` (monotonic seconds).

    Raises:
        OSError: it cannot be read.
    """
    import select  # loaded here: few commands read so

    whole = bytearray()
    while len(whole) < limit and select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))[0]:
        data = posix.read(descriptor, _CHUNK)
        if not data:
            break
        whole += data
    return bytes(whole)


def nonce(digits: int) -> str:
    """Fresh random hex digits; OSError where the system has no randomness."""
    return posix.urandom((digits + 1) // 2).hex()[:digits]
