"""Full-screen surfaces as tests build and read them."""

from rows import NOW, fleet, row
from tma.core.config import parse
from tma.core.row import AgentRow
from tma.core.screen import width
from tma.core.settings import Settings
from tma.view.frame import Frame, draw_picker, draw_watch
from tma.view.palette import Theme, theme
from tma.view.picker import Picker
from tma.view.surface import Options, Resized, RowsFound
from tma.view.watch import Watch

STYLES = Settings(parse({})).picker
THEME = theme(STYLES, ascii_only=False)
ASCII_THEME = theme(STYLES, ascii_only=True)


def picker(
    rows: list[AgentRow] | None = None, size: tuple[int, int] = (100, 12), *, session: str = "work", **options: object
) -> Picker:
    """A picker of that size with these rows, a whole fleet by default."""
    model = Picker(Options(**options), session)  # type: ignore[arg-type]
    model.update(Resized(*size))
    model.update(RowsFound(fleet() if rows is None else rows, NOW))
    return model


def watch(
    rows: list[AgentRow] | None = None, size: tuple[int, int] = (100, 12), *, table: bool = False, **options: object
) -> Watch:
    """The same as a watcher."""
    model = Watch(Options(**options), table=table)  # type: ignore[arg-type]
    model.update(Resized(*size))
    model.update(RowsFound(fleet() if rows is None else rows, NOW))
    return model


def many(count: int) -> list[AgentRow]:
    """So many working rows, the first the longest."""
    return [row(f"%{at}", state="working", since=NOW - 1000 * (count - at), title=f"task {at}") for at in range(count)]


def drawn(model: Picker | Watch, style: Theme = THEME) -> Frame:
    """The frame of a surface."""
    return draw_picker(model, style) if isinstance(model, Picker) else draw_watch(model, style, selecting=False)


def text(model: Picker | Watch, style: Theme = THEME) -> list[str]:
    """The lines of a frame without their styles."""
    return ["".join(part for _, part in line) for line in drawn(model, style).lines]


def marked(frame: Frame, word: str) -> list[str]:
    """The texts of lines that have a word in their styles, joined line by line."""
    found = ["".join(part for style, part in line if word in style.split()) for line in frame.lines]
    return [line for line in found if line]


def is_exact(frame: Frame, size: tuple[int, int]) -> bool:
    """Whether a frame fills exactly a terminal of that size."""
    return len(frame.lines) == size[1] and all(sum(width(part) for _, part in line) == size[0] for line in frame.lines)
