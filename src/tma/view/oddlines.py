"""Panes that are not read, and options that others wrote, in doctor's report (DOC-2, REM-16, REM-18)."""

from tma.core.text import clean
from tma.view.agentlines import Json, labelled

_REMOTE_PAGE = "docs/how-to/agents-in-containers.md"


def lines(report: Json) -> list[str]:
    """Those of a whole report."""
    found = [*_nested(report["nested_multiplexers"]), *_remote(report["remote_panes"])]
    ignored = report["ignored_panes"]
    found += [labelled("ignored", f"{len(ignored)}")] if ignored else []
    found += [
        labelled("", f"{row['pane']} {row['locator']} {row['value']}: taken out by @agent_ignore") for row in ignored
    ]
    if report["stamp_issues"]:
        found.append(labelled("stamps", f"{len(report['stamp_issues'])}"))
        unset = "tmux set-option -pu -t {pane} @agent_state"
        found += [
            labelled("", f"✗ {row['pane']} {row['locator']}: {row['problem']}: {unset.format(pane=row['pane'])}")
            for row in report["stamp_issues"]
        ]
    found += [
        labelled("scope", f"✗ {each['option']} at {each['scope']} scope shadows panes: {_unset(each)}")
        for each in report["scope_issues"]
    ]
    if not report["process_walk"]["ok"]:
        found.append(labelled("procs", f"✗ {report['process_walk']['error']}: run tma where it can see the processes"))
    return found


def _nested(rows: list[Json]) -> list[str]:
    """The panes of REM-16."""
    if not rows:
        return []
    head = labelled("nested", f"{_panes_of(rows)} with a multiplexer inside; run tma inside it")
    return [head, *(clean(f"  - {row['pane']} {row['locator']} ({row['command']})") for row in rows)]


def _remote(rows: list[Json]) -> list[str]:
    """The panes of REM-18."""
    if not rows:
        return []
    words = "behind a remote shell; agents there report by hooks if they reach this tmux socket"
    lines = [labelled("remote", f"{_panes_of(rows)} {words}: {_REMOTE_PAGE}")]
    for row in rows:
        held = "; its @agent_* options are held, not refreshed" if row["stamped"] else ""
        lines.append(clean(f"  - {row['pane']} {row['locator']} ({row['command']}{held})"))
    return lines


def _panes_of(rows: list[Json]) -> str:
    return f"{len(rows)} pane{'' if len(rows) == 1 else 's'}"


def _unset(issue: Json) -> str:
    flag = {"server": "-su", "session": "-u", "window": "-wu"}[issue["scope"]]
    target = f" -t '{issue['target']}'" if issue["target"] not in {"", "global"} else ""
    return f"tmux set-option {flag}{'g' if issue['target'] == 'global' else ''}{target} {issue['option']}"
