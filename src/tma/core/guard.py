"""Write guards: one expression value, rendered for tmux and evaluated here by the same rules.

An expression is a string (a literal) or a tuple whose first element names the form. A guard is a
*suppress* expression: true means hold (store rules GRD-*). All guards of the product stand in
this module, and nothing else composes a tmux conditional:

1. PROTECT: a capture of anything but blocked chrome never replaces a hook's claim.
2. CARVE(t): blocked chrome replaces a hook's claim only when it is newer.
3. REFRESH(s, t): evidence for a hook's claim s restarts its clock, never anything else's.
4. DECIDED(e): an override holds if a hook spoke after the evidence e that its writer had read.
5. EVENT(t): a hook event holds if a newer hook event stands.
6. CTX(t): a gauge holds if a newer one stands.

A missing instant expands empty and compares as 0, so first writes land (GRD-2). ``and_`` and
``or_`` take two arguments: the many-argument form needs tmux 3.6 (GRD-4).
"""

from tma.core import stamp
from tma.core.state import HOOK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Expr: "TypeAlias" = "str | tuple[object, ...]"

_SAFE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:-")
_COMPARE = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def opt(name: str) -> "Expr":
    """The value of an option; its text is never expanded again (WR-5)."""
    return ("opt", name)


def lit(text: "str | int") -> "Expr":
    """A constant; only ``[A-Za-z0-9_.:-]`` may stand in a format, else ValueError (WR-5)."""
    text = str(text)
    if not _SAFE.issuperset(text):
        msg = "text outside the safe set may not enter a format"
        raise ValueError(msg)
    return text


def raw(text: str) -> "Expr":
    """A constant format of the product's own; only tmux can evaluate it."""
    return ("raw", text)


def eq(left: "Expr", right: "Expr") -> "Expr":
    """Whether two texts are equal."""
    return ("eq", left, right)


def ne(left: "Expr", right: "Expr") -> "Expr":
    """Whether two texts differ."""
    return ("ne", left, right)


def and_(left: "Expr", right: "Expr") -> "Expr":
    """Whether both hold."""
    return ("and", left, right)


def or_(left: "Expr", right: "Expr") -> "Expr":
    """Whether one holds."""
    return ("or", left, right)


def not_(inner: "Expr") -> "Expr":
    """Whether it does not hold."""
    return if_(inner, "0", "1")


def lt(left: "Expr", right: "Expr") -> "Expr":
    """Whether a number is below another."""
    return ("lt", left, right)


def le(left: "Expr", right: "Expr") -> "Expr":
    """Whether a number is at most another."""
    return ("le", left, right)


def gt(left: "Expr", right: "Expr") -> "Expr":
    """Whether a number is above another."""
    return ("gt", left, right)


def ge(left: "Expr", right: "Expr") -> "Expr":
    """Whether a number is at least another."""
    return ("ge", left, right)


def if_(condition: "Expr", then: "Expr", otherwise: "Expr") -> "Expr":
    """One of two values."""
    return ("if", condition, then, otherwise)


def has_word(name: str, word: str) -> "Expr":
    """Whether a space-separated list option holds a word of the safe set (CH-SUB)."""
    return ("word", name, lit(word))


def without_word(name: str, word: str) -> "Expr":
    """A space-separated list option less one word, edge spaces kept (CH-SUB)."""
    return ("drop", name, lit(word))


def blank(name: str) -> "Expr":
    """Whether an option holds nothing but spaces (CH-SUB)."""
    return ("blank", name)


def joined(name: str, word: str) -> "Expr":
    """A space-separated list option with a word added at the end (CH-SUB)."""
    return ("join", name, lit(word))


def truthy(text: str) -> bool:
    """What tmux takes as true: anything but empty and ``0``."""
    return text not in {"", "0"}


def render(expr: "Expr") -> str:
    """The expression as a tmux format."""
    if isinstance(expr, str):
        return expr
    form, *args = expr
    if form in {"opt", "raw", "blank", "word", "drop", "join"}:
        return _render_leaf(str(form), [str(arg) for arg in args])
    parts = [render(arg) for arg in args]  # type: ignore[arg-type]
    if form == "if":
        return f"#{{?{parts[0]},{parts[1]},{parts[2]}}}"
    if form in _COMPARE:
        return f"#{{e|{_COMPARE[str(form)]}:{parts[0]},{parts[1]}}}"
    sign = {"eq": "==", "ne": "!=", "and": "&&", "or": "||"}[str(form)]
    return f"#{{{sign}:{parts[0]},{parts[1]}}}"


def _render_leaf(form: str, args: list[str]) -> str:
    name = args[0]
    if form == "raw":
        return name
    if form == "opt":
        return f"#{{{name}}}"
    if form == "blank":
        return f"#{{==:#{{s/ //:{name}}},}}"
    word = args[1]
    if form == "word":
        return f"#{{m:* {word} *, #{{{name}}} }}"
    if form == "drop":
        return f"#{{s/ {word} / /: #{{{name}}} }}"
    return f"#{{{name}}} {word}"


def evaluate(expr: "Expr", options: dict[str, str]) -> str:
    """What tmux would expand the expression to, given a pane's options."""
    if isinstance(expr, str):
        return expr
    form, *args = expr
    if form in {"opt", "raw", "blank", "word", "drop", "join"}:
        return _evaluate_leaf(str(form), [str(arg) for arg in args], options)
    if form == "if":
        chosen = args[1] if truthy(evaluate(args[0], options)) else args[2]  # type: ignore[arg-type]
        return evaluate(chosen, options)  # type: ignore[arg-type]
    left, right = (evaluate(arg, options) for arg in args)  # type: ignore[arg-type]
    if form in _COMPARE:
        return _compare(str(form), left, right)
    results = {
        "eq": left == right,
        "ne": left != right,
        "and": truthy(left) and truthy(right),
        "or": truthy(left) or truthy(right),
    }
    return "1" if results[str(form)] else "0"


def _evaluate_leaf(form: str, args: list[str], options: dict[str, str]) -> str:
    if form == "raw":
        msg = "a raw format has no meaning outside tmux"
        raise ValueError(msg)
    value = options.get(args[0], "")
    if form == "opt":
        return value
    if form == "blank":
        return "1" if not value.replace(" ", "") else "0"
    word = args[1]
    if form == "word":
        return "1" if f" {word} " in f" {value} " else "0"
    if form == "drop":
        return f" {value} ".replace(f" {word} ", " ")
    return f"{value} {word}"


def _compare(form: str, left: str, right: str) -> str:
    """Numbers as tmux compares them: empty is 0, a text that is no number gives the empty result."""
    try:
        a, b = float(left or "0"), float(right or "0")
    except ValueError:
        return ""
    return "1" if {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[form] else "0"


def protect() -> "Expr":
    """GRD-PROTECT."""
    return eq(opt(stamp.SOURCE), HOOK)


def carve(at: int) -> "Expr":
    """GRD-CARVE: blocked chrome captured at ``at``."""
    return and_(protect(), le(lit(at), opt(stamp.EVIDENCE_AT)))


def refresh(state: str, at: int) -> "Expr":
    """GRD-REFRESH: evidence at ``at`` for a hook's claim of ``state``."""
    same = and_(eq(opt(stamp.STATE), lit(state)), protect())
    return not_(and_(same, le(opt(stamp.EVIDENCE_AT), lit(at))))


def decided(evidence: int) -> "Expr":
    """GRD-DECIDED: an override whose writer had read hook evidence of ``evidence`` (0: none)."""
    return and_(protect(), gt(opt(stamp.EVIDENCE_AT), lit(evidence)))


def event(at: int) -> "Expr":
    """GRD-EVENT: a hook event at ``at``."""
    return and_(protect(), lt(lit(at), opt(stamp.EVIDENCE_AT)))


def context(at: int) -> "Expr":
    """GRD-CTX: a gauge read at ``at``."""
    return gt(opt(stamp.CONTEXT_AT), lit(at))
