"""Which of an agent's tools does what a script asks for, and its arguments by the tool's own schema."""

from typing import Any

Call = tuple[str, dict[str, Any]]
Schemas = dict[str, dict[str, Any]]

_SHELL = ("Bash", "exec_command", "shell", "shell_command", "run_shell_command", "bash")
_WRITE = ("Write", "write_file", "write", "apply_patch", "create")
_ASK = ("AskUserQuestion", "ask_user_question", "question", "ask_user", "request_user_input")
_PLAN = ("ExitPlanMode", "exit_plan_mode", "EnterPlanMode")
_AGENT = ("Agent", "Task", "task", "spawn_agent", "agent", "invoke_agent")

_BEHIND = {"run_in_background": True, "is_background": True, "mode": "async"}
"""How shells are told to run something in the background."""

_PLAN_TEXT = "# Plan\n1. Make the button red.\n2. Test it.\n"
PLAN_IN_WORDS = f"<proposed_plan>\n{_PLAN_TEXT}</proposed_plan>\n"
"""Codex takes its plan out of what the model says."""

PLAN_STEPS = 2
_END = "complete_task"
SEARCHES = ("ToolSearch", "tool_search")
"""Tools that show the model others which are not offered from the beginning."""

_QUESTION = "Which colour should the button have?"
_COLOURS = ("Red", "Blue")


def call(word: str, argument: str, schemas: Schemas) -> Call | None:
    """The tool call for one word of a script; None if the agent has no tool for it."""
    makers = {
        "run": _run,
        "background": _background,
        "write": _write,
        "ask": _ask,
        "plan": _plan,
        "delegate": _delegate,
    }
    return makers[word](argument, schemas)


def search(word: str, schemas: Schemas) -> Call | None:
    """The call that shows the tool for a word; None where nothing is hidden, or not this."""
    name, hidden = _first(SEARCHES, schemas), {"ask": _ASK, "plan": _PLAN}.get(word)
    return (name, {"query": f"select:{','.join(hidden)}"}) if name and hidden else None


def _first(names: tuple[str, ...], schemas: Schemas) -> str:
    return next((name for name in names if name in schemas), "")


def _fields(name: str, schemas: Schemas) -> dict[str, Any]:
    return schemas[name].get("properties") or {}


def _run(command: str, schemas: Schemas) -> Call | None:
    name = _first(_SHELL, schemas)
    if not name:
        return None
    known = _fields(name, schemas)
    many = known.get("command", {}).get("type") == "array"
    given = {
        "cmd": command,
        "command": ["bash", "-c", command] if many else command,
        "description": "Run a small command",
        "is_background": False,
        "sandbox_permissions": "require_escalated",
        "justification": "Do you want to let this run outside of the sandbox?",
    }
    return name, {key: value for key, value in given.items() if key in known}


def _background(command: str, schemas: Schemas) -> Call | None:
    made = _run(command, schemas)
    known = _fields(made[0], schemas) if made else {}
    more = next(({key: value} for key, value in _BEHIND.items() if key in known), None)
    return (made[0], {**made[1], **more}) if made and more else None


def _write(path: str, schemas: Schemas) -> Call | None:
    name = _first(_WRITE, schemas)
    if not name:
        return None
    if name == "apply_patch":
        return name, {"input": f"*** Begin Patch\n*** Add File: {path}\n+hello\n+world\n*** End Patch\n"}
    known = _fields(name, schemas)
    place = next(key for key in ("file_path", "filePath", "path") if key in known)
    return name, {place: path, "file_text" if "file_text" in known else "content": "hello\nworld\n"}


def _ask(_: str, schemas: Schemas) -> Call | None:
    name = _first(_ASK, schemas)
    if not name:
        return None
    known = _fields(name, schemas)
    options = [{"label": colour, "description": f"A {colour.lower()} button"} for colour in _COLOURS]
    if "requestedSchema" in known:
        colour = {"type": "string", "title": "Colour", "enum": list(_COLOURS)}
        wanted = {"type": "object", "properties": {"colour": colour}, "required": ["colour"]}
        return name, {"message": _QUESTION, "requestedSchema": wanted}
    if "question" in known:
        several = {"choices": list(_COLOURS)} if "choices" in known else {"options": options}
        return name, {"question": _QUESTION, **several}
    asked = {"question": _QUESTION, "header": "Colour", "options": options}
    more: dict[str, dict[str, object]] = {
        "AskUserQuestion": {"multiSelect": False},
        "ask_user_question": {"multiSelect": False},
    }
    more |= {"question": {"multiple": False}, "ask_user": {"type": "choice"}, "request_user_input": {"id": "colour"}}
    return name, {"questions": [asked | more[name]]}


def _plan(_: str, schemas: Schemas, path: str = "") -> Call | None:
    name = _first(_PLAN, schemas)
    if not name:
        return None
    if "plan_filename" in _fields(name, schemas):
        return name, {"plan_filename": path.rpartition("/")[2]}
    return name, {"summary" if "summary" in _fields(name, schemas) else "plan": _PLAN_TEXT}


def planned(done: int, path: str, schemas: Schemas) -> Call | None:
    """The steps of a plan that goes into a file first; ``done`` of them are done."""
    if done:
        return _plan("", schemas, path)
    written = _write(path, schemas)
    return written and (written[0], {**written[1], "content": _PLAN_TEXT})


def ending(schemas: Schemas) -> Call | None:
    """The tool by which a sub-agent says that it is done, where words do not end it."""
    return (_END, {"result": "Done."}) if _END in schemas else None


def _delegate(script: str, schemas: Schemas) -> Call | None:
    name = _first(_AGENT, schemas)
    if not name:
        return None
    known = _fields(name, schemas)
    prompt = "Please {" + script + "}"
    given = {
        "description": "Do a part of it",
        "prompt": prompt,
        "message": prompt,
        "subagent_type": "general" if name == "task" else "general-purpose",
        "agent_type": "general-purpose",
        "agent_name": "generalist",
        "task_name": "part",
        "name": "part",
        "mode": "sync",
        "run_in_background": False,
    }
    return name, {key: value for key, value in given.items() if key in known}
