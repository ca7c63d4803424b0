"""The generateContent protocol of Gemini."""

import json
import re
import secrets
from collections.abc import Iterator
from typing import Any

from model.script import Answer, Request

_USAGE = {"promptTokenCount": 1200, "candidatesTokenCount": 30, "totalTokenCount": 1230}
_STATUSES = {401: "UNAUTHENTICATED", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 529: "UNAVAILABLE"}
_ROUTING = {"reasoning": "scripted", "next_speaker": "user", "model_choice": "flash", "complexity_score": 1}
"""What the agent's own requests for a JSON document are answered with."""

_PLANS = re.compile(r"plans directory: `?(/[^\s\"\\`]+)")


def read(body: dict[str, Any]) -> Request:
    """What a request offers and what was said last."""
    functions = [each for tool in body.get("tools") or [] for each in tool.get("functionDeclarations") or []]
    request = Request(
        {each["name"]: each.get("parameters") or each.get("parametersJsonSchema") or {} for each in functions}
    )
    for content in body.get("contents", []):
        if content.get("role") == "user":
            _hear(request, content.get("parts", []))
    found = _PLANS.search(json.dumps([body.get("systemInstruction"), body.get("tools")]))
    request.plan_file = f"{found[1].rstrip('/.')}/plan.md" if found else ""
    return request


def _hear(request: Request, parts: list[dict[str, Any]]) -> None:
    texts = [part["text"] for part in parts if not part.get("text", "<").lstrip().startswith("<")]
    if any("functionResponse" in part for part in parts):
        request.results += 1
    elif texts:
        request.heard("\n".join(texts))


def failure(given: Answer) -> dict[str, Any]:
    """The body of an error."""
    about = {"code": given.status, "message": f"scripted error {given.status}", "status": _STATUSES[given.status]}
    return {"error": about}


def whole(body: dict[str, Any], given: Answer) -> dict[str, Any]:
    """An answer in one piece."""
    text = given.text if body.get("tools") else json.dumps(_ROUTING)
    return _chunk([_call(given) if given.tool else {"text": text}], "STOP")


def stream(_: dict[str, Any], given: Answer) -> Iterator[tuple[float, str, dict[str, Any]]]:
    """Pause, no event name, and data of each piece."""
    for index, piece in enumerate(given.pieces):
        yield given.pause_s if index else given.wait_s, "", _chunk([{"text": piece}])
    yield 0, "", _chunk([_call(given)] if given.tool else [{"text": ""}], "STOP")


def _call(given: Answer) -> dict[str, Any]:
    return {"functionCall": {"name": given.tool, "args": given.arguments, "id": secrets.token_hex(5)}}


def _chunk(parts: list[dict[str, Any]], reason: str = "") -> dict[str, Any]:
    candidate = {
        "content": {"role": "model", "parts": parts},
        "index": 0,
        **({"finishReason": reason} if reason else {}),
    }
    head = {"usageMetadata": _USAGE, "modelVersion": "gemini-bench", "responseId": secrets.token_hex(8)}
    return {"candidates": [candidate], **head}
