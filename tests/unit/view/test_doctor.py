"""The report as text, and what of it counts."""

import pytest

from tma import __version__
from tma.view.doctor import Extra, below_reach, text, warnings

Json = dict[str, object]


def report(**changes: object) -> Json:
    """A report without any fault."""
    return {
        "tmux": {"version": "3.5a", "min_version": "3.2", "below_min": False, "missing_features": []},
        "foreign": False,
        "daemon": {"alive": False, "socket": "/run/x.sock", "version": None, "version_matches": None},
        "ambient_driver": {"polling": True, "last_poll_age_ms": 1500},
        "clients": {"attached": 1},
        "status_option": {"enabled": True},
        "mouse": {"bindings_installed": False, "enabled": False},
        "watch": {"running": False, "watchers": 0},
        "wrapper": {"path": "/bin/tma-hook", "reference": "tma-hook", "present": True},
        "notify": {"last_failure": None},
        "process_walk": {"ok": True, "error": None},
        "tmux_hooks": [{"hook": "after-select-pane", "present": True, "hook_state": "present"}],
        "manifests": {"ok": 8, "issues": []},
        "actions": {"ok": 6, "issues": []},
        **{name: [] for name in ("process_name_issues", "nested_multiplexers", "remote_panes", "ignored_panes")},
        **{name: [] for name in ("stamp_issues", "scope_issues", "agents", "key_conflicts")},
        **changes,
    }


ROW = {
    "pane": "%1", "agent": "claude", "locator": "main:0.0", "state": "idle", "source": "hook",
    "evidence_age_ms": 90_000, "hook_status": "wired", "hooks_wired": True, "model": "opus",
    "window_covered": None, "endpoint_ok": None, "hook_demoted": False, "tier": 2,
    "tier_reason": "the daemon is not running", "trust": "trusted",
}  # fmt: skip


def test_the_labels_stand_in_their_order() -> None:
    """DOC-2, DOC-3: nine cells, and what has nothing to say is left out."""
    lines = text(report(agents=[ROW]), {}, Extra()).splitlines()

    assert [line[:9].rstrip(": ") for line in lines if line[:1].isalpha() and "panes" not in line] == [
        "daemon", "ambient", "clients", "watch", "hooks", "wrapper", "agents", "actions",
    ]  # fmt: skip
    assert "wrapper:  tma-hook ✓ on $PATH (/bin/tma-hook)" in lines
    assert lines[-5:] == [
        "panes (1):",
        "  %1  claude  main:0.0  tier 2  idle (hook, 1m ago)",
        "      hooks: wired",
        "      model: opus",
        "      not tier 3: the daemon is not running",
    ]


def test_a_report_without_fault_has_no_warning() -> None:
    """CDO-3: no poller, no watcher, old tmux and panes out of scope are none."""
    quiet = report(
        agents=[ROW],
        ambient_driver={"polling": False, "last_poll_age_ms": None},
        tmux={"version": "3.2a", "min_version": "3.2", "below_min": False, "missing_features": ["x"]},
        ignored_panes=[{"pane": "%1", "locator": "a:0.0", "value": "1"}],
    )

    assert (warnings(quiet, Extra()), below_reach(quiet)) == (0, 0)


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({"clients": {"attached": 0}}, 1),
        ({"process_walk": {"ok": False, "error": "no ps"}}, 1),
        ({"wrapper": {"path": "", "reference": "tma-hook", "present": False}}, 1),
        ({"agents": [ROW | {"hook_demoted": True, "hook_status": "incomplete", "trust": "off"}]}, 3),
        ({"scope_issues": [{"scope": "server", "target": "", "option": "@agent_name", "value": "x"}]}, 1),
    ],
)
def test_each_fault_counts(change: Json, count: int) -> None:
    """CDO-3."""
    assert warnings(report(**change), Extra()) == count
    assert "✗" in text(report(**change), {"claude": ["gone"]}, Extra())


def test_a_pane_below_what_it_could_be_counts() -> None:
    """CDO-2: two for an agent that can be wired, one for another."""
    low = ROW | {"tier": 1, "hook_status": "not_installed"}

    assert below_reach(report(agents=[low, low | {"hook_status": "hookless"}])) == 1


def test_what_could_not_be_told_is_said() -> None:
    """DOC-1: a check that cannot run prints the reason."""
    assert "hooks:    unknown (no answer)" in text(report(tmux_hooks=[]), {}, Extra(unknown={"hooks": "no answer"}))


def test_what_the_document_has_no_place_for_is_said_and_counts() -> None:
    """CDO-3, DOC-3: further faults, and a note below an agent."""
    extra = Extra(faults=["two plugins: rm one"], notes={"%1": ["note: mind this"]})

    shown = text(report(agents=[ROW]), {}, extra)

    assert "files:    ✗ two plugins: rm one" in shown
    assert "      note: mind this" in shown
    assert warnings(report(), extra) == 1


@pytest.mark.parametrize(
    ("changes", "wedged", "lines", "count"),
    [
        ({"alive": True, "version": __version__, "version_matches": True}, None, ["running (/run/x.sock)"], 0),
        (
            {"alive": True, "version": "0.0.9", "version_matches": False},
            None,
            ["running (/run/x.sock)", f"✗ it is tma 0.0.9, this is {__version__}: tma daemon --restart"],
            1,
        ),
        ({"alive": True}, None, ["running (/run/x.sock)", "its lock does not say which process it is"], 0),
        ({}, 42, ["✗ wedged (pid 42), it does not answer: kill 42"], 1),
        ({}, 0, ["✗ wedged (pid unknown), it does not answer: kill PID"], 1),
        ({}, None, ["not running (/run/x.sock)"], 0),
        ({"socket": None}, None, ["unknown (the server named no socket)"], 0),
    ],
)
def test_a_daemon_is_told_in_words(changes: Json, wedged: int | None, lines: list[str], count: int) -> None:
    """DOC-2, CDO-3, DST-4: a missing one is no warning."""
    daemon = {"alive": False, "socket": "/run/x.sock", "version": None, "version_matches": None} | changes
    extra = Extra(wedged=wedged)

    shown = text(report(daemon=daemon), {}, extra).splitlines()

    assert [line[10:][: len(wanted)] for line, wanted in zip(shown, lines, strict=False)] == lines
    assert warnings(report(daemon=daemon), extra) == count


def test_a_daemon_looks_where_nobody_is_attached() -> None:
    """DMN-5, CDO-3."""
    daemon = {"alive": True, "socket": "/s", "version": __version__, "version_matches": True}
    alone = report(clients={"attached": 0}, daemon=daemon)

    assert "clients:  none attached; the daemon looks meanwhile" in text(alone, {}, Extra())
    assert warnings(alone, Extra()) == 0


def test_a_conflict_and_a_remark_are_said_and_count_nothing() -> None:
    """KYS-2, CDO-3: while both bindings stand; the user's own files."""
    conflicts = [{"table": "prefix", "key": "h", "command": "select-pane -L"}]
    extra = Extra(remarks={"agents": ["one"], "actions": ["two"], "config": ["three"]})

    shown = text(report(key_conflicts=conflicts), {}, extra)

    assert "keys:     prefix h runs select-pane -L, not tma" in shown
    assert [line.strip() for line in shown.splitlines() if line.endswith(("one", "two", "three"))] == [
        "one", "two", "config:   three",
    ]  # fmt: skip
    assert warnings(report(key_conflicts=conflicts), extra) == 0
