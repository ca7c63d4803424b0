"""The tmux server hooks that take a mark down when a person goes to its pane (TMH-1 to TMH-8).

Only the appending and the indexed form of ``set-hook`` are used: the plain form wipes the array,
and with it what other people put there.
"""

import re
from dataclasses import dataclass

from tma.adapters import files
from tma.install import records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.runtime import Runtime

PRESENT, DRIFTED, WIPED, MISSING = "present", "drifted", "wiped", "missing"

SELECT_PANE, SELECT_WINDOW, FOCUS = "after-select-pane", "session-window-changed", "pane-focus-in"
NAMES = (SELECT_PANE, SELECT_WINDOW, FOCUS)

_TABLE = "tmux_hooks"
_CLEAR = "set-option -pqu @agent_attention"
_LAST_PANE = 'set-option -pqu -t ":.{last}" @agent_attention'
_LAST_WINDOW = 'if-shell -F "#{W:#{?window_last_flag,1,}}" { set-option -pqu -t ":{last}" @agent_attention }'
_WATCHED = "#{S:#{W:#{P:#{@tma_watch_pid}}}}"
_ENTRY = re.compile(r"^([a-z-]+)\[(\d+)\] ?(.*)$")
_NOISE = re.compile(r"[\s\"'{}\\;]+")
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9_@%+=:,./-]+")


@dataclass(frozen=True)
class Entry:
    """One command of a hook's array."""

    hook: str
    index: int
    text: str

    @property
    def ours(self) -> bool:
        """Whether it is tma's (TMH-4)."""
        return "@agent_attention" in self.text or "clear-attention" in self.text


def wanted(program: str, *, focus: bool) -> dict[str, str]:
    """The text of each hook; ``program`` is tma's absolute path, "" to look it up on PATH."""
    nudge = f'if-shell -F "{_WATCHED}" {{ run-shell -b "{_shell(program)}" }}'
    parts = {SELECT_PANE: [_LAST_PANE], SELECT_WINDOW: [_LAST_WINDOW]} | ({FOCUS: []} if focus else {})
    return {hook: " ; ".join([_CLEAR, *middle, nudge]) for hook, middle in parts.items()}


def record_path(config_dir: str, socket_path: str) -> str:
    """Where the installed entries of a server are recorded."""
    return f"{config_dir}/hooks-state-{files.short_hash(socket_path)}.toml"


def read(runtime: "Runtime") -> list[Entry]:
    """Every entry of the three hooks, foreign ones too."""
    commands = [word for name in NAMES for word in ("show-hooks", "-g", name, ";")]
    found = (_ENTRY.match(line) for line in runtime.server.run(commands[:-1]).splitlines())
    return [Entry(match[1], int(match[2]), match[3]) for match in found if match and match[1] in NAMES]


def states(entries: list[Entry], texts: dict[str, str], recorded: set[str]) -> dict[str, str]:
    """How each hook stands (TMH-5)."""
    found = {}
    for hook, text in texts.items():
        own = [entry for entry in entries if entry.hook == hook and entry.ours]
        if not own:
            found[hook] = WIPED if hook in recorded else MISSING
        else:
            found[hook] = PRESENT if len(own) == 1 and _same(own[0].text, text) else DRIFTED
    return found


def recorded(path: str) -> set[str]:
    """The hooks that a record names."""
    rows = records.load(path).get(_TABLE, [])
    return {str(row.get("hook")) for row in rows if isinstance(row, dict)} if isinstance(rows, list) else set()


def install(runtime: "Runtime", texts: dict[str, str], path: str) -> list[str]:
    """Put each hook's one entry in place, and record where unless ``path`` is empty; the hooks that were changed."""
    entries = read(runtime)
    commands: list[list[str]] = []
    changed = []
    for hook in NAMES:
        step = _step(hook, texts.get(hook), [entry for entry in entries if entry.hook == hook and entry.ours])
        changed += [hook] if step else []
        commands += step
    _run(runtime, commands)
    if not path:
        return changed
    rows: list[dict[str, str | int]] = [
        {"hook": entry.hook, "index": entry.index} for entry in read(runtime) if entry.ours and entry.hook in texts
    ]
    records.store(path, _TABLE, rows)
    return changed


def uninstall(runtime: "Runtime", path: str) -> int:
    """Remove every entry of ours, the highest index first; how many there were (TMH-6)."""
    own = sorted((entry for entry in read(runtime) if entry.ours), key=lambda entry: (entry.hook, -entry.index))
    _run(runtime, [_unset(entry) for entry in own])
    records.store(path, _TABLE, [])
    return len(own)


def _step(hook: str, text: str | None, own: list[Entry]) -> list[list[str]]:
    """What one hook needs: superfluous entries go first, the highest index first."""
    kept = own[:1] if text else []
    commands = [_unset(entry) for entry in reversed(own[len(kept) :])]
    if not text:
        return commands
    if not kept:
        return [*commands, ["set-hook", "-ga", hook, text]]
    if _same(kept[0].text, text):
        return commands
    return [*commands, ["set-hook", "-g", f"{hook}[{kept[0].index}]", text]]


def _unset(entry: Entry) -> list[str]:
    return ["set-hook", "-gu", f"{entry.hook}[{entry.index}]"]


def _run(runtime: "Runtime", commands: list[list[str]]) -> None:
    words = [word for command in commands for word in (*command, ";")]
    if words:
        runtime.server.run(words[:-1])


def _same(one: str, other: str) -> bool:
    """Equal but for what tmux rewrites when it prints a command."""
    return _NOISE.sub("", one) == _NOISE.sub("", other)


def _shell(program: str) -> str:
    tma = "tma clear-attention ''"
    if not _PLAIN_PATH.fullmatch(program):
        return f"{tma} >/dev/null 2>&1"
    return f"if [ -x {program} ]; then {program} clear-attention ''; else {tma}; fi >/dev/null 2>&1"
