"""The threads that work for a surface."""

import queue
import threading

import pytest

from rows import NOW, row
from tma.core.errors import TmaError, TmuxGoneError
from tma.tui import crew as module
from tma.tui.crew import Crew
from tma.view.surface import Capture, Captured, ConfigJudged, Jump, Leave, LookFailed, OpenMenu, RowsFound

DEADLINE_S = 10.0


class Runtime:
    """A clock that stands."""

    def now_ms(self) -> int:
        """The instant."""
        return NOW


class Fleet:
    """Agents that answer, or fail to."""

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.config_broken = False
        self.seen = True

    def look(self) -> object:
        """The next answer."""
        answer = self.answers.pop(0) if self.answers else ([], NOW)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def capture(self, pane: str) -> list[str]:
        """A screen that names its pane."""
        return [f"\x1b[1mscreen of {pane}", ""]

    def is_seen(self, _own: str) -> bool:
        """Whether somebody looks."""
        return self.seen


def started(fleet: Fleet, **options: str) -> tuple[Crew, "queue.Queue[object]"]:
    """A working crew, and what it posts."""
    posted: queue.Queue[object] = queue.Queue()
    crew = Crew(Runtime(), fleet, **options)  # type: ignore[arg-type]
    crew.start(posted.put)
    return crew, posted


def test_a_look_is_news_and_a_nudge_looks_again() -> None:
    """TUI-1, NDG-1: without waiting for the second to be over."""
    rows = [row("%1")]
    crew, posted = started(Fleet((rows, NOW), (rows, NOW + 1)))
    assert posted.get(timeout=DEADLINE_S) == RowsFound(rows, NOW)
    assert posted.get(timeout=DEADLINE_S) == ConfigJudged(broken=False)
    crew.refresh()
    assert posted.get(timeout=DEADLINE_S) == RowsFound(rows, NOW + 1)


@pytest.mark.parametrize(("error", "gone"), [(TmaError("slow"), False), (TmuxGoneError("gone"), True)])
def test_a_failed_look_is_told(error: TmaError, gone: bool) -> None:  # noqa: FBT001
    """TUI-3."""
    _, posted = started(Fleet(error))
    assert posted.get(timeout=DEADLINE_S) == LookFailed(NOW, gone)


def test_an_unexpected_error_is_handed_over() -> None:
    """TUI-2: the surface ends by it, and not a thread in silence."""
    _, posted = started(Fleet(ZeroDivisionError("odd")))
    assert isinstance(posted.get(timeout=DEADLINE_S), ZeroDivisionError)


def test_a_capture_comes_back_styled() -> None:
    """PRV-1: while looks go on."""
    crew, posted = started(Fleet())
    crew.carry_out(Capture("%7"))
    news = [posted.get(timeout=DEADLINE_S) for _ in range(3)]
    assert Captured("%7", [(("bold", "screen of %7"),)]) in news


def test_a_watcher_that_nobody_sees_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """TMP-4."""
    monkeypatch.setattr(module, "UNSEEN_S", 0.0)
    fleet = Fleet()
    fleet.seen = False
    _, posted = started(fleet, seen_in="%1")
    news = [posted.get(timeout=DEADLINE_S) for _ in range(3)]
    assert news[-1] == Leave(None)


@pytest.mark.parametrize("order", [Jump, OpenMenu])
def test_a_held_key_gives_one_order_at_a_time(
    monkeypatch: pytest.MonkeyPatch, order: type[Jump] | type[OpenMenu]
) -> None:
    """TUI-1: no crowd of threads; the last jump counts, and no menu waits behind the one that is open."""
    begun, go_on = queue.Queue[str](), threading.Semaphore(0)

    def work(pane: str) -> None:
        begun.put(pane)
        assert go_on.acquire(timeout=DEADLINE_S)

    monkeypatch.setattr("tma.services.jump.here", lambda _runtime: None)
    monkeypatch.setattr("tma.services.jump.to_pane", lambda _runtime, _here, pane, **_: work(pane))
    monkeypatch.setattr("tma.services.shortmenu.show", lambda _runtime, pane: work(pane))
    crew, _ = started(Fleet())
    done = threading.Event()
    monkeypatch.setattr(crew, "refresh", done.set)
    crew.carry_out(order("%1"))
    assert begun.get(timeout=DEADLINE_S) == "%1"
    before = threading.active_count()
    for _ in range(50):
        crew.carry_out(order("%2"))
    crew.carry_out(order("%3"))
    assert threading.active_count() == before
    go_on.release(2)
    assert done.wait(DEADLINE_S)
    if order is OpenMenu:
        crew.carry_out(order("%4"))
    assert begun.get(timeout=DEADLINE_S) == ("%3" if order is Jump else "%4")
    go_on.release()
