"""What acting reads from others never breaks it, whatever it is."""

import re
import shlex
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from acting import NOW
from tma.core.act import assertion, gate, lease, menu, schema
from tma.core.act.facts import FIELDS, parse
from tma.core.errors import ManifestError

KEYS = (
    "min_engine_version", "name", "label", "kind", "when", "requires", "confirm", "timeout_ms", "keys", "api", "text",
    "key_delay_ms", "leave_mode", "screen", "sigils", "agents", "command", "detach", "detach_timeout_ms", "other",
)  # fmt: skip
WORDS = st.sampled_from(
    ["keys", "text", "exec", "0.6", "a", "claude", "state", "blocked", "present", "1", "", "#{", "x" * 300]
)
LEAVES = st.one_of(st.booleans(), st.integers(), st.text(max_size=5), WORDS, st.floats(), st.none())
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=8,
)
TEXT = st.text(st.characters(blacklist_categories=("Cs",)), max_size=60)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_a_file_loads_or_names_its_error(data: dict[str, Any]) -> None:
    """FZ-9: never partly, and never by another exception."""
    whole = {"min_engine_version": "0.6", "name": "a", "label": "a", "kind": "keys", "keys": {"claude": []}} | data
    try:
        made, line = schema.parse("a", whole, "a.toml"), ""
    except ManifestError as error:
        made, line = None, str(error)
    if made is None:
        assert line.startswith("a.toml: ")
        return
    assert made.name == "a"
    assert all(not assertion.problem(text) for each in made.screen.values() for text in (*each.present, *each.absent))


@given(st.lists(TEXT, min_size=len(FIELDS), max_size=len(FIELDS)))
def test_any_look_gives_checked_values(values: list[str]) -> None:
    """ACT-FACT-2, FZ-3: what passed may stand in a format, a path and an environment."""
    seen = parse(values, NOW)
    if seen is None:
        return
    plain = {key: text for key, text in seen.stored.items() if key not in UNCHECKED}
    assert all(re.fullmatch(r"[A-Za-z0-9_.:-]*", text) for text in plain.values())
    assert 0 <= (seen.context or 0) <= 100
    assert seen.is_stale(0)


UNCHECKED = {"@agent_api_endpoint", "@agent_act_repeat", "@agent_action"}
"""Judged where they are used: by the grammar of addresses, of the counter and of the lock."""


@given(TEXT)
def test_an_assertion_is_literal(text: str) -> None:
    """FZ-8, ACT-SCR-2: what is not refused compiles, and finds itself."""
    if assertion.problem(text):
        return
    plain = text.removeprefix("^").removesuffix("$")
    # Python warns of "[[]", which is the one way to write that mark for tmux.
    pattern = assertion.pattern(text).replace("[[]", r"\[")
    assert re.search(pattern, plain)
    assert not re.search(pattern, "")


@given(TEXT)
def test_a_line_that_passes_is_one_harmless_line(text: str) -> None:
    """ACT-TEXT-1."""
    if not gate.text_refusal(text, ("/", "!")):
        assert text.isprintable() or not re.search(r"[\x00-\x1f\x7f-\x9f]", text)
        assert len(text.encode()) <= 4096
        assert text.lstrip()[0] not in "/!"


@given(TEXT)
def test_a_stored_lock_is_one_or_none(text: str) -> None:
    """FZ-4, LK-1: what reads as a lock is written back as one."""
    found = lease.parse(text)
    if found is not None and re.fullmatch(r"[0-9a-f]{32}", found.nonce) and re.fullmatch(r"[a-z0-9_-]+", found.name):
        assert lease.parse(found.text) == found


@given(st.lists(TEXT.filter(lambda text: "\0" not in text), min_size=1, max_size=5))
def test_words_survive_the_shell(words: list[str]) -> None:
    """FZ-7: one quoting for the shell and for tmux."""
    assert shlex.split(" ".join(map(menu.shell_quote, words))) == words
