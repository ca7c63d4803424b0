"""What stands below a dialog or is typed into a composer decides nothing that it must not (MAN-FACT-3)."""

import re
from collections.abc import Iterator

import pytest

from captures import FIXTURES, ORDER, Fixture, live_tail, of, plain, shown, used

PROMPTS = ("$ ", "me@host:~/shop$ ", "❯ ", "› ", "➜  shop ", "~/shop\n❯ ", "(venv) PS> ")
COMMANDS = (
    "",
    'agent -p "summarize"\ntext',
    "cat notes\n  - item\n    more\n\n  done",
    "agent\n\n ▐▛███▜▌   Agent v2\n▝▜█████▛▘  model\n",
)
DRAFTS = ("use ── here", "fix │ ╭─╮ box", "❯ x", "› y", "> z")
STATUS_LINE = "  ~/shop ── opus ── 42%"

UNKNOWN = {
    "claude": """
──────────────────────────────────────────────────────
 Are you sure you want to delete this permission rule?

 ❯ 1. Yes
   2. No

 Esc to cancel
""",
    "codex": """
  Codex just got an upgrade. Introducing gpt-6.

› 1. Try new model
  2. Use existing model

  Use ↑/↓ to move, press enter to confirm
""",
}
"""Dialogs that ask and end like a permission; nothing here knows what a yes to them does."""

SIGN = {"claude": "[❯!]", "codex": "›", "copilot": "❯", "gemini": " > ", "qwen": "[>!*]", "pi": ""}
"""The composer's sign; a draft stands behind it."""

EDGE = {"claude": "─" * 10, "copilot": "─" * 10, "gemini": "▀" * 10, "qwen": "─" * 10}
"""The lowest edge of the composer, below which a user's own status line may stand."""


def below_a_prompt(fixture: Fixture) -> Iterator[list[str]]:
    """A dialog's screen with a shell's prompt below it, with and without a command and its output."""
    for prompt in PROMPTS:
        for command in COMMANDS:
            yield [*used(fixture), *(prompt + command).split("\n")]


def composer_line(fixture: Fixture) -> int:
    """Where the line of the draft stands; -1 where no composer is drawn."""
    lines = plain(fixture.lines)
    for index in range(len(lines) - 2, 0, -1):
        if fixture.agent == "pi":
            is_draft = lines[index - 1].startswith("──") and lines[index + 1].startswith("─" * 10)
        else:
            is_draft = bool(re.match(SIGN[fixture.agent], lines[index]))
            is_draft &= fixture.agent in ("codex", "gemini") or lines[index - 1].startswith("─" * 10)
        if is_draft:
            return index
    return -1


def with_drafts(fixture: Fixture) -> Iterator[list[str]]:
    """A screen with other drafts in its composer, and with a status line of the user's own below it."""
    lines, at = plain(fixture.lines), composer_line(fixture)
    found = re.match(SIGN[fixture.agent], lines[at])
    sign = (found.group().rstrip() + " ") if found and found.group() else ""
    for draft in DRAFTS:
        typed = [*lines[:at], sign + draft, *lines[at + 1 :]]
        yield typed
        edges = [index for index, line in enumerate(typed) if line.startswith(EDGE.get(fixture.agent, "\0"))]
        for edge in edges[-1:]:
            yield [*typed[: edge + 1], STATUS_LINE, *typed[edge + 1 :]]


def has_composer(fixture: Fixture) -> bool:
    """Whether a draft can be put into the screen."""
    in_use = fixture.agent in SIGN and fixture.expected.startswith(("idle", "working"))
    return in_use and bool(live_tail(fixture)) and composer_line(fixture) > 0


@pytest.mark.parametrize("agent", ORDER)
def test_a_dialog_above_a_shell_prompt_is_not_open(agent: str) -> None:
    """No dialog that was printed above a prompt blocks, whatever a command printed below it (MAN-FACT-2)."""
    wrong = [
        (fixture.name, lines[-5:], claim)
        for fixture in of(agent, "blocked")
        for lines in below_a_prompt(fixture)
        if (claim := shown(agent, lines, len(lines), "host")).startswith("blocked")
    ]
    assert wrong == []


@pytest.mark.parametrize("agent", sorted(UNKNOWN))
def test_an_unknown_dialog_is_open_but_no_permission(agent: str) -> None:
    """Words that many dialogs share tell that somebody is needed, and no more (MAN-LIM-4), below a permission too."""
    lines = UNKNOWN[agent].split("\n")
    permissions = [list(used(fixture)) for fixture in of(agent, "blocked/permission")]
    claims = {shown(agent, above + lines, len(above + lines), "") for above in [[], *permissions]}
    assert claims == {"blocked"}


@pytest.mark.parametrize("agent", sorted(SIGN))
def test_a_draft_or_a_status_line_changes_no_state(agent: str) -> None:
    """Signs of rules and boxes inside a draft or a status line hide neither a turn nor its end (MAN-SCR-1)."""
    fixtures = [fixture for fixture in FIXTURES if fixture.agent == agent and has_composer(fixture)]
    wrong = []
    for fixture in fixtures:
        for lines in with_drafts(fixture):
            height = fixture.height + len(lines) - len(fixture.lines)
            for title in (fixture.title, ""):
                expected = shown(agent, plain(fixture.lines), fixture.height, title)
                claim = shown(agent, lines, height, title)
                if claim != expected:
                    wrong.append((fixture.name, title, claim))
    assert fixtures
    assert wrong == []
