"""The managed key bindings and the one line that loads them, as texts (KEY-1 to KEY-4, IKY-1 to IKY-5)."""

import os
import re
from collections.abc import Collection
from pathlib import Path

from tma.install.dialect import RefusedError, Text
from tma.install.target import read

BANNER = "# tma keybindings, written by `tma install-keys`; change them by that command"
MARK = "# tma keys"
LAUNCHER = "run-shell -b 'tma --socket-path \"#{socket_path}\" daemon --ensure >/dev/null 2>&1'"

NOTE = "bound by tma's plugin"
"""What marks the bindings that no file holds (TPM-3)."""

_OF_PATTERNS = re.compile(r"[\\*?\[]")
_OF_QUOTES = re.compile(r'[\\"$]')
_LEFT_OUT = "# left out: "
_CLIENT = '--client "#{client_name}"'
_POPUP = "display-popup -E -w 80% -h 60% 'tma'"
_OURS = re.compile(r"\btma\b")
_BIND = re.compile(r"^\s*bind(?:-key)?\s+((?:-[nr]+\s+|-r?T\s*\S+\s+|-N\s+(?:'[^']*'|\"[^\"]*\"|\S+)\s+)*)(.*)$")
_LISTED = re.compile(r"^bind-key\s+(?:-r\s+)?-T\s+(\S+)\s+(\S+)\s+(.*)$")
_SOURCE = re.compile(r"^\s*source(?:-file)?\s+(?:-q\s+)?(\S+)\s*$")

KEYS = {
    "a": _POPUP,
    "G": f"run-shell -b 'tma watch --temporary-session --table {_CLIENT}'",
    "j": f"run-shell 'tma jump --attention {_CLIENT}'",
    "g": f"run-shell 'tma jump --blocked {_CLIENT}'",
    "b": f"run-shell 'tma jump --back {_CLIENT}'",
    "h": f"run-shell 'tma jump --home {_CLIENT}'",
    "A": f"run-shell -b 'tma act --menu --pane \"#{{pane_id}}\" {_CLIENT}'",
}
"""The prefix table, in the order of the file."""

_IS_BLOCKED = "if-shell -F '#{==:#{mouse_status_range},tma:blocked}'"
_IS_OURS = "if-shell -F '#{m:tma:*,#{mouse_status_range}}'"
_TO_BLOCKED = f"{{ run-shell 'tma jump --blocked {_CLIENT}' }}"
_TO_MENU = f"{_IS_OURS} {{ run-shell 'tma jump --menu {_CLIENT}' }}"

MOUSE = {
    "MouseDown1Status": f"{_IS_BLOCKED} {_TO_BLOCKED} {{ {_IS_OURS} {{ {_POPUP} }} {{ switch-client -t= }} }}",
    "MouseDown1StatusRight": f"{_IS_BLOCKED} {_TO_BLOCKED} {{ {_IS_OURS} {{ {_POPUP} }} }}",
    "MouseDown3Status": _TO_MENU,
    "MouseDown3StatusRight": _TO_MENU,
}
"""The root table with ``--mouse`` (KEY-2)."""


TABLES = {"prefix": KEYS, "root": MOUSE}
"""Our keys by the table that they are in."""

_STOCK = ("select-window -t =", "switch-client -t =", 'display-menu -T "#[align=centre]#{window_index}:#{window_name}"')
"""How the commands begin that tmux itself binds to clicks; taking those is what ``--mouse`` is for."""


def rendered(*, mouse: bool, launcher: bool, without: Collection[str] = ()) -> str:
    """The managed file."""
    lines = [BANNER]
    lines += [f"{_LEFT_OUT}{' '.join(key for key in (*KEYS, *MOUSE) if key in without)}"] if without else []
    lines += [f"bind-key {key} {command}" for key, command in KEYS.items() if key not in without]
    lines += [f"bind-key -n {key} {command}" for key, command in MOUSE.items() if mouse and key not in without]
    lines += [LAUNCHER] if launcher else []
    return "".join(f"{line}\n" for line in lines)


def is_managed(text: str) -> bool:
    """Whether a file is tma's to write; an empty one is (IKY-2)."""
    return not text.strip() or "tma keybindings" in text.partition("\n")[0]


def left_out(text: str) -> list[str]:
    """The keys that a managed file leaves out (KYS-2)."""
    words = next((line.removeprefix(_LEFT_OUT).split() for line in text.splitlines() if line.startswith(_LEFT_OUT)), [])
    return [key for key in (*KEYS, *MOUSE) if key in words]


def findings(text: str, *, mouse: bool, launcher: bool) -> list[str]:
    """What a managed file lacks (IKY-5)."""
    without = left_out(text)
    kinds = {rendered(mouse=m, launcher=d, without=without): (m, d) for m in (False, True) for d in (False, True)}
    if text not in kinds:
        return ["the managed file is not what this tma writes"]
    has_mouse, has_launcher = kinds[text]
    return [
        *(["the launcher of the daemon is missing"] if launcher and not has_launcher else []),
        *(["the mouse bindings are missing"] if mouse and not has_mouse else []),
    ]


def source_line(directory: str, *, pinned: bool) -> str:
    """The line of the tmux configuration (IKY-3): in double quotes, and a pattern that only the file itself matches."""
    if pinned:
        pattern = _OF_PATTERNS.sub(r"\\\g<0>", f"{directory}/tmux.conf")
        quoted = _OF_QUOTES.sub(r"\\\g<0>", pattern)
        return f'source-file "{quoted}" {MARK}'
    return f'source-file -q "$XDG_CONFIG_HOME/tma/tmux.conf" "$HOME/.config/tma/tmux.conf" {MARK}'


def marked(text: str) -> list[str]:
    """The lines that are tma's, trimmed."""
    return [line.strip() for line in text.splitlines() if _is_marked(line)]


def with_line(source: Text, line: str) -> str:
    """The configuration with the line exactly once: in the place of an old one, else at the end (KYS-1)."""
    lines = source.text.splitlines(keepends=True)
    places = [at for at, each in enumerate(lines) if _is_marked(each)]
    if places:
        first = places[0]
        if lines[first].strip() != line:
            lines[first] = line + _end_of(lines[first])
        return "".join(each for at, each in enumerate(lines) if at == first or at not in places)
    text = source.text
    if text and not text.endswith("\n"):
        text += source.eol
    if text.rstrip("\r\n").endswith("\\") and text.count("\n") and not text.endswith(("\n\n", "\n\r\n")):
        text += source.eol
    return f"{text}{line}{source.eol}"


def without_line(source: Text) -> str:
    """The configuration without any line of ours."""
    return "".join(line for line in source.text.splitlines(keepends=True) if not _is_marked(line))


def shown(key: str) -> str:
    """A key as a person presses it."""
    return key if key in MOUSE else f"prefix {key}"


def conflicts(listed: str) -> dict[str, str]:
    """Our keys that the listed tables of a server bind to somebody's command, with the command (KYS-2)."""
    matches = (_LISTED.match(line) for line in listed.splitlines())
    return {match[2]: match[3] for match in matches if match and _is_taken(*match.groups())}


def conflicts_in_file(path: Path, *, depth: int = 1) -> dict[str, str]:
    """The same from the lines of a configuration, and of the files that it includes, once (KYS-2)."""
    try:
        text = (read(str(path)).data or b"").decode("utf-8", "replace")
    except RefusedError:
        return {}
    found: dict[str, str] = {}
    for line in text.splitlines():
        included = _SOURCE.match(line)
        if included and depth:
            named = os.path.expanduser(included[1].strip("\"'"))  # noqa: PTH111  # pathlib fails on the home of nobody
            found |= conflicts_in_file(Path(named), depth=depth - 1)
        match = _BIND.match(line)
        if match:
            other = re.search(r"-r?T\s*(\S+)", match[1])
            table = other[1] if other else "root" if re.search(r"-r?n", match[1]) else "prefix"
            key, _, command = match[2].partition(" ")
            if _is_taken(table, key.strip("\"'"), command.strip()):
                found[key.strip("\"'")] = command.strip()
    return found


def _is_taken(table: str, key: str, command: str) -> bool:
    return key in TABLES.get(table, ()) and not _OURS.search(command) and not command.startswith(_STOCK)


def _is_marked(line: str) -> bool:
    return line.strip().startswith("source-file ") and line.strip().endswith(MARK)


def _end_of(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
