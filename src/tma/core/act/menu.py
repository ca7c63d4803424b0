"""The commands of a menu's entries: words that must cross tmux's menu, run-shell and the shell unchanged (ACT-MENU-3).

Only the program's own path, server options, file paths, a client's name, an action's name and ids
enter them (SEC-X-2).
"""

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

KEYS = "123456789"


class Entry(NamedTuple):
    """One entry of a menu; an empty key is none."""

    label: str
    key: str
    command: str


def fire_words(
    program: "Sequence[str]", options: "Sequence[str]", name: str, pane: str, *, episode: int, call: str
) -> list[str]:
    """The command line that fires an action on what the menu was built on."""
    words = [*program, *options, "act", name, "--pane", pane, "--from-menu", "--expect-episode-ms", str(episode)]
    return [*words, "--expect-pending-call", call] if call else words


def run_command(words: "Sequence[str]") -> str:
    """The tmux command that runs words in a shell, its output and exit status dropped (ACT-MENU-5)."""
    shell = " ".join(map(shell_quote, words)) + " >/dev/null 2>&1 || :"
    return _once(f"run-shell -b {tmux_quote(_once(shell))}")


def confirmed_command(words: "Sequence[str]", *, name: str, pane: str, client: str) -> str:
    """The tmux command that asks before it runs words: No stands first, so that Enter fires nothing (ACT-MENU-4)."""
    title = tmux_quote(_once(f"fire {name} on {pane}?"))
    yes = tmux_quote(run_command([*words, "--yes"]))
    chosen = f"-c {tmux_quote(client)} " if client else ""
    return _once(f"display-menu {chosen}-T {title} -- 'No' n '' 'Yes' y {yes}")


def tmux_quote(text: str) -> str:
    """A token of a tmux command list (ACT-Q-1)."""
    return shell_quote(text)


def shell_quote(text: str) -> str:
    """A word of a POSIX shell; tmux reads the same form."""
    return "'" + text.replace("'", "'\\''") + "'"


def _once(text: str) -> str:
    """Text that is expanded as a format once on its way."""
    return text.replace("#", "##")
