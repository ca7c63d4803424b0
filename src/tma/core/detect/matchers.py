"""Where a screen rule looks and what it looks for: the region and matcher grammar of a manifest."""

from tma.core.detect.fields import Table, kind_of
from tma.core.detect.patterns import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_LINES = 2000
DEEPEST = 16

_COUNTED = ("tail_lines", "bottom_non_empty_lines")
_WHOLE = ("visible", "title")
_FORMS = ("contains", "regex", "line_regex", "any", "all", "not", "last_line")


def parse_region(rule: Table) -> "list[Any]":
    """The rule's region as ``[kind, count]``; the count is 0 where the kind has none."""
    text = rule.text("region")
    if text in _WHOLE:
        return [text, 0]
    kind, _, rest = text.partition("(")
    digits = rest.removesuffix(")")
    counted = kind in _COUNTED and rest == f"{digits})" and digits.isascii() and digits.isdigit()
    if not counted or int(digits) > MOST_LINES:
        rule.refuse("region", f"{text!r} is none of {_offered()} with N from 0 to {MOST_LINES}")
    return [kind, int(digits)]


def parse_match(rule: Table, claim: str) -> "dict[str, Any]":
    """The rule's matcher, checked; ``claim`` is named with a pattern that is refused (MAN-RX-7)."""
    return _matcher(rule, "match", rule.raw("match"), claim, 1)


def patterns_in(match: "dict[str, Any]") -> "Iterator[str]":
    """Every pattern of a checked matcher."""
    ((form, value),) = match.items()
    if form in ("regex", "line_regex"):
        yield value
    elif form == "last_line":
        yield value["among"]
        yield from patterns_in(value["is"])
    elif form == "not":
        yield from patterns_in(value)
    elif form != "contains":
        for inner in value:
            yield from patterns_in(inner)


def refuse_pattern(table: Table, key: str, pattern: str, claim: str = "") -> None:
    """Raise if a pattern may not stand in a manifest."""
    reason = check(pattern)
    if reason:
        about = f" ({claim})" if claim else ""
        table.refuse(key, f"pattern {pattern!r}{about}: {reason}")


def _matcher(parent: Table, key: str, value: object, claim: str, depth: int) -> "dict[str, Any]":
    if depth > DEEPEST:
        parent.refuse(key, f"is nested deeper than {DEEPEST}")
    forms = parent.inner(key, value, _FORMS)
    if len(forms.names()) != 1:
        forms.refuse("", f"needs exactly one of {', '.join(_FORMS)}")
    (form,) = forms.names()
    if form in ("any", "all"):
        return {form: _matchers(forms, form, claim, depth)}
    if form == "not":
        return {form: _matcher(forms, form, forms.raw(form), claim, depth + 1)}
    if form == "last_line":
        return {form: _last_line(forms, claim, depth)}
    text = forms.text(form)
    if form != "contains":
        refuse_pattern(forms, form, text, claim)
    return {form: text}


def _matchers(forms: Table, form: str, claim: str, depth: int) -> "list[dict[str, Any]]":
    items = forms.raw(form)
    if not isinstance(items, list):
        forms.refuse(form, f"is {kind_of(items)}, not an array of matchers")
    return [_matcher(forms, f"{form}[{index}]", item, claim, depth + 1) for index, item in enumerate(items)]


def _last_line(forms: Table, claim: str, depth: int) -> "dict[str, Any]":
    parts = forms.table("last_line", ("among", "is"))
    among = parts.text("among")
    refuse_pattern(parts, "among", among, claim)
    return {"among": among, "is": _matcher(parts, "is", parts.raw("is"), claim, depth + 1)}


def _offered() -> str:
    return ", ".join([f"{kind}(N)" for kind in _COUNTED] + list(_WHOLE))
