"""Captures of the bench are fixtures that tell nothing of the machine."""

from pathlib import Path

from record import claim, private


def test_a_path_below_the_home_keeps_its_width_and_its_look() -> None:
    """A rule that counts columns, or looks for a path, reads the same."""
    assert private("/tmp/tma-abcdefgh/work (main)", Path("/tmp/tma-abcdefgh")) == "/home/me/xxxxxxxx/work (main)"
    assert private("/root/x", Path("/root")) == "/home/x"


def test_a_screen_cannot_show_whether_somebody_saw_it() -> None:
    """Done is idle to a screen; a menu is what the step says."""
    assert claim({"expect": "done"}) == "idle"
    assert claim({"expect": "idle", "shows": "freeze"}) == "freeze"
