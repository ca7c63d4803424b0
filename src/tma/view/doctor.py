"""The examination as text, and how much of it counts as a warning (DOC-2 to DOC-8, CDO-2, CDO-3)."""

from dataclasses import dataclass, field
from typing import Any

from tma.core.text import clean

Json = dict[str, Any]
Reasons = dict[str, list[str]]


@dataclass(frozen=True)
class Extra:
    """What the document has no place for: why checks could not run, further faults, notes on agents, taken keys."""

    unknown: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)


_LABEL = 9
_SECOND_MS, _MINUTE_S, _HOUR_S = 1000, 60, 3600
_CRASHES = {"3.7": "break-pane ends the server"}
_CLOSED = ("changed", "untrusted", "off")
_TRUST = {
    "changed": "changed since they were trusted: answer the agent's question about hooks",
    "untrusted": "not trusted: answer the agent's question about hooks, in Codex also under /hooks",
    "off": "switched off in the agent's settings",
    "unknown": "of a form that tma does not know",
}
_HOOK_REASONS = {
    "wiped": "wiped, the server was probably restarted or its configuration loaded again: tma install-hooks --all",
    "drifted": "of another release or place of tma: tma install-hooks --all",
    "missing": "missing: tma install-hooks --all",
}
_STATUS = {"not_installed": "not installed", "no_adapter": "no installer adapter"}


def text(report: Json, reasons: Reasons, extra: Extra) -> str:
    """The whole report for a person."""
    unknown, faults = extra.unknown, extra.faults
    lines = [*_server(report, extra), *_tools(report, unknown), *_odd_panes(report)]
    lines += [_line("files", f"✗ {fault}") for fault in faults]
    return "".join(f"{line}\n" for line in [*lines, "", *_agents(report["agents"], reasons, extra.notes)])


def warnings(report: Json, extra: Extra) -> int:
    """How many warnings there are (CDO-3)."""
    flags = (
        not report["wrapper"]["present"],
        not report["process_walk"]["ok"],
        not report["clients"]["attached"] and not report["daemon"]["alive"],
        not report["status_option"]["enabled"],
        report["mouse"]["bindings_installed"] and not report["mouse"]["enabled"],
        report["notify"]["last_failure"] is not None,
        report["daemon"]["version_matches"] is False,
    )
    listed = [
        *report["manifests"]["issues"],
        *report["actions"]["issues"],
        *report["process_name_issues"],
        *report["stamp_issues"],
        *report["scope_issues"],
        *(hook for hook in report["tmux_hooks"] if not hook["present"]),
    ]
    return len(extra.faults) + sum(map(bool, flags)) + len(listed) + sum(map(_warnings_of, report["agents"]))


def below_reach(report: Json) -> int:
    """How many panes are observed worse than they could be without a daemon (CDO-2)."""
    wirable = {"wired", "incomplete", "not_installed"}
    return sum(row["tier"] < (2 if row["hook_status"] in wirable else 1) for row in report["agents"])


def age(elapsed_ms: int) -> str:
    """Seconds with one decimal, then whole minutes, then whole hours (DOC-5)."""
    seconds = elapsed_ms / _SECOND_MS
    if seconds < _MINUTE_S:
        return f"{seconds:.1f}s"
    return f"{int(seconds // _MINUTE_S)}m" if seconds < _HOUR_S else f"{int(seconds // _HOUR_S)}h"


def _warnings_of(row: Json) -> int:
    closed = row["trust"] in _CLOSED
    return sum((row["hook_status"] == "incomplete", row["hook_demoted"], row["endpoint_ok"] is False, closed))


def _line(label: str, content: str) -> str:
    head = f"{label}:" if label else ""
    return f"{head:<{_LABEL}} {clean(content)}".rstrip()


def _server(report: Json, extra: Extra) -> list[str]:
    lines = []
    if report["foreign"]:
        words = "this process cannot see the server's processes; it reads stamps and changes nothing it did not make"
        lines.append(_line("foreign", words))
    tmux = report["tmux"]
    if tmux["below_min"]:
        lines.append(
            _line("tmux", f"✗ {tmux['version']} is unsupported; {tmux['min_version']} is needed: install a newer tmux")
        )
    elif tmux["missing_features"]:
        lines.append(_line("tmux", f"{tmux['version']} lacks {', '.join(tmux['missing_features'])}"))
    elif tmux["version"] in _CRASHES:
        lines.append(_line("tmux", f"{tmux['version']} is known to crash: {_CRASHES[tmux['version']]}"))
    socket = report["daemon"]["socket"]
    lines.append(_line("daemon", f"not running ({socket})" if socket else "unknown (the server named no socket)"))
    lines.append(_line("ambient", _ambient(report["ambient_driver"])))
    attached = report["clients"]["attached"]
    words = f"{attached} attached" if attached else "✗ none attached, and no daemon looks meanwhile: tmux attach"
    lines.append(_line("clients", words))
    if "status" in extra.unknown:
        lines.append(_line("status", f"unknown ({extra.unknown['status']})"))
    elif not report["status_option"]["enabled"]:
        lines.append(_line("status", "✗ the status line is off: tmux set-option -g status on"))
    if report["mouse"]["bindings_installed"] and not report["mouse"]["enabled"]:
        lines.append(_line("mouse", "✗ bindings are installed, but the mouse is off: tmux set-option -g mouse on"))
    lines += [_line("keys", f"prefix {key} runs {command}, not tma") for key, command in extra.keys.items()]
    lines.append(_line("watch", f"{report['watch']['watchers']} watching"))
    return lines


def _ambient(driver: Json) -> str:
    elapsed = driver["last_poll_age_ms"]
    if driver["polling"]:
        return f"polling, the last one {age(elapsed)} ago"
    since = f", the last one {age(elapsed)} ago" if elapsed is not None else ""
    return f"NOT polling{since}; put #(tma status) into status-right"


def _tools(report: Json, unknown: dict[str, str]) -> list[str]:
    hooks = report["tmux_hooks"]
    shown = "  ".join(f"{hook['hook']} {'✓' if hook['present'] else '✗ ' + hook['hook_state']}" for hook in hooks)
    if not shown:
        shown = f"unknown ({unknown.get('hooks', 'they belong to a host that is not this one')})"
    lines = [_line("hooks", shown)]
    lines += [
        _line("", f"✗ {hook['hook']}: {_HOOK_REASONS[hook['hook_state']]}") for hook in hooks if not hook["present"]
    ]
    lines.append(_line("wrapper", _wrapper(report["wrapper"], unknown)))
    lines.append(_line("agents", f"{report['manifests']['ok']} manifests"))
    lines += [
        _line("", f"✗ {each['file']}: {each['problem']}: mend or remove it") for each in report["manifests"]["issues"]
    ]
    lines += [_line("", _long_name(each)) for each in report["process_name_issues"]]
    lines.append(_line("actions", f"{report['actions']['ok']} actions"))
    lines += [
        _line("", f"✗ {each['file']}: {each['problem']}: mend or remove it") for each in report["actions"]["issues"]
    ]
    return lines


def _long_name(issue: Json) -> str:
    most = issue["comm_max"]
    return f"✗ {issue['agent']}: the kernel cuts the process name {issue['name']}: add {issue['name'][:most]}"


def _wrapper(wrapper: Json, unknown: dict[str, str]) -> str:
    if "wrapper" in unknown:
        return f"✗ {unknown['wrapper']}: tma install-hooks --all --wrapper-ref absolute"
    bare = "/" not in wrapper["reference"]
    if wrapper["present"]:
        other = "" if wrapper["path"] == wrapper["reference"] else f" ({wrapper['path']})"
        return f"{wrapper['reference']} ✓{' on $PATH' if bare else ''}{other}"
    return f"{wrapper['reference']} ✗ {'not on $PATH' if bare else 'missing'}: tma install-hooks --all"


def _odd_panes(report: Json) -> list[str]:
    lines = []
    for label, key, words in (
        ("nested", "nested_multiplexers", "a multiplexer inside the pane; run tma inside it"),
        ("remote", "remote_panes", "behind another host; agents there may report by tma-hook"),
        ("ignored", "ignored_panes", "taken out by @agent_ignore"),
    ):
        rows = report[key]
        lines += [_line(label, f"{len(rows)}")] if rows else []
        lines += [
            _line("", f"{row['pane']} {row['locator']} {row.get('command', row.get('value'))}: {words}") for row in rows
        ]
    if report["stamp_issues"]:
        lines.append(_line("stamps", f"{len(report['stamp_issues'])}"))
        unset = "tmux set-option -pu -t {pane} @agent_state"
        lines += [
            _line("", f"✗ {row['pane']} {row['locator']}: {row['problem']}: {unset.format(pane=row['pane'])}")
            for row in report["stamp_issues"]
        ]
    lines += [
        _line("scope", f"✗ {each['option']} at {each['scope']} scope shadows panes: {_unset(each)}")
        for each in report["scope_issues"]
    ]
    if not report["process_walk"]["ok"]:
        lines.append(_line("procs", f"✗ {report['process_walk']['error']}: run tma where it can see the processes"))
    return lines


def _unset(issue: Json) -> str:
    flag = {"server": "-su", "session": "-u", "window": "-wu"}[issue["scope"]]
    target = f" -t '{issue['target']}'" if issue["target"] not in {"", "global"} else ""
    return f"tmux set-option {flag}{'g' if issue['target'] == 'global' else ''}{target} {issue['option']}"


def _agents(rows: list[Json], reasons: Reasons, notes: dict[str, str]) -> list[str]:
    if not rows:
        return ["panes:   no agent panes detected"]
    return [f"panes ({len(rows)}):", *(line for row in rows for line in _pane(row, reasons, notes))]


def _pane(row: Json, reasons: Reasons, notes: dict[str, str]) -> list[str]:
    stamped = "unstamped"
    if row["state"] is not None:
        ago = f", {age(row['evidence_age_ms'])} ago" if row["evidence_age_ms"] is not None else ""
        stamped = f"{row['state']} ({row['source']}{ago})"
    agent, status = row["agent"], row["hook_status"]
    head = f"  {row['pane']}  {agent}  {row['locator']}  tier {row['tier']}  {stamped}"
    details = [f"hooks: {_STATUS.get(status, status)}"]
    if agent in notes:
        details.append(f"note: {notes[agent]}")
    if status == "incomplete":
        details = [f"hooks: ✗ incomplete ({'; '.join(reasons.get(agent, []))}): tma install-hooks {agent}"]
    if row["hook_demoted"]:
        details.append("demoted: ✗ a session is registered, but the screen speaks: tma install-hooks --check")
    if row["model"]:
        details.append(f"model: {row['model']}")
    if row["trust"] in _TRUST:
        mark = "✗ " if row["trust"] in _CLOSED else ""
        details.append(f"trust: {mark}hooks are {_TRUST[row['trust']]}")
    if row["tier_reason"]:
        details.append(f"not tier {row['tier'] + 1}: {row['tier_reason']}")
    return [clean(head), *(f"      {clean(line)}" for line in details)]
