"""Which agent owns a pane, judged by its processes, its title and what was stored; and when it is gone.

1. The manifest that registered is tried first, then the others in load order; the first with a
   process in the pane's tree wins if its title gate passes (ID-8).
2. The gate of a generic name passes by the title, by the process that it passed for before, or
   by registration (ID-9). A new process needs a new match (ID-10).
3. The agent is in the foreground if the foreground command is a name of its own or of a launcher
   above it, and the terminal's foreground group does not say otherwise (ID-11).
4. Without a process a registration or an agent's report keeps the pane (ID-13), until nothing but
   shells has been seen for 30 s, or the process that was known has ended (ID-14).
"""

from tma.core.names import REMOTE_COMMANDS, is_shell, normalise, out_of_scope
from tma.core.stamp import REG_DEAD_SINCE, TITLE_MATCH_PID
from tma.core.state import number
from tma.core.triage import claimed, registered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tma.core.detect.agent import Manifest
    from tma.core.pane import PaneRecord, ProcInfo
    from tma.core.stamp import Stamp

OBSERVED = "observed"
REGISTERED = "registered"

REMOVE = "remove"
MARK = "mark"
WAIT = "wait"
ALIVE = "alive"

REAP_AFTER_MS = 30_000


class Identity:
    """An agent on a pane.

    ``pid`` is 0 where no process is known; ``started`` is that process's start as the system gives
    it. ``anchor`` is the process to remember as matched by title, None for nothing to remember.
    ``behind`` is the command whose far side the agent runs on, ``behind_kind`` what kind that is.
    """

    __slots__ = ("anchor", "behind", "behind_kind", "foreground", "name", "pid", "source", "started")

    def __init__(self, name: str, source: str, *, pid: int = 0, started: str = "", foreground: bool = False) -> None:
        """Keep the parts."""
        self.name = name
        self.source = source
        self.pid = pid
        self.started = started
        self.foreground = foreground
        self.anchor: int | None = None
        self.behind = ""
        self.behind_kind = ""


def behind(
    pane: "PaneRecord", stamp: "Stamp | None", names: "Collection[str]", remote: "Collection[str]" = REMOTE_COMMANDS
) -> Identity | None:
    """The agent on the far side of the pane's foreground command, if one reported (ID-6)."""
    kind = out_of_scope(pane.command, remote) if pane.command else ""
    if not kind or stamp is None or not claimed(stamp, names):
        return None
    found = Identity(stamp.name, REGISTERED)
    found.behind = normalise(pane.command)
    found.behind_kind = kind
    return found


def identify(
    pane: "PaneRecord", tree: "list[ProcInfo]", manifests: "Sequence[Manifest]", stamp: "Stamp | None"
) -> Identity | None:
    """The agent of a pane that no boundary hides, or None."""
    names = {manifest.name for manifest in manifests}
    owner = stamp.name if stamp is not None and registered(stamp, names) else ""
    known = stamp.name if stamp is not None else ""
    for manifest in sorted(manifests, key=lambda each: each.name != owner):
        process = agent_process(tree, manifest.process_names)
        if process is None:
            continue
        passes, anchor = title_gate(
            manifest,
            pane,
            process.pid,
            registered_here=manifest.name == owner,
            anchored_here=known in {"", manifest.name},
        )
        if passes:
            found = Identity(
                manifest.name,
                REGISTERED if manifest.name == owner else OBSERVED,
                pid=process.pid,
                started=process.started,
                foreground=in_foreground(process, tree, pane.command, manifest.process_names),
            )
            found.anchor = anchor
            return found
    if stamp is not None and (owner or claimed(stamp, names)):
        return Identity(stamp.name, REGISTERED)
    return None


def agent_process(tree: "list[ProcInfo]", process_names: "Collection[str]") -> "ProcInfo | None":
    """The process of these names: a group leader before others, then the lowest id (PROC-5)."""
    named = [process for process in tree if not _disjoint(process.names, process_names)]
    return min(named, key=lambda process: (process.pid != process.pgid, process.pid), default=None)


def title_gate(
    manifest: "Manifest", pane: "PaneRecord", pid: int, *, registered_here: bool, anchored_here: bool = True
) -> tuple[bool, int | None]:
    """Whether a process may be this agent's, and the process to remember for it (ID-9).

    Several agents run on one interpreter: what was remembered for one opens no other's gate.
    """
    if not manifest.title_patterns:
        return True, None
    if (anchored_here and number(pane.option(TITLE_MATCH_PID)) == pid) or _title_matches(manifest, pane.title):
        return True, pid
    return registered_here, None


def in_foreground(agent: "ProcInfo", tree: "list[ProcInfo]", command: str, process_names: "Collection[str]") -> bool:
    """Whether what is typed into the pane reaches the agent (ID-11)."""
    ancestors = _ancestors(agent, tree)
    line = [agent, *(each for each in ancestors if not is_shell(each.names[0]))]
    front = tree[0].tpgid
    if front and agent.pgid and front not in {each.pgid for each in line}:
        return False
    leader = next((each for each in tree if each.pid == front), None)
    shown = {normalise(command)} if command else set()
    if leader is not None:
        shown.update(leader.names)
    if not _disjoint(shown, process_names) or any(not _disjoint(shown, each.names) for each in line):
        return True
    return leader in ancestors and _only_waits(front, line, tree)


def shell_only(tree: "list[ProcInfo]") -> bool:
    """Whether nothing but shells runs there; nothing at all counts (PROC-6)."""
    return all(is_shell(process.names[0]) for process in tree)


def reap(stamp: "Stamp", tree: "list[ProcInfo]", pane: "PaneRecord", now: int) -> str:
    """What becomes of an agent without a process: ``remove``, ``mark``, ``wait`` or ``alive`` (ID-14).

    ``mark`` starts the wait among shells alone, ``wait`` goes on with it, ``alive`` ends it. A pane
    whose own process began after the stamp was respawned: what it reported before is nobody's.
    """
    if tree and tree[0].started_ms > stamp.stamped > 0:
        return REMOVE
    if not shell_only(tree):
        return ALIVE
    if stamp.pid and all(process.pid != stamp.pid for process in tree):
        return REMOVE
    marked = number(pane.option(REG_DEAD_SINCE))
    if marked is None or marked > now:
        return MARK
    return REMOVE if now - marked >= REAP_AFTER_MS else WAIT


def _title_matches(manifest: "Manifest", title: str) -> bool:
    # Regular expressions are loaded only where a title has to be read.
    from tma.core.detect.rules import title_matches

    return title_matches(manifest, title)


def _ancestors(process: "ProcInfo", tree: "list[ProcInfo]") -> "list[ProcInfo]":
    """The parents of a process inside the tree, the nearest first; a cycle ends the walk (PROC-4)."""
    known = {each.pid: each for each in tree}
    found: list[ProcInfo] = []
    parent = known.get(process.ppid)
    while parent is not None and parent is not process and parent not in found:
        found.append(parent)
        parent = known.get(parent.ppid)
    return found


def _only_waits(front: int, line: "list[ProcInfo]", tree: "list[ProcInfo]") -> bool:
    """Whether the foreground group holds, besides shells, only what the agent's line started.

    A shell without job control (``bash -c 'claude; echo bye'``) leads the group of the program
    that it waits for, and tmux then shows the shell. If a stranger shares the group it may be the
    one in front, with the agent behind it.
    """
    inside = {each.pid for each in line}
    for process in tree:
        if process.ppid in inside:
            inside.add(process.pid)
    return all(each.pid in inside or is_shell(each.names[0]) for each in tree if each.pgid == front)


def _disjoint(left: "Collection[str]", right: "Collection[str]") -> bool:
    return not any(name in right for name in left)
