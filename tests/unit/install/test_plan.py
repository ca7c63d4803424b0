"""How a change is shown."""

from tma.install.plan import Change
from tma.install.target import Target


def test_a_diff_is_unified_and_harmless() -> None:
    """EDT-7, PTH-15: three lines of context, and no control character reaches the terminal."""
    change = Change(Target("/f", "/f", b"1\n2\n3\n4\n\x1b]0;x\x07\n"), b"1\n2\n3\n4\n5\n")

    text = change.diff()

    assert text.splitlines()[:3] == ["--- /f", "+++ /f", "@@ -2,4 +2,4 @@"]
    assert "-]0;x" in text
    assert "\x1b" not in text
    assert "\x1b[32m+5\x1b[m" in change.diff(color=True)


def test_an_equal_text_needs_nothing() -> None:
    """EDT-7."""
    assert not Change(Target("/f", "/f", b"x"), b"x").needed
    assert not Change(Target("/f", "/f", None), None).needed
    assert Change(Target("/f", "/f", None), b"").diff() == ""


def test_a_changed_line_end_shows() -> None:
    """EDT-7: lines that only end otherwise are told apart."""
    assert "+a (no newline)" in Change(Target("/f", "/f", b"a\n"), b"a").diff()
