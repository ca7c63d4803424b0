"""Fragments put together: cut and padded to a number of cells, in borders, side by side."""

from typing import TYPE_CHECKING

from tma.core.screen import width
from tma.view.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tma.view.palette import Fragment


def fit(fragments: "Iterable[Fragment]", cells: int, *, sign: bool = True) -> "tuple[Fragment, ...]":
    """Fragments in exactly so many cells; ``sign`` shows by an ellipsis that text was cut."""
    fitted: list[Fragment] = []
    room = cells
    for style, text in fragments:
        needed = width(text)
        if needed > room:
            kept = cut(text, room) if sign and text.strip() else cut(text + " ", room + 1)[:-1]
            if kept:
                fitted.append((style, kept))
            room = 0
            break
        if text:
            fitted.append((style, text))
        room -= needed
    if room > 0:
        fitted.append(("", " " * room))
    return tuple(fitted)


def emphasised(fragments: "Iterable[Fragment]", word: str) -> "tuple[Fragment, ...]":
    """The fragments with one more word in every style."""
    return tuple((f"{style} {word}".lstrip(), text) for style, text in fragments)


def boxed(title: str, lines: "Sequence[tuple[Fragment, ...]]", cells: int, height: int) -> "list[tuple[Fragment, ...]]":
    """Lines that fill what is left inside, in a border with a title; missing ones are blank."""
    inner, rows = cells - 2, height - 2
    head = cut(f" {title} ", inner)
    top = f"┌{head}{'─' * (inner - width(head))}┐"
    body = [(("", "│"), *line, ("", "│")) for line in padded(lines, inner, rows)]
    return [(("", top),), *body, (("", f"└{'─' * inner}┘"),)]


def padded(lines: "Sequence[tuple[Fragment, ...]]", cells: int, height: int) -> "list[tuple[Fragment, ...]]":
    """The first lines, with blank ones of so many cells below up to the height."""
    return [*lines[:height], *[fit((), cells)] * (height - len(lines))]


def beside(
    left: "Iterable[tuple[Fragment, ...]]", right: "Iterable[tuple[Fragment, ...]]"
) -> "list[tuple[Fragment, ...]]":
    """Two blocks of the same height next to each other."""
    return [(*one, *other) for one, other in zip(left, right, strict=True)]
