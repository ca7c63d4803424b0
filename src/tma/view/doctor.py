"""The examination as text, and how much of it counts as a warning (DOC-2 to DOC-8, CDO-2, CDO-3)."""

from dataclasses import dataclass, field

from tma import __version__
from tma.view import agentlines, oddlines
from tma.view.agentlines import CLOSED, Json, Reasons, age, labelled


@dataclass(frozen=True)
class Extra:
    """What the document has no place for: why checks could not run, further faults, notes on panes.

    ``remarks`` are lines about the user's own files, by label, ``failing`` the sinks that failed all day.
    ``wedged`` is the process of a daemon that does not answer, 0 where it is not known.
    ``is_wired`` says that some agent is, so that there is something to mend.
    """

    unknown: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    notes: dict[str, list[str]] = field(default_factory=dict)
    remarks: dict[str, list[str]] = field(default_factory=dict)
    failing: list[str] = field(default_factory=list)
    wedged: int | None = None
    is_wired: bool = True


_CRASHES = {"3.7": "break-pane ends the server"}
_HOOK_REASONS = {
    "wiped": "wiped, the server was probably restarted or its configuration loaded again",
    "drifted": "of another release or place of tma",
    "missing": "missing",
}
_SET_UP, _MEND = "tma init", "tma install-hooks --all"


def text(report: Json, reasons: Reasons, extra: Extra) -> str:
    """The whole report for a person."""
    faults = extra.faults
    lines = [*_server(report, extra), *_tools(report, extra), *oddlines.lines(report)]
    lines += [labelled("files", f"✗ {fault}") for fault in faults]
    return "".join(f"{line}\n" for line in [*lines, "", *agentlines.lines(report["agents"], reasons, extra.notes)])


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
        extra.wedged is not None,
    )
    listed = [
        *report["manifests"]["issues"],
        *report["actions"]["issues"],
        *report["process_name_issues"],
        *report["stamp_issues"],
        *report["scope_issues"],
        *(hook for hook in report["tmux_hooks"] if not hook["present"]),
    ]
    marked = [line for lines in extra.notes.values() for line in lines if agentlines.is_fault(line)]
    found = [*extra.faults, *extra.failing, *filter(None, flags), *listed, *marked]
    return len(found) + sum(map(_warnings_of, report["agents"]))


def below_reach(report: Json) -> int:
    """How many panes are observed worse than they could be without a daemon (CDO-2)."""
    wirable = {"wired", "incomplete", "not_installed"}
    return sum(row["tier"] < (2 if row["hook_status"] in wirable else 1) for row in report["agents"])


def _warnings_of(row: Json) -> int:
    closed = row["trust"] in CLOSED
    return sum((row["hook_status"] == "incomplete", row["hook_demoted"], row["endpoint_ok"] is False, closed))


def _server(report: Json, extra: Extra) -> list[str]:
    lines = []
    if report["foreign"]:
        words = "this process cannot see the server's processes; it reads stamps and changes nothing it did not make"
        lines.append(labelled("foreign", words))
    tmux = report["tmux"]
    if tmux["below_min"]:
        lines.append(
            labelled(
                "tmux", f"✗ {tmux['version']} is unsupported; {tmux['min_version']} is needed: install a newer tmux"
            )
        )
    elif tmux["missing_features"]:
        lines.append(labelled("tmux", f"{tmux['version']} lacks {', '.join(tmux['missing_features'])}"))
    elif tmux["version"] in _CRASHES:
        lines.append(labelled("tmux", f"{tmux['version']} is known to crash: {_CRASHES[tmux['version']]}"))
    lines += _daemon(report["daemon"], extra.wedged)
    lines.append(labelled("ambient", _ambient(report["ambient_driver"])))
    lines.append(labelled("clients", _clients(report)))
    if "status" in extra.unknown:
        lines.append(labelled("status", f"unknown ({extra.unknown['status']})"))
    elif not report["status_option"]["enabled"]:
        lines.append(labelled("status", "✗ the status line is off: tmux set-option -g status on"))
    if report["mouse"]["bindings_installed"] and not report["mouse"]["enabled"]:
        lines.append(labelled("mouse", "✗ bindings are installed, but the mouse is off: tmux set-option -g mouse on"))
    lines += [
        labelled("keys", f"{each['table']} {each['key']} runs {each['command']}, not tma")
        for each in report["key_conflicts"]
    ]
    lines += [labelled("notify", remark) for remark in extra.remarks.get("notify", [])]
    lines.append(labelled("watch", f"{report['watch']['watchers']} watching"))
    return lines


def _daemon(daemon: Json, wedged: int | None) -> list[str]:
    socket = daemon["socket"]
    if not socket:
        return [labelled("daemon", "unknown (the server named no socket)")]
    if wedged is not None:
        return [labelled("daemon", f"✗ wedged (pid {wedged or 'unknown'}), it does not answer: kill {wedged or 'PID'}")]
    if not daemon["alive"]:
        return [labelled("daemon", f"not running ({socket})")]
    lines = [labelled("daemon", f"running ({socket})")]
    if not daemon["version"]:
        return [
            *lines,
            labelled("", "its lock does not say which process it is: end it by hand, then tma daemon --ensure"),
        ]
    if not daemon["version_matches"]:
        lines.append(labelled("", f"✗ it is tma {daemon['version']}, this is {__version__}: tma daemon --restart"))
    return lines


def _clients(report: Json) -> str:
    attached = report["clients"]["attached"]
    if attached:
        return f"{attached} attached"
    if report["daemon"]["alive"]:
        return "none attached; the daemon looks meanwhile"
    return "✗ none attached, and no daemon looks meanwhile: tmux attach, or tma daemon --ensure"


def _ambient(driver: Json) -> str:
    elapsed = driver["last_poll_age_ms"]
    if driver["polling"]:
        return f"polling, the last one {age(elapsed)} ago"
    since = f", the last one {age(elapsed)} ago" if elapsed is not None else ""
    return f"NOT polling{since}; put #(tma status) into status-right"


def _tools(report: Json, extra: Extra) -> list[str]:
    unknown, mend = extra.unknown, _MEND if extra.is_wired else _SET_UP
    hooks = report["tmux_hooks"]
    shown = "  ".join(f"{hook['hook']} {'✓' if hook['present'] else '✗ ' + hook['hook_state']}" for hook in hooks)
    if not shown:
        shown = f"unknown ({unknown.get('hooks', 'they belong to a host that is not this one')})"
    lines = [labelled("hooks", shown)]
    lines += [
        labelled("", f"✗ {hook['hook']}: {_HOOK_REASONS[hook['hook_state']]}: {mend}")
        for hook in hooks
        if not hook["present"]
    ]
    lines.append(labelled("wrapper", _wrapper(report["wrapper"], unknown, mend)))
    lines.append(labelled("agents", f"{report['manifests']['ok']} manifests"))
    lines += [
        labelled("", f"✗ {each['file']}: {each['problem']}: mend or remove it")
        for each in report["manifests"]["issues"]
    ]
    lines += [labelled("", _long_name(each)) for each in report["process_name_issues"]]
    lines += [labelled("", remark) for remark in extra.remarks.get("agents", [])]
    lines.append(labelled("actions", f"{report['actions']['ok']} actions"))
    lines += [
        labelled("", f"✗ {each['file']}: {each['problem']}: mend or remove it") for each in report["actions"]["issues"]
    ]
    lines += [labelled("", remark) for remark in extra.remarks.get("actions", [])]
    return lines + [labelled("config", remark) for remark in extra.remarks.get("config", [])]


def _long_name(issue: Json) -> str:
    most = issue["comm_max"]
    return f"✗ {issue['agent']}: the kernel cuts the process name {issue['name']}: add {issue['name'][:most]}"


def _wrapper(wrapper: Json, unknown: dict[str, str], mend: str) -> str:
    if "wrapper" in unknown:
        return f"✗ {unknown['wrapper']}: tma install-hooks --all --wrapper-ref absolute"
    bare = "/" not in wrapper["reference"]
    if wrapper["present"]:
        other = "" if wrapper["path"] == wrapper["reference"] else f" ({wrapper['path']})"
        return f"{wrapper['reference']} ✓{' on $PATH' if bare else ''}{other}"
    return f"{wrapper['reference']} ✗ {'not on $PATH' if bare else 'missing'}: {mend}"
