"""The sinks of a process that lives on: whoever offers does not wait."""

import threading
from pathlib import Path

import pytest

from acting import fake_runtime
from harness import until
from tma.core.events import alerts
from tma.services.notify import sinks
from tma.services.notify.sinks import Sinks


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sinks:
    """Sinks with a runtime directory of their own."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    runtime, _ = fake_runtime(lambda _: "")
    runtime.settings.notify["command"] = f"cat >> {tmp_path}/told"
    runtime.settings.notify["log"] = str(tmp_path / "log")
    return Sinks(runtime)


def notice(pane: str = "%1") -> alerts.Notice:
    """A notice."""
    return alerts.Notice("blocked", "claude", pane, at=1)


def test_a_notice_reaches_its_sinks(made: Sinks, tmp_path: Path) -> None:
    """RTE-3."""
    made.offer(notice())
    until(lambda: (tmp_path / "told").exists() and (tmp_path / "told").read_text())
    assert (tmp_path / "log").read_text().count("\n") == 1
    made.close()


def test_a_whole_server_that_asks_at_once_is_told_of(made: Sinks, tmp_path: Path) -> None:
    """NMK-1: what was claimed rings; only programs are so slow that few of them may wait."""
    made._runtime.settings.notify["command"] = ""
    gate = threading.Event()
    made.later(gate.wait)  # type: ignore[arg-type]
    for number in range(300):
        made.offer(notice(f"%{number}"))
    gate.set()
    until(lambda: (tmp_path / "log").exists() and (tmp_path / "log").read_text().count("\n") == 300)
    made.close()


def test_errands_beyond_the_limit_drop_the_oldest(made: Sinks, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMD-3: a queue has an end, and who offers does not wait for it."""
    monkeypatch.setattr(sinks, "MOST_NOTICES", 3)
    gate, done = threading.Event(), []
    made.later(gate.wait)
    until(lambda: not made._errands)
    for number in range(6):
        made.later(lambda number=number: done.append(number))  # type: ignore[misc]
    gate.set()
    until(lambda: len(done) == 3)
    assert done == [3, 4, 5]
    made.close()


def test_the_end_kills_what_runs_and_takes_no_more(made: Sinks, tmp_path: Path) -> None:
    """DLC-14, DLV-2: a run that we ended is no failure."""
    made._runtime.settings.notify["command"] = f"touch {tmp_path}/began; sleep 60"
    made.offer(notice())
    until((tmp_path / "began").exists)
    made.close()
    assert not made._runner.busy
    assert not (tmp_path / "tma" / "notify-error").exists()
    made.offer(notice())
    assert not made._errands


def test_an_errand_that_breaks_silences_none_behind_it(made: Sinks) -> None:
    """NOT-4."""

    def broken() -> None:
        message = "broken"
        raise ZeroDivisionError(message)

    done: list[int] = []
    made.later(broken)
    made.later(lambda: done.append(1))
    until(lambda: done)
    made.close()
