"""The loop: what comes in, what goes out, and that nothing goes out for nothing."""

import os
import signal
import threading
from collections.abc import Iterator
from typing import Self

import pytest

from frames import THEME, many, picker
from harness import until
from rows import NOW
from tma.tui.shell import Shell, show
from tma.tui.terminal import TerminalLostError
from tma.view.frame import draw_picker
from tma.view.paint import MANY_COLOURS
from tma.view.picker import Picker
from tma.view.surface import Capture, Jump, Leave, RowsFound


class PlainTerminal:
    """A terminal made of two pipes."""

    def __init__(self) -> None:
        self.reading, self.typing = os.pipe()
        self.size = (40, 9)
        self.written: list[str] = []
        self.entered: list[bool] = []
        self.given_up = 0

    def __enter__(self) -> Self:
        """Note it."""
        self.entered.append(True)
        return self

    def __exit__(self, *_: object) -> None:
        """Note it."""
        self.entered.append(False)

    def fileno(self) -> int:
        """What to wait on."""
        return self.reading

    def read(self) -> str:
        """What was typed."""
        return os.read(self.reading, 4096).decode()

    def write(self, text: str) -> None:
        """Keep what was written."""
        self.written.append(text)

    def give_up(self) -> None:
        """Count."""
        self.given_up += 1


class Crew:
    """A crew that runs what a test wants when it is started."""

    def __init__(self, *steps: object) -> None:
        self.steps = steps
        self.orders: list[object] = []
        self.refreshed = 0

    def start(self, post: object) -> None:
        """Run the steps in a thread of their own."""
        threading.Thread(target=lambda: [step(post) for step in self.steps], daemon=True).start()  # type: ignore[operator]

    def refresh(self) -> None:
        """Count."""
        self.refreshed += 1

    def carry_out(self, order: object) -> None:
        """Keep."""
        self.orders.append(order)


@pytest.fixture
def terminal() -> Iterator[PlainTerminal]:
    """A terminal."""
    made = PlainTerminal()
    yield made
    os.close(made.reading)
    os.close(made.typing)


def shown(terminal: PlainTerminal, crew: Crew, model: Picker | None = None) -> tuple[Leave, Shell, list[str]]:
    """How a surface was left, its shell, and what was done around it."""
    model = model or picker(many(3), (40, 9), jump_leaves=True)
    shell = Shell(terminal, model, lambda: draw_picker(model, THEME), MANY_COLOURS)  # type: ignore[arg-type]
    done: list[str] = []
    left = show(shell, terminal, crew, lambda: done.append("greet"), lambda: done.append("part"))  # type: ignore[arg-type]
    return left, shell, done


def typed(terminal: PlainTerminal, text: str) -> object:
    """A step that types."""
    return lambda _post: os.write(terminal.typing, text.encode())


def test_keys_reach_the_model_and_a_leave_ends_it(terminal: PlainTerminal) -> None:
    """TUI-2, PIK-4: published after set-up, withdrawn first on the way out."""
    left, shell, done = shown(terminal, Crew(typed(terminal, "\x1b[B\r")))
    assert left == Leave(Jump("%1"))
    assert (done, terminal.entered, shell.ended_by) == (["greet", "part"], [True, False], 0)


def test_a_lone_escape_leaves_after_its_time(terminal: PlainTerminal) -> None:
    """TUI-8."""
    assert shown(terminal, Crew(typed(terminal, "\x1b")))[0] == Leave(None)


def test_an_unchanged_refresh_writes_nothing(terminal: PlainTerminal) -> None:
    """A11Y-7: not a byte, however often."""
    seen: list[int] = []

    def refresh(post: object) -> None:
        for _ in range(3):
            post(RowsFound(many(3), NOW))  # type: ignore[operator]
            seen.append(len(terminal.written))

    shown(terminal, Crew(refresh, typed(terminal, "\x03")))
    assert len(terminal.written) == 1
    assert "agents (3)" in terminal.written[0]


def test_a_crash_of_the_crew_ends_the_surface_and_restores_the_terminal(terminal: PlainTerminal) -> None:
    """TUI-2: an error is a way out too."""
    with pytest.raises(ZeroDivisionError):
        shown(terminal, Crew(lambda post: post(ZeroDivisionError())))
    assert terminal.entered == [True, False]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_surface(terminal: PlainTerminal, number: signal.Signals) -> None:
    """TUI-2: and its old answer is back."""
    before = signal.getsignal(number)
    left, shell, done = shown(terminal, Crew(lambda _post: os.kill(os.getpid(), number)))
    assert (left, shell.ended_by, done) == (Leave(None), number, ["greet", "part"])
    assert terminal.given_up == 1
    assert signal.getsignal(number) == before


def test_a_nudge_looks_at_once_and_a_resize_draws_at_once(terminal: PlainTerminal) -> None:
    """NDG-1, A11Y-6; and what became visible is captured."""
    crew = Crew()

    def signals(_post: object) -> None:
        os.kill(os.getpid(), signal.SIGUSR1)
        terminal.size = (100, 12)
        os.kill(os.getpid(), signal.SIGWINCH)
        until(lambda: len(terminal.written) > 1 and crew.refreshed, what="a new drawing and a look")
        os.write(terminal.typing, b"\x03")

    crew.steps = (signals,)
    shown(terminal, crew)
    assert crew.refreshed == 1
    assert crew.orders == [Capture("%0")]
    assert terminal.written[1].startswith("\x1b[0m\x1b[2J")


def test_a_signal_that_another_thread_takes_wakes_the_surface(terminal: PlainTerminal) -> None:
    """NDG-1, A11Y-6: the system chooses who takes it, and another one's wait does not end by it."""
    crew = Crew()

    def signals(_post: object) -> None:
        for count in range(1, 21):
            signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
            until(lambda count=count: crew.refreshed == count, what="a look")
        os.write(terminal.typing, b"\x03")

    crew.steps = (signals,)
    shown(terminal, crew)
    assert crew.refreshed == 20


def test_a_press_acts_on_the_row_that_was_drawn_there(terminal: PlainTerminal) -> None:
    """TUI-7: twice in time is Enter."""
    press = "\x1b[<0;5;4M\x1b[<0;5;4m"
    assert shown(terminal, Crew(typed(terminal, press * 2)))[0] == Leave(Jump("%2"))


def test_a_terminal_that_is_lost_at_once_is_a_way_out(terminal: PlainTerminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """TUI-2: also when it is lost while it is switched on."""

    def lost(_self: PlainTerminal) -> Self:
        raise TerminalLostError

    monkeypatch.setattr(PlainTerminal, "__enter__", lost)
    left, shell, _ = shown(terminal, Crew())
    assert (left, shell.ended_by) == (Leave(None), signal.SIGHUP)


def test_news_do_not_pile_up_behind_a_terminal_that_takes_nothing(terminal: PlainTerminal) -> None:
    """TUI-1: of many looks only the last ones are taken in."""
    taken: list[object] = []
    model = picker(many(3), (40, 9))
    update = model.update
    model.update = lambda event: (taken.append(event), update(event))[1]  # type: ignore[method-assign]
    shell = Shell(terminal, model, lambda: draw_picker(model, THEME), MANY_COLOURS)  # type: ignore[arg-type]
    for at in range(1000):
        shell.post(RowsFound(many(3), NOW + at))
    crew = Crew(typed(terminal, "\x03"))
    show(shell, terminal, crew, lambda: None, lambda: None)  # type: ignore[arg-type]
    looks = [event.now for event in taken if isinstance(event, RowsFound)]
    assert looks[-1] == NOW + 999
    assert len(looks) < 100


def test_a_thread_that_breaks_is_heard_behind_any_number_of_looks(terminal: PlainTerminal) -> None:
    """TUI-1: the surface must not go on without it."""
    model = picker(many(3), (40, 9))
    shell = Shell(terminal, model, lambda: draw_picker(model, THEME), MANY_COLOURS)  # type: ignore[arg-type]
    shell.post(ZeroDivisionError("broken"))
    for at in range(1000):
        shell.post(RowsFound(many(3), NOW + at))
    with pytest.raises(ZeroDivisionError):
        show(shell, terminal, Crew(), lambda: None, lambda: None)  # type: ignore[arg-type]
