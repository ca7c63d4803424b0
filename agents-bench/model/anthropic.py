"""The Messages protocol of Anthropic."""

import json
import re
import secrets
from collections.abc import Iterator
from typing import Any

from model.script import Answer, Request
from model.tools import SEARCHES

_USAGE = {"input_tokens": 1200, "output_tokens": 30, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
_PLAN_FILE = re.compile(r"/[^\s\"\\`]+/plans/[\w-]+\.md")
_NOT_SAID = ("<system-reminder>", "[Request interrupted", "Tool loaded.")


def read(body: dict[str, Any]) -> Request:
    """What a request offers and what was said last."""
    request = Request(
        {tool["name"]: tool.get("input_schema") or {} for tool in body.get("tools") or [] if "name" in tool}
    )
    searches: set[str] = set()
    for message in body.get("messages", []):
        if message["role"] == "user":
            _hear(request, message["content"], searches)
        elif isinstance(message["content"], list):
            searches |= {part["id"] for part in message["content"] if part.get("name") in SEARCHES}
    request.plan_file = next(reversed(_PLAN_FILE.findall(json.dumps(body.get("messages")))), "")
    return request


def _hear(request: Request, content: str | list[dict[str, Any]], searches: set[str]) -> None:
    """What a person said, or what a tool gave; ``searches`` are the calls that only showed tools."""
    if isinstance(content, str):
        return request.heard(content)
    texts: list[str] = []
    for part in content:
        if part.get("type") == "tool_result":
            found = part.get("tool_use_id") in searches
            request.searched |= found
            request.results += not found
            texts = []
        elif part.get("type") == "text" and not part["text"].lstrip().startswith(_NOT_SAID):
            texts.append(part["text"])
    if texts:
        request.heard("\n".join(texts))
    return None


def failure(given: Answer) -> dict[str, Any]:
    """The body of an error."""
    return {"type": "error", "error": {"type": given.error, "message": f"scripted error {given.status}"}}


def whole(body: dict[str, Any], given: Answer) -> dict[str, Any]:
    """An answer in one piece."""
    text = given.text if body.get("tools") else json.dumps({"title": given.text})
    content = _tool(given, given.arguments) if given.tool else {"type": "text", "text": text}
    return {**_message(body), "content": [content], "stop_reason": _reason(given)}


def stream(body: dict[str, Any], given: Answer) -> Iterator[tuple[float, str, dict[str, Any]]]:
    """Pause, event and data of each piece."""
    yield 0, "message_start", {"type": "message_start", "message": {**_message(body), "content": []}}
    block = _tool(given, {}) if given.tool else {"type": "text", "text": ""}
    yield 0, "content_block_start", {"type": "content_block_start", "index": 0, "content_block": block}
    for pause, delta in _deltas(body, given):
        yield pause, "content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}
    yield 0, "content_block_stop", {"type": "content_block_stop", "index": 0}
    end = {"stop_reason": _reason(given), "stop_sequence": None}
    yield 0, "message_delta", {"type": "message_delta", "delta": end, "usage": {"output_tokens": 30}}
    yield 0, "message_stop", {"type": "message_stop"}


def _deltas(body: dict[str, Any], given: Answer) -> Iterator[tuple[float, dict[str, Any]]]:
    if given.tool:
        yield 0, {"type": "input_json_delta", "partial_json": json.dumps(given.arguments)}
    for index, piece in enumerate(given.pieces):
        text = piece if body.get("tools") else json.dumps({"title": piece})
        yield given.pause_s if index else given.wait_s, {"type": "text_delta", "text": text}


def _tool(given: Answer, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_{secrets.token_hex(10)}", "name": given.tool, "input": arguments}


def _message(body: dict[str, Any]) -> dict[str, Any]:
    head = {"id": f"msg_{secrets.token_hex(10)}", "type": "message", "role": "assistant", "model": body.get("model")}
    return {**head, "stop_reason": None, "stop_sequence": None, "usage": _USAGE}


def _reason(given: Answer) -> str:
    return "tool_use" if given.tool else "end_turn"
