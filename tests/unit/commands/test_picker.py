"""The picker's command; what it shows is tried on a real server."""

from typing import Any

import pytest

from rows import NOW, row
from tma.commands import picker
from tma.services.fleet import Opening
from tma.tui import start
from tma.tui.start import Stage


def test_the_pane_it_was_opened_from_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """PIK-2: and the one it runs in; the scope is the client's session."""
    unused: Any = None
    opening = Opening([row("%1"), row("%2"), row("%3")], NOW, "c", "%1", "work", "%2")
    shown: list[Any] = []
    monkeypatch.setattr(start, "prepare", lambda _runtime, _selection: Stage(unused, unused, opening))
    monkeypatch.setattr(start, "run", lambda _stage, model, _draw: shown.append(model) or 0)

    assert picker.run(unused) == 0

    (model,) = shown
    assert model.options.hidden == {"%1", "%2"}
    assert (model.options.jump_leaves, model.session) == (True, "work")
