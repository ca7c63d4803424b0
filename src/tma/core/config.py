"""The settings table, and everything that is read off it: parsing, defaults, errors, the default file.

A setting is one row of ``SETTINGS``; nothing else in the tree knows a key's default or bounds.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, NoReturn

from tma.core import endpoint, kinds
from tma.core.errors import ConfigError
from tma.core.kinds import Kind, integer, one_of, some_of
from tma.core.state import CLASSES
from tma.core.text import clean


class Setting(NamedTuple):
    """One row: its dotted key, what it may be, its default (None: unset), and what it does.

    ``<name>`` in a key stands for any name, ``[]`` for a list of tables. A table that holds a
    ``required`` setting is unset as a whole unless the file has it.
    """

    key: str
    kind: Kind
    default: Any
    help: str
    required: bool = False


_GLYPHS = dict(zip(CLASSES, "⚑●✓○?", strict=True))
_STATUS_COLORS = dict(zip(CLASSES, ("red", "yellow", "magenta", "green", "colour244"), strict=True))
_PICKER_COLORS = {**_STATUS_COLORS, "unknown": "darkgray"}


def _looks(table: str, colors: dict[str, str], kind: Kind) -> Iterator[Setting]:
    for name in CLASSES:
        yield Setting(f"{table}.{name}.glyph", kinds.GLYPH, _GLYPHS[name], f"what stands for {name}; may be empty")
        yield Setting(f"{table}.{name}.color", kind, colors[name], f"colour of {name}")


def _trigger(name: str, told: str) -> Iterator[Setting]:
    yield Setting(f"notify.{name}.command", kinds.STRING, None, f"command for {told} instead of the general one")
    yield Setting(f"notify.{name}.sinks", some_of(*SINKS), None, f"what tells of {told}, instead of all that is on")
    yield Setting(f"notify.{name}.urls", kinds.NAMES, None, f"push services for {told} instead of the general ones")


SINKS = ("message", "bell", "osc", "desktop", "command", "urls")
"""The ways to tell a person, but for the log."""

TABLES = {
    "fold": "How long evidence counts, in seconds.",
    "status": "Glyphs and colours of the status line.",
    "picker": "Glyphs and colours of the picker, the watcher and the menus.",
    "notify": "When and how a person is told.",
    "act": "Firing actions.",
    "focus": "Seeing what has the focus.",
    "install": "How hook commands are written.",
    "tmux": "The tmux program.",
    "remote": "Panes whose screen belongs to another host or container.",
    "daemon": "The optional daemon.",
    "telemetry": "Context gauges.",
    "agent": "One entry for each agent manifest to change; several entries with one name combine.",
    "api": "HTTP interfaces of agents, by agent.",
}
"""What each top-level table is for, in the order of the file."""

SETTINGS: tuple[Setting, ...] = (
    Setting("fold.dwell_secs", integer(), 3, "delay before a drop from working to idle is published"),
    Setting("fold.hook_decay_secs", integer(), 60, "how long a working or idle hook claim beats newer screen evidence"),
    Setting(
        "fold.blocked_decay_secs", integer(), 300,
        "the same for a blocked claim, for agents that may draw their composer together with a dialog",
    ),
    Setting("fold.freshness_secs", integer(), 3, "a stamp older than this is read anew; 0 reads in every cycle"),
    *_looks("status", _STATUS_COLORS, kinds.STATUS_COLOR),
    *_looks("picker", _PICKER_COLORS, kinds.PICKER_COLOR),
    Setting("notify.on", some_of("blocked", "done"), ["blocked"], "states that notify; an empty list notifies of none"),
    Setting("notify.command", kinds.STRING, None, "shell command run for each notice, which it reads on stdin"),
    Setting("notify.from_event", kinds.BOOLEAN, default=False, help="let a hook notify where no daemon runs"),
    Setting(
        "notify.bell", kinds.switch("pane", "pane", "client", "both"), default=False,
        help="ring the bell of the pane's terminal, of the attached terminals, or of both; `true` is `pane`",
    ),
    Setting("notify.osc", kinds.BOOLEAN, default=False, help="OSC 9 on the attached terminals"),
    Setting("notify.osc_777", kinds.BOOLEAN, default=False, help="OSC 777 in addition"),
    Setting("notify.osc_99", kinds.BOOLEAN, default=False, help="OSC 99 on terminals that know it"),
    Setting(
        "notify.osc_progress", kinds.BOOLEAN, default=False,
        help="OSC 9;4 progress on terminals whose session has a working pane; needs the daemon",
    ),
    Setting("notify.log", kinds.PATH, None, "file that gets one JSON line for each notice"),
    Setting("notify.include_title", kinds.BOOLEAN, default=False, help="let the pane title into notices and their log"),
    Setting("notify.command_timeout_s", integer(1, 300), 10, "seconds after which a command is ended"),
    Setting("notify.desktop", kinds.BOOLEAN, default=False, help="a notification of the desktop"),
    Setting(
        "notify.desktop_click", kinds.BOOLEAN, default=False,
        help="a click on it goes to the pane; `terminal-notifier` only",
    ),
    Setting("notify.urls", kinds.NAMES, [], "push services: Apprise URL, `env:NAME` or `file:PATH`; needs tma[notify]"),
    *_trigger("blocked", "blocked panes"),
    *_trigger("done", "finished turns"),
    Setting(
        "notify.context_high.threshold", integer(1, 100), None,
        "percent of the context window from which to notify; the table's presence turns it on", required=True,
    ),
    *_trigger("context_high", "it"),
    Setting(
        "notify.stall.threshold_s", integer(1), None,
        "seconds in working from which to notify; the table's presence turns it on", required=True,
    ),
    Setting("notify.stall.quiet_s", integer(), 0, "seconds that it must also have printed and reported nothing"),
    *_trigger("stall", "it"),
    Setting(
        "notify.policy.suppress_watched", kinds.BOOLEAN, default=False,
        help="no notice of a pane that somebody looks at",
    ),
    Setting(
        "notify.policy.watched_s", integer(1), 15,
        "without tmux `focus-events on`: seconds after a key press for which somebody looks",
    ),
    Setting("notify.policy.done_min_s", integer(), 0, "a finished turn that was shorter is no news"),
    Setting("act.log", kinds.PATH, None, "file that gets one JSON line for each action, refused ones included"),
    Setting(
        "focus.events", kinds.BOOLEAN, default=False,
        help="also install a `pane-focus-in` hook; useful with tmux `focus-events on`",
    ),
    Setting(
        "install.wrapper_ref", one_of("bare", "absolute"), None,
        "how agents' configs name `tma-hook`; unset: `bare` where it is found on `PATH`",
    ),
    Setting("tmux.bin", kinds.FILLED, None, "name or absolute path of the program; unset: `tmux`"),
    Setting("remote.add", kinds.NAMES, None, "further commands that lead to another host or container"),
    Setting("remote.remove", kinds.NAMES, None, "commands of the built-in list that do not"),
    Setting("daemon.sweep_secs", integer(1), 45, "seconds between looks at every pane"),
    Setting("daemon.quiet_ms", integer(1), 1000, "milliseconds of silence after output that trigger a look"),
    Setting(
        "daemon.zero_member_recheck_secs", integer(1), 1,
        "seconds between checks that the server lives while no session is watched",
    ),
    Setting("daemon.demote_edges", integer(1), 5, "unexplained bursts of output before hooks are distrusted"),
    Setting(
        "daemon.control_mode", kinds.BOOLEAN, default=True,
        help="attach tmux clients that see at once when an agent without hooks falls silent; false: a look every 5 s",
    ),
    Setting("daemon.autostart", kinds.BOOLEAN, default=False, help="let surfaces start the daemon"),
    Setting("daemon.restart_on_upgrade", kinds.BOOLEAN, default=True, help="let surfaces replace an older daemon"),
    Setting("telemetry.windows.<model>", integer(), None, "a model that counts as known, with its context window"),
    Setting("agent[].name", kinds.FILLED, None, "name of the manifest", required=True),
    Setting("agent[].enabled", kinds.BOOLEAN, default=True, help="`false` leaves the manifest out"),
    Setting("agent[].process_names", kinds.NAMES, [], "further process names of this agent"),
    Setting("api.<agent>.api_base", kinds.STRING, None, "URL used where a pane carries none of its own"),
    Setting(
        "api.<agent>.allow_remote", kinds.BOOLEAN, default=False,
        help="permit `https` and hosts other than loopback in `api_base`",
    ),
)  # fmt: skip


def parse(data: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a parsed file, nested as the file is, with a default for every key it leaves out.

    Raises:
        ConfigError: a key is unknown or a value is not allowed; names the dotted key and the reason.
    """
    settings = _table(data, _TREE, "")
    for agent, entry in settings["api"].items():
        _check_address(agent, entry)
    return settings


def default_file() -> str:
    """The text of the file that changes nothing."""
    return "\n".join(filter(None, map(_default_table, TABLES)))


def literal(value: object) -> str:
    """A setting's value as TOML text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {literal(item)}" for name, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(literal(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _nested(settings: tuple[Setting, ...]) -> dict[str, Any]:
    """The rows as a tree: a row, a dict for a table, a list of one dict for a list of tables."""
    tree: dict[str, Any] = {}
    for setting in settings:
        *tables, last = setting.key.split(".")
        level = tree
        for name in tables:
            is_list = name.endswith("[]")
            inner = level.setdefault(name.removesuffix("[]"), [{}] if is_list else {})
            level = inner[0] if is_list else inner
        level[last] = setting
    return tree


_TREE = _nested(SETTINGS)


def _table(value: object, known: dict[str, Any], path: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        _fail(path, f"must be a table, not {kinds.type_words(value)}")
    filled = {name: _unset(node) for name, node in known.items() if not _is_any(name)}
    for name, item in value.items():
        key = f"{path}.{_quoted(name)}" if path else _quoted(name)
        filled[name] = _value(item, _node(known, name), key)
    for name, node in known.items():
        if isinstance(node, Setting) and node.required and name not in value:
            _fail(f"{path}.{name}", "is required")
    return filled


def _node(known: dict[str, Any], name: str) -> Any:  # noqa: ANN401  # a row or a level of the tree
    return known.get(name) or next((node for any_name, node in known.items() if _is_any(any_name)), None)


def _is_any(name: str) -> bool:
    return name.startswith("<")


def _value(item: object, node: Any, key: str) -> Any:  # noqa: ANN401  # as the file has it
    if node is None:
        _fail(key, f"unknown key; did you mean {_closest(key)}?")
    if isinstance(node, Setting):
        return _read(item, node, key)
    return _entries(item, node[0], key) if isinstance(node, list) else _table(item, node, key)


def _read(item: object, setting: Setting, key: str) -> Any:  # noqa: ANN401  # as the setting's kind has it
    try:
        value = setting.kind.read(item)
    except kinds.RefusedError as refusal:
        _fail(key, str(refusal))
    return setting.default if value is None else value


def _entries(value: object, known: dict[str, Any], key: str) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        _fail(key, f"must be written [[{key}]], one table for each entry")
    return [_table(entry, known, f"{key}[{number}]") for number, entry in enumerate(value)]


def _unset(node: Any) -> Any:  # noqa: ANN401  # a row or a level of the tree
    """What a key holds that the file leaves out."""
    if isinstance(node, Setting):
        return list(node.default) if isinstance(node.default, list) else node.default
    if isinstance(node, list):
        return []
    if any(isinstance(inner, Setting) and inner.required for inner in node.values()):
        return None
    return {name: _unset(inner) for name, inner in node.items() if not _is_any(name)}


def _check_address(agent: str, entry: dict[str, Any]) -> None:
    url = entry["api_base"]
    if not url:
        return
    key = f"api.{_quoted(agent)}.api_base"
    address = endpoint.parse(url)
    if address is None:
        _fail(key, "must be http://HOST[:PORT][/PREFIX] in visible ASCII")
    if not entry["allow_remote"] and (address.scheme != "http" or not address.is_loopback):
        _fail(key, "must be http on a loopback host, unless allow_remote = true stands beside it")


def _closest(key: str) -> str:
    """The valid key that is most like ``key``; a name that may be anything is taken from it."""
    wrong = re.sub(r"\[\d+\]", "", key)
    own = wrong.split(".")
    valid: list[str] = []
    for setting in SETTINGS:
        parts = setting.key.replace("[]", "").split(".")
        for at, part in enumerate(parts):
            if _is_any(part) and own[:at] == parts[:at] and at < len(own):
                parts[at] = own[at]
        valid += [".".join(parts[: at + 1]) for at in range(len(parts))]
    others = [name for name in valid if not f"{wrong}.".startswith(f"{name}.")]
    return get_close_matches(wrong, others, n=1, cutoff=0.0)[0]


def _quoted(name: str) -> str:
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and (bare.isalnum() or (name and not bare)) else f'"{name}"'


def _fail(key: str, reason: str) -> NoReturn:
    message = clean(f"{key}: {reason}")
    raise ConfigError(message)


def _default_table(table: str) -> str:
    """The lines of a table whose settings have defaults, empty where none has.

    Tables stand in lines of their own where they are all that a table holds, else in a table of their own.
    """
    values = _defaults(table)
    inner = {name: value for name, value in values.items() if isinstance(value, dict)}
    if len(inner) == len(values):
        return _default_lines(table, values, max(map(len, values), default=0))
    plain = {name: value for name, value in values.items() if name not in inner}
    parts = [_default_lines(table, plain), *(_default_lines(f"{table}.{name}", inner[name]) for name in inner)]
    return "\n".join(parts)


def _default_lines(table: str, values: dict[str, Any], wide: int = 0) -> str:
    lines = [f"{name:{wide}} = {literal(value)}\n" for name, value in values.items()]
    return "".join([f"[{table}]\n", *lines]) if lines else ""


def _defaults(table: str) -> dict[str, Any]:
    level = _TREE[table]
    if isinstance(level, list):
        return {}
    values = {name: _unset(node) for name, node in level.items() if not _is_any(name)}
    return {name: value for name, value in values.items() if not _is_unset(value)}


def _is_unset(value: object) -> bool:
    return value is None or (isinstance(value, dict) and (not value or None in value.values()))
