"""Full-screen surfaces at 40, 80 and 200 columns, character for character and with their styles.

To write the files anew after a wanted change: ``TMA_WRITE_GOLDEN=1 pytest tests/golden/test_frames.py``,
then read the difference.
"""

import os
from pathlib import Path

import pytest

from frames import ASCII_THEME, STYLES, THEME, drawn, picker, watch
from rows import fleet, row
from tma.view.ansi import styled
from tma.view.frame import Frame
from tma.view.keyboard import MOVE, Key
from tma.view.paint import NO_COLOURS, sgr
from tma.view.palette import theme
from tma.view.surface import Captured, LookFailed, Pointed

FRAMES = Path(__file__).resolve().parent / "frames"
WIDTHS = (40, 80, 200)
WIDE_ROWS = [
    row(
        "%1",
        state="blocked",
        detail="trust",
        title="日本語のとても長いタイトル" * 4,
        branch="ブランチ名前長い",
        repo="倉庫",
    ),
    row("%2", title="e\u0301\u0302 combining a\u0308", branch="a\u0301" * 14, repo="倉庫"),
    row("%3", state="working", title="\U0001f469\u200d\U0001f467 family \U0001f1e9\U0001f1ea ⚠\ufe0f", agent="pi"),
]
SCREEN = [
    "\x1b[1;32m●\x1b[0m Reading 3 files",
    "日本語 \x1b[7mreversed\x1b[m",
    "\x1b[38;2;200;100;0m❯ 1. Yes",
    "  2. No\x1b[0m",
    "",
]


def frames() -> dict[str, Frame]:
    """Every frame by the name of its file."""
    found = {}
    for cells in WIDTHS:
        size = (cells, 10)
        chosen = picker(fleet(), size)
        chosen.update(Captured("%5", styled(SCREEN)))
        chosen.update(Pointed(MOVE, 2, 0))
        found[f"picker-{cells}"] = drawn(chosen)
        found[f"picker-ascii-{cells}"] = drawn(chosen, ASCII_THEME)
        searched = picker(fleet(), size)
        for char in "wo":
            searched.update(Key(char))
        searched.update(LookFailed(0, gone=True))
        found[f"picker-query-{cells}"] = drawn(searched)
        found[f"picker-wide-{cells}"] = drawn(picker(WIDE_ROWS, size))
        found[f"picker-empty-{cells}"] = drawn(picker([], size))
        found[f"watch-{cells}"] = drawn(watch(fleet(), size))
        found[f"watch-wide-{cells}"] = drawn(watch(WIDE_ROWS, size))
        found[f"watch-table-{cells}"] = drawn(watch(fleet(), size, table=True))
        found[f"watch-table-wide-{cells}"] = drawn(watch(WIDE_ROWS, size, table=True))
    found["picker-glyphs-80"] = drawn(
        picker(fleet(), (80, 10)), theme({**STYLES, "blocked": ("🔴", "#ff8800")}, ascii_only=False)
    )
    return found


def written(frame: Frame) -> str:
    """A frame as a file: each line as it looks, and below all lines the styles in order."""
    lines = ["".join(text for _, text in line) + "|" for line in frame.lines]
    styles = [" ".join(f"<{style}>{text.strip()}" for style, text in line if style) for line in frame.lines]
    return "\n".join([*lines, "", *styles]) + "\n"


@pytest.mark.parametrize("name", frames())
def test_a_frame_is_what_its_file_holds(name: str) -> None:
    """PIK-1 to PIK-3, WAT-1 to WAT-5, TUI-4, TUI-5, TUI-9, PRV-2, COL-1 to COL-6, A11Y-1, A11Y-4."""
    text = written(frames()[name])
    kept = FRAMES / f"{name}.txt"
    if os.environ.get("TMA_WRITE_GOLDEN") == "1":
        kept.write_text(text, encoding="utf-8")
    assert text == kept.read_text(encoding="utf-8")


def test_without_colours_every_style_is_an_attribute() -> None:
    """A11Y-2: reverse, underline, bold and dim alone; a class is told by its glyph."""
    styles = {style for frame in frames().values() for line in frame.lines for style, _ in line}
    codes = {code for style in styles for code in sgr(style, NO_COLOURS)[2:-1].split(";")}
    assert codes == {"0", "1", "2", "4", "7"}
    assert THEME.glyphs["blocked"][0] != THEME.glyphs["working"][0]
