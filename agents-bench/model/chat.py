"""The Chat Completions protocol, which most agents speak to servers that they do not know."""

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any

from model.script import Answer, Request
from model.tools import SEARCHES

_USAGE = {"prompt_tokens": 1200, "completion_tokens": 30, "total_tokens": 1230}


def read(body: dict[str, Any]) -> Request:
    """What a request offers and what was said last."""
    functions = [tool["function"] for tool in body.get("tools") or []]
    request = Request({function["name"]: function.get("parameters") or {} for function in functions})
    searches: set[str] = set()
    for message in body.get("messages", []):
        searches |= {call["id"] for call in message.get("tool_calls") or [] if call["function"]["name"] in SEARCHES}
        if message["role"] == "tool" and message.get("tool_call_id") in searches:
            request.searched = True
        elif message["role"] == "tool":
            request.results += 1
        elif message["role"] == "user":
            content = message["content"]
            texts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
            request.heard("\n".join(texts))
    return request


def failure(given: Answer) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": f"scripted error {given.status}", "type": given.error, "code": str(given.status)}}


def whole(body: dict[str, Any], given: Answer) -> dict[str, Any]:
    """An answer in one piece."""
    message = {"role": "assistant", "content": None if given.tool else given.text}
    calls = {"tool_calls": [_call(given)]} if given.tool else {}
    choice = {"index": 0, "message": {**message, **calls}, "finish_reason": _reason(given)}
    return {**_head(body, "chat.completion"), "choices": [choice], "usage": _USAGE}


def stream(body: dict[str, Any], given: Answer) -> Iterator[tuple[float, str, dict[str, Any] | str]]:
    """Pause, no event name, and data of each piece."""
    head = _head(body, "chat.completion.chunk")
    yield 0, "", {**head, "choices": [_choice({"role": "assistant", "content": ""})]}
    if given.tool:
        yield 0, "", {**head, "choices": [_choice({"tool_calls": [{"index": 0, **_call(given)}]})]}
    for index, piece in enumerate(given.pieces):
        yield given.pause_s if index else given.wait_s, "", {**head, "choices": [_choice({"content": piece})]}
    yield 0, "", {**head, "choices": [_choice({}, _reason(given))], "usage": _USAGE}
    yield 0, "", "[DONE]"


def _head(body: dict[str, Any], kind: str) -> dict[str, Any]:
    name = f"chatcmpl-{secrets.token_hex(10)}"
    return {"id": name, "object": kind, "created": int(time.time()), "model": body.get("model")}


def _choice(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": reason}


def _call(given: Answer) -> dict[str, Any]:
    function = {"name": given.tool, "arguments": json.dumps(given.arguments)}
    return {"id": f"call_{secrets.token_hex(8)}", "type": "function", "function": function}


def _reason(given: Answer) -> str:
    return "tool_calls" if given.tool else "stop"
