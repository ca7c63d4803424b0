"""Why a pane reads as it does, as text and as JSON."""

import json
from typing import Any

import pytest

from detection import NOW, SHELL, context, drive, judge_pane, manifest, pane, shell_with, stored
from rows import HOSTILE_TITLE
from tma.core.triage import Plan
from tma.view import explain

KEYS = [
    "schema",
    "pane",
    "locator",
    "command",
    "title",
    "agent",
    "identity_source",
    "out_of_scope",
    "out_of_scope_kind",
    "registered_behind",
    "registered_behind_kind",
    "ignored",
    "foreground_is_agent",
    "scrolled",
    "history_view",
    "evidence",
    "rules",
    "verdict",
]


def judged(values: dict[str, str] | None = None, *, screen: tuple[str, ...] = ("[permission]",), **fields: Any) -> Plan:
    """The plan of a pane with a live claude, or what its fields make of it."""
    answers = {"tree": fields.pop("tree", shell_with("claude")), "capture": list(screen)}
    plan, _ = drive(judge_pane(pane(values, sessions=[("$0", "work")], **fields), context(explain=True)), answers)
    return plan


def document(plan: Plan) -> dict[str, Any]:
    """The document as a reader gets it."""
    text = explain.document(plan, manifest() if plan.manifest else None)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def said(plan: Plan) -> str:
    """The text form."""
    return explain.text(plan, manifest() if plan.manifest else None, NOW)


def test_a_judged_pane_is_explained_with_exactly_these_keys() -> None:
    """json.md section 9: evidence, every rule that ran in manifest order, verdict and winner."""
    found = document(judged(stored("working"), title="t"))

    assert list(found) == KEYS
    assert (found["agent"], found["identity_source"], found["foreground_is_agent"]) == ("claude", "observed", True)
    assert (found["locator"], found["command"], found["title"]) == ("work:0.0", "claude", "t")
    label = "rule #0 blocked on visible"
    assert found["evidence"] == [{"source": "screen", "claim": "blocked/permission", "at": NOW, "meta": label}]
    assert [list(rule) for rule in found["rules"]] == [
        ["index", "matched", "state", "detail", "priority", "region", "skip_state_update"]
    ] * 4
    assert [(rule["index"], rule["matched"]) for rule in found["rules"]] == [
        (0, True),
        (1, False),
        (2, False),
        (3, False),
    ]
    assert found["rules"][1]["detail"] is None
    assert list(found["verdict"]) == [
        "state", "detail", "action", "may_override", "set_attention", "episode_reset", "winning_evidence",
    ]  # fmt: skip
    assert (found["verdict"]["state"], found["verdict"]["detail"], found["verdict"]["action"]) == (
        "blocked", "permission", "publish",
    )  # fmt: skip
    assert found["verdict"]["set_attention"] is True
    assert list(found["verdict"]["winning_evidence"]) == ["source", "at", "label"]
    assert found["verdict"]["winning_evidence"]["source"] == "capture"


def test_a_held_pane_says_hold() -> None:
    """EXP-1: a history view freezes."""
    found = document(judged(stored("working"), screen=("[history]",)))

    assert found["history_view"] is True
    assert found["verdict"]["action"] == "hold"
    assert found["verdict"]["state"] == "working"


@pytest.mark.parametrize(
    ("values", "fields", "changed"),
    [
        ({"@agent_ignore": "1"}, {}, {"ignored": True}),
        ({}, {"dead": True}, {}),
        ({}, {"command": "ssh"}, {"out_of_scope": "ssh", "out_of_scope_kind": "remote_shell"}),
        ({}, {"command": "/usr/bin/tmux"}, {"out_of_scope": "tmux", "out_of_scope_kind": "nested_multiplexer"}),
        ({}, {"tree": SHELL, "command": "bash"}, {}),
    ],
)
def test_a_pane_without_agent_has_no_verdict_and_empty_lists(
    values: dict[str, str], fields: dict[str, Any], changed: dict[str, object]
) -> None:
    """EXP-1: ignored, dead, out of scope without a claim, or unidentified."""
    found = document(judged(values, **fields))

    nothing = {"ignored": False, "out_of_scope": None, "out_of_scope_kind": None}
    assert (found["agent"], found["identity_source"], found["verdict"]) == ("unknown", None, None)
    assert (found["evidence"], found["rules"]) == ([], [])
    assert {key: found[key] for key in nothing} == nothing | changed


def test_a_pane_behind_a_boundary_is_explained_by_its_claim() -> None:
    """REM-13, EXP-1: registered behind, no capture, hook events the only evidence."""
    plan = judged(stored("blocked", pid=0, source="hook", session="S1"), command="ssh")

    found = document(plan)

    assert (found["registered_behind"], found["registered_behind_kind"]) == ("ssh", "remote_shell")
    assert (found["out_of_scope"], found["identity_source"], found["rules"]) == (None, "registered", [])
    assert found["verdict"]["action"] == "hold"
    assert "behind remote shell ssh" in said(plan)
    assert "hook events are the only evidence" in said(plan)


def test_the_text_names_manifest_stamp_rules_verdict_and_winner() -> None:
    """DBG-2: one fact a line."""
    lines = said(judged(stored("working", since=NOW - 12_000))).splitlines()

    assert "manifest  <bundled>/claude.toml" in lines
    instants = f"since {NOW - 12_000} (12s), evidence 1 ({NOW // 3_600_000}h), stamped {NOW - 10_000} (10s)"
    assert f"stamp     working by capture, {instants}" in lines
    assert "rule      ✓ #0 blocked/permission on visible, priority 0" in lines
    assert "rule      · #3 history view on visible, priority 0" in lines
    assert "verdict   publish blocked/permission, raises the mark" in lines
    assert [line.split()[:3] for line in lines if line.startswith("winner")] == [["winner", "capture", "at"]]


@pytest.mark.parametrize(
    ("values", "fields", "reason"),
    [
        ({"@agent_ignore": "1"}, {}, "@agent_ignore is set"),
        ({}, {"dead": True}, "program has ended"),
        ({}, {"command": "docker"}, "behind remote shell docker"),
        ({}, {"command": "screen"}, "behind nested multiplexer screen"),
        ({}, {"tree": SHELL, "command": "bash"}, "no process here"),
    ],
)
def test_the_text_gives_the_reason_for_no_agent(values: dict[str, str], fields: dict[str, Any], reason: str) -> None:
    """DBG-2: identity or the reason for none."""
    plan = judged(values, **fields)

    assert reason in next(line for line in said(plan).splitlines() if line.startswith("agent"))
    assert explain.state_of(plan) == "none"


def test_a_foreign_observer_has_only_the_stamps_word() -> None:
    """CYC-14, FWD-8: it neither walks nor captures, so there is no verdict."""
    seen = pane(stored("working"), sessions=[("$0", "work")])
    plan, needs = drive(judge_pane(seen, context(explain=True, foreign=True)), {})

    assert needs == []
    assert (document(plan)["agent"], document(plan)["verdict"]) == ("claude", None)
    assert "agent     claude: this process cannot see the server's processes, only stamps\n" in said(plan)
    assert explain.state_of(plan) == "working"


def test_an_unreadable_stamp_is_named() -> None:
    """RD-3, EXP-1: option and value, in the text form."""
    assert "unreadable: @agent_since is 'soon'" in said(judged(stored("working", since="soon")))


def test_a_hostile_title_can_be_read_and_does_nothing() -> None:
    """SAN-2, SAN-3: control characters are written out, lines stay one fact each."""
    plan = judged(title=HOSTILE_TITLE)
    plain = judged(title="t")

    assert said(plan).count("\n") == said(plain).count("\n")
    assert said(plan).replace("\n", "").isprintable()
    assert document(plan)["title"] == HOSTILE_TITLE


def test_the_state_of_a_pane_is_the_verdicts() -> None:
    """DBG-1: what a fixture's header says."""
    assert explain.state_of(judged()) == "blocked/permission"
    assert explain.state_of(judged(screen=("[idle]",))) == "idle"
