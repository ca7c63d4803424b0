"""Edits of made-up files: undone they are as before, and what they add is ours alone."""

import json
import tempfile
import tomllib
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from installs import Home
from tma.install import jsonhooks
from tma.install.dialect import FaultError, Text, decode
from tma.install.handlers import Layout
from tma.install.jsonhooks import Wiring, say_the_same
from tma.install.jsontree import parse, plain
from tma.install.tomledit import with_root_key, without_root_key

EVENTS = ["SessionStart", "Stop", "PreToolUse"]
REFERENCE = "/opt/tma/bin/tma-hook"
WIRING = Wiring("claude", EVENTS, REFERENCE, lambda written: written == REFERENCE)
LAYOUT = Layout()

KEYS = st.sampled_from(["hooks", "Stop", "matcher", "command", "a", "model", "é", "// no", 'q"t'])
COMMANDS = st.sampled_from(
    ["say done", f"{REFERENCE} claude Stop", "'/a b/tma-hook' claude Stop", "x-tma-hook claude Stop"]
)
HANDLERS = st.fixed_dictionaries({"type": st.just("command"), "command": COMMANDS}, optional={"timeout": st.integers()})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=3)}, optional={"matcher": st.just("Bash")})
HOOKS = st.dictionaries(st.sampled_from([*EVENTS, "Other"]), st.lists(GROUPS, max_size=3), max_size=4)
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3))
BLANKS = st.sampled_from(["", " ", "\n", "\r\n", "\t", "\n  ", " /* , } */ ", ' // "x": [\n', "\n// y\r\n"])


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A JSON document with comments and blanks anywhere, trailing commas, and hooks of any owner."""
    root = draw(st.dictionaries(KEYS.filter(lambda key: key != "hooks"), VALUES, max_size=3))
    if draw(st.booleans()):
        root["hooks"] = draw(HOOKS)
    text = draw(BLANKS) + written(draw, root) + draw(BLANKS)
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


def written(draw: st.DrawFn, value: object) -> str:
    """A value in a made-up hand."""
    if isinstance(value, dict):
        parts = [
            json.dumps(key) + draw(BLANKS) + ":" + draw(BLANKS) + written(draw, each) for key, each in value.items()
        ]
        return "{" + joined(draw, parts) + "}"
    if isinstance(value, list):
        return "[" + joined(draw, [written(draw, each) for each in value]) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


def joined(draw: st.DrawFn, parts: list[str]) -> str:
    """Entries between blanks, with or without a trailing comma."""
    text = ",".join(draw(BLANKS) + part + draw(BLANKS) for part in parts)
    return text + ("," if parts and draw(st.booleans()) else "") + draw(BLANKS)


@settings(deadline=None, max_examples=60)
@given(documents())
def test_wiring_adds_ours_and_nothing_else(data: bytes) -> None:
    """EDT-1, EDT-4, EDT-10: one current handler for each event; the rest says what it said; twice changes nothing."""
    new = jsonhooks.install(data, WIRING, LAYOUT)

    found = jsonhooks.handlers(new, "claude", LAYOUT)
    assert sorted(each.event for each in found) == sorted(EVENTS)
    assert all(each.reference == REFERENCE for each in found)
    assert jsonhooks.install(new, WIRING, LAYOUT) == new
    cleaned = [jsonhooks.uninstall(each, "claude", LAYOUT) for each in (data, new)]
    assert say_the_same(*cleaned)
    if not jsonhooks.handlers(data, "claude", LAYOUT):
        assert len(parse(decode(new).text).comments) == len(parse(decode(data).text).comments)


@settings(deadline=None, max_examples=25)
@given(documents())
def test_an_edit_undone_is_the_file_to_the_byte(data: bytes) -> None:
    """EDT-12, PTH-14: install, then uninstall through the records."""
    with tempfile.TemporaryDirectory() as directory:
        home = Home(Path(directory))
        file = home.write(".claude/settings.json", data)
        found = jsonhooks.handlers(data, "claude", LAYOUT)
        home.install("claude")

        home.uninstall("claude")

        if not found:
            assert file.read_bytes() == data
        else:
            assert jsonhooks.handlers(file.read_bytes(), "claude", LAYOUT) == []


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet='{}[]",:/*\\ \n\r\ttrue1.-e\x00é', max_size=40))
def test_any_text_is_read_like_the_standard_library_or_refused(text: str) -> None:
    """EDT-2: what plain JSON takes is taken with the same value; nothing else ends in anything but a fault."""
    try:
        root = parse(text).root
    except FaultError:
        root = None
    try:
        expected = json.loads(text)
    except ValueError:
        return
    assert root is not None
    assert plain(root) == plain(parse(json.dumps(expected)).root or root) or "e" in text or "." in text


TOML_LINES = st.lists(
    st.sampled_from([
        "a = 1", "# notify = 1", "", "b = [", ' "x ] y", # ]', "]", 'c = """', "[no]", '"""', "d = {x = 1}", "e.f = 2",
        "[t]", "[[u]]", "notify = ['z']", "g = '''", "'''", "  h = 3  # three",
    ]),
    max_size=10,
)  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(TOML_LINES, st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_a_root_key_comes_and_goes_and_nothing_else_moves(lines: list[str], eol: str, ended: bool) -> None:  # noqa: FBT001
    """EDT-6: the key is set at the root whatever the lines are, and taking it out leaves the other values."""
    text = eol.join(lines) + (eol if ended and lines else "")
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    source = Text(text, False, eol)  # noqa: FBT003

    new = with_root_key(source, "notify", '["w", "codex", "notify"]')

    assert tomllib.loads(new) == before | {"notify": ["w", "codex", "notify"]}
    without = without_root_key(Text(new, False, eol), "notify")  # noqa: FBT003
    assert tomllib.loads(without) == {key: value for key, value in before.items() if key != "notify"}
    if "notify" not in before:
        assert without in {text, text + eol}
