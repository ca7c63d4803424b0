"""The terminal's modes, on a pseudo-terminal."""

import os
import pty
import select
import signal
import termios
import threading
from collections.abc import Callable, Iterator

import pytest

from harness import until
from tma.tui import terminal as module
from tma.tui.terminal import Terminal, TerminalLostError

LFLAG = 3


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    """A person's end and the program's end."""
    person, program = pty.openpty()
    yield person, program
    for end in (person, program):
        try:
            os.close(end)
        except OSError:
            continue


def test_everything_that_is_switched_on_is_switched_off(ends: tuple[int, int]) -> None:
    """TUI-2: also when something goes wrong in between."""
    person, program = ends
    before = termios.tcgetattr(program)

    class OddError(Exception):
        pass

    def go_wrong() -> None:
        with Terminal(program, program):
            assert not termios.tcgetattr(program)[LFLAG] & (termios.ECHO | termios.ICANON | termios.ISIG)
            raise OddError

    with pytest.raises(OddError):
        go_wrong()
    assert termios.tcgetattr(program) == before
    sent = os.read(person, 4096).decode()
    for mode in ("1049", "7", "25", "1000", "1003", "1006", "2004"):
        last = "h" if mode in {"7", "25"} else "l"
        assert sent.rfind(f"\x1b[?{mode}{last}") > sent.find(f"\x1b[?{mode}{'l' if last == 'h' else 'h'}") >= 0


def test_what_is_typed_is_read_as_text(ends: tuple[int, int]) -> None:
    """A11Y-4: a character may come in two reads; bytes that are none do no harm."""
    person, program = ends
    with Terminal(program, program) as terminal:
        os.write(person, "é".encode()[:1])
        assert terminal.read() == ""
        os.write(person, "é".encode()[1:] + b"\xff")
        assert terminal.read() == "é\ufffd"


def test_a_terminal_that_is_gone_is_told(ends: tuple[int, int]) -> None:
    """TUI-2: leaving it is no error."""
    person, program = ends
    with Terminal(program, program) as terminal:
        os.close(person)
        with pytest.raises(TerminalLostError):
            terminal.read()
        with pytest.raises(TerminalLostError):
            terminal.write("x")


def test_a_size_is_at_least_one_cell(ends: tuple[int, int]) -> None:
    """A11Y-6: a terminal may say that it has none."""
    assert Terminal(*ends[1:] * 2).size == (1, 1)


def test_a_terminal_that_another_program_made_one_that_never_waits_gets_all(ends: tuple[int, int]) -> None:
    """TUI-2: it is full for a moment, and not lost."""
    person, program = ends
    os.set_blocking(program, False)
    text = "x" * 100_000
    got: list[bytes] = []

    def read() -> None:
        while sum(map(len, got)) < len(text):
            got.append(os.read(person, 4096))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    Terminal(program, program).write(text)
    reader.join(10)
    assert b"".join(got) == text.encode()


def test_a_terminal_that_takes_nothing_can_be_left(ends: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """TUI-2: by a signal, with its modes as they were; nothing that it cannot take is waited for."""
    monkeypatch.setattr(module, "PATIENCE_S", 0.05)
    program = ends[1]
    before = termios.tcgetattr(program)
    terminal = Terminal(program, program)

    def write_on() -> None:
        with terminal:
            helper.start()
            terminal.write("x" * 1_000_000)

    old = signal.signal(signal.SIGUSR2, lambda *_: terminal.give_up())
    helper = threading.Thread(target=_kill_when, args=(lambda: _is_full(program),), daemon=True)
    try:
        with pytest.raises(TerminalLostError):
            write_on()
    finally:
        signal.signal(signal.SIGUSR2, old)
    assert termios.tcgetattr(program) == before
    terminal.give_up()


def _is_full(program: int) -> bool:
    return not select.select([], [program], [], 0.05)[1]


def _kill_when(condition: Callable[[], bool]) -> None:
    until(condition)
    os.kill(os.getpid(), signal.SIGUSR2)
