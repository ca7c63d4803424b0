"""Reading the file in which an agent itself says what it does; never written, locked or watched."""

from tma.adapters import files, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.adapters.linux import Table

MAX_BYTES = 64 * 1024
"""How much such a file may hold (APS-2)."""


def read(pid: int, started: str, procs: "Table") -> tuple[str, int, int] | None:
    """Claude's state file of a process: text, time of change and the process's start in epoch ms (APS-1, APS-2).

    None for everything that is not a plain file of the user's within the bound (SEC-F-6).
    """
    directory = _directory(pid, procs)
    if not directory:
        return None
    path = f"{directory}/sessions/{pid}.json"
    try:
        data = files.read_own(path, MAX_BYTES)
    except OSError:
        return None
    changed_ms = int(files.signature(path)[2]) // 1_000_000
    return data.decode("utf-8", "replace"), changed_ms, procs.started_ms(started)


def _directory(pid: int, procs: "Table") -> str:
    """The agent's configuration directory: by its own environment, since people have several accounts."""

    def told(name: str) -> str:
        return procs.variable(pid, name) or system.env(name)

    home = told("HOME")
    directory = told("CLAUDE_CONFIG_DIR") or (f"{home}/.claude" if home else "")
    return directory if directory.startswith("/") else ""
