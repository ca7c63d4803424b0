"""The agent manifest's schema."""

import re
import tomllib

import pytest

from manifests import LEAST, plain, rule
from tma.core.detect.manifest import ENGINE_VERSION, MOST_RULES, MOST_TITLE_PATTERNS, parse
from tma.core.errors import ManifestError

ENTRY = '[hooks]\n[[hooks.map]]\nevent = "Stop"\n'


def refusal(more: str, *, base: str = LEAST, name: str = "agent") -> str:
    """The error of a manifest."""
    with pytest.raises(ManifestError) as caught:
        parse(name, tomllib.loads(base + more), "agent.toml")
    return str(caught.value)


def test_the_least_manifest_has_a_plain_form() -> None:
    """MAN-NEW-1: engine version, process names and an empty capture table are enough."""
    assert plain() == {
        "name": "agent",
        "file": "agent.toml",
        "process_names": ["agent"],
        "title_patterns": [],
        "hooks": False,
        "covers": [],
        "map": [],
        "visible": [],
        "exclusive": False,
        "steady": False,
        "rules": [],
        "published": "",
        "context": [],
        "costs": {},
    }


@pytest.mark.parametrize("version", ["0", "0.6", "0.6.0", "0.5.99", "00.06"])
def test_an_engine_that_is_new_enough_passes(version: str) -> None:
    """MAN-VER-1: missing parts are 0."""
    assert plain(base=LEAST.replace("0.6", version))


def test_a_newer_engine_is_asked_for_before_unknown_keys_are() -> None:
    """MAN-VER-2: the error names both versions, never a key of the newer schema."""
    own = ".".join(map(str, ENGINE_VERSION))

    line = refusal("[brand_new]\nkey = 1", base=LEAST.replace("0.6", "0.6.1"))

    assert line == f"agent.toml: min_engine_version: needs engine 0.6.1, this is {own}"


@pytest.mark.parametrize("version", ['"1.2.3.4"', '"0.x"', '""', '"-1"', '"0.6."', '"٣"'])
def test_a_version_of_another_form_is_refused(version: str) -> None:
    """MAN-VER-1: more than three parts or a non-number is an error."""
    assert "is not of the form x.y.z" in refusal("", base=LEAST.replace('"0.6"', version))


@pytest.mark.parametrize(
    ("gone", "problem"),
    [
        ('min_engine_version = "0.6"', "min_engine_version: is missing"),
        ('[identity]\nprocess_names = ["agent"]', "identity: is missing"),
        ('process_names = ["agent"]', "identity.process_names: must name at least one process"),
        ("[capture]", "capture: is missing"),
    ],
)
def test_a_required_key_that_is_missing_is_named(gone: str, problem: str) -> None:
    """MAN-LOAD-4: missing required keys name file and key."""
    assert refusal("", base=LEAST.replace(gone, "")) == f"agent.toml: {problem}"


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("[screen]", "screen: unknown key"),
        ("seen = true", "capture.seen: unknown key"),
        ("exclusive = 1", "capture.exclusive: is an integer, not true or false"),
        ("steady = 1", "capture.steady: is an integer, not true or false"),
        ('visible = ["done"]', "capture.visible[0]: 'done' is none of blocked, idle, unknown, working"),
        ('[hooks]\ncovers = ["done"]', "hooks.covers[0]: 'done' is none of blocked, idle, lifecycle, unknown, working"),
        ("[published]", "published.format: is missing"),
        ('[telemetry.quota]\nformat = "x"', "telemetry.quota: unknown key"),
        ('[telemetry.context]\nchannel = "hook"\nformat = "x"', "telemetry.context.channel: 'hook' is none of"),
        ('[telemetry.context]\nchannel = "event"', "telemetry.context.format: is missing"),
    ],
)
def test_what_the_schema_does_not_know_is_refused(more: str, problem: str) -> None:
    """MAN-LOAD-4: unknown keys and wrong types at any level."""
    assert refusal(more).startswith(f"agent.toml: {problem}")


@pytest.mark.parametrize("name", ["Agent", "", "a.b", "a" * 65, "ä"])
def test_a_name_that_is_no_token_is_refused(name: str) -> None:
    """MAN-LOAD-5: names are safe tokens."""
    assert "is no agent name" in refusal("", name=name)


def test_title_patterns_are_checked_and_counted() -> None:
    """MAN-RX-7, MAN-RULE-2: the index of a bad title pattern is named; at most 64."""
    titled = LEAST.replace("[capture]", "title_patterns = ['^ok', '(a)\\1']\n[capture]")
    many = LEAST.replace("[capture]", f"title_patterns = {['x'] * (MOST_TITLE_PATTERNS + 1)}\n[capture]")

    assert refusal("", base=titled).startswith(r"agent.toml: identity.title_patterns[1]: pattern '(a)\\1': a back-ref")
    assert refusal("", base=many) == "agent.toml: identity.title_patterns: holds more than 64 patterns"


def test_details_replace_their_aliases_everywhere() -> None:
    """CAP-8, MAN-DET-1: hook and rule yield the key, other details stay."""
    form = plain(
        '[details]\nplan = { aliases = ["plan-mode", "exit_plan"] }\nother = {}\n'
        + ENTRY
        + 'claim = { state = "blocked", detail = "plan-mode" }\n'
        + rule("blocked", "visible", '{ contains = "x" }', 'detail = "exit_plan"')
        + rule("blocked", "visible", '{ contains = "y" }', 'detail = "new"')
    )

    assert form["map"] == [{"event": "Stop", "state": "blocked", "detail": "plan"}]
    assert [each["detail"] for each in form["rules"]] == ["plan", "new"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("[details]\nidle = {}", "details.idle: is a state"),
        ('[details]\n"a b" = {}', "details.a b: is no detail"),
        ("[details]\nplan = []", "details.plan: is an array, not a table"),
        ('[details]\nplan = { aliases = ["A"] }', "details.plan.aliases: 'A' is no detail"),
        ('[details]\na = { aliases = ["b"] }\nb = {}', "details.a.aliases: 'b' already stands for another detail"),
        ('[details]\na = { aliases = ["c"] }\nb = { aliases = ["c"] }', "details.b.aliases: 'c' already stands"),
        (rule("idle", "visible", '{ contains = "x" }', 'detail = "a b"'), "rules[0].detail: 'a b' is no detail"),
        (rule("idle", "visible", '{ contains = "x" }', 'detail = ""'), "rules[0].detail: '' is no detail"),
    ],
)
def test_a_detail_that_is_no_token_or_no_single_thing_is_refused(more: str, problem: str) -> None:
    """MAN-STATE-1, MAN-DET-1: a state is no detail, and one spelling has one meaning."""
    assert refusal(more).startswith(f"agent.toml: {problem}")


def test_an_entry_keeps_what_it_says_and_nothing_else() -> None:
    """MAN-MAP-1, MAN-MAP-6: where values keep their kind; flags that are false are left out."""
    form = plain(
        ENTRY + "where = { 'tasks[].type' = ['a', 'b'], x = true, 'y.z' = 'q' }\nmatcher = 'm'\n"
        'claim = { state = "idle" }\nturn_end = true\nkeep_detail = false\n'
        '[[hooks.map]]\nevent = "End"\nclaim = { lifecycle = "end" }\n'
        '[[hooks.map]]\nevent = "Clear"\nclaim = { ignore = true }\n'
    )

    assert form["map"] == [
        {
            "event": "Stop",
            "where": {"tasks[].type": ["a", "b"], "x": True, "y.z": "q"},
            "matcher": "m",
            "state": "idle",
            "turn_end": True,
        },
        {"event": "End", "lifecycle": "end"},
        {"event": "Clear", "ignore": True},
    ]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ("", "claim: is missing"),
        ("claim = {}", "claim: needs exactly one of state"),
        ('claim = { state = "idle", ignore = true }', "claim: needs exactly one of state"),
        ('claim = { lifecycle = "end", detail = "x" }', "claim: needs exactly one of state"),
        ('claim = { lifecycle = "stop" }', "claim.lifecycle: 'stop' is none of end, start"),
        ("claim = { ignore = false }", "claim.ignore: can only be true"),
        ('claim = { state = "done" }', "claim.state: 'done' is none of"),
        ("claim = { ignore = true }\nmatcher = '(?=x)'", "matcher: pattern '(?=x)': look-around is not allowed"),
        ("claim = { ignore = true }\nwhere = {}", "where: names no path"),
        ("claim = { ignore = true }\nwhere = { a = { b = 'x' } }", "where.a: is a table, not a string"),
        ("claim = { ignore = true }\nwhere = { a = 1 }", "where.a: is an integer, not a string"),
        ("claim = { ignore = true }\nwhere = { a = ['x', 1] }", "where.a[1]: is an integer, not a string"),
        ("claim = { ignore = true }\nwhere = { 'a.b.c.d.e' = 'x' }", "where.a.b.c.d.e: is no path"),
        ("claim = { ignore = true }\nwhere = { 'a..b' = 'x' }", "where.a..b: is no path"),
        ("claim = { ignore = true }\nwhere = { '[]' = 'x' }", "where.[]: is no path"),
    ],
)
def test_a_malformed_entry_is_refused_by_index_and_key(more: str, problem: str) -> None:
    """MAN-MAP-6, MAN-RX-7: claims, paths and matchers of hooks are checked at load."""
    assert refusal(ENTRY + more).startswith(f"agent.toml: hooks.map[0].{problem}")


def test_a_rule_has_its_defaults() -> None:
    """MAN-RULE-1: priority 0, no detail, no history view."""
    form = plain(rule("idle", "tail_lines(3)", '{ contains = "x" }'))

    assert form["rules"] == [
        {
            "state": "idle",
            "detail": "",
            "priority": 0,
            "region": ["tail_lines", 3],
            "match": {"contains": "x"},
            "skip": False,
        }
    ]


def test_a_title_may_claim_everything_but_idle() -> None:
    """MAN-RULE-2: a title alone never proves idle."""
    assert plain(rule("working", "title", '{ contains = "x" }'))
    line = refusal(rule("idle", "title", '{ contains = "x" }'))

    assert line == "agent.toml: rules[0].state: a title rule may not claim idle"


def test_a_bad_pattern_is_named_with_its_rule() -> None:
    """MAN-RX-7: rule index, state, priority and pattern."""
    line = refusal(
        rule("idle", "visible", '{ contains = "x" }')
        + rule("blocked", "visible", "{ line_regex = '(.*,){20}x' }", "priority = 90")
    )

    assert line.startswith(
        "agent.toml: rules[1].match.line_regex: pattern '(.*,){20}x' (state blocked, priority 90): an unbounded repeat"
    )


def test_the_limits_of_a_file_hold() -> None:
    """MAN-RULE-2: 256 rules, 1,000 characters a string."""
    one = rule("idle", "visible", '{ contains = "x" }')
    long = rule("idle", "visible", f'{{ contains = "{"x" * 1001}" }}')

    assert len(plain(one * MOST_RULES)["rules"]) == MOST_RULES
    assert refusal(one * (MOST_RULES + 1)) == "agent.toml: rules: holds more than 256 rules"
    assert refusal(long) == "agent.toml: rules[0].match.contains: is longer than 1000 characters"


def test_unknown_formats_load() -> None:
    """MAN-TEL-1: a format is any string; what is not known yields no reading."""
    form = plain('[published]\nformat = "new"\n[telemetry.context]\nchannel = "screen"\nformat = "newer"\n')

    assert (form["published"], form["context"]) == ("new", ["screen", "newer"])


def test_patterns_that_could_take_long_are_kept_with_their_cost() -> None:
    """MAN-RX-6: the cost is worked out at load and not when a screen waits."""
    form = plain(
        rule("idle", "visible", "{ any = [{ regex = 'x.*y.*z' }, { line_regex = '^ok$' }] }")
        + ENTRY
        + "matcher = '(a|ab){9}b'\nclaim = { ignore = true }\n"
    )

    assert set(form["costs"]) == {"x.*y.*z", "(a|ab){9}b"}


def test_an_error_is_one_printable_line() -> None:
    """SAN-2: patterns and values are quoted, keys escaped."""
    line = refusal('"\\u001b[2J" = 1')

    assert re.fullmatch(r"agent\.toml: capture\.\\x1b\[2J: unknown key \(.*\)", line)
