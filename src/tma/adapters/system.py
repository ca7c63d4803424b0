"""The process's surroundings: wall clock, environment, host name, user, randomness.

Uses ``posix`` and not ``os``, which would load seven modules on the hot path.
"""

import posix
import time


def now_ms() -> int:
    """The wall clock in epoch milliseconds; the only place that reads it."""
    return time.time_ns() // 1_000_000


def env(name: str) -> str:
    """A variable's text, empty when unset or empty (GLO-6)."""
    return posix.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")


def is_set(name: str) -> bool:
    """Whether a variable is in the environment at all."""
    return name.encode() in posix.environ


def environment() -> dict[str, str]:
    """The whole environment as text."""
    return {
        key.decode("utf-8", "surrogateescape"): value.decode("utf-8", "surrogateescape")
        for key, value in posix.environ.items()
    }


def node_name() -> str:
    """The machine's node name, as tmux's ``#{host}`` gives it."""
    return posix.uname().nodename


def uid() -> int:
    """The effective user id."""
    return posix.geteuid()


def nonce(digits: int) -> str:
    """Fresh random hex digits; OSError where the system has no randomness."""
    return posix.urandom((digits + 1) // 2).hex()[:digits]
