"""The action manifest's schema: from a parsed TOML table to one action, or one error that names file and key."""

from types import MappingProxyType
from typing import NamedTuple, TypeVar

from tma.core.act import assertion
from tma.core.detect.fields import Table
from tma.core.detect.manifest import VERSION_KEY, require_engine
from tma.core.state import STATES, is_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

T = TypeVar("T")

KEYS = "keys"
TEXT = "text"
EXEC = "exec"
API = "api"
KINDS = frozenset((KEYS, TEXT, EXEC))

PERMISSION_REPLY = "permission-reply"
REPLIES = frozenset(("once", "always", "reject"))
REQUIREMENTS = frozenset(("session", "cwd", "pid", "title"))

_NONE: "Mapping[str, Any]" = MappingProxyType({})
_COMMON = (VERSION_KEY, "name", "label", "kind", "when", "requires", "confirm", "timeout_ms")
_OWN = {
    KEYS: ("keys", "api", "key_delay_ms", "leave_mode", "screen"),
    TEXT: ("text", "sigils", "screen"),
    EXEC: ("agents", "command", "detach", "detach_timeout_ms"),
}
_EVERY = (*_COMMON, *(key for keys in _OWN.values() for key in keys))
_LONGEST_LABEL = 80
_LONGEST_COMMAND = 8 << 10
_LONGEST_KEY = 256
_MOST_KEYS = 64
_LONGEST_DELAY_MS = 2000
_LONGEST_RUN_MS = 3_600_000
_LONGEST_DETACHED_MS = 86_400_000


class When(NamedTuple):
    """The gate's conditions; None leaves one out, and what is there must hold (ACT-GATE-1)."""

    state: tuple[str, ...] | None
    detail: tuple[str, ...] | None
    context_min: int | None
    context_max: int | None

    @property
    def bounds_context(self) -> bool:
        """Whether the context gauge decides."""
        return self.context_min is not None or self.context_max is not None


class Typing(NamedTuple):
    """How one agent takes a line: the keys around it, and how long it needs before the last ones."""

    prefix: tuple[str, ...]
    suffix: tuple[str, ...]
    steer_now: bool
    suffix_delay_ms: int


class Reply(NamedTuple):
    """One call of an agent's HTTP interface."""

    op: str
    reply: str


class Assertion(NamedTuple):
    """What the live screen must show, and what it must not (ACT-SCR-1)."""

    present: tuple[str, ...]
    absent: tuple[str, ...]


class Action(NamedTuple):
    """One thing that may be done to a pane; ``agents`` are the covered ones, empty for all."""

    name: str
    label: str
    kind: str
    agents: tuple[str, ...]
    when: When | None = None
    requires: tuple[str, ...] = ()
    confirm: bool = False
    timeout_ms: int = 30_000
    command: str = ""
    detach: bool = False
    detach_timeout_ms: int = 900_000
    keys: "Mapping[str, tuple[str, ...]]" = _NONE
    api: "Mapping[str, Reply]" = _NONE
    key_delay_ms: "Mapping[str, int]" = _NONE
    leave_mode: bool = False
    typing: "Mapping[str, Typing]" = _NONE
    sigils: tuple[str, ...] = ()
    screen: "Mapping[str, Assertion]" = _NONE

    def covers(self, agent: str) -> bool:
        """Whether it may be fired at an agent at all (ACTM-3)."""
        return bool(agent) and (not self.agents or agent in self.agents)

    def transport(self, agent: str) -> str:
        """How it reaches an agent: ``keys``, ``text``, ``exec`` or ``api``."""
        return API if agent in self.api else self.kind

    def types(self, agent: str) -> bool:
        """Whether it reaches an agent through the pane's terminal."""
        return self.transport(agent) in {KEYS, TEXT}

    @property
    def lock_ms(self) -> int:
        """How long a fire may take, which bounds its lock (ACT-LOCK-1)."""
        return self.detach_timeout_ms if self.detach else self.timeout_ms


def parse(name: str, data: "dict[str, Any]", file: str) -> Action:
    """The action of the file whose stem is ``name``; ``file`` is named in errors unless empty.

    Raises:
        ManifestError: the file needs a newer engine, or breaks the schema.
    """
    require_engine(Table(file, "", data, None))
    top = Table(file, "", data, _EVERY)
    if top.text("name") != name or not is_token(name):
        top.refuse("name", f"must be the file's own name, {name!r}, of [a-z0-9_-]{{1,64}}")
    kind = top.one_of("kind", KINDS)
    for key in set(top.names()).difference(_COMMON, _OWN[kind]):
        top.refuse(key, f"does not go with kind {kind!r}")
    return {KEYS: _keys, TEXT: _text, EXEC: _exec}[kind](top, _common(top, name, kind))


def _common(top: Table, name: str, kind: str) -> Action:
    label = top.text("label")
    if not 0 < len(label) <= _LONGEST_LABEL or _has_control(label):
        top.refuse("label", f"must have 1 to {_LONGEST_LABEL} characters and no control character")
    return Action(
        name,
        label,
        kind,
        (),
        when=_when(top) if "when" in top else None,
        requires=tuple(dict.fromkeys(top.all_of("requires", REQUIREMENTS))),
        confirm=top.flag("confirm"),
        timeout_ms=_number(top, "timeout_ms", 30_000, 1, _LONGEST_RUN_MS),
    )


def _when(top: Table) -> When:
    when = top.table("when", ("state", "detail", "context_pct_min", "context_pct_max"))
    details = when.texts("detail")
    for index, detail in enumerate(details):
        if not is_token(detail):
            when.refuse(f"detail[{index}]", f"{detail!r} is no detail ([a-z0-9_-]{{1,64}})")
    low, high = (
        _number(when, key, 0, 0, 100) if key in when else None for key in ("context_pct_min", "context_pct_max")
    )
    if low is not None and high is not None and low > high:
        when.refuse("context_pct_min", "is above context_pct_max")
    state = tuple(when.all_of("state", STATES)) if "state" in when else None
    return When(state, tuple(details) if "detail" in when else None, low, high)


def _keys(top: Table, action: Action) -> Action:
    keys = _by_agent(top, "keys", _key_list)
    replies = _by_agent(top, "api", _reply)
    if not keys and not replies:
        top.refuse("keys", "needs an entry, here or in [api]")
    for agent in replies:
        if agent in keys:
            top.refuse(f"api.{agent}", "stands in [keys] too: the transport is not chosen when it is fired")
    delays = _by_agent(top, "key_delay_ms", lambda table, agent: _number(table, agent, 0, 0, _LONGEST_DELAY_MS))
    _refuse_strangers(top, "key_delay_ms", delays, keys)
    return action._replace(
        agents=tuple(sorted({*keys, *replies})),
        keys=keys,
        api=replies,
        key_delay_ms=delays,
        leave_mode=top.flag("leave_mode"),
        screen=_screen(top, {**keys, **replies}),
    )


def _text(top: Table, action: Action) -> Action:
    typing = _by_agent(top, "text", _typing)
    if not typing:
        top.refuse("text", "needs an entry")
    sigils = top.texts("sigils") if "sigils" in top else ["/", "!"]
    for index, sigil in enumerate(sigils):
        if len(sigil) != 1 or sigil.isspace() or _has_control(sigil):
            top.refuse(f"sigils[{index}]", "must be one character that is not blank")
    return action._replace(
        agents=tuple(sorted(typing)), typing=typing, sigils=tuple(sigils), screen=_screen(top, typing)
    )


def _exec(top: Table, action: Action) -> Action:
    agents = top.texts("agents")
    for index, agent in enumerate(agents):
        _refuse_bad_name(top, f"agents[{index}]", agent)
    command = top.raw("command")
    if not isinstance(command, str) or not 0 < len(command.encode("utf-8", "replace")) <= _LONGEST_COMMAND:
        top.refuse("command", f"must be a string of 1 to {_LONGEST_COMMAND} bytes")
    if "\0" in command:
        top.refuse("command", "may not hold a NUL character")
    return action._replace(
        agents=tuple(sorted(set(agents))),
        command=command,
        detach=top.flag("detach"),
        detach_timeout_ms=_number(top, "detach_timeout_ms", 900_000, 1, _LONGEST_DETACHED_MS),
    )


def _by_agent(top: Table, key: str, read: "Callable[[Table, str], T]") -> "dict[str, T]":
    """A table by agent name, empty when it is not there."""
    if key not in top:
        return {}
    table = top.table(key)
    for agent in table.names():
        _refuse_bad_name(table, agent, agent)
    return {agent: read(table, agent) for agent in table.names()}


def _key_list(table: Table, key: str) -> tuple[str, ...]:
    keys = table.texts(key)
    if len(keys) > _MOST_KEYS:
        table.refuse(key, f"holds more than {_MOST_KEYS} keys")
    for index, word in enumerate(keys):
        if not 0 < len(word.encode("utf-8", "replace")) <= _LONGEST_KEY or _has_control(word):
            table.refuse(f"{key}[{index}]", f"must have 1 to {_LONGEST_KEY} bytes and no control character")
    return tuple(keys)


def _reply(table: Table, agent: str) -> Reply:
    entry = table.table(agent, ("op", "reply"))
    return Reply(entry.one_of("op", (PERMISSION_REPLY,)), entry.one_of("reply", REPLIES))


def _typing(table: Table, agent: str) -> Typing:
    entry = table.table(agent, ("prefix", "suffix", "steer_now", "suffix_delay_ms"))
    return Typing(
        _key_list(entry, "prefix"),
        _key_list(entry, "suffix"),
        entry.flag("steer_now"),
        _number(entry, "suffix_delay_ms", 150, 0, _LONGEST_DELAY_MS),
    )


def _screen(top: Table, transports: "dict[str, Any]") -> dict[str, Assertion]:
    screen = _by_agent(top, "screen", _assertion)
    _refuse_strangers(top, "screen", screen, transports)
    return screen


def _assertion(table: Table, agent: str) -> Assertion:
    entry = table.table(agent, ("present", "absent"))
    lists = {key: entry.texts(key) for key in ("present", "absent")}
    if sum(map(len, lists.values())) > assertion.MOST:
        table.refuse(agent, f"holds more than {assertion.MOST} strings")
    for key, texts in lists.items():
        for index, text in enumerate(texts):
            reason = assertion.problem(text)
            if reason:
                entry.refuse(f"{key}[{index}]", reason)
    return Assertion(tuple(lists["present"]), tuple(lists["absent"]))


def _refuse_strangers(top: Table, key: str, entries: "dict[str, Any]", known: "dict[str, Any]") -> None:
    for agent in entries:
        if agent not in known:
            top.refuse(f"{key}.{agent}", "is an agent that the action does not reach")


def _refuse_bad_name(table: Table, key: str, name: str) -> None:
    if not is_token(name):
        table.refuse(key, f"{name!r} is no agent name ([a-z0-9_-]{{1,64}})")


def _number(table: Table, key: str, default: int, least: int, most: int) -> int:
    value = table.integer(key, default)
    if not least <= value <= most:
        table.refuse(key, f"must be {least} to {most}, not {value}")
    return value


def _has_control(text: str) -> bool:
    return any(char < " " or "\x7f" <= char <= "\x9f" for char in text)
