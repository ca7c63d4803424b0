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
