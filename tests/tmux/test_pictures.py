"""The pictures of the documentation, drawn anew from the real program on a real server."""

import re
import socket
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from harness import ROOT, private_home
from rows import HOSTILE_TITLE

PICTURES = ROOT / "docs" / "pictures"
TEXT = "{http://www.w3.org/2000/svg}text"
SEEN = {
    "fleet": ("Do you want to proceed?", "blocked permission", "⚑ 2"),
    "picker": ("agents (4)", "[scope: all]", "1. Yes, and use auto mode"),
    "watch": ("agents (4)", "▸ docs", "Ready to code?", "p=table"),
    "watch-table": ("blocked(permission)", "42%", "claude-opus-5"),
    "act-menu": ("tma actions", "Approve (1)"),
    "jump-menu": ("tma jump", "docs:0.0"),
    "doctor": ("tmux:", "panes (4):"),
}
"""What each picture has to show, with one blank between words."""


def parsed(text: str) -> ET.Element:
    """A picture as XML."""
    return ET.fromstring(text)  # noqa: S314  # drawn by this very project


def words(picture: Path) -> str:
    """Every text of a picture, in the order in which it was drawn."""
    texts = [node.text or "" for node in parsed(picture.read_text(encoding="utf-8")).iter(TEXT)]
    return " ".join(" ".join(texts).split())


def test_every_picture_can_be_drawn_anew() -> None:
    """They show what the program shows, are well-formed, and tell nothing of where they were made."""
    with private_home() as directory:
        argv = [ROOT / "scripts" / "pictures", directory]
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "PYTHON": sys.executable}
        done = subprocess.run(argv, check=False, capture_output=True, text=True, env=env, timeout=300)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        drawn = {path.stem: path for path in directory.glob("*.svg")}
        assert set(drawn) == {path.stem for path in PICTURES.glob("*.svg")} == set(SEEN)
        for name, path in drawn.items():
            assert [word for word in SEEN[name] if word not in words(path)] == [], words(path)


@pytest.mark.parametrize("name", SEEN)
def test_a_picture_of_the_documentation_is_plain(name: str) -> None:
    """No control character, no name of a machine, no path of whoever drew it, and some page shows it."""
    text = (PICTURES / f"{name}.svg").read_text(encoding="utf-8")
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text) is None
    assert not [word for word in (socket.gethostname(), str(ROOT), "/tmp/", "/root") if word in text]
    assert words(PICTURES / f"{name}.svg")
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert any(f"pictures/{name}.svg" in page.read_text(encoding="utf-8") for page in pages)


def test_hostile_text_is_text_in_a_picture() -> None:
    """Markup, escapes and colors of a screen end as characters."""
    screen = f"</text><script>\x1b[31;7mred & {HOSTILE_TITLE}\x1b[0m│日"
    code = (
        "import sys, svg; from tma.view import ansi;"
        "sys.stdout.write(svg.picture(ansi.styled([sys.argv[1]]), 90, 1, '\"<>'))"
    )
    path = ":".join(str(ROOT / part) for part in ("src", "scripts/lib"))
    argv = [sys.executable, "-c", code, screen]
    env = {"PYTHONPATH": path, "LC_ALL": "C.UTF-8"}
    drawn = subprocess.run(argv, check=True, capture_output=True, text=True, env=env).stdout
    root = parsed(drawn)
    assert "".join(node.text or "" for node in root.iter(TEXT)).startswith("</text><script>red & a b#(touch x)")
    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", drawn) is None
    assert [node.tag.rpartition("}")[2] for node in root][:3] == ["title", "style", "rect"]
    assert root.attrib["aria-label"] == '"<>'
