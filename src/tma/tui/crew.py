"""What is done for a surface while it stays open: looks, captures, jumps and menus; no key waits for them."""

import functools
import threading
import time
from typing import TYPE_CHECKING

from tma.core.errors import TmaError, TmuxGoneError
from tma.services.hints import PROBE_S, Cause
from tma.view import ansi
from tma.view.surface import Capture, Captured, ConfigJudged, Jump, Leave, LookFailed, OpenMenu, RowsFound

if TYPE_CHECKING:
    from collections.abc import Callable

    from tma.services.fleet import Fleet
    from tma.services.hints import Hints
    from tma.services.runtime import Runtime
    from tma.view.surface import Event

    Post = Callable[[Event | Leave | BaseException], None]

INTERVAL_S = 1.0
UNSEEN_S = 5.0
"""How long a watcher outlives the last client that showed its temporary session (TMP-4)."""


class Crew:
    """Threads that work for one surface and post what they find as events."""

    def __init__(self, runtime: "Runtime", fleet: "Fleet", *, seen_in: str = "", hints: "Hints | None" = None) -> None:
        """Get ready; ``seen_in`` is the pane of a watcher that ends when nobody sees it, ``hints`` tell of news."""
        self._runtime = runtime
        self._fleet = fleet
        self._seen_in = seen_in
        self._seen_at = time.monotonic()
        self._due = threading.Event()
        self._wanted = threading.Condition()
        self._orders: dict[type[Capture | Jump | OpenMenu], str] = {}
        self._post: Post = _ignore
        self._hints = hints

    def start(self, post: "Post") -> None:
        """Begin to look; threads end with the process."""
        self._post = post
        self._spawn(self._looks)
        for kind, work in ((Capture, self._capture), (Jump, self._jump), (OpenMenu, self._menu)):
            self._spawn(functools.partial(self._serve, kind, work))
        if self._hints is not None:
            self._spawn(self._wakes)

    def refresh(self) -> None:
        """Look now and not when the next look is due."""
        self._due.set()

    def carry_out(self, effect: "Capture | Jump | OpenMenu") -> None:
        """Do it, while the surface goes on; of several of a kind the last, for a key may be held."""
        with self._wanted:
            self._orders[type(effect)] = effect.pane
            self._wanted.notify_all()

    def _spawn(self, work: "Callable[[], None]") -> None:
        def guarded() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001  # the surface's own thread reports it
                self._post(error)

        threading.Thread(target=guarded, daemon=True).start()

    def _looks(self) -> None:
        while True:
            due = time.monotonic() + INTERVAL_S
            self._look()
            if self._seen_in and self._is_forgotten():
                self._post(Leave(None))
                return
            self._due.wait(max(0.0, due - time.monotonic()))
            self._due.clear()

    def _wakes(self) -> None:
        """Look at once when a daemon says that something may have changed (DSU-2)."""
        while self._hints is not None:
            if self._hints.pause(PROBE_S) is Cause.WAKE:
                self.refresh()

    def _look(self) -> None:
        try:
            rows, now = self._fleet.look()
        except TmaError as error:
            self._post(LookFailed(self._runtime.now_ms(), isinstance(error, TmuxGoneError)))
        else:
            self._post(RowsFound(rows, now))
        self._post(ConfigJudged(self._fleet.config_broken))

    def _is_forgotten(self) -> bool:
        now = time.monotonic()
        if self._fleet.is_seen(self._seen_in):
            self._seen_at = now
        return now - self._seen_at >= UNSEEN_S

    def _serve(self, kind: "type[Capture | Jump | OpenMenu]", work: "Callable[[str], None]") -> None:
        """Carry out orders of one kind, one at a time."""
        while True:
            with self._wanted:
                self._wanted.wait_for(lambda: kind in self._orders)
                pane = self._orders.pop(kind)
            work(pane)

    def _capture(self, pane: str) -> None:
        self._post(Captured(pane, ansi.styled(self._fleet.capture(pane))))

    def _jump(self, pane: str) -> None:
        from tma.services import jump

        try:
            jump.to_pane(self._runtime, jump.here(self._runtime), pane, lower=True)
        except TmaError as error:
            self._runtime.note(str(error))
        self.refresh()

    def _menu(self, pane: str) -> None:
        """Show a menu until it closes; a key that came meanwhile was not meant for another one."""
        from tma.services import shortmenu

        try:
            shortmenu.show(self._runtime, pane)
        except TmaError as error:
            self._runtime.note(str(error))
        with self._wanted:
            self._orders.pop(OpenMenu, None)
        self.refresh()


def _ignore(_event: object) -> None:
    """Nobody listens yet."""
