"""The agent manifest's schema: from a parsed TOML table to the plain form that everything reads.

The plain form holds only what JSON can, so that it can be cached; ``agent.Manifest`` reads
it. What is wrong with a file is one ``ManifestError`` naming file and key, and nothing of
the file is used then.
"""

from tma.core.detect.cost import cost_of
from tma.core.detect.fields import Table
from tma.core.detect.matchers import parse_match, parse_region, patterns_in, refuse_pattern
from tma.core.state import IDLE, STATES, is_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

ENGINE_VERSION = (0, 6, 0)
VERSION_KEY = "min_engine_version"
MOST_RULES = 256
MOST_TITLE_PATTERNS = 64
MOST_STEPS = 4

_COVERED = STATES | {"lifecycle"}
_CHANNELS = frozenset(("event", "file-tail", "screen"))
_TOP = (VERSION_KEY, "identity", "hooks", "capture", "rules", "details", "published", "telemetry")
_RULE = ("state", "detail", "priority", "region", "match", "skip_state_update")
_ENTRY = ("event", "where", "matcher", "claim", "turn_end", "keep_detail")


def parse(name: str, data: "dict[str, Any]", file: str) -> "dict[str, Any]":
    """The plain form of the manifest ``name``; ``file`` is named in errors unless empty.

    Raises:
        ManifestError: The file needs a newer engine, or breaks the schema.
    """
    ungated = Table(file, "", data, None)
    if not is_token(name):
        ungated.refuse("", f"{name!r} is no agent name ([a-z0-9_-]{{1,64}})")
    require_engine(ungated)
    top = Table(file, "", data, _TOP)
    aliases = _aliases(top)
    capture = top.table("capture", ("visible", "exclusive", "steady"))
    plain = {
        "name": name,
        "file": file,
        **_identity(top.table("identity", ("process_names", "title_patterns"))),
        **_hooks(top, aliases),
        "visible": capture.all_of("visible", STATES),
        "exclusive": capture.flag("exclusive"),
        "steady": capture.flag("steady"),
        "rules": _rules(top, aliases),
        "published": top.table("published", ("format",)).text("format") if "published" in top else "",
        "context": _context(top),
    }
    costs = ((pattern, cost_of(pattern)) for pattern in sorted(set(_patterns(plain))))
    return {**plain, "costs": {pattern: cost for pattern, cost in costs if cost is not None}}


def _patterns(plain: "dict[str, Any]") -> "Iterator[str]":
    yield from plain["title_patterns"]
    yield from (entry["matcher"] for entry in plain["map"] if "matcher" in entry)
    for rule in plain["rules"]:
        yield from patterns_in(rule["match"])


def require_engine(top: Table) -> None:
    """Refuse a file for a newer engine before its keys are judged by this one's schema (MAN-VER-2)."""
    value = top.text(VERSION_KEY)
    parts = value.split(".")
    if len(parts) > len(ENGINE_VERSION) or not all(part.isascii() and part.isdigit() for part in parts):
        top.refuse(VERSION_KEY, f"{value!r} is not of the form x.y.z")
    numbers = [int(part) for part in parts]
    if tuple(numbers + [0] * (len(ENGINE_VERSION) - len(numbers))) > ENGINE_VERSION:
        own = ".".join(str(part) for part in ENGINE_VERSION)
        top.refuse(VERSION_KEY, f"needs engine {value}, this is {own}")


def _aliases(top: Table) -> dict[str, str]:
    """Every spelling of a detail with the token that replaces it (MAN-DET-1)."""
    found: dict[str, str] = {}
    if "details" not in top:
        return found
    details = top.table("details")
    keys = details.names()
    for key in keys:
        if not is_token(key) or key in STATES:
            details.refuse(key, "is a state" if key in STATES else "is no detail ([a-z0-9_-]{1,64})")
        entry = details.table(key, ("aliases",))
        for alias in entry.texts("aliases"):
            if not is_token(alias):
                entry.refuse("aliases", f"{alias!r} is no detail ([a-z0-9_-]{{1,64}})")
            if alias in keys or found.get(alias, key) != key:
                entry.refuse("aliases", f"{alias!r} already stands for another detail")
            found[alias] = key
    return found


def _identity(identity: Table) -> "dict[str, Any]":
    names = identity.texts("process_names")
    if not names:
        identity.refuse("process_names", "must name at least one process")
    if "" in names:
        identity.refuse("process_names", "holds an empty name")
    titles = identity.texts("title_patterns")
    if len(titles) > MOST_TITLE_PATTERNS:
        identity.refuse("title_patterns", f"holds more than {MOST_TITLE_PATTERNS} patterns")
    for index, pattern in enumerate(titles):
        refuse_pattern(identity, f"title_patterns[{index}]", pattern)
    return {"process_names": names, "title_patterns": titles}


def _hooks(top: Table, aliases: dict[str, str]) -> "dict[str, Any]":
    if "hooks" not in top:
        return {"hooks": False, "covers": [], "map": []}
    hooks = top.table("hooks", ("covers", "map"))
    entries = [_entry(entry, aliases) for entry in hooks.tables("map", _ENTRY)]
    return {"hooks": True, "covers": hooks.all_of("covers", _COVERED), "map": entries}


def _entry(entry: Table, aliases: dict[str, str]) -> "dict[str, Any]":
    plain: dict[str, Any] = {"event": entry.text("event")}
    if not plain["event"]:
        entry.refuse("event", "is empty")
    if "where" in entry:
        plain["where"] = _where(entry)
    if "matcher" in entry:
        plain["matcher"] = entry.text("matcher")
        refuse_pattern(entry, "matcher", plain["matcher"])
    plain.update(_claim(entry.table("claim", ("state", "detail", "lifecycle", "ignore")), aliases))
    for flag in ("turn_end", "keep_detail"):
        if entry.flag(flag):
            plain[flag] = True
    return plain


def _where(entry: Table) -> "dict[str, Any]":
    where = entry.table("where")
    if not where.names():
        entry.refuse("where", "names no path")
    return {path: _wanted(where, path) for path in where.names()}


def _wanted(where: Table, path: str) -> "str | bool | list[str]":
    steps = path.split(".")
    if len(steps) > MOST_STEPS or not all(step.removesuffix("[]") for step in steps):
        where.refuse(path, f"is no path of 1 to {MOST_STEPS} keys joined by dots")
    value = where.raw(path)
    if isinstance(value, bool):
        return value
    return where.texts(path) if isinstance(value, list) else where.text(path)


def _claim(claim: Table, aliases: dict[str, str]) -> "dict[str, Any]":
    kinds = [kind for kind in ("state", "lifecycle", "ignore") if kind in claim]
    if len(kinds) != 1 or ("detail" in claim and kinds != ["state"]):
        claim.refuse("", "needs exactly one of state (with or without detail), lifecycle, ignore")
    if kinds == ["lifecycle"]:
        return {"lifecycle": claim.one_of("lifecycle", ("start", "end"))}
    if kinds == ["ignore"]:
        if not claim.flag("ignore"):
            claim.refuse("ignore", "can only be true")
        return {"ignore": True}
    state = claim.one_of("state", STATES)
    return {"state": state, "detail": _detail(claim, aliases)} if "detail" in claim else {"state": state}


def _detail(table: Table, aliases: dict[str, str]) -> str:
    detail = table.text("detail", "")
    if "detail" in table and not is_token(detail):
        table.refuse("detail", f"{detail!r} is no detail ([a-z0-9_-]{{1,64}})")
    return aliases.get(detail, detail)


def _rules(top: Table, aliases: dict[str, str]) -> "list[dict[str, Any]]":
    rules = top.tables("rules", _RULE)
    if len(rules) > MOST_RULES:
        top.refuse("rules", f"holds more than {MOST_RULES} rules")
    return [_rule(rule, aliases) for rule in rules]


def _rule(rule: Table, aliases: dict[str, str]) -> "dict[str, Any]":
    state = rule.one_of("state", STATES)
    priority = rule.integer("priority", 0)
    region = parse_region(rule)
    if region[0] == "title" and state == IDLE:
        rule.refuse("state", "a title rule may not claim idle")
    return {
        "state": state,
        "detail": _detail(rule, aliases),
        "priority": priority,
        "region": region,
        "match": parse_match(rule, f"state {state}, priority {priority}"),
        "skip": rule.flag("skip_state_update"),
    }


def _context(top: Table) -> list[str]:
    if "telemetry" not in top:
        return []
    telemetry = top.table("telemetry", ("context",))
    if "context" not in telemetry:
        return []
    context = telemetry.table("context", ("channel", "format"))
    return [context.one_of("channel", _CHANNELS), context.text("format")]
