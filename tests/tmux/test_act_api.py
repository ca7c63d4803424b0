"""Answers over an agent's HTTP interface: one call, to this machine, and never a key."""

import socket

import pytest

from actor import PERMISSION, Actor, act, configure, user_action
from harness import TmuxServer
from loopback import web

FRESH = "[fold]\nfreshness_secs = 3600\n"


@pytest.fixture
def actor(server: TmuxServer) -> Actor:
    """An opencode with a dialog on its screen."""
    return asking_opencode(server)


@pytest.fixture
def any_actor(any_server: TmuxServer) -> Actor:
    """An opencode with a dialog on its screen, on each tmux in turn."""
    return asking_opencode(any_server)


def asking_opencode(server: TmuxServer) -> Actor:
    """A pretended opencode."""
    server.start()
    configure(server, FRESH)
    return Actor(server, "opencode", screen=PERMISSION)


@pytest.mark.parametrize(("name", "reply"), [("approve", "once"), ("deny", "reject")])
def test_an_answer_is_one_call(any_actor: Actor, name: str, reply: str) -> None:
    """ACT-API-1, ACT-API-4, ACT-API-5: the path, the body, no proxy; the spent id goes, no byte is typed."""
    with web() as served:
        any_actor.block(permission_request="per_1", api_endpoint=f"http://127.0.0.1:{served.port}/base")
        proxy = {
            "http_proxy": "http://127.0.0.1:1",
            "HTTP_PROXY": "http://127.0.0.1:1",
            "ALL_PROXY": "http://127.0.0.1:1",
        }
        assert act(any_actor.server, name, "--pane", any_actor.pane, env=proxy)[:3] == (0, "replied", None)
        (request,) = served.requests
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.splitlines()[0] == b"POST /base/permission/per_1/reply HTTP/1.1"
    assert body == f'{{"reply":"{reply}"}}'.encode()
    options = any_actor.server.options(any_actor.pane)
    assert options.get("@agent_permission_request", "") == ""
    assert options["@agent_act_repeat"].endswith(f":{name}:1")
    assert options["@agent_action"] == ""
    assert any_actor.heard == b""


@pytest.mark.parametrize(
    ("answer", "code", "outcome", "reason"),
    [
        (b"HTTP/1.1 404 Not Found\r\n\r\n", 3, "vanished", "request-gone"),
        (b"HTTP/1.1 500 Oops\r\n\r\n", 1, "error", None),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n", 1, "error", None),
        (b"nonsense\r\n\r\n", 1, "error", None),
        (b"", 1, "error", None),
        (b"x" * 200_000, 1, "error", None),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 100_000, 0, "replied", None),
    ],
)
def test_any_other_answer_is_no_success(
    actor: Actor, answer: bytes, code: int, outcome: str, reason: str | None
) -> None:
    """ACT-API-4, ACT-API-5: one try, the id stays, and an endless answer is cut."""
    with web(answer) as served:
        actor.block(permission_request="per_1", api_endpoint=f"http://127.0.0.1:{served.port}")
        assert act(actor.server, "approve", "--pane", actor.pane)[:3] == (code, outcome, reason)
        assert len(served.requests) == 1
    stays = actor.server.options(actor.pane).get("@agent_permission_request", "")
    assert stays == ("" if outcome == "replied" else "per_1")
    assert actor.heard_nothing()


def test_silence_ends_at_the_actions_own_time(actor: Actor) -> None:
    """ACT-API-4: connect and exchange together."""
    user_action(
        actor.server,
        "ask",
        'kind = "keys"\ntimeout_ms = 300\n[api]\nopencode = { op = "permission-reply", reply = "once" }\n',
    )
    with web(None) as served:
        actor.block(permission_request="per_1", api_endpoint=f"http://127.0.0.1:{served.port}")
        fired = act(actor.server, "ask", "--pane", actor.pane)
    assert (fired.code, fired.outcome) == (1, "error")
    assert "timed out" in fired.err


def test_nobody_listening_is_an_error(actor: Actor) -> None:
    """SEC-A-9: keys are never the fallback."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        actor.block(permission_request="per_1", api_endpoint=f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert act(actor.server, "approve", "--pane", actor.pane)[:2] == (1, "error")
    assert actor.heard_nothing()


@pytest.mark.parametrize(
    "stamped",
    [
        {"permission_request": "per_1"},
        {"api_endpoint": "http://127.0.0.1:{port}"},
        {"permission_request": "../x", "api_endpoint": "http://127.0.0.1:{port}"},
        {"permission_request": "per_1", "api_endpoint": "http://user@127.0.0.1:{port}"},
        {"permission_request": "per_1", "api_endpoint": "http://example.com:{port}"},
        {"permission_request": "per_1", "api_endpoint": "http://0.0.0.0:{port}"},
        {"permission_request": "per_1", "api_endpoint": "https://127.0.0.1:{port}"},
        {"permission_request": "per_1", "api_endpoint": "http://127.0.0.1:{port}/?x"},
        {"permission_request": "per_1", "api_endpoint": "http://127.0.0.1:{port}/ HTTP/1.1"},
    ],
)
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_missing_or_rejected_address_refuses_before_the_lock(
    actor: Actor, stamped: dict[str, str], force: tuple[str, ...]
) -> None:
    """ACT-API-2, ACT-API-3: also under force; nothing connects."""
    with web() as served:
        actor.block(**{key: value.replace("{port}", str(served.port)) for key, value in stamped.items()})
        assert act(actor.server, "approve", "--pane", actor.pane, *force)[:3] == (4, "refused", "requires-unmet")
        assert served.requests == []
    assert "@agent_action" not in actor.server.options(actor.pane)


def test_the_configured_address_serves_where_none_is_stamped(actor: Actor) -> None:
    """ACT-API-2."""
    with web() as served:
        configure(actor.server, f'{FRESH}[api.opencode]\napi_base = "http://localhost:{served.port}"\n')
        actor.block(permission_request="per_1")
        assert act(actor.server, "approve", "--pane", actor.pane).outcome == "replied"
        assert len(served.requests) == 1


def test_an_answer_spends_only_its_own_id(any_actor: Actor) -> None:
    """MAN-FACT-10: the next request is stored before the answer to the first one ends."""
    with web() as served:
        any_actor.block(permission_request="per_1", api_endpoint=f"http://127.0.0.1:{served.port}")
        server = any_actor.server
        hook = f"set-option -p -t {any_actor.pane} @agent_permission_request per_2"
        server(
            "set-hook", "-g", "after-set-option", f"if-shell -F '#{{m:*:approve:1,#{{@agent_act_repeat}}}}' '{hook}'"
        )
        assert act(server, "approve", "--pane", any_actor.pane).outcome == "replied"
    assert any_actor.server.options(any_actor.pane)["@agent_permission_request"] == "per_2"
