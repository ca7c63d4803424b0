"""The agents' panes as text."""

import pytest

from tma.view.agentlines import age, is_fault, lines

ROW: dict[str, object] = {
    "pane": "%1", "agent": "opencode", "locator": "main:0.0", "state": None, "source": None,
    "evidence_age_ms": None, "hook_status": "wired", "hooks_wired": True, "model": None, "window_covered": None,
    "endpoint_ok": None, "hook_demoted": False, "tier": 2, "tier_reason": None, "trust": None,
}  # fmt: skip


def shown(**changes: object) -> list[str]:
    """The indented lines of one pane."""
    reasons = {"opencode": ["gone from x"]} if changes.pop("lacking", False) else {}
    notes = {"%1": ["events: stop 1m ago"]} if changes.pop("noted", False) else {}
    return [line.strip() for line in lines([ROW | changes], reasons, notes)][2:]


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({}, "hooks: wired"),
        ({"hook_status": "no_adapter"}, "hooks: no installer adapter"),
        ({"hook_status": "incomplete", "lacking": True}, "✗ incomplete (gone from x): tma install-hooks opencode"),
        ({"hook_status": "not_installed"}, "hooks: not installed"),
        (
            {"hook_status": "not_installed", "lacking": True},
            "✗ not installed (gone from x): tma install-hooks opencode",
        ),
        ({"model": "opus", "window_covered": True}, "model: opus"),
        ({"model": "opus", "window_covered": False}, "model: opus (unrecognized)"),
        ({"endpoint_ok": True}, "api: a request waits, and its answer has an address"),
        ({"endpoint_ok": False}, "api: ✗ a request waits, and no address is known for its answer: set api_base under"),
        ({"trust": "off"}, "trust: ✗ hooks are switched off in the agent's settings"),
        ({"noted": True}, "events: stop 1m ago"),
        ({"tier": 2, "tier_reason": "the daemon is not running"}, "not tier 3: the daemon is not running"),
    ],
)
def test_each_finding_has_its_line(change: dict[str, object], line: str) -> None:
    """DOC-3, CHK-5: in words, with the command that mends what is marked."""
    assert any(line in each for each in shown(**change))


def test_a_pane_without_a_stamp_says_so() -> None:
    """DOC-3."""
    assert lines([ROW], {}, {})[:2] == ["panes (1):", "  %1  opencode  main:0.0  tier 2  unstamped"]
    assert lines([], {}, {}) == ["panes:   no agent panes detected"]


def test_ages_have_one_unit() -> None:
    """DOC-5."""
    assert [age(each) for each in (1500, 59_900, 60_000, 3_600_000)] == ["1.5s", "59.9s", "1m", "1h"]


def test_what_an_agent_wrote_stays_text() -> None:
    """DOC-8, SAN-1."""
    assert "\x1b" not in "".join(lines([ROW | {"model": "\x1b[31mred", "window_covered": False}], {}, {}))


@pytest.mark.parametrize(
    ("note", "fault"),
    [("path: ✗ its PATH has no tma-hook", True), ("account: runs with CODEX_HOME='/✗'", False), ("older: x", False)],
)
def test_only_a_notes_own_mark_makes_it_a_fault(note: str, *, fault: bool) -> None:
    """CDO-3: what an environment holds adds no warning."""
    assert is_fault(note) is fault
