"""Screen rules over one pane: what each region holds, which rules match, and what they claim.

The rules of CAP-4 to CAP-7 all live here:

1. A region is cut from the lines as captured, then stripped of escapes, then limited.
2. Every rule is evaluated and reported.
3. A matching rule with ``skip`` gives no evidence; it says that the screen shows history.
4. Of the others, one claim per state: the highest priority, ties to the first.
5. All rules of one pane share one budget; past it nothing that they said counts.
"""

from tma.core.detect.evidence import SCREEN, TITLE, Evidence
from tma.core.detect.search import found
from tma.core.screen import LINE_CHARS, byte_length, split_escapes, strip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tma.core.detect.agent import Manifest

BUDGET_MS = 250
REGION_LINES = 256
REGION_BYTES = 64 * 1024


class Screen:
    """A captured pane as the rules see it; each region is made once."""

    __slots__ = ("_height", "_lines", "_regions", "_stripped", "_title")

    def __init__(self, lines: list[str], height: int, title: str) -> None:
        """Take the captured lines, with or without their escapes."""
        self._lines = lines
        self._height = height
        self._title = title
        self._regions: dict[tuple[str, int], Region] = {}
        pieces = [split_escapes(line) for line in lines]
        self._stripped = [text for text, _ in pieces]
        if all(finished for _, finished in pieces):
            # No sequence crosses a line's end: the join of stripped lines is the stripped join.
            self._lines = self._stripped

    def region(self, kind: str, count: int) -> "Region":
        """The text of a region (CAP-4), within the limits of MAN-RX-5."""
        key = (kind, count)
        if key not in self._regions:
            self._regions[key] = self._cut(kind, count)
        return self._regions[key]

    def visible(self) -> list[str]:
        """The lines of the screen itself, without escapes."""
        return self.region("visible", 0).lines

    def _cut(self, kind: str, count: int) -> "Region":
        if kind == "title":
            return Region([self._title], REGION_LINES)
        lines = self._lines
        if kind == "visible":
            chosen = lines[-self._height :] if self._height else lines
            return Region(chosen, REGION_LINES)
        end = len(lines) if kind == "tail_lines" else self._last_used()
        return Region(lines[max(0, end - count) : end], count)

    def _last_used(self) -> int:
        """One past the index of the last line that is not blank."""
        end = len(self._stripped)
        while end and not self._stripped[end - 1].strip():
            end -= 1
        return end


class Region:
    """One region's text, as one text and as lines."""

    __slots__ = ("lines", "text")

    def __init__(self, raw: list[str], most_lines: int) -> None:
        """Strip the escapes and keep the newest lines within the limits."""
        lines = strip("\n".join(raw)).split("\n") if raw else []
        self.lines = _newest([line[:LINE_CHARS] for line in lines[max(0, len(lines) - most_lines) :]])
        self.text = "\n".join(self.lines)


class Reading:
    """What the rules of one manifest said about one screen.

    ``evidence`` holds one record per state, ordered by state. ``trace`` holds ``(index,
    matched)`` of every rule that ran. ``exhausted`` means that the budget ran out, and
    that there is no evidence for that reason.
    """

    __slots__ = ("evidence", "exhausted", "history_view", "trace")

    def __init__(self) -> None:
        """Start with nothing read."""
        self.evidence: list[Evidence] = []
        self.history_view = False
        self.trace: list[tuple[int, bool]] = []
        self.exhausted = False


def judge(manifest: "Manifest", screen: Screen, at: int, spent: "Callable[[], int] | None" = None) -> Reading:
    """Evaluate every rule over the screen captured at ``at`` (CAP-6).

    ``spent`` says how many milliseconds the rules took on this pane so far (MAN-RX-6).
    """
    reading = Reading()
    matcher = _Matcher(manifest, spent)
    winners: dict[str, tuple[int, dict[str, Any]]] = {}
    for index, rule in enumerate(manifest.rules):
        matched = matcher.holds(rule["match"], screen.region(*rule["region"]))
        if matcher.gives_up():
            return _exhausted(reading)
        reading.trace.append((index, matched))
        if matched and rule["skip"]:
            reading.history_view = True
        elif matched:
            _keep_best(winners, index, rule)
    reading.evidence = [_record(*winners[state], at) for state in sorted(winners)]
    return reading


def title_matches(manifest: "Manifest", title: str) -> bool:
    """Whether the title passes the manifest's title patterns; none always passes (ID-9)."""
    if not manifest.title_patterns:
        return True
    text = Region([title], REGION_LINES).text
    return any(found(manifest, pattern, text) for pattern in manifest.title_patterns)


def region_name(region: "list[Any]") -> str:
    """A rule's region as its manifest spells it."""
    kind, count = region
    return f"{kind}({count})" if kind in ("tail_lines", "bottom_non_empty_lines") else str(kind)


class _Matcher:
    """The matcher forms of MAN-MATCH-1 under one budget."""

    __slots__ = ("_manifest", "_spent")

    def __init__(self, manifest: "Manifest", spent: "Callable[[], int] | None") -> None:
        self._manifest = manifest
        self._spent = spent

    def gives_up(self) -> bool:
        return self._spent is not None and self._spent() > BUDGET_MS

    def holds(self, matcher: "dict[str, Any]", region: Region) -> bool:
        ((form, value),) = matcher.items()
        if form == "contains":
            return value in region.text
        if form == "regex":
            return self._finds(value, region.text)
        if form == "line_regex":
            return any(self._finds(value, line) for line in region.lines)
        if form == "not":
            return not self.holds(value, region)
        if form == "last_line":
            return self._last_line(value, region)
        if form == "any":
            return any(self.holds(inner, region) for inner in value)
        return all(self.holds(inner, region) for inner in value)

    def _finds(self, pattern: str, text: str) -> bool:
        return found(self._manifest, pattern, text, self.gives_up)

    def _last_line(self, value: "dict[str, Any]", region: Region) -> bool:
        for line in reversed(region.lines):
            if self._finds(value["among"], line):
                return self.holds(value["is"], Region([line], 1))
        return False


def _newest(lines: list[str]) -> list[str]:
    room = REGION_BYTES
    for index in range(len(lines) - 1, -1, -1):
        room -= byte_length(lines[index]) + 1
        if room < 0:
            return lines[index + 1 :]
    return lines


def _exhausted(reading: Reading) -> Reading:
    reading.exhausted = True
    reading.history_view = False
    return reading


def _keep_best(winners: "dict[str, tuple[int, dict[str, Any]]]", index: int, rule: "dict[str, Any]") -> None:
    best = winners.get(rule["state"])
    if best is None or rule["priority"] > best[1]["priority"]:
        winners[rule["state"]] = (index, rule)


def _record(index: int, rule: "dict[str, Any]", at: int) -> Evidence:
    source = TITLE if rule["region"][0] == "title" else SCREEN
    label = f"rule #{index} {rule['state']} on {region_name(rule['region'])}"
    return Evidence(source, rule["state"], at, detail=rule["detail"], label=label)
