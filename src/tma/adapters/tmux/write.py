"""Rendering of option writes: the only place that composes a tmux command list with text in it.

A script goes to ``source-file -`` as one ``if-shell -F 1 { … }``: a writer that dies half way
leaves a syntax error and not half a chain (WR-1).
"""

from tma.core.guard import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.ops import Op

MAX_SCRIPT = 60 << 10
"""Bytes of one script: it is handed over in one write, which a pipe takes whole (WR-1)."""

_OPEN, _CLOSE = "if-shell -F 1 {\n", "}\n"


def quote(text: str) -> str:
    """A token of a tmux command list: single quotes, nothing inside is special (ACT-Q-1).

    A run of ``'`` stays outside the quotes, so that no text grows to more than two and a half times its size.
    """
    if "'" not in text:
        return f"'{text}'"
    return "\\'".join(f"'{part}'" if part else "" for part in text.split("'"))


def lines(pane_id: str, ops: "list[Op]") -> list[str]:
    """The commands of a pane's ops, one a line."""
    return [_command(pane_id, op) for op in ops]


def _command(pane_id: str, op: "Op") -> str:
    form, *args = op
    if form == "put":
        return f"set-option -pq -t {pane_id} {args[0]} {quote(str(args[1]))}"
    if form == "set":
        return f"set-option -pqF -t {pane_id} {args[0]} {quote(_format(args[1]))}"
    if form == "unset":
        return f"set-option -pqu -t {pane_id} {args[0]}"
    if form == "say":
        return f"display-message -p -t {pane_id} {quote(_format(args[0]))}"
    if form in {"unless", "when"}:
        body = quote(" ; ".join(lines(pane_id, args[1])))  # type: ignore[arg-type]
        branches = f"'' {body}" if form == "unless" else body
        return f"if-shell -F -t {pane_id} {quote(_format(args[0]))} {branches}"
    flag, target, key = (str(arg) for arg in args[:3])
    where = f"-t {quote(target or pane_id)} " if flag != "-s" else ""
    if form == "unscoped":
        return f"set-option {flag} -qu {where}{key}"
    value = quote(_format(args[3]))
    return f"set-option {flag} -q{'F' if form == 'scoped' else ''} {where}{key} {value}"


def _format(expr: object) -> str:
    return render(expr)  # type: ignore[arg-type]


def scripts(chains: "list[tuple[str, list[Op]]]", last: "list[Op] | None" = None) -> list[str]:
    """Texts for ``source-file -``, split only between panes' chains; ``last`` rides the final one.

    ``last`` holds ops of other scopes than a pane (rollups, the poll claim).
    """
    parts: list[list[str]] = [[]]
    size = 0
    groups = [lines(pane_id, ops) for pane_id, ops in chains]
    if last:
        groups.append(lines("", last))
    for group in groups:
        cost = sum(len(line.encode("utf-8", "replace")) + 1 for line in group)
        if parts[-1] and size + cost > MAX_SCRIPT - len(_OPEN) - len(_CLOSE):
            parts.append([])
            size = 0
        parts[-1] += group
        size += cost
    return [_OPEN + "".join(f"{line}\n" for line in part) + _CLOSE for part in parts if part]


def script(pane_id: str, ops: "list[Op]") -> str:
    """One pane's ops as one text."""
    return "".join(scripts([(pane_id, ops)]))
