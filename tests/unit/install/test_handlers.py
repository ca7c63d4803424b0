"""Where our handlers stand."""

import pytest

from tma.install.dialect import FaultError
from tma.install.handlers import IN_GROUPS, Layout, event_of, found, hooks_of, root_of
from tma.install.jsontree import parse

DOCUMENT = """{"hooks": {
 "Stop": [{"matcher": "x", "hooks": [{"command": "a"}, {"command": "tma-hook claude Stop"}]},
          {"command": "tma-hook claude Stop"}],
 "Start": [{"hooks": [{"command": "tma-hook claude Stop"}]}]
}}"""


def test_a_handler_is_found_with_the_way_to_it() -> None:
    """EDT-9: by agent and event; groups and flat lists are not mixed up."""
    (grouped,) = found(parse(DOCUMENT), "claude", IN_GROUPS)
    (flat,) = found(parse(DOCUMENT), "claude", Layout(flat=True))

    assert (grouped.event, grouped.indexes, grouped.reference) == ("Stop", (0, 0, 1), "tma-hook")
    assert (flat.event, flat.indexes) == ("Stop", (0, 1))


def test_what_has_another_shape_is_named() -> None:
    """EDT-2: naming what was found."""
    tree = parse('{"hooks": {"Stop": 3}}')
    hooks = hooks_of(tree)
    assert hooks is not None

    with pytest.raises(FaultError, match="a number"):
        event_of(tree, hooks, "Stop")
    with pytest.raises(FaultError, match="an array"):
        root_of(parse("[]"))
    with pytest.raises(FaultError, match="null"):
        hooks_of(parse('{"hooks": null}'))
