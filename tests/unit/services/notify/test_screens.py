"""The sinks inside tmux, with a server that writes down what it is asked."""

import pytest

from acting import fake_runtime
from tma.adapters.tmux.audience import Audience, Viewer
from tma.core import config
from tma.core.errors import TmuxError
from tma.core.events import alerts, routes
from tma.services.notify import screens, telling
from tma.services.notify.results import Outcome


def viewer(name: str, *, control: bool = False, suspended: bool = False, term: str = "xterm-256color") -> Viewer:
    """A client on a terminal of its name."""
    return Viewer(name, f"/dev/{name}", control, suspended, term, "", "$1")


def told() -> telling.Telling:
    """A notice."""
    notice = alerts.Notice("blocked", "claude", "%5", at=1)
    notice.title = "5% #(id)"
    return telling.of_notice(notice, title=False)


def show(
    monkeypatch: pytest.MonkeyPatch, seen: Audience, answer: object = "", **notify: object
) -> tuple[list[Outcome], list[list[str]], dict[str, bytes]]:
    """What becomes of a notice, what tmux was asked, and what each terminal got."""
    runtime, server = fake_runtime(lambda _: answer)  # type: ignore[arg-type,return-value]
    sent: dict[str, bytes] = {}

    def send(path: str, data: bytes, **_: object) -> str:
        sent[path] = sent.get(path, b"") + data
        return "ok"

    monkeypatch.setattr(screens, "look", lambda *_: seen)
    monkeypatch.setattr(screens.terminal, "send", send)
    route = routes.route(config.parse({"notify": notify})["notify"], "blocked")
    return screens.show(runtime, told(), route), server.calls, sent


def test_every_person_gets_the_line_as_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """SNK-1, MSG-1, SAN-2: not a program's client, not one that is suspended."""
    clients = [viewer("a"), viewer("b", control=True), viewer("c", suspended=True), viewer("d")]
    outcomes, calls, _ = show(monkeypatch, Audience("3.4", "/s", clients, ""))
    assert calls == [
        ["display-message", "-c", name, "-l", "--", "tma: claude blocked — 5% #(id)"] for name in ("a", "d")
    ]
    assert outcomes == [Outcome("message", "a", "ok"), Outcome("message", "d", "ok")]


def test_an_older_tmux_shows_one_line_on_its_current_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """SNK-1: before 3.3 no client can be chosen; what tmux would expand is doubled."""
    _, calls, _ = show(monkeypatch, Audience("3.2a", "/s", [viewer("a"), viewer("d")], ""))
    assert calls == [["display-message", "--", "tma: claude blocked — 5%% ##(id)"]]


def test_one_client_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """MSG-1, NOT-4."""
    outcomes, calls, _ = show(
        monkeypatch, Audience("3.4", "/s", [viewer("a"), viewer("d")], ""), TmuxError("tmux: gone")
    )
    assert len(calls) == 2
    assert [each.result for each in outcomes] == ["failed", "failed"]


def test_each_terminal_gets_its_banner_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """OSC-2, OSC-6, OSC-8: two clients of one terminal are one, a nested one is wrapped, a program has none."""
    twin = viewer("twin")._replace(tty="/dev/a")
    clients = [viewer("a"), twin, viewer("b", control=True), viewer("n", term="tmux-256color")]
    outcomes, _, sent = show(monkeypatch, Audience("3.4", "/s", clients, ""), osc=True)
    assert sent == {"/dev/a": b"\x1b]9;claude blocked\x07", "/dev/n": b"\x1bPtmux;\x1b\x1b]9;claude blocked\x07\x1b\\"}
    results = {each.target: each.result for each in outcomes if each.sink == "osc"}
    assert results == {"b": "control-mode", "a": "ok", "n": "nested"}


def test_a_terminal_that_takes_nothing_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """OSC-3, NOT-4: 500 ms in all, however many forms are on; the other terminals get theirs."""
    tried: list[str] = []

    def send(path: str, _data: bytes, **_: object) -> str:
        tried.append(path)
        return "client-busy" if path == "/dev/a" else "ok"

    monkeypatch.setattr(screens.terminal, "send", send)
    seen = Audience("3.4", "/s", [viewer("a"), viewer("d")], "")
    outcomes = screens._banners(told(), seen, ("9", "777", "99"))
    assert sorted(tried) == ["/dev/a", "/dev/d", "/dev/d", "/dev/d"]
    assert {each.target: each.result for each in outcomes} == {"a": "client-busy", "d": "ok"}


def test_a_bell_rings_where_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """SNK-2, MSG-2."""
    seen = Audience("3.4", "/s", [viewer("a")], "/dev/pane")
    assert show(monkeypatch, seen, bell=True)[2] == {"/dev/pane": b"\a"}
    assert show(monkeypatch, seen, bell="client")[2] == {"/dev/a": b"\a"}
    assert show(monkeypatch, seen, bell="both")[2] == {"/dev/pane": b"\a", "/dev/a": b"\a"}


def test_nobody_attached_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """DLV-4."""
    outcomes, _, _ = show(monkeypatch, Audience("3.4", "/s", [], ""), osc=True)
    assert outcomes == [Outcome("message", "", "no-client"), Outcome("osc", "", "no-client")]
