"""The bundled hook maps say what each event of an agent means: one line an event and its payload."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tma.core.detect.manifest import parse
from tma.core.events import hooks

AGENTS = Path(__file__).resolve().parents[2] / "src" / "tma" / "data" / "agents"

TABLE = """
claude SessionStart {"source": "startup"} = start
claude SessionStart {"source": "clear"} = start
claude SessionStart {"source": "resume"} = start
claude SessionStart {"source": "compact"} = ignore
claude SessionEnd {"reason": "clear"} = ignore
claude SessionEnd {"reason": "prompt_input_exit"} = end
claude SessionEnd {"reason": "other"} = end
claude UserPromptSubmit {"prompt": "go"} = working
claude PreToolUse {"tool_name": "Bash"} = working
claude PostToolUse {"tool_name": "Bash", "agent_id": "a1"} = working
claude PermissionRequest {"tool_name": "Bash"} = blocked/permission
claude PermissionRequest {"tool_name": "Bash", "agent_id": "a1"} = blocked/permission
claude PermissionRequest {"tool_name": "Bash", "tool_input": {"tool_name": "ExitPlanMode"}} = blocked/permission
claude PermissionRequest {"tool_name": "ExitPlanMode"} = blocked/plan
claude PermissionRequest {"tool_name": "EnterPlanMode"} = blocked/plan
claude PermissionRequest {"tool_name": "AskUserQuestion"} = blocked/question
claude PermissionDenied {"reason": "no"} = working
claude Notification {"notification_type": "permission_prompt", "message": "Claude needs your permission"} = blocked keep
claude Notification {"notification_type": "elicitation_dialog"} = blocked keep
claude Notification {"notification_type": "agent_needs_input"} = blocked keep
claude Notification {"message": "Claude needs your permission to use Edit"} = blocked keep
claude Notification {"message": "Claude needs your approval for the plan"} = blocked keep
claude Notification {"message": "Claude is waiting for your input"} = unmapped
claude Notification {"notification_type": "idle_prompt", "message": "Claude is waiting for your input"} = ignore
claude Notification {"notification_type": "auth_success", "message": "Claude needs your permission"} = unmapped
claude Notification {"notification_type": "quota_auto_resume_fired"} = working/rate_limit
claude Notification {"notification_type": "quota_auto_resume_stale"} = blocked/rate_limit
claude Notification {"notification_type": "quota_auto_resume_disabled"} = blocked/rate_limit
claude Stop {"background_tasks": []} = idle turn
claude Stop {"agent_id": "a1"} = ignore
claude Stop {"background_tasks": [{"type": "shell", "status": "running"}]} = idle/background turn
claude Stop {"background_tasks": [{"type": "subagent", "status": "running"}]} = working/background
claude Stop {"background_tasks": [{"type": "shell"}, {"type": "subagent"}]} = working/background
claude StopFailure {"error": "rate_limit"} = idle/error turn
claude PreCompact {"trigger": "auto"} = working/compacting
claude PostCompact {"trigger": "manual"} = idle turn
claude PostCompact {"trigger": "auto"} = working
claude PostToolBatch {} = unmapped
codex SessionStart {"source": "startup"} = start
codex SessionEnd {"reason": "other"} = end
codex UserPromptSubmit {"prompt": "go"} = working
codex UserPromptSubmit {"prompt": "go", "agent_id": "a1"} = unmapped
codex PreToolUse {"tool_name": "Bash"} = working
codex PreToolUse {"tool_name": "Bash", "agent_id": "a1"} = unmapped
codex PreToolUse {"tool_name": "request_user_input"} = blocked/question
codex PostToolUse {"tool_name": "Bash"} = working
codex PostToolUse {"tool_name": "Bash", "agent_id": "a1"} = unmapped
codex PermissionRequest {"tool_name": "Bash", "agent_id": "a1"} = blocked/permission
codex Stop {"stop_hook_active": false} = idle turn
codex Stop {"agent_id": "a1"} = unmapped
codex Interrupt {} = idle/interrupted
codex notify {"type": "agent-turn-complete"} = idle turn
codex notify {"type": "approval-requested"} = unmapped
codex PreModelRequest {} = unmapped
opencode session-start {} = start
opencode user-prompt-submit {} = working
opencode stop {} = idle turn keep
opencode stop-failed {} = idle/error turn
opencode interrupted {} = idle/interrupted
opencode permission-required {"request_id": "per_1"} = blocked/permission
opencode permission-replied {"reply": "once"} = working
opencode permission-replied {"reply": "always"} = working
opencode permission-replied {"reply": "reject"} = ignore
opencode question-required {} = blocked/question
opencode question-replied {} = working
gemini SessionStart {"source": "startup"} = start
gemini SessionEnd {"reason": "exit"} = end
gemini SessionEnd {"reason": "clear"} = ignore
gemini BeforeAgent {} = working
gemini BeforeTool {} = working
gemini AfterTool {"tool_response": {"returnDisplay": "Command cancelled by user."}} = idle/interrupted
gemini AfterTool {} = working
gemini AfterAgent {} = idle turn
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "exec"}} = blocked/permission
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "edit"}} = blocked/permission
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "info"}} = blocked/permission
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "mcp"}} = blocked/permission
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "ask_user"}} = blocked/question
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "exit_plan_mode"}} = blocked/plan
gemini Notification {"notification_type": "ToolPermission", "details": {"type": "later"}} = blocked
gemini Notification {"notification_type": "Other"} = unmapped
gemini AfterModel {} = unmapped
cursor sessionStart {} = start
cursor sessionEnd {} = end
cursor beforeSubmitPrompt {} = working
cursor preToolUse {} = working
cursor postToolUse {} = working
cursor postToolUseFailure {"is_interrupt": false} = working
cursor postToolUseFailure {"is_interrupt": true} = unmapped
cursor stop {} = idle turn
pi session_start {} = start
pi session_shutdown {} = end
pi session_shutdown {"reason": "quit"} = end
pi session_shutdown {"reason": "new"} = ignore
pi session_shutdown {"reason": "resume"} = ignore
pi session_shutdown {"reason": "fork"} = ignore
pi session_shutdown {"reason": "reload"} = ignore
pi agent_start {} = working
pi tool_execution_start {} = working
pi ui_prompt_start {"kind": "select"} = blocked/question
pi ui_prompt_end {"active": true} = working
pi ui_prompt_end {"active": false} = idle
pi agent_settled {"aborted": true} = idle/interrupted
pi agent_settled {"aborted": false} = idle turn
pi agent_end {} = unmapped
qwen SessionStart {"source": "startup"} = start
qwen SessionEnd {} = end
qwen SessionEnd {"reason": "prompt_input_exit"} = end
qwen SessionEnd {"reason": "clear"} = ignore
qwen UserPromptSubmit {"prompt": ""} = working
qwen PreToolUse {} = working
qwen PostToolUse {} = working
qwen PermissionRequest {"tool_name": "run_shell_command"} = blocked/permission
qwen PermissionRequest {"tool_name": "exit_plan_mode"} = blocked/plan
qwen PermissionRequest {"tool_name": "ask_user_question"} = blocked/question
qwen Notification {"notification_type": "permission_prompt"} = blocked keep
qwen Notification {"notification_type": "idle_prompt"} = idle turn keep
qwen Stop {} = idle turn
qwen StopFailure {"error": "x"} = idle/error turn
copilot sessionStart {} = start
copilot sessionEnd {} = end
copilot userPromptSubmitted {} = working
copilot preToolUse {"toolName": "bash"} = working
copilot preToolUse {"toolName": "bash", "agentId": "a1"} = working
copilot preToolUse {"toolName": "exit_plan_mode"} = blocked/plan
copilot postToolUse {} = working
copilot postToolUseFailure {} = working
copilot permissionRequest {"toolName": "bash"} = blocked/permission
copilot notification {"notification_type": "elicitation_dialog"} = blocked/question
copilot notification {"notification_type": "permission_prompt"} = blocked keep
copilot errorOccurred {"recoverable": true} = working
copilot errorOccurred {"recoverable": false} = idle/error turn
copilot agentStop {"stopReason": "end_turn"} = idle turn
copilot agentStop {"stopReason": "end_turn", "agentId": "a1"} = ignore
"""

LINES = [line for line in TABLE.strip().splitlines() if line]

COVERED = {
    "claude": "working idle blocked lifecycle",
    "codex": "working idle blocked lifecycle",
    "opencode": "working idle blocked lifecycle",
    "gemini": "working idle blocked lifecycle",
    "cursor": "working idle lifecycle",
    "pi": "working idle blocked lifecycle",
    "qwen": "working idle blocked lifecycle",
    "copilot": "working idle blocked lifecycle",
}


@cache
def plain(name: str) -> dict[str, Any]:
    """A bundled manifest in its plain form."""
    file = AGENTS / f"{name}.toml"
    return parse(name, tomllib.loads(file.read_text(encoding="utf-8")), str(file))


def meaning(entry: "dict[str, Any] | None") -> str:
    """An entry's claim and marks, in words."""
    if entry is None:
        return "unmapped"
    if "ignore" in entry:
        return "ignore"
    if "lifecycle" in entry:
        return str(entry["lifecycle"])
    claim = "/".join(entry[key] for key in ("state", "detail") if entry.get(key))
    marks = [mark for key, mark in (("turn_end", "turn"), ("keep_detail", "keep")) if entry.get(key)]
    return " ".join([claim, *marks])


@pytest.mark.parametrize("line", LINES)
def test_an_event_means_what_the_table_says(line: str) -> None:
    """Every mapped event, its conditions and its marks (MAN-MAP-1, MAN-MAP-6, MAN-FACT-4 to MAN-FACT-15)."""
    told, _, expected = line.rpartition(" = ")
    agent, kind, payload = told.split(" ", 2)
    entry = hooks.find(plain(agent)["map"], hooks.Event(kind, 1, payload))
    assert meaning(entry) == expected


@pytest.mark.parametrize("agent", COVERED)
def test_a_manifest_covers_the_states_that_its_map_claims(agent: str) -> None:
    """What ``covers`` promises is what the map can say, and the other way round (FOLD-14)."""
    told = {entry.get("state", "lifecycle") for entry in plain(agent)["map"] if "ignore" not in entry}
    assert set(plain(agent)["covers"]) == set(COVERED[agent].split()) == told


@pytest.mark.parametrize("agent", COVERED)
def test_every_mapped_event_stands_in_the_table(agent: str) -> None:
    """No event of a map goes untested."""
    tested = {line.split(" ")[1] for line in LINES if line.startswith(f"{agent} ")}
    assert {entry["event"] for entry in plain(agent)["map"]} <= tested


def test_a_cut_plan_request_never_counts_as_a_permission() -> None:
    """A payload cut at its limit holds no condition, and the entry without one does not step in (MAN-MAP-3)."""
    cut = json.dumps({"tool_name": "ExitPlanMode", "tool_input": {"plan": "x" * 40}})[:50]
    assert meaning(hooks.find(plain("claude")["map"], hooks.Event("PermissionRequest", 1, cut))) == "unmapped"
