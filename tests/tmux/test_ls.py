"""``tma ls`` on real panes: which rows, in which shape, whatever panes are called."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness import TmuxServer, until
from standin import StandIn, manifests
from tma.view.listing import ROW_KEYS


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with the stand-in's manifest alone."""
    return server.tma("--manifest-dir", manifests(server), *words, **options)


def panes(server: TmuxServer, *selectors: str) -> list[str]:
    """The panes of the rows that selectors choose."""
    done = tma(server, "ls", "--json", *selectors)
    assert done.returncode == 0, done.stderr
    return [row["pane"] for row in json.loads(done.stdout)["agents"]]


HOSTILE_TITLE = "a#(touch x)#[fg=red]%H\u202ec\"'$(touch x)`touch x`"
"""What is left of SAN-3 once tmux has refused control characters in a title."""


def entitled(title: str, screen: str = "READY") -> str:
    """A screen whose program sets a title, as agents do."""
    return f"\x1b]2;{title}\x07\n{screen}"


def test_a_line_and_an_object_tell_the_same_row(server: TmuxServer) -> None:
    """LS-1, LS-4, REM-20: twelve fields, every key, the server's own socket path."""
    server.start()
    robot = StandIn(server, screen=entitled("fix the build", "ALLOW?"))

    line = tma(server, "ls").stdout
    row = json.loads(tma(server, "ls", "--json").stdout)["agents"][0]

    assert list(row) == [key for key, *_ in ROW_KEYS]
    assert (row["pane"], row["agent"], row["state"], row["detail"]) == (robot.pane, "robot", "blocked", "permission")
    assert row["server"] == server.show(robot.pane, "#{socket_path}")
    repository = [row["repo"] or "", row["branch"] or "", "1" if row["worktree"] else ""]
    told = [robot.pane, "robot", "blocked", "permission", str(row["since"]), row["locator"], "fix the build", "1", ""]
    assert line == "\t".join([*told, *repository]) + "\n"


def test_a_hostile_title_does_nothing_in_any_sink(server: TmuxServer) -> None:
    """SAN-3: nothing runs, no line, column or color is added, in every command that shows a title."""
    server.start()
    robot = StandIn(server, screen=entitled(HOSTILE_TITLE))

    line = tma(server, "ls").stdout
    shown = tma(server, "debug", "explain", robot.pane).stdout
    header = tma(server, "debug", "capture", robot.pane).stdout.partition("---\n")[0]
    document = tma(server, "ls", "--json").stdout
    status = [tma(server, "status", "--format", form).stdout for form in ("tmux", "plain", "json", "prom")]

    assert (line.count("\n"), line.count("\t")) == (1, 11)
    for text in (line.replace("\t", ""), shown, header, *status):
        assert text.replace("\n", "").isprintable()
    assert "#(touch x)" in line
    assert json.loads(document)["agents"][0]["title"] == HOSTILE_TITLE
    assert not [text for text in status if "touch" in text]
    assert not list(server.home.rglob("x"))


def test_no_agents_are_no_lines_and_an_empty_array(server: TmuxServer) -> None:
    """LS-5, ROW-4: exit 0."""
    pane = server.start()
    robot = StandIn(server)

    for words in (["--pane", pane], ["--pane", "%999"], ["--pane", robot.pane, "--agent", "codex"]):
        assert tma(server, "ls", *words).stdout == ""
        assert tma(server, "ls", "--json", *words).stdout == '{"schema":1,"agents":[]}\n'
        assert tma(server, "ls", *words).returncode == 0


def test_selectors_narrow_rows_after_every_pane_was_stamped(server: TmuxServer) -> None:
    """SEL-1 to SEL-5, CYC-13: what is not chosen is stamped all the same."""
    server.start()
    ready, asking = StandIn(server), StandIn(server, screen="ALLOW?")

    assert panes(server, "--state", "blocked") == [asking.pane]
    assert server.options(ready.pane)["@agent_state"] == "idle"
    assert panes(server, "--state", "idle,blocked") == [asking.pane, ready.pane]
    assert panes(server, "--session", "main", "--agent", "robot", "--pane", ready.pane) == [ready.pane]
    assert panes(server, "--session", "mai") == []


def test_a_pane_of_several_sessions_is_one_row_under_each_name(server: TmuxServer) -> None:
    """FC-29, ORD-4, READ-4: groups and linked windows."""
    server.start("cat")
    robot = StandIn(server)
    server("new-session", "-d", "-t", "main", "-s", "b")
    server("new-session", "-d", "-s", "two words", "cat")
    server("link-window", "-s", robot.pane, "-t", "two words:5")

    assert panes(server) == [robot.pane]
    assert [panes(server, "--session", name) for name in ("main", "b", "two words")] == [[robot.pane]] * 3


def test_rows_carry_the_repository_of_their_directory(server: TmuxServer) -> None:
    """ROW-3, SEL-4: also for a pane that is fresh, and for a worktree under its origin's name."""
    main, linked = server.home / "app", server.home / "elsewhere"
    (main / ".git" / "worktrees" / "elsewhere").mkdir(parents=True)
    (main / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (main / ".git" / "worktrees" / "elsewhere" / "HEAD").write_text("ref: refs/heads/topic\n")
    (main / ".git" / "worktrees" / "elsewhere" / "commondir").write_text("../..\n")
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {main}/.git/worktrees/elsewhere\n")
    server.start("cat")
    robots = [in_directory(server, place) for place in (server.home, main, linked)]

    found = {row["pane"]: (row["repo"], row["branch"], row["worktree"]) for row in rows(server)}

    assert [found[pane] for pane in robots] == [(None, None, None), ("app", "main", False), ("app", "topic", True)]
    assert panes(server, "--repo", "app", "--branch", "topic") == [robots[2]]
    assert sorted(panes(server, "--repo", "app")) == sorted(robots[1:])
    status = tma(server, "status", "--format", "json", "--repo", "app").stdout
    assert json.loads(status)["counts"]["idle"] == 2


def rows(server: TmuxServer) -> list[dict[str, Any]]:
    """All rows, once each agent has one."""
    found: list[dict[str, Any]] = until(
        lambda: len(listed := json.loads(tma(server, "ls", "--json").stdout)["agents"]) == 3 and listed,
        what="three rows",
    )
    return found


def in_directory(server: TmuxServer, place: Path) -> str:
    """A stand-in that works in a directory."""
    server("set-option", "-g", "default-command", "")
    robot = StandIn(server)
    server("respawn-pane", "-k", "-c", str(place), "-t", robot.pane)
    until(lambda: "READY" in server.screen(robot.pane), what="the respawned stand-in")
    return robot.pane


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": ""}, {"LC_ALL": "C.UTF-8"}, {"LC_ALL": "de_DE.ISO-8859-1"}]
)
def test_rows_do_not_depend_on_the_locale(server: TmuxServer, locale: dict[str, str]) -> None:
    """FC-27, A11Y-4: the same title in text and JSON, and no encoding error."""
    server.start("cat")
    StandIn(server, screen=entitled("✳ Fix paging 日本"))

    listed, document = tma(server, "ls", env=locale), tma(server, "ls", "--json", env=locale)

    assert "\t✳ Fix paging 日本\t" in listed.stdout
    assert json.loads(document.stdout)["agents"][0]["title"] == "✳ Fix paging 日本"
    assert (listed.stderr, document.stderr) == ("", "")
