"""A corpus of configuration files: wired, wired again, unwired to the byte, or refused and left alone."""

import json
import tomllib
from pathlib import Path

import pytest

from installs import Home
from tma.install.dialect import RefusedError, decode
from tma.install.jsonhooks import say_the_same
from tma.install.jsontree import parse
from tma.install.wiring import NOT_INSTALLED, WIRED

BOM = b"\xef\xbb\xbf"
CLAUDE, CODEX, CURSOR = ".claude/settings.json", ".codex/config.toml", ".cursor/hooks.json"

FIELD_CASE_13 = rb"""{
  // 27" screen profile, keep
  "permissions": { "allow": ["Bash(echo {a,b,})",], }, /* it's "fine" */
  "hooks": {
    "Stop": [ { "hooks": [ { "type": "command", "command": "jq -c '[.a,]' || echo \"// not a comment\"" }, ] }, ],
  },
}
"""
FIELD_CASE_17 = b"""model = "gpt-5.5-codex"
# notify = ["old-thing"]        # kept for reference
tui = { notifications = true }

[features]
hooks = true
[projects."/home/dev/a b"]
trust_level = "trusted\""""

JSON_FILES = {
    "an empty object": b"{}",
    "an empty object with a newline": b"{}\n",
    "a blank inside": b"{ }",
    "a line inside": b"{\n}\n",
    "no byte": b"",
    "a newline": b"\n",
    "blanks and lines": b"  \n\t\n",
    "only a mark": BOM,
    "one line": b'{"model":"opus","permissions":{"allow":["Bash"]}}',
    "one line with a newline": b'{"model":"opus"}\n',
    "two spaces": b'{\n  "model": "opus"\n}\n',
    "four spaces": b'{\n    "model": "opus",\n    "env": {\n        "A": "1"\n    }\n}\n',
    "tabs": b'{\n\t"model": "opus"\n}\n',
    "eight spaces without a last newline": b'{\n        "model": "opus"\n}',
    "carriage returns": b'{\r\n  "model": "opus"\r\n}\r\n',
    "mixed line ends": b'{\r\n  "model": "opus",\n  "x": 1\r\n}\r\n',
    "a mark": BOM + b'{\n  "model": "opus"\n}\n',
    "a mark, carriage returns and tabs": BOM + b'{\r\n\t"a": 1 // z\r\n}',
    "a trailing comma": b'{\n  "model": "opus",\n}\n',
    "a line comment at the end": b'{\n  "model": "opus" // mine\n}\n',
    "a comment line at the end": b'{\n  "model": "opus",\n  // "theme": "dark"\n}\n',
    "a comment line at the end without comma": b'{\n  "model": "opus"\n  // "theme": "dark"\n}\n',
    "a block comment over lines": b'{\n  /* one\n     two */\n  "model": "opus"\n}\n',
    "comments around the root": b'// head\n{\n  "model": "opus"\n}\n// tail\n',
    "a comment in an empty object": b"{\n  // nothing yet\n}\n",
    "a comment after a one-line object": b'{"model": "opus"} // done\n',
    "strings that look like comments": b'{\n  "a": "// no",\n  "b": "/* no */",\n  "c": ",]"\n}\n',
    "escapes as written": rb'{"a": "\u00e9\/\"\\", "b": "\ud83d\ude00", "c": "\ud800"}',
    "numbers as written": b'{"a": 1.0, "b": 1e+05, "c": -0, "d": 12345678901234567890, "e": 0.10}',
    "wide text": '{\n  "name": "日本語 🎉",\n  "é": [1]\n}\n'.encode(),
    "blank lines": b'{\n\n  "model": "opus",\n\n\n  "x": 1\n\n}\n\n',
    "the same key twice elsewhere": b'{"env": {"A": "1", "A": "2"}}',
    "nested hooks elsewhere": b'{"other": {"hooks": null}}',
    "empty hooks": b'{\n  "hooks": {}\n}\n',
    "empty hooks on a line": b'{"hooks":{}}',
    "an empty event": b'{"hooks": {"Stop": []}}',
    "foreign hooks": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n',
    "a foreign matcher": b'{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"command":"g","timeout":5}]}]}}',
    "a foreign event": b'{\n  "hooks": {\n    "Custom": [{"hooks": []}]\n  }\n}\n',
    "an event of another shape that is not wired": b'{"hooks": {"Custom": "text"}}',
    "groups of odd shapes": b'{"hooks": {"Stop": [null, "x", {"hooks": 3}, {}, {"hooks": [null, {"command": 4}]}]}}',
    "a command that only resembles ours": b'{"hooks": {"Stop": [{"hooks": [{"command": "my-tma-hook claude Stop"}]}]}}',
    "comments and commas everywhere": FIELD_CASE_13,
    "a comment between brackets": b'{"a": [1, /* two */ 2 /* three */], /* four */}',
    "deep but allowed": b'{"a": ' + b"[" * 100 + b"]" * 100 + b"}",
    "large": json.dumps({f"key{n}": "x" * 50 for n in range(2000)}, indent=2).encode(),
}

REFUSED_JSON = {
    "invalid": (b'{\n  "a": tru\n}\n', "2:8"),
    "truncated": (b'{\n  "a": [1,\n', "3:1"),
    "a missing comma": (b'{\n  "a": 1\n  "b": 2\n}\n', "3:3"),
    "two documents": (b"{}\n{}\n", "2:1"),
    "single quotes": (b"{'a': 1}", "1:2"),
    "a comment without an end": (b"{} /* x", "1:4"),
    "a newline in a string": (b'{"a": "x\ny"}', "1:7"),
    "a bad escape": (rb'{"a": "\x"}', "1:7"),
    "a leading zero": (b'{"a": 01}', "1:7"),
    "two commas": (b'{"a": 1,, "b": 2}', "1:9"),
    "a comma alone": (b"{,}", "1:2"),
    "only a comment": (b"// nothing\n", "nothing but comments"),
    "UTF-16": ('{"a": 1}'.encode("utf-16"), "UTF-16"),
    "no UTF-8": (b'{\n"a": "\xff"}', "2: cannot read"),
    "a zero byte": (b'{"a": "\0"}', "cannot read"),
    "too deep": (b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}", "nested over 128 levels"),
    "too large": (b" " * ((8 << 20) + 1), "larger than 8 MiB"),
    "an array": (b"[]", "an array"),
    "a string": (b'"x"', "a string"),
    "null": (b"null", "null"),
    "hooks null": (b'{"hooks": null}', "null"),
    "hooks an array": (b'{\n  "hooks": []\n}', "2:12"),
    "an event null": (b'{"hooks": {\n "Stop": null}}', "2:10"),
    "an event an object": (b'{"hooks": {"Stop": {}}}', "an object"),
    "hooks twice": (b'{\n"hooks": {},\n"hooks": {}}', "lines 2 and 3"),
    "an event twice": (b'{"hooks": {\n"Stop": [],\n"Stop": []}}', "lines 2 and 3"),
    "a root key twice": (b'{\n"a": 1,\n"a": 2}', "lines 2 and 3"),
}

TOML_FILES = {
    "no byte": b"",
    "only comments": b"# mine\n\n# and this\n",
    "a root key": b'model = "x"\n',
    "a root key without a newline": b'model = "x"',
    "only a table": b"[features]\nhooks = true\n",
    "only a table without a newline": b"[features]\nhooks = true",
    "a comment above a table": b"# of the table\n[features]\nhooks = true\n",
    "a head comment and a table": b"# of the file\n\n# of the table\n[features]\nhooks = true\n",
    "field case without notify": FIELD_CASE_17,
    "carriage returns": b'model = "x"\r\n\r\n[a]\r\nb = 1\r\n',
    "a mark": BOM + b'model = "x"\n[a]\nb = 1\n',
    "a multi-line array": b'x = [\n  "a ] b", # ]\n  "c",\n]\n[t]\ny = 1\n',
    "a multi-line string": b'x = """\n[not a table]\nnotify = 1\n"""\n[t]\ny = 1\n',
    "a literal multi-line string": b"x = '''\n[no]\n'''\n\n[t]\n",
    "dotted keys": b"a.b = 1\na.c = 2\n[t]\ny = 1\n",
    "notify in a table": b'[tui]\nnotify = ["a"]\n',
    "a comment after the last root key": b'model = "x"  # the big one\n\n[t]\n',
    "arrays of tables": b'model = "x"\n[[a]]\nb = 1\n[[a]]\nb = 2\n',
    "quoted keys": b'"model name" = "x"\n[t."a b"]\nc = 1\n',
    "dates and floats": b"a = 1979-05-27T07:32:00Z\nb = 1e6\nc = 0x1F\nd = inf\n",
    "indented": b"  model = 'x'\n\n  [t]\n    y = 1\n",
}

REFUSED_TOML = {
    "a foreign notify": (b'a = 1\nnotify = [\n "terminal-notifier",\n "turn over ] not the end", # ]\n]\n[t]\n', "2:1"),
    "a foreign notify that is no list": (b'notify = "x"\n', "1:1"),
    "invalid": (b"a = 1\nb = = 2\n", "2:5"),
    "a key twice": (b"a = 1\na = 2\n", "2:"),
    "no end": (b'a = """\n', "config.toml"),
    "UTF-16": ("a = 1".encode("utf-16"), "UTF-16"),
}


@pytest.mark.parametrize("data", JSON_FILES.values(), ids=JSON_FILES.keys())
def test_a_json_file_is_wired_once_and_unwired_to_the_byte(tmp_path: Path, data: bytes) -> None:
    """FC-13, EDT-2 to EDT-5, EDT-10, EDT-12, PTH-14: install, check, install again, uninstall."""
    home = Home(tmp_path)
    file = home.write(CLAUDE, data)

    assert len(home.install("claude")) == 1
    assert home.status("claude").state == WIRED
    assert home.install("claude") == []
    home.uninstall("claude")

    assert file.read_bytes() == data
    assert home.status("claude").state == NOT_INSTALLED


@pytest.mark.parametrize("data", JSON_FILES.values(), ids=JSON_FILES.keys())
def test_without_records_the_unwired_file_says_what_it_said(tmp_path: Path, data: bytes) -> None:
    """EDT-11: the entries are taken out one by one where the former bytes are not known."""
    home = Home(tmp_path)
    file = home.write(CLAUDE, data)
    home.install("claude")
    home.forget()

    home.uninstall("claude")

    assert say_the_same(file.read_bytes(), data)
    assert comments(file.read_bytes()) == comments(data)


@pytest.mark.parametrize(("data", "place"), REFUSED_JSON.values(), ids=REFUSED_JSON.keys())
def test_a_json_file_that_cannot_be_edited_is_refused_and_left_alone(tmp_path: Path, data: bytes, place: str) -> None:
    """EDT-1, EDT-2, CHK-2: the refusal names the file, and line and column where they are known."""
    home = Home(tmp_path)
    file = home.write(CLAUDE, data)

    with pytest.raises(RefusedError) as refused:
        home.install("claude")

    assert str(file) in str(refused.value)
    assert place in str(refused.value)
    assert file.read_bytes() == data
    assert not Path(home.backups.directory).exists()


@pytest.mark.parametrize("data", TOML_FILES.values(), ids=TOML_FILES.keys())
def test_a_toml_file_gets_one_root_key_and_loses_it_to_the_byte(tmp_path: Path, data: bytes) -> None:
    """FC-17, EDT-6, EDT-12, ADP-4: one root ``notify`` above the first table, and nothing else."""
    home = Home(tmp_path)
    file = home.write(CODEX, data)
    before = tomllib.loads(decode(data).text)

    home.install("codex")
    wired = tomllib.loads(decode(file.read_bytes()).text)

    assert wired == before | {"notify": [str(home.wrapper), "codex", "notify"]}
    assert home.status("codex").state == WIRED
    assert home.install("codex") == []
    home.uninstall("codex")
    assert file.read_bytes() == data


@pytest.mark.parametrize("data", TOML_FILES.values(), ids=TOML_FILES.keys())
def test_without_records_the_unwired_toml_says_what_it_said(tmp_path: Path, data: bytes) -> None:
    """EDT-11: the key's own lines go."""
    home = Home(tmp_path)
    file = home.write(CODEX, data)
    home.install("codex")
    home.forget()

    home.uninstall("codex")

    assert tomllib.loads(decode(file.read_bytes()).text) == tomllib.loads(decode(data).text)


@pytest.mark.parametrize(("data", "place"), REFUSED_TOML.values(), ids=REFUSED_TOML.keys())
def test_a_toml_file_that_cannot_be_edited_is_refused_before_anything_is_written(
    tmp_path: Path, data: bytes, place: str
) -> None:
    """EDT-2, ADP-4, ADP-8: also the other file of the agent stays unwritten."""
    home = Home(tmp_path)
    file = home.write(CODEX, data)

    with pytest.raises(RefusedError) as refused:
        home.install("codex")

    assert str(file) in str(refused.value)
    assert place in str(refused.value)
    assert file.read_bytes() == data
    assert not (tmp_path / ".codex" / "hooks.json").exists()


def test_a_guard_beside_ours_keeps_its_group(tmp_path: Path) -> None:
    """FC-15, EDT-11: only our handler goes; matcher, timeout and the other settings stay."""
    home = Home(tmp_path)
    wrapper = home.wrapper
    guard = {"type": "command", "command": "node /home/dev/guard.js", "timeout": 5}
    ours = {event: {"type": "command", "command": f"{wrapper} claude {event}"} for event in ("PreToolUse", "Stop")}
    shared = {"matcher": "Bash", "hooks": [guard, ours["PreToolUse"]]}
    document = {
        "permissions": {"deny": ["Read(.env)"]},
        "hooks": {"PreToolUse": [shared], "Stop": [{"hooks": [ours["Stop"]]}]},
    }
    file = home.write(CLAUDE, json.dumps(document).encode())

    home.uninstall("claude")

    kept = {"permissions": document["permissions"], "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [guard]}]}}
    assert json.loads(file.read_bytes()) == kept
    home.install("claude")
    assert home.install("claude") == []


def test_cursors_version_goes_only_if_it_came_with_us(tmp_path: Path) -> None:
    """EDT-11, the cursor channel: ``version`` is added where it is absent."""
    home = Home(tmp_path)
    file = home.write(CURSOR, b'{"version": 1, "mine": true}\n')

    home.install("cursor")
    assert json.loads(file.read_bytes())["version"] == 1
    home.forget()
    home.uninstall("cursor")

    assert json.loads(file.read_bytes()) == {"version": 1, "mine": True}


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "cursor", "opencode", "pi", "qwen", "copilot"])
def test_files_that_install_made_go_with_their_directories(tmp_path: Path, agent: str) -> None:
    """EDT-12, PTH-14: a file that was not there is not there afterwards."""
    home = Home(tmp_path)
    before = sorted(tmp_path.iterdir())

    home.install(agent)
    assert home.status(agent).state == WIRED
    assert home.install(agent) == []
    home.uninstall(agent)

    assert [path for path in sorted(tmp_path.iterdir()) if path.name != ".local"] == before


def comments(data: bytes) -> list[str]:
    """How every comment begins, in order."""
    tree = parse(decode(data).text)
    return [tree.text[place:].partition("\n")[0].partition("*/")[0].rstrip("\r") for place in tree.comments]
