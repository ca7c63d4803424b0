"""The report as text, and what of it counts."""

import pytest

from tma.view.doctor import Extra, age, below_reach, text, warnings

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
        **{name: [] for name in ("stamp_issues", "scope_issues", "agents")},
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


def test_ages_have_one_unit() -> None:
    """DOC-5."""
    assert [age(each) for each in (1500, 59_900, 60_000, 3_600_000)] == ["1.5s", "59.9s", "1m", "1h"]


def test_what_could_not_be_told_is_said() -> None:
    """DOC-1: a check that cannot run prints the reason."""
    assert "hooks:    unknown (no answer)" in text(report(tmux_hooks=[]), {}, Extra(unknown={"hooks": "no answer"}))


def test_what_the_document_has_no_place_for_is_said_and_counts() -> None:
    """CDO-3, DOC-3: further faults, and a note below an agent."""
    extra = Extra(faults=["two plugins: rm one"], notes={"claude": "mind this"})

    shown = text(report(agents=[ROW]), {}, extra)

    assert "files:    ✗ two plugins: rm one" in shown
    assert "      note: mind this" in shown
    assert warnings(report(), extra) == 1
