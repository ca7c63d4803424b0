"""What a prompt asks the model to do, and what the model then answers.

A prompt holds its own script in braces, such as ``{run touch proof}``. The script of the last
thing that a person said counts; once a tool of it has given its result, the turn ends in words.
"""

import re
from dataclasses import dataclass, field
from typing import Any

from model import tools

WORDS = ("say", "stream", "think", "run", "write", "ask", "plan", "delegate", "background", "fail")
OK = 200
PAUSE_S = 0.25
"""Between two words of a streamed answer."""

_SCRIPT = re.compile(r"\{(" + "|".join(WORDS) + r")\b ?([^{}]*)\}")
_TITLE = "Paint the button"
_STATUSES = {401: "authentication_error", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}


@dataclass
class Request:
    """A request in any protocol: the tools it offers by name with their schemas, and what was said last."""

    tools: dict[str, dict[str, Any]]
    said: str = ""
    results: int = 0
    """Tool results since the person said that, without those of a search for tools."""

    searched: bool = False
    """Whether tools were searched for since then."""

    plan_file: str = ""
    """Where the agent wants a plan to be written before it is shown."""

    def heard(self, text: str) -> None:
        """A person, or the agent in their place, said something."""
        self.said, self.results, self.searched = text, 0, False

    @property
    def script(self) -> tuple[str, str]:
        """The word and the argument of the last script; a plain answer without one."""
        found = _SCRIPT.findall(self.said)
        return found[-1] if found else ("say", "")


@dataclass
class Answer:
    """What is sent back: pieces of text with pauses before them, one tool call, or an HTTP error."""

    pieces: list[str] = field(default_factory=list)
    pause_s: float = 0.0
    wait_s: float = 0.0
    tool: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    status: int = OK

    @property
    def kind(self) -> str:
        """What a log calls it."""
        if self.status != OK:
            return "error"
        return "search" if self.tool in tools.SEARCHES else "tool" if self.tool else "text"

    @property
    def error(self) -> str:
        """The name of the error as most APIs have it."""
        return _STATUSES[self.status]

    @property
    def text(self) -> str:
        """All of its text."""
        return "".join(self.pieces)


def answer(request: Request) -> Answer:
    """What the script of a request asks for."""
    if not request.tools:
        return Answer([_TITLE])
    word, argument = request.script
    if word == "fail":
        return Answer(status=int(argument))
    if word == "think":
        return Answer(["Thought of it."], wait_s=float(argument))
    if word == "stream":
        return Answer([f"word{n} " for n in range(int(float(argument) / PAUSE_S))], pause_s=PAUSE_S)
    if word == "say":
        return Answer([argument or "Well."])
    call = _call(word, argument, request)
    if call:
        return Answer(tool=call[0], arguments=call[1])
    if request.results:
        return Answer(["Done."])
    return Answer([tools.PLAN_IN_WORDS if word == "plan" else f"No tool here can {word}."])


def _call(word: str, argument: str, request: Request) -> tools.Call | None:
    """The tool call that is next: the script's own, a search for its tool, or the end of a sub-agent."""
    if word == "plan" and request.plan_file and request.results < tools.PLAN_STEPS:
        call = tools.planned(request.results, request.plan_file, request.tools)
    elif request.results:
        return tools.ending(request.tools)
    else:
        call = tools.call(word, argument, request.tools)
    return call or (None if request.searched else tools.search(word, request.tools))
