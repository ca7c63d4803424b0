"""What acting says."""

import json

import pytest

from acting import exec_action, facts, keys_action, order, text_action
from tma.core import stamp
from tma.core.act import result
from tma.core.act.result import Result, ended, exited, failed, refused, vanished
from tma.view import act

API = {"keys": None, "api": {"opencode": {"op": "permission-reply", "reply": "once"}}}


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (ended(result.SENT), "sent approve to %5"),
        (ended(result.REPLIED), "replied approve to %5"),
        (exited(7), ""),
        (ended(result.SPAWNED), ""),
        (refused("gated"), "approve on %5: gated (exit 4)"),
        (refused("locked"), "approve on %5: locked (exit 5)"),
        (vanished(), "approve on %5: pane-gone (exit 3)"),
        (ended(result.TIMEOUT), "approve on %5: timeout (exit 124)"),
        (failed("why"), "approve on %5: error (exit 1): why"),
    ],
)
def test_each_result_has_its_line(given: Result, line: str) -> None:
    """ACT-RES-1, CAC-3."""
    assert act.note("approve", "%5", given) == line


def test_the_third_in_a_row_is_pointed_out() -> None:
    """ACT-REP-2."""
    assert act.repeat_note("approve", "%5", 2) == ""
    assert act.repeat_note("approve", "%5", 3) == (
        "3 consecutive approve on %5 in one episode; is the same prompt coming back?"
    )


def test_a_result_has_fixed_keys() -> None:
    """The table of ``act`` results."""
    assert list(act.result_value("approve", "%5", refused("gated")).items()) == [
        ("action", "approve"),
        ("pane", "%5"),
        ("outcome", "refused"),
        ("exit_code", 4),
        ("reason", "gated"),
    ]


def test_the_audit_line_takes_only_plain_ids() -> None:
    """ACT-LOG-2, ACT-LOG-4."""
    seen = facts({stamp.PENDING_TOOL: "Bash", stamp.PENDING_CALL: "has blanks"})
    fired = act.Fired(order(keys_action()), ended(result.SENT), seen, "keys", 2, 9, "menu", "b" * 16, "%7")
    line = json.loads(act.audit_line(fired))
    assert (line["pending_tool"], line["pending_call"], line["repeat"], line["at"]) == ("Bash", None, 2, 9)
    assert (line["all"], line["batch"], line["via_agent"], line["source"]) == (True, "b" * 16, "%7", "menu")
    unseen = json.loads(act.audit_line(fired._replace(facts=None, batch=None)))
    assert (unseen["agent"], unseen["episode_ms"], unseen["all"]) == (None, None, False)


def test_a_list_line_has_its_columns() -> None:
    """ACT-LIST-1."""
    assert act.list_line(keys_action(), None, judged=False) == "approve      keys  claude\n"
    assert act.list_line(exec_action(), refused("gated"), judged=True) == "report       exec  (all)  refused: gated\n"
    assert act.list_line(keys_action(), None, judged=True).endswith("  fireable\n")


def test_a_list_document_has_fixed_keys() -> None:
    """``act --list --json``."""
    (entry,) = json.loads(act.list_document([(text_action(), None)], judged=False))["actions"]
    assert entry == {
        "name": "steer",
        "label": "A label",
        "kind": "text",
        "agents": ["claude"],
        "when": {"state": ["idle"], "detail": [], "context_pct_min": None, "context_pct_max": None},
    }


@pytest.mark.parametrize(
    ("given", "effect"),
    [
        (order(keys_action(keys={"claude": ["/compact", "Enter"]})), "keys: /compact Enter"),
        (order(text_action(), text="go\x1bon"), "text: go\\x1bon Enter"),
        (order(exec_action(command="a\nb")), "command: a\\x0ab"),
        (order(keys_action(keys={"pi": ["1"]})), "none"),
        (order(keys_action(**API)), "none"),
    ],
)
def test_a_dry_run_shows_the_effect(given: object, effect: str) -> None:
    """ACT-DRY-1: control characters are shown escaped."""
    assert f"effect:  {effect}\n" in act.dry_run(given, facts(), None, {})


def test_a_dry_run_of_a_call_shows_where_it_goes() -> None:
    """ACT-DRY-1."""
    seen = facts(
        {stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1", stamp.API_ENDPOINT: "http://localhost:4096/x"}
    )
    assert "effect:  api: POST http://localhost:4096/x/permission/per_1/reply\n" in act.dry_run(
        order(keys_action(**API)), seen, None, {}
    )
    nowhere = facts({stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1"})
    assert "(no endpoint)" in act.dry_run(order(keys_action(**API)), nowhere, None, {})


def test_each_value_has_its_age() -> None:
    """ACT-DRY-1: what was stamped is as old as the stamp, the rest was looked up now."""
    text = act.dry_run(order(keys_action()), facts(), refused("gated"), {})
    assert "gate:    refused: gated\n" in text
    assert "  TMA_STATE=blocked (500 ms old)\n" in text
    assert "  TMA_TITLE=fix the build (live)\n" in text
    assert "agent:   (none)\n" in act.dry_run(order(keys_action()), None, vanished(), {})


def test_a_target_of_many_has_one_line() -> None:
    """ACT-DRY-2."""
    assert act.target_line("%5", "claude", None) == "%5 claude would fire\n"
    assert act.target_line("%5", "(none)", vanished()) == "%5 (none) vanished (pane gone)\n"
