"""The shim around an agent's status line, which forwards a copy of what the agent tells it (SLN-1 to SLN-5).

It is the one edit of a value that the user owns, so the former command stands in it word for word
and keeps its output and exit status.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tma.install import records, wiring
from tma.install.adapter import Adapter
from tma.install.dialect import FaultError, RefusedError, decode, refusal
from tma.install.jsonedit import Edit
from tma.install.jsontree import OBJECT, STRING, Entry, Node, Tree, parse
from tma.install.plan import Change
from tma.install.setup import Setup
from tma.install.target import Target, read, refuse_unwritable, unnamed
from tma.install.wrapper import Reference, is_text
from tma.services.program import own_words

NONE, FOREIGN, CURRENT, STALE = "none", "foreign", "current", "stale"

_KEY, _TABLE = "statusLine", "statusline"
_OPEN, _CLOSE = 'printf %s "$p" | {\n', "\n}"
_ALONE = ":"
_NOTHING = "\n:"
"""What a shell wants between braces where there is no command."""


@dataclass(frozen=True)
class Spot:
    """Where a document has its status line: its member, and the command in it."""

    tree: Tree
    root: Node
    member: Entry | None
    command: Node | None


def shim(agent: str, program: str, former: str | None) -> str:
    """The command; at most one copy is forwarded per pane and five seconds (SLN-2)."""
    event = f'event --agent {agent} --kind context --pane "${{TMUX_PANE:-}}" --payload -'
    forward = f'[ -O "$d" ] && echo "$n" >"$f"; printf %s "$p" | "$tma" {event} &'
    parts = (
        "p=$(cat; printf x); p=${p%x}",
        f'tma={Reference(program or "tma", "").shell}; [ -x "$tma" ] || tma=tma',
        'd=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}/tma; [ -n "$XDG_RUNTIME_DIR" ] || d=$d-$(id -u)',
        'mkdir -m 700 "$d" 2>/dev/null; f=$d/context-${TMUX_PANE#%}; n=$(date +%s); l=0',
        '[ -O "$d" ] && [ -f "$f" ] && read -r l <"$f"',
        'case $l in *[!0-9]*|"") l=0 ;; esac',
        f"[ $((n - l)) -lt 5 ] || {{ {forward} }} >/dev/null 2>&1",
    )
    tail = _ALONE if former is None else f"{_OPEN}{former}{_NOTHING if _does_nothing(former) else ''}{_CLOSE}"
    return "; ".join((*parts, tail))


def former_of(command: str) -> str | None:
    """The command inside a shim, None for none."""
    _, opened, rest = command.partition(_OPEN)
    former = rest.removesuffix(_CLOSE)
    inner = former.removesuffix(_NOTHING)
    return None if not opened else inner if _does_nothing(inner) else former


def _does_nothing(command: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in command.split("\n"))


def is_shim(command: object, agent: str) -> bool:
    """Whether a command is a shim of ours (SLN-3)."""
    return isinstance(command, str) and f"event --agent {agent} --kind context" in command


def state_of(data: bytes, agent: str, program: str) -> str:
    """What a file's status line is: none, foreign, a current shim or a stale one.

    Raises:
        FaultError: the file cannot be read.
    """
    spot = _spot(data)
    command = spot.command.scalar if spot and spot.command else None
    if not is_shim(command, agent):
        return NONE if command is None else FOREIGN
    return CURRENT if command == shim(agent, program, former_of(str(command))) else STALE


def wrapped(data: bytes, agent: str, program: str) -> bytes:
    """The file with the shim around its command; other keys of the object stay.

    Raises:
        FaultError: the file cannot be edited, or the value is no object.
    """
    source = decode(data)
    spot = _spot(data if data.strip() else b"{}\n")
    if spot is None:
        message = "there is nothing but comments"
        raise FaultError(message)
    edit = Edit(spot.tree, source.eol)
    if spot.member is None:
        edit.append(spot.root, {"type": "command", "command": shim(agent, program, None)}, _KEY)
    elif spot.command is None:
        edit.append(spot.member.node, shim(agent, program, None), "command")
    else:
        command = str(spot.command.scalar)
        edit.swap(spot.command, shim(agent, program, former_of(command) if is_shim(command, agent) else command))
    return source.encode(edit.text())


def unwrapped(data: bytes, agent: str) -> bytes:
    """The file with its former command, or without the object that came with the shim (SLN-4)."""
    source, spot = decode(data), _spot(data)
    if spot is None or spot.member is None or spot.command is None or not is_shim(spot.command.scalar, agent):
        return data
    edit = Edit(spot.tree, source.eol)
    former = former_of(str(spot.command.scalar))
    if former is not None:
        edit.swap(spot.command, former)
    else:
        edit.drop(spot.root, spot.root.entries.index(spot.member))
    return source.encode(edit.text())


def install(setup: Setup, adapter: Adapter) -> bool:
    """Wrap an agent's status line and record the choice; False where the person declined."""
    done = _changed(setup, adapter, lambda data: wrapped(data, adapter.name, _program()), "wrap the status line")
    if done:
        _record(setup, {*recorded(setup), adapter.name})
    return done


def remove(setup: Setup, adapter: Adapter) -> bool:
    """Give an agent its former status line back; False where the person declined."""
    target = _target(setup, adapter)
    try:
        ours = target.data is not None and state_of(target.data, adapter.name, _program()) in {CURRENT, STALE}
    except FaultError as fault:
        raise refusal(target.path, fault) from None
    done = not ours or _changed(setup, adapter, lambda data: unwrapped(data, adapter.name), "unwrap the status line")
    if done:
        _record(setup, recorded(setup) - {adapter.name})
    return done


def findings(setup: Setup, adapter: Adapter, *, wanted: bool | None) -> list[str]:
    """How the file differs from the choice, as the matrix of SLN-5 says."""
    target = _target(setup, adapter)
    try:
        state = state_of(target.data or b"", adapter.name, _program())
    except FaultError as fault:
        return [f"cannot read: {refusal(target.path, fault)}"]
    chosen = adapter.name in recorded(setup) if wanted is None else wanted
    where = f"{adapter.name} status line"
    if chosen:
        words = {STALE: "of another release or place of tma", FOREIGN: "displaced by another command", NONE: "missing"}
        return [f"{where}: {words[state]}"] if state in words else []
    return [f"{where}: a shim of tma that was not asked for"] if state in {CURRENT, STALE} else []


def is_wrapped(setup: Setup, adapter: Adapter) -> bool:
    """Whether an agent's status line is a shim of ours, by the record where the file cannot be read."""
    if not adapter.statusline:
        return False
    try:
        data = _target(setup, adapter).data or b""
        return state_of(data, adapter.name, _program()) in {CURRENT, STALE}
    except (FaultError, RefusedError):
        return adapter.name in recorded(setup)


def recorded(setup: Setup) -> set[str]:
    """The agents whose status line was to be wrapped."""
    rows = records.load(_path(setup)).get(_TABLE, [])
    return {str(row.get("agent")) for row in rows if isinstance(row, dict)} if isinstance(rows, list) else set()


def _changed(setup: Setup, adapter: Adapter, edit: Callable[[bytes], bytes], question: str) -> bool:
    target = _target(setup, adapter)
    try:
        change = Change(target, edit(target.data or b""))
    except FaultError as fault:
        raise refusal(target.path, fault) from None
    if change.needed:
        refuse_unwritable(target)
    if not wiring.confirmed([change], setup.console, f"{question} of {adapter.name}"):
        return False
    wiring.make([change], setup.backups, setup.console)
    return True


def _target(setup: Setup, adapter: Adapter) -> Target:
    path = setup.places.of(adapter.statusline)
    if not path:
        raise unnamed()
    return read(path)


def _record(setup: Setup, agents: set[str]) -> None:
    records.store(_path(setup), _TABLE, [{"agent": agent} for agent in sorted(agents)])


def _path(setup: Setup) -> str:
    return f"{setup.places.config_dir()}/statusline-state.toml"


def _program() -> str:
    words = own_words()
    return words[0] if len(words) == 1 and is_text(words[0]) else ""


def _spot(data: bytes) -> Spot | None:
    tree = parse(decode(data).text)
    if tree.root is None:
        return None
    if tree.root.kind != OBJECT:
        raise tree.fault(tree.root, f"an object is expected here, and this is {tree.root.words}")
    member = tree.member(tree.root, _KEY)
    if member is None:
        return Spot(tree, tree.root, None, None)
    if member.node.kind != OBJECT:
        raise tree.fault(member.node, f'"{_KEY}" must be an object, and this is {member.node.words}')
    command = tree.member(member.node, "command")
    if command is not None and command.node.kind != STRING:
        raise tree.fault(command.node, f'"{_KEY}.command" must be a string, and this is {command.node.words}')
    return Spot(tree, tree.root, member, command.node if command else None)
