"""A fire against a server that says what a test wants: what is let go, and what is asked again."""

from typing import Any

import pytest

from acting import NONCE, fake_runtime, keys_action, look_text, order
from actor import PERMISSION
from tma.core.act.lease import Lock
from tma.core.act.order import Order
from tma.core.errors import TmuxError, TmuxGoneError, TmuxTimeoutError
from tma.services import broker, glance
from tma.services.broker import Broker
from tma.services.stop import Stop, StoppedError

FRESH = {"@agent_stamped_at": "9007199254740991"}
LOCK = Lock(99_999_999_999_999, NONCE, 1, "approve").text


class Server:
    """Answers looks, lock and sends; ``sends`` are what each send prints or raises, ``again`` what is stored."""

    def __init__(self, *sends: str | Exception, lock: str = LOCK, again: str = "") -> None:
        self.sends = list(sends)
        self.lock = lock
        self.again = again
        self.fire = ""
        self.screen: str | Exception = f"%5\n{'─' * 30}{PERMISSION}"
        self.kinds: list[str] = []

    def __call__(self, words: list[str]) -> str | Exception:
        """One call."""
        text = " ".join(words)
        if "capture-pane" in text:
            self.kinds.append("see")
            return self.screen if isinstance(self.screen, Exception) else f"|{_mark(text)}|{self.screen}"
        if words[0] == "if-shell":
            self.kinds.append("send")
            self.fire = text.split("@agent_act_result '")[1].split(":")[0]
            answer = self.sends.pop(0)
            return answer if isinstance(answer, Exception) else answer.replace("FIRE", self.fire)
        if words[-1] == "#{@agent_act_result}":
            self.kinds.append("again")
            return self.again.replace("FIRE", self.fire)
        if "@agent_action" in words and len(words) == 6:
            self.kinds.append("release")
            return ""
        if "@agent_action" in words:
            self.kinds.append("acquire")
            return f"{self.lock}\n"
        self.kinds.append("look")
        return look_text(words)


def _mark(capture: str) -> str:
    """The digits that split the output of a capture."""
    return capture.split("'|")[1].split("|", maxsplit=1)[0]


@pytest.fixture(autouse=True)
def in_front(monkeypatch: pytest.MonkeyPatch) -> None:
    """The agent stands in front, the stamp is young, and nobody waits for a dead client."""
    monkeypatch.setattr(broker, "standing", lambda *_args, **_named: "proven")
    monkeypatch.setattr("tma.core.act.facts.Facts.is_stale", lambda *_: False)
    monkeypatch.setattr(broker.time, "sleep", lambda _: None)


def fired(server: Server, given: Order | None = None) -> tuple[Any, Broker]:
    """One fire."""
    runtime, _ = fake_runtime(server)
    made = Broker(runtime, given or order(keys_action()), Stop())
    return made.fire(), made


def test_a_send_lets_go_by_itself() -> None:
    """ACT-SEND-3: no client is spent on a release; the last look reads the screen."""
    server = Server("FIRE:sent\n")
    result, _ = fired(server)
    assert (result.outcome, server.kinds) == ("sent", ["look", "see", "acquire", "look", "see", "send"])


@pytest.mark.parametrize("token", ["dead", "agent", "screen", "request", "lock", "gone", "unknown"])
def test_a_refused_send_lets_go(token: str) -> None:
    """ACT-SEQ-1, step 7: by the nonce, whoever holds the lock by then."""
    server = Server(f"FIRE:no:{token}\n")
    result, _ = fired(server)
    assert result.outcome != "sent"
    assert server.kinds[-1] == "release"


@pytest.mark.parametrize(
    ("screen", "outcome"),
    [
        (TmuxError("tmux: lost"), "error"),
        (TmuxTimeoutError("tmux timed out after 3s"), "error"),
        (TmuxError("tmux: can't find pane: %5"), "vanished"),
        ("%6\n", "vanished"),
    ],
)
def test_a_screen_that_cannot_be_read_gets_no_key(screen: str | Exception, outcome: str) -> None:
    """SEC-A-2: a claim alone presses nothing, whatever became of the screen."""
    server = Server()
    server.screen = screen
    result, _ = fired(server)
    assert (result.outcome, server.kinds) == (outcome, ["look", "see"])


def test_a_screen_that_takes_too_long_to_read_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """SEC-A-2, MAN-RX-6: a person waits longer than a cycle does, and not for ever."""
    clock = iter(range(0, 10**9, 2000))
    monkeypatch.setattr("tma.services.recheck.ticks", lambda: next(clock))
    server = Server()
    result, _ = fired(server)
    assert (result.reason, "send" in server.kinds) == ("screen-mismatch", False)


def test_a_lost_lock_is_not_let_go() -> None:
    """LK-2, LK-4: another's nonce was read back."""
    server = Server(lock=LOCK.replace(NONCE, "f" * 32))
    result, _ = fired(server)
    assert (result.reason, server.kinds) == ("locked", ["look", "see", "acquire"])


@pytest.mark.parametrize(
    "error", [TmuxTimeoutError("tmux timed out after 3s"), TmuxError("tmux: lost"), TmuxError("tmux: command too long")]
)
def test_a_dead_client_is_asked_after(error: Exception) -> None:
    """ACT-SEND-6, ACT-SEND-7: once more; what is stored under our digits decides."""
    done, _ = fired(Server(error, again="FIRE:sent\n"))
    assert done.outcome == "sent"
    refused, _ = fired(Server(error, again="FIRE:no:screen\n"))
    assert refused.reason == "screen-mismatch"
    unknown, _ = fired(Server(error, again=f"{'e' * 32}:sent\n"))
    assert (unknown.outcome, unknown.exit_code) == ("error", 1)
    assert str(error) in unknown.note
    assert "not known" in unknown.note


def test_a_pane_that_goes_during_the_send_has_vanished() -> None:
    """ACT-SEND-4: tmux's own words."""
    server = Server(TmuxError("tmux: can't find pane: %5"))
    result, _ = fired(server)
    assert (result.outcome, result.reason, server.kinds[-1]) == ("vanished", "pane-gone", "release")


def test_a_server_that_goes_during_the_fire_is_an_error() -> None:
    """ACT-TGT-5: before it, it is the command's own failure."""
    result, made = fired(Server(TmuxGoneError("no tmux server running"), again="x"))
    assert result.outcome == "error"
    assert made.machine.facts is not None
    runtime, _ = fake_runtime(lambda _: TmuxGoneError("no tmux server running"))
    with pytest.raises(TmuxGoneError):
        Broker(runtime, order(keys_action()), Stop()).fire()


def test_a_failed_release_is_told_and_changes_nothing() -> None:
    """ACT-SEQ-5."""
    server = Server("FIRE:no:screen\n")

    def reply(words: list[str]) -> str | Exception:
        answer = server(words)
        return TmuxError("tmux: no") if server.kinds[-1] == "release" else answer

    runtime, _ = fake_runtime(reply)
    result = Broker(runtime, order(keys_action()), Stop()).fire()
    assert result.reason == "screen-mismatch"
    assert runtime.notes == ["the lock of %5 was not released: tmux: no"]


def test_a_signal_ends_between_two_steps_and_lets_go() -> None:
    """ACT-SEQ-4: never inside a call to tmux."""
    server = Server()
    stop = Stop()

    def reply(words: list[str]) -> str | Exception:
        answer = server(words)
        if server.kinds[-1] == "acquire":
            stop._note(15, None)
        return answer

    runtime, _ = fake_runtime(reply)
    with pytest.raises(StoppedError):
        Broker(runtime, order(keys_action()), stop).fire()
    assert server.kinds == ["look", "see", "acquire", "release"]


def test_a_verdict_reads_and_takes_nothing() -> None:
    """ACT-LIST-1, LK-6: a gate reason outranks a held lock."""
    runtime, server = fake_runtime(Server())
    seen = glance.look(runtime, "%5")
    assert seen is not None
    held = seen._replace(stored={**seen.stored, "@agent_action": LOCK})
    assert broker.verdict(runtime, order(keys_action()), seen) is None
    assert broker.verdict(runtime, order(keys_action()), held).reason == "locked"
    assert broker.verdict(runtime, order(keys_action(when={"state": ["idle"]})), held).reason == "gated"
    assert broker.verdict(runtime, order(keys_action()), None).outcome == "vanished"
    assert len(server.calls) == 1
