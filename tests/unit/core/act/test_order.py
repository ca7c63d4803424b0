"""What of an order and a look reaches an interface or a command."""

from typing import Any

import pytest

from acting import exec_action, facts, order
from tma.core import stamp
from tma.core.act.order import address_of, reply_path, variables_of

ASKING = {stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1", stamp.API_ENDPOINT: "http://127.0.0.1:4096"}


@pytest.mark.parametrize(
    ("stamped", "entry", "host"),
    [
        ("http://127.0.0.1:1", {}, "127.0.0.1"),
        ("http://localhost:1", {}, "localhost"),
        ("http://[::1]:1", {}, "[::1]"),
        ("http://10.0.0.1:1", {}, None),
        ("http://127.0.0.1@evil:1", {}, None),
        ("https://127.0.0.1", {}, None),
        ("http://127.0.0.1/?x", {}, None),
        ("http://127.0.0.1/\r\nX: y", {}, None),
        ("", {}, None),
        ("http://10.0.0.1:1", {"allow_remote": True}, None),
        ("", {"api_base": "http://127.0.0.1:2"}, "127.0.0.1"),
        ("http://10.0.0.1", {"api_base": "http://127.0.0.1:2"}, "127.0.0.1"),
        ("", {"api_base": "https://box.example"}, None),
        ("", {"api_base": "https://box.example", "allow_remote": True}, "box.example"),
    ],
)
def test_only_an_allowed_address_counts(stamped: str, entry: dict[str, Any], host: str | None) -> None:
    """ACT-API-3: what was stamped may only be this machine, whatever the configuration allows."""
    found = address_of(facts({**ASKING, stamp.API_ENDPOINT: stamped}), {"opencode": entry})
    assert (found and found.host) == host


def test_an_answer_goes_to_the_pending_request() -> None:
    """ACT-API-1."""
    assert reply_path(facts(ASKING)) == "/permission/per_1/reply"


def test_a_commands_environment_is_whole_and_holds_no_nul() -> None:
    """ACT-EXEC-3, ACT-EXEC-4: always set, empty when unknown."""
    known = variables_of(order(exec_action(), args=("one", "two")), facts(pane_title="a\0b"))
    assert (known["TMA_TITLE"], known["TMA_SESSION_ID"], known["TMA_PANE"]) == ("ab", "", "%5")
    assert (known["TMA_ARG"], known["TMA_ARG_2"], known["TMA_ARG_COUNT"]) == ("one", "two", "2")
    assert not [name for name in variables_of(order(exec_action()), facts()) if name.startswith("TMA_ARG")]
