"""What the scripted model answers."""

import pytest

from model import anthropic, chat, gemini, responses
from model.script import Request, answer

SHELL = {"Bash": {"properties": {"command": {"type": "string"}}}}


def test_a_tool_call_has_the_arguments_that_its_schema_knows() -> None:
    """Whatever an agent calls its shell."""
    given = answer(Request({"exec_command": {"properties": {"cmd": {}}}}, "please {run touch it}"))

    assert (given.tool, given.arguments) == ("exec_command", {"cmd": "touch it"})


def test_a_result_ends_the_turn_in_words() -> None:
    """A script is played once."""
    assert answer(Request(SHELL, "{run touch it}", results=1)).kind == "text"


def test_a_request_without_tools_is_no_turn() -> None:
    """Agents ask for titles with the person's words in it."""
    assert answer(Request({}, "{fail 429}")).kind == "text"


def test_the_last_script_counts() -> None:
    """After an error some agents send several messages as one."""
    assert answer(Request(SHELL, "{fail 429}\n{say hello}")).text == "hello"


TOOL = {"name": "Bash", **SHELL["Bash"]}
ANTHROPIC = {
    "tools": [{"name": "Bash", "input_schema": SHELL["Bash"]}],
    "messages": [
        {"role": "user", "content": "{run touch it}"},
        {"role": "assistant", "content": []},
        {"role": "user", "content": [{"type": "tool_result"}, {"type": "text", "text": "<system-reminder>x"}]},
    ],
}
CHAT = {
    "tools": [{"function": {"name": "Bash", "parameters": SHELL["Bash"]}}],
    "messages": [{"role": "user", "content": "{run touch it}"}, {"role": "tool", "content": "done"}],
}
RESPONSES = {
    "tools": [{"type": "function", "name": "Bash", "parameters": SHELL["Bash"]}],
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "{run touch it}"}]},
        {"type": "function_call_output"},
    ],
}
GEMINI = {
    "tools": [{"functionDeclarations": [{"name": "Bash", "parameters": SHELL["Bash"]}]}],
    "contents": [
        {"role": "user", "parts": [{"text": "{run touch it}"}]},
        {"role": "user", "parts": [{"functionResponse": {}}]},
    ],
}


@pytest.mark.parametrize(
    ("protocol", "body"), [(anthropic, ANTHROPIC), (chat, CHAT), (responses, RESPONSES), (gemini, GEMINI)]
)
def test_every_protocol_gives_the_same_request(protocol: object, body: dict[str, object]) -> None:
    """Tools, the last words of a person, and the results since then."""
    assert protocol.read(body) == Request(SHELL, "{run touch it}", results=1)  # type: ignore[attr-defined]


HIDING = {"tool_search": {"properties": {"query": {}}}}


def test_a_tool_that_is_not_offered_yet_is_searched_for_once() -> None:
    """Some agents show rare tools only then; the search is no part of what a person asked for."""
    found = {**HIDING, "ask_user_question": {"properties": {"questions": {}}}}
    steps = [
        answer(Request(HIDING, "{ask}")),
        answer(Request(found, "{ask}", searched=True)),
        answer(Request(HIDING, "{ask}", searched=True)),
    ]

    assert [(step.kind, step.tool) for step in steps] == [
        ("search", "tool_search"),
        ("tool", "ask_user_question"),
        ("text", ""),
    ]
    assert "ask_user_question" in steps[0].arguments["query"]


SEARCHED_CHAT = {
    "messages": [
        {"role": "user", "content": "{ask}"},
        {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "tool_search"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "found"},
    ]
}
SEARCHED_ANTHROPIC = {
    "messages": [
        {"role": "user", "content": "{ask}"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ToolSearch"}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "a"}, {"type": "text", "text": "Tool loaded."}],
        },
    ]
}


@pytest.mark.parametrize(("protocol", "body"), [(anthropic, SEARCHED_ANTHROPIC), (chat, SEARCHED_CHAT)])
def test_a_search_gives_no_result_of_a_script(protocol: object, body: dict[str, object]) -> None:
    """What the person asked for is still to be done."""
    assert protocol.read(body) == Request({}, "{ask}", searched=True)  # type: ignore[attr-defined]


PLANS = {
    "write_file": {"properties": {"file_path": {}, "content": {}}},
    "exit_plan_mode": {"properties": {"plan_filename": {}}},
}


def test_a_plan_that_belongs_into_a_file_is_written_first() -> None:
    """Then it is shown by the file's name or as it is, and the turn ends in words."""
    steps = [answer(Request(PLANS, "{plan}", results=done, plan_file="/p/plan.md")) for done in range(3)]

    assert [step.tool for step in steps] == ["write_file", "exit_plan_mode", ""]
    assert steps[0].arguments["file_path"] == "/p/plan.md"
    assert steps[1].arguments == {"plan_filename": "plan.md"}


def test_a_plan_is_written_before_the_tool_that_shows_it_is_searched_for() -> None:
    """The tool for the file is always offered."""
    hiding = {"Write": PLANS["write_file"], **HIDING}
    steps = [answer(Request(hiding, "{plan}", results=done, plan_file="/p/plan.md")) for done in range(2)]

    assert [step.tool for step in steps] == ["Write", "tool_search"]


def test_the_directory_of_plans_is_taken_from_the_instructions() -> None:
    """The agent names it in a sentence, which may end with a full stop behind a slash."""
    body = {"systemInstruction": {"parts": [{"text": "in the plans directory: /h/plans/. Do not"}]}, "contents": []}

    assert gemini.read(body).plan_file == "/h/plans/plan.md"


@pytest.mark.parametrize(("key", "value"), [("run_in_background", True), ("is_background", True), ("mode", "async")])
def test_a_shell_is_told_to_run_something_in_the_background_in_its_own_words(key: str, value: object) -> None:
    """Every agent has another word for it."""
    shell = {"bash": {"properties": {"command": {}, key: {}}}}

    assert answer(Request(shell, "{background sleep 6}")).arguments[key] == value


def test_a_sub_agent_ends_by_its_tool_where_it_has_one() -> None:
    """Words would be told off."""
    assert answer(Request({"complete_task": {}}, "{run touch it}", results=1)).tool == "complete_task"
