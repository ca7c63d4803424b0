"""What a long command says while it runs."""

import sys

import pytest

from gone import world
from tma.services.voice import Voice


def test_a_note_is_said_at_once_and_once(capsys: pytest.CaptureFixture[str]) -> None:
    """CLI-1: the end of the command does not repeat it, and a later look neither."""
    runtime = world()
    voice = Voice(runtime)
    for _ in range(2):
        runtime.note("one")
        voice.tell()
    runtime.note("two\x1b[31m")
    voice.tell()

    assert capsys.readouterr().err == "tma: one\ntma: two[31m\n"
    assert runtime.notes == []


def test_a_line_is_said_as_often_as_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    """CFG-11: whoever gives it decides whether it is new."""
    voice = Voice(world())
    voice.say("again")
    voice.say("again")

    assert capsys.readouterr().err == "tma: again\n" * 2


def test_a_closed_standard_error_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody hears it, and the command goes on."""

    class Closed:
        def write(self, _text: str) -> None:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stderr", Closed())

    Voice(world()).say("to nobody")
