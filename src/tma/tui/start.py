"""A surface from its first check to what is left to do when the terminal is as it was before."""

import gc
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from tma.adapters import system
from tma.core.errors import OK, TmaError, UsageError
from tma.services.fleet import Fleet
from tma.services.hints import Hints
from tma.tui.crew import Crew
from tma.tui.shell import Shell, show
from tma.tui.terminal import Terminal
from tma.view.paint import depth_of
from tma.view.palette import theme
from tma.view.surface import Jump, OpenMenu, Options, RowsFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.core.selector import Selection
    from tma.services.fleet import Opening
    from tma.services.runtime import Runtime
    from tma.view.frame import Frame
    from tma.view.palette import Theme
    from tma.view.surface import Leave, Surface

_HINT = "tma ls lists the agents as text"
_BY_SIGNAL = 128
_SWITCH_S = 0.0005
"""How long a look may keep a key from being drawn; the usual 5 ms, several times over, could be seen."""


class Stage(NamedTuple):
    """Where a surface is to be shown: on what it starts, and how it was opened."""

    runtime: "Runtime"
    fleet: Fleet
    opening: "Opening"
    origin: str = ""

    @property
    def in_popup(self) -> bool:
        """Whether this terminal is in tmux and yet no pane."""
        return bool(system.env("TMUX")) and not self.opening.own

    @property
    def is_outside(self) -> bool:
        """Whether no client acts, so that a jump takes this terminal (TUI-10)."""
        return not self.opening.client


def prepare(runtime: "Runtime", selection: "Selection", *, origin: str = "") -> Stage:
    """Check the terminal and read what stands in the stamps (TTY-1, A11Y-3).

    Raises:
        UsageError: there is no terminal, or one that can show no surface.
        TmaError: there is no server.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        message = "this needs a terminal"
        raise UsageError(message, _HINT)
    if system.env("TERM") in {"", "dumb"}:
        message = f"this needs a terminal that can place text; TERM is {system.env('TERM') or 'not set'}"
        raise UsageError(message, _HINT)
    fleet = Fleet(runtime, selection)
    return Stage(runtime, fleet, fleet.open(_terminal_name()), origin)


def options(stage: Stage, *, hidden: frozenset[str], jump_leaves: bool) -> Options:
    """How the surface was opened; outside tmux every jump leaves it."""
    return Options(hidden - {""}, menu_leaves=stage.in_popup, jump_leaves=jump_leaves or stage.is_outside)


def run(stage: Stage, model: "Surface", draw: "Callable[[Theme], Frame]") -> int:
    """Show the surface, then do what it was left for; the exit code."""
    opening = stage.opening
    model.update(RowsFound(opening.rows, opening.now))
    terminal = Terminal(sys.stdin.fileno(), sys.stdout.fileno())
    depth = depth_of(system.env("TERM"), system.env("COLORTERM"), system.env("NO_COLOR"))
    shell = Shell(terminal, model, lambda: draw(_theme(stage.runtime)), depth)
    gc.freeze()  # a full collection would visit all that the start has loaded, which a key could feel
    sys.setswitchinterval(_SWITCH_S)
    seen_in = opening.own if stage.origin else ""
    crew = Crew(stage.runtime, stage.fleet, seen_in=seen_in, hints=Hints(stage.runtime))
    left = show(
        shell,
        terminal,
        crew,
        lambda: stage.fleet.publish(opening.own, os.getpid()),
        lambda: stage.fleet.withdraw(opening.own),
    )
    _finish(stage, left)
    return _BY_SIGNAL + shell.ended_by if shell.ended_by else OK


def _terminal_name() -> str:
    """This terminal's device as tmux would name it, "" where the system cannot tell."""
    try:
        return os.ttyname(sys.stdout.fileno())
    except OSError:
        return ""


def _theme(runtime: "Runtime") -> "Theme":
    return theme(runtime.settings.picker, ascii_only=system.is_ascii_only())


def _finish(stage: Stage, left: "Leave") -> None:
    """What is done when the terminal is a plain one again (PIK-6, TMP-2, TMP-3, MNU-8)."""
    if stage.origin:
        from tma.services import temporary

        temporary.return_to(stage.runtime, stage.origin, stage.opening.own)
    match left.order:
        case Jump(pane):
            _jump(stage, pane)
        case OpenMenu(pane):
            from tma.services import shortmenu

            shortmenu.show_later(stage.runtime, pane, stage.opening.client)


def _jump(stage: Stage, pane: str) -> None:
    """Bring the client to a pane; outside tmux this terminal becomes the client."""
    from tma.services import attach, jump

    if not stage.is_outside:
        jump.to_pane(stage.runtime, jump.here(stage.runtime), pane, lower=True)
        return
    words = attach.select(stage.runtime, pane)
    try:
        os.execv(words[0], words)  # noqa: S606  # the terminal becomes tmux's
    except OSError as error:
        message = f"cannot start {words[0]}: {error.strerror}"
        raise TmaError(message) from None
