"""The Responses protocol of OpenAI, as Codex speaks it."""

import json
import secrets
from collections.abc import Iterator
from typing import Any

from model.script import Answer, Request

_RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output")
_USAGE = {
    "input_tokens": 1200,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 30,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 1230,
}


def read(body: dict[str, Any]) -> Request:
    """What a request offers and what was said last; what begins with ``<`` the agent said itself."""
    request = Request({name: tool.get("parameters") or {} for name, (tool, _) in _offered(body).items()})
    items = body.get("input") or []
    for item in [{"role": "user", "content": items}] if isinstance(items, str) else items:
        if item.get("type") in _RESULTS:
            request.results += 1
        elif item.get("role") == "user":
            text = _text(item["content"])
            if not text.lstrip().startswith("<"):
                request.heard(text)
    return request


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def _offered(body: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """The tools by name, each with its name space."""
    found: dict[str, tuple[dict[str, Any], str]] = {}
    for tool in body.get("tools") or []:
        name = tool.get("name") or tool.get("type")
        inner = tool.get("tools")
        for each in inner if isinstance(inner, list) else [tool]:
            found[each.get("name") or each["type"]] = (each, name if each is not tool else "")
    return found


def failure(given: Answer) -> dict[str, Any]:
    """The body of an error."""
    return {"error": {"message": f"scripted error {given.status}", "type": given.error, "code": None}}


def whole(body: dict[str, Any], given: Answer) -> dict[str, Any]:
    """An answer in one piece."""
    item = _call(body, given) if given.tool else _said(given, given.text)
    return _response("completed", [item])


def stream(body: dict[str, Any], given: Answer) -> Iterator[tuple[float, str, dict[str, Any]]]:
    """Pause, event and data of each piece."""
    yield 0, *_event("response.created", response=_response("in_progress", []))
    if given.tool:
        item = _call(body, given)
        yield 0, *_event("response.output_item.added", output_index=0, item=item)
    else:
        item = _said(given, given.text)
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        empty = {"type": "output_text", "text": "", "annotations": []}
        yield 0, *_event("response.output_item.added", output_index=0, item={**item, "content": []})
        yield 0, *_event("response.content_part.added", **place, part=empty)
        for index, piece in enumerate(given.pieces):
            pause = given.pause_s if index else given.wait_s
            yield pause, *_event("response.output_text.delta", **place, delta=piece)
    yield 0, *_event("response.output_item.done", output_index=0, item=item)
    yield 0, *_event("response.completed", response=_response("completed", [item]))


def _event(name: str, **parts: object) -> tuple[str, dict[str, Any]]:
    return name, {"type": name, **parts}


def _response(status: str, output: list[dict[str, Any]]) -> dict[str, Any]:
    done = {"usage": _USAGE} if output else {}
    return {"id": f"resp_{secrets.token_hex(10)}", "object": "response", "status": status, "output": output, **done}


def _said(given: Answer, text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    name = f"msg_{id(given):x}"
    return {"type": "message", "id": name, "role": "assistant", "status": "completed", "content": content}


def _call(body: dict[str, Any], given: Answer) -> dict[str, Any]:
    tool, space = _offered(body)[given.tool]
    head = {"id": f"fc_{secrets.token_hex(8)}", "call_id": f"call_{secrets.token_hex(8)}", "name": given.tool}
    if tool.get("type") == "custom":
        made = {"type": "custom_tool_call", **head, "input": given.arguments.get("input", "")}
    else:
        made = {"type": "function_call", **head, "arguments": json.dumps(given.arguments)}
    return {**made, **({"namespace": space} if space else {})}
