"""Every expected failure: one base class, its exit code, and what to do about it.

Exit codes of the whole program stand here and nowhere else.
"""

OK = 0
FAILURE = 1
USAGE = 2
GONE = 3
REFUSED = 4
LOCKED = 5
DEADLINE = 124
INTERRUPTED = 130
BROKEN_PIPE = 141
TERMINATED = 143


class TmaError(Exception):
    """A command cannot go on; ``str()`` is the one line that a person reads.

    ``hint`` says what to do and is printed indented under the line.
    """

    exit_code = FAILURE

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep the line and its hint."""
        super().__init__(message)
        self.hint = hint


class UsageError(TmaError):
    """The command line itself is wrong; nothing was touched."""

    exit_code = USAGE


class ConfigError(TmaError):
    """The configuration file cannot be used."""


class ManifestError(TmaError):
    """An agent or action manifest cannot be used."""


class TmuxGoneError(TmaError):
    """No server answers on the chosen socket."""


class TmuxError(TmaError):
    """tmux refused, is missing, speaks another protocol, or took too long."""


class TmuxTimeoutError(TmuxError):
    """A call to tmux passed its deadline and was killed."""


class GoneError(TmaError):
    """The named target went away, or nothing matched."""

    exit_code = GONE
