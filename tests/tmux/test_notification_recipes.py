"""The scripts that the page about notifications gives, run as they stand on hostile names."""

import json
import re
import sys
import tomllib
from pathlib import Path

import pytest

from harness import TmuxServer, until
from notices import Desk, put
from recipes import block, blocks
from rows import HOSTILE_TITLE
from tma.core import config
from tma.core.events.routes import route
from tma.services import cycle

PAGE = "how-to/notifications.md"
NAME = 'QA "night" \\ & co'
TITLE = 'x" & (do shell script "touch /tmp/P") & "'
FAKE = """#!{python}
import json, sys
stdin = "" if sys.stdin.isatty() else sys.stdin.buffer.read().decode()
with open("{home}/calls", "a") as file:
    file.write(json.dumps([sys.argv[1:], stdin]) + "\\n")
"""


@pytest.fixture
def desk(server: TmuxServer, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A blocked pane whose every name is hostile, and programs that write down how they were called."""
    for name in ("osascript", "curl"):
        path = server.home / "fakes" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(FAKE.format(python=sys.executable, home=server.home))
        path.chmod(0o755)
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", f"{server.home}/fakes:{server.environment['PATH']}")
    repo = server.home / "a$(touch P)b"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/feat/ünï-☕\n")
    server.start()
    server("new-session", "-d", "-s", NAME, "-n", "it's", "-c", str(repo), "cat")
    pane = server("list-panes", "-s", "-t", "$1", "-F", "#{pane_id}")
    server("select-pane", "-t", pane, "-T", TITLE + HOSTILE_TITLE)
    put(server, pane, "blocked")
    return Desk(server)


def told(desk: Desk, script: str) -> None:
    """Ring for the pane with a script as the command, and wait for its end."""
    path = desk.server.home / "script"
    path.write_text(script)
    path.chmod(0o755)
    desk.configure(f"include_title = true\ncommand = '{path}'")
    notifier = desk.notifier()
    assert notifier.dispatch(cycle.run(desk.runtime())) == 1
    until(lambda: ("command", None) in desk.results(), what="the command's end")
    notifier.close()
    assert desk.results()["command", None]["last_failure"] is None
    assert list(desk.server.home.rglob("P")) == []
    assert not Path("/tmp/P").exists()  # what the title would make


def called(desk: Desk) -> tuple[list[str], str]:
    """How the one program was called: arguments and standard input."""
    (line,) = (desk.server.home / "calls").read_text().splitlines()
    argv, stdin = json.loads(line)
    return argv, stdin


def locator(desk: Desk) -> str:
    """Where the pane is, as the notice says it."""
    return str(desk.logged(1)[0]["locator"])


def test_the_apple_script_is_constant_and_the_words_are_arguments(desk: Desk) -> None:
    """RCP-1, RCP-2, FC-37, row 17."""
    told(desk, block(PAGE, "osascript"))
    argv, _ = called(desk)
    assert argv[-2:] == ["robot blocked", locator(desk)]
    assert 'QA "night"' in argv[-1]
    assert argv[:-2:2] == ["-e"] * 3
    assert not any(word in text for text in argv[1:-2:2] for word in ("QA", "robot", "blocked"))


def test_the_push_has_constant_headers_and_its_text_in_the_body(desk: Desk) -> None:
    """RCP-1, RCP-2, row 17: header values are ASCII, the body is UTF-8."""
    told(desk, block(PAGE, "ring-ntfy"))
    argv, stdin = called(desk)
    assert all(word.isascii() for word in argv)
    assert argv[-1] == "https://ntfy.sh/YOUR-TOPIC"
    assert stdin == f"robot blocked in {locator(desk)} a$(touch P)b"


def test_a_line_of_json_holds_each_name_as_it_is(desk: Desk) -> None:
    """RCP-2: it parses and gives the names back."""
    told(desk, block(PAGE, "ring-append"))
    (line,) = (desk.server.home / "notices.jsonl").read_text().splitlines()
    kept = json.loads(line)
    assert (kept["repo"], kept["branch"], kept["locator"]) == ("a$(touch P)b", "feat/ünï-☕", locator(desk))


def test_only_prompts_are_pushed() -> None:
    """RCP-2, RTE-1: the last recipe loads, and gives finished turns no command."""
    text = block(PAGE, '~/bin/ring-ntfy"', "toml")
    notify = config.parse(tomllib.loads(text))["notify"]
    assert route(notify, "blocked").command == "~/bin/ring-ntfy"
    assert route(notify, "done").command == ""


def test_every_setting_of_the_page_loads() -> None:
    """CFG-3: no example names a key that there is not."""
    examples = blocks(PAGE, "toml")
    assert len(examples) >= 6
    for text in examples:
        config.parse(tomllib.loads(text))


def test_every_script_quotes_what_it_expands() -> None:
    """RCP-1, SEC-X-7."""
    for script in blocks(PAGE):
        bare = re.sub(r'"[^"]*"|\'[^\']*\'', "", script)
        assert "$TMA" not in bare
