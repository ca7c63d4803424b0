"""The jump menu, as far as it needs no server."""

from typing import Any

import pytest

from gone import world
from rows import fleet
from tma.adapters.tmux.focus import Client, Sight
from tma.core.config import parse
from tma.core.errors import TmuxGoneError
from tma.core.settings import Settings
from tma.services import jumpmenu
from tma.services.jump import Here

HERE = Here(Sight("c", [], []), Client("c", 0, 80, 8, "$1", "%1"))


def test_a_server_that_went_away_shows_no_menu() -> None:
    """CLI-9: rows of every class have a label by then."""
    with pytest.raises(TmuxGoneError):
        jumpmenu.show(world(), HERE, fleet())


@pytest.mark.parametrize(("locale", "expected"), [("C.UTF-8", ["⚑", "D", "●", "…"]), ("C", ["!", "D", "*", "~"])])
def test_glyphs_are_those_of_the_picker(locale: str, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """MNU-2, A11Y-4: and in a locale without UTF-8 a label is ASCII like every other line."""
    shown: list[Any] = []
    monkeypatch.setattr(jumpmenu.tmux_menu, "show", lambda *words, **_: shown.extend(words[3]))
    monkeypatch.setattr(jumpmenu.system, "is_ascii_only", lambda: locale == "C")
    runtime = world()
    settings = Settings(parse({"picker": {"done": {"glyph": "D"}}, "status": {"blocked": {"glyph": "S"}}}))
    monkeypatch.setattr(type(runtime), "settings", settings)

    jumpmenu.show(runtime, HERE, fleet())

    assert [entry.label[0] for entry in shown] == expected
    assert locale != "C" or all(entry.label.isascii() for entry in shown)
