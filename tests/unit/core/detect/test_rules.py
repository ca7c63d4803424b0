"""Screen rules: regions, matchers, claims and their budget."""

import pytest

from manifests import LEAST, manifest, rule
from tma.core.detect.evidence import SCREEN, TITLE
from tma.core.detect.rules import (
    BUDGET_MS,
    REGION_BYTES,
    REGION_LINES,
    Reading,
    Screen,
    judge,
    region_name,
    title_matches,
)

AT = 1_700_000_000_000


def read(rules: str, lines: list[str], *, height: int = 0, title: str = "") -> Reading:
    """What rules say of a screen."""
    return judge(manifest(rules), Screen(lines, height, title), AT)


def holds(match: str, lines: list[str], *, region: str = "visible", title: str = "") -> bool:
    """Whether one matcher holds."""
    return read(rule("working", region, match), lines, title=title).trace == [(0, True)]


@pytest.mark.parametrize(
    ("region", "text"),
    [
        (("tail_lines", 2), "\n"),
        (("tail_lines", 3), "d\n\n"),
        (("tail_lines", 0), ""),
        (("tail_lines", 99), "a\nb\n\nd\n\n"),
        (("bottom_non_empty_lines", 1), "d"),
        (("bottom_non_empty_lines", 3), "b\n\nd"),
        (("bottom_non_empty_lines", 0), ""),
        (("bottom_non_empty_lines", 99), "a\nb\n\nd"),
        (("visible", 0), "d\n\n"),
        (("title", 0), "✳ title"),
    ],
)
def test_each_region_holds_its_lines(region: tuple[str, int], text: str) -> None:
    """CAP-4: blank lines count, but the bottom region ends at the last line that is not blank."""
    screen = Screen(["a", "b", "", "d", "\x1b[0m  \x1b[m", "\x1b[K"], 3, "\x1b[1m✳ title")

    assert screen.region(*region).text.replace("  ", "") == text


def test_without_a_height_every_line_is_visible() -> None:
    """CAP-4: an unknown height hides nothing."""
    assert Screen(["a", "b"], 0, "").region("visible", 0).text == "a\nb"


def test_a_screen_of_blanks_has_an_empty_bottom() -> None:
    """CAP-4: no line is left, so no line matches, not even an empty pattern."""
    screen = Screen(["", " \x1b[m "], 5, "")

    assert screen.region("bottom_non_empty_lines", 9).lines == []
    assert Screen([], 5, "").region("tail_lines", 9).lines == []


def test_a_region_is_cut_before_its_escapes_are_stripped() -> None:
    """CAP-2: an unfinished sequence swallows the rest of its region and nothing of a region below it."""
    screen = Screen(["a\x1b]0;never", "b", "c"], 0, "")

    assert screen.region("visible", 0).text == "a"
    assert screen.region("tail_lines", 2).text == "b\nc"


def test_lines_that_need_no_stripping_are_taken_as_they_are() -> None:
    """CAP-4: whether the caller stripped makes no difference."""
    raw = Screen(["\x1b[1ma\x1b[0m", "b"], 0, "")
    plain = Screen(["a", "b"], 0, "")

    assert raw.region("tail_lines", 2).lines == plain.region("tail_lines", 2).lines == ["a", "b"]


def test_a_region_keeps_its_newest_lines_within_the_limits() -> None:
    """MAN-RX-5: 256 lines or the region's N, 4,096 characters a line, 64 KiB."""
    many = Screen([str(number) for number in range(2000)], 0, "")
    wide = Screen(["x" * 5000, *(f"{number:03}" + "é" * 4000 for number in range(20))], 0, "t" * 5000)

    assert many.region("visible", 0).lines == [str(number) for number in range(2000 - REGION_LINES, 2000)]
    assert len(many.region("tail_lines", 1500).lines) == 1500
    assert [line[:3] for line in wide.region("visible", 0).lines] == [f"{number:03}" for number in range(12, 20)]
    assert len(wide.region("visible", 0).text.encode()) <= REGION_BYTES
    assert len(wide.region("title", 0).text) == 4096


def test_a_region_that_just_fits_keeps_every_line() -> None:
    """MAN-RX-5, MAN-RX-6: the numbers are those of the limits; one byte more costs the oldest line."""
    full = ["x" * 1023] * 64

    assert Screen(full, 0, "").region("visible", 0).lines == full
    assert Screen(["x", *full], 0, "").region("visible", 0).lines == full
    assert (BUDGET_MS, REGION_LINES, REGION_BYTES) == (250, 256, 64 * 1024)


@pytest.mark.parametrize(
    ("match", "held"),
    [
        ("{ contains = 'b\\nc' }", False),
        ('{ contains = "b\\nc" }', True),
        ("{ contains = 'B' }", False),
        ("{ regex = 'a\\sb' }", True),
        ("{ regex = '^b' }", False),
        ("{ regex = '(?m)^b$' }", True),
        ("{ line_regex = '^b$' }", True),
        ("{ line_regex = 'a\\sb' }", False),
        ("{ any = [] }", False),
        ("{ all = [] }", True),
        ("{ any = [{ contains = 'x' }, { contains = 'a' }] }", True),
        ("{ all = [{ contains = 'x' }, { contains = 'a' }] }", False),
        ("{ not = { contains = 'x' } }", True),
        ("{ not = { contains = 'a' } }", False),
        ("{ last_line = { among = '[bd]', is = { contains = 'c' } } }", False),
        ("{ last_line = { among = '[ab]', is = { regex = '^b$' } } }", True),
        ("{ last_line = { among = '[ab]', is = { contains = 'a' } } }", False),
        ("{ last_line = { among = 'x', is = { all = [] } } }", False),
        ("{ last_line = { among = 'a', is = { not = { contains = 'b' } } } }", True),
    ],
)
def test_each_matcher_form_means_what_it_says(match: str, *, held: bool) -> None:
    """MAN-MATCH-1: one text or any line; none of nothing, all of nothing; the lowest line of a kind."""
    assert holds(match, ["a", "b", "c"]) is held


def test_a_title_rule_sees_the_title_only() -> None:
    """CAP-7: its evidence comes from the title."""
    reading = read(rule("working", "title", "{ regex = '^[\\u2800-\\u28FF] ' }"), ["x"], title="⠙ topic | dir")

    assert [(each.source, each.state, each.label) for each in reading.evidence] == [
        (TITLE, "working", "rule #0 working on title")
    ]
    assert not holds("{ contains = 'x' }", ["x"], region="title", title="y")


def test_evidence_names_its_rule_and_time() -> None:
    """CAP-7: source, claim, capture time, rule and region."""
    reading = read(
        rule("idle", "visible", "{ contains = 'no' }")
        + rule("blocked", "bottom_non_empty_lines(4)", "{ contains = 'yes' }", 'detail = "plan"'),
        ["yes"],
    )
    (only,) = reading.evidence

    assert (only.source, only.claim, only.at) == (SCREEN, "blocked/plan", AT)
    assert only.label == "rule #1 blocked on bottom_non_empty_lines(4)"


def test_one_claim_a_state_by_priority_then_order() -> None:
    """CAP-6: the highest priority wins a state, ties go to the first; states are ordered by token."""
    every = "{ all = [] }"
    reading = read(
        rule("working", "visible", every)
        + rule("idle", "visible", every, "priority = 5\ndetail = 'a'")
        + rule("idle", "visible", every, "priority = 9\ndetail = 'b'")
        + rule("idle", "visible", every, "priority = 9\ndetail = 'c'")
        + rule("blocked", "visible", every, "priority = -1"),
        ["x"],
    )

    assert [each.claim for each in reading.evidence] == ["blocked", "idle/b", "working"]
    assert reading.trace == [(index, True) for index in range(5)]


def test_every_rule_is_reported_whether_it_matches_or_not() -> None:
    """CAP-6, DBG-2: the trace has one mark a rule."""
    reading = read(rule("idle", "visible", "{ any = [] }") + rule("idle", "visible", "{ all = [] }"), ["x"])

    assert reading.trace == [(0, False), (1, True)]


def test_a_history_view_rule_claims_nothing_whatever_its_priority() -> None:
    """CAP-6: it freezes; the claims of other rules are still there for whoever explains."""
    reading = read(
        rule("blocked", "visible", "{ all = [] }", "skip_state_update = true\npriority = 1")
        + rule("idle", "visible", "{ all = [] }", "priority = 99"),
        ["x"],
    )

    assert reading.history_view
    assert [each.claim for each in reading.evidence] == ["idle"]


def test_a_history_view_rule_that_does_not_match_freezes_nothing() -> None:
    """CAP-6: only a match sets history view."""
    assert not read(rule("idle", "visible", "{ any = [] }", "skip_state_update = true"), ["x"]).history_view


def test_past_the_budget_nothing_of_the_screen_counts() -> None:
    """MAN-RX-6: evidence and history view are dropped, and the reading says why."""
    rules = (
        rule("idle", "visible", "{ all = [] }", "skip_state_update = true")
        + rule("idle", "visible", "{ all = [] }") * 3
    )
    clock = iter([0, BUDGET_MS, BUDGET_MS + 1])

    reading = judge(manifest(rules), Screen(["x"], 0, ""), AT, lambda: next(clock))

    assert (reading.evidence, reading.history_view, reading.exhausted) == ([], False, True)
    assert reading.trace == [(0, True), (1, True)]


def test_within_the_budget_everything_counts() -> None:
    """MAN-RX-6: exactly 250 ms is within."""
    reading = judge(manifest(rule("idle", "visible", "{ all = [] }")), Screen(["x"], 0, ""), AT, lambda: BUDGET_MS)

    assert not reading.exhausted
    assert len(reading.evidence) == 1


def test_a_costly_search_is_given_up_inside_one_rule() -> None:
    """MAN-RX-6: the budget also ends a single search that has endless states."""
    text = "c" + "".join("ab"[(number * number).bit_count() % 2] for number in range(4000))
    looks = iter(range(0, 10_000, 10))

    reading = judge(
        manifest(rule("idle", "visible", "{ regex = 'a.*b.{60}c' }")), Screen([text], 0, ""), AT, lambda: next(looks)
    )

    assert reading.exhausted
    assert next(looks) < 1000


TITLED = LEAST.replace("[capture]", "title_patterns = ['^◇  Ready ', '^✦']\n[capture]")


@pytest.mark.parametrize(
    ("title", "passes"), [("◇  Ready (x)", True), ("\x1b[1m✦  Working", True), ("host", False), ("", False)]
)
def test_a_title_passes_if_one_pattern_is_found(title: str, *, passes: bool) -> None:
    """ID-9: escapes are stripped first."""
    assert title_matches(manifest(base=TITLED), title) is passes


def test_without_title_patterns_every_title_passes() -> None:
    """ID-9: only a generic process name needs them."""
    assert title_matches(manifest(), "anything")


def test_regions_are_named_as_their_manifest_spells_them() -> None:
    """DBG-2: an explanation can be compared with the file."""
    assert [region_name([kind, 3]) for kind in ("tail_lines", "bottom_non_empty_lines", "visible", "title")] == [
        "tail_lines(3)",
        "bottom_non_empty_lines(3)",
        "visible",
        "title",
    ]
