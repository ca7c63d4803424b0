"""The order of a supervisor."""

import json
import os

import pytest

from acting import fake_runtime
from tma.services import program, supervise
from tma.services.supervise import Duty

DUTY = Duty("%5", "claude", "report", "a" * 32, 9, "true", {"TMA_TITLE": "\udcff x"}, 5)


def test_an_order_survives_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACT-DET-1: one document, bytes that are no UTF-8 included."""
    reader, writer = os.pipe()
    os.write(writer, json.dumps(DUTY._asdict()).encode("utf-8", "surrogateescape"))
    os.close(writer)
    monkeypatch.setattr(supervise.posix, "read", lambda _fd, size, read=os.read: read(reader, size))
    assert supervise._order() == DUTY
    os.close(reader)


@pytest.mark.parametrize("words", [["/nonexistent/tma"], ["/bin/false"]])
def test_a_supervisor_that_does_not_answer_has_not_started(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    """ACT-DET-1: error, and the fire lets go."""
    monkeypatch.setattr(program, "own_words", lambda: words)
    runtime, _ = fake_runtime(lambda _: "")
    assert not supervise.start(runtime, DUTY)


def test_without_the_lock_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACT-DET-2, LK-5: another nonce was read back."""
    monkeypatch.setattr(supervise, "_order", lambda: DUTY)
    runtime, _ = fake_runtime(lambda _: f"9:{'b' * 32}:1:x\n")
    assert supervise.serve(runtime) == 1
