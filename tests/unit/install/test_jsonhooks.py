"""Our handlers in a document of hooks."""

import json

from tma.install import jsonhooks
from tma.install.handlers import Layout
from tma.install.jsonhooks import Wiring

GOOD, OLD = "/opt/tma/tma-hook", "/old/tma-hook"
LAYOUT = Layout()


def wired(document: object, *events: str) -> dict[str, object]:
    """A document after install."""
    wiring = Wiring("claude", events, GOOD, lambda written: written == GOOD)
    new: dict[str, object] = json.loads(jsonhooks.install(json.dumps(document).encode(), wiring, LAYOUT))
    return new


def group(command: str) -> dict[str, object]:
    """A group with one handler."""
    return {"hooks": [{"type": "command", "command": command}]}


def test_a_stale_entry_is_replaced_where_it_stands() -> None:
    """EDT-10: once, in place; a second one goes, a foreign one stays."""
    stale, foreign = group(f"{OLD} claude Stop"), group("say")

    new = wired({"hooks": {"Stop": [stale, foreign, stale]}}, "Stop")

    assert new == {"hooks": {"Stop": [group(f"{GOOD} claude Stop"), foreign]}}


def test_an_event_that_is_no_longer_wired_goes() -> None:
    """ADP-2: entries of ours for other events are removed by install."""
    new = wired({"hooks": {"Gone": [group(f"{GOOD} claude Gone")]}}, "Stop")

    assert new == {"hooks": {"Stop": [group(f"{GOOD} claude Stop")]}}


def test_a_flat_layout_has_handlers_below_the_event() -> None:
    """The cursor channel: no groups, and a version."""
    layout = Layout(flat=True, head=(("version", 1),))
    wiring = Wiring("cursor", ["stop"], GOOD, lambda written: written == GOOD)

    new = jsonhooks.install(b"{}", wiring, layout)

    assert json.loads(new) == {"version": 1, "hooks": {"stop": [{"command": f"{GOOD} cursor stop"}]}}
    assert json.loads(jsonhooks.uninstall(new, "cursor", layout)) == {"version": 1}
    assert json.loads(jsonhooks.uninstall(new, "cursor", layout, added_head=True)) == {}
