"""The macOS process table, on lines as its ps prints them."""

import pytest

from tma.adapters import child, darwin
from tma.core.errors import TmaError

TABLE = """\
    1     0     1     0 Mon Nov 16 08:01:12 2026 /sbin/launchd
  612     1   612     0 Mon Nov 16 08:02:40 2026 tmux: server
  640   612   640   655 Mon Nov 16 08:02:41 2026 -zsh
  655   640   655   655 Sat Nov 28 19:30:05 2026 claude
  700   655   700     0 Sat Nov 28 19:31:00 2026 /bin/zsh
  812   612   812   820 Mon Nov 16 09:00:00 2026 -zsh
  820   812   820   820 Sat Nov 28 20:00:00 2026 node
  821   820   820   820 Sat Nov 28 20:00:01 2026 /opt/homebrew/lib/node_modules/codex/vendor/codex
  900     1   900     0 Mon Nov 16 08:05:00 2026 /Applications/Google Chrome.app/Contents/MacOS/Google Chrome
ps: one line that is no row
"""
LINES = """\
    1 /sbin/launchd
  655 claude --resume
  820 node /opt/homebrew/bin/codex --no-daemon
  821 /opt/homebrew/lib/node_modules/codex/vendor/codex
  900 /Applications/Google Chrome.app/Contents/MacOS/Google Chrome
"""


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The columns asked for, answered from the recorded lines."""
    asked: list[str] = []

    def run(argv: list[str], **_options: object) -> child.Finished:
        asked.append(argv[-1])
        text = TABLE if argv[-1] == darwin.TABLE else LINES
        return child.Finished(0, text.encode(), b"", timed_out=False, truncated=False)

    monkeypatch.setattr(child, "run", run)
    return asked


def test_rows_are_read_and_other_lines_skipped() -> None:
    """A line that does not start with numbers is no process; the name is the rest (PROC-1)."""
    rows = darwin.parse_table(TABLE)

    assert len(rows) == 9
    assert rows[655].started == "Sat Nov 28 19:30:05 2026"
    assert rows[900].comm == "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"


@pytest.mark.usefixtures("calls")
def test_a_tree_holds_the_root_first_and_every_descendant() -> None:
    """The walk follows parent links, with the facts of each process (PROC-4)."""
    tree = darwin.Table().tree(640)

    assert [info.pid for info in tree] == [640, 655, 700]
    assert (tree[1].ppid, tree[1].pgid, tree[1].tpgid) == (640, 655, 655)
    assert tree[2].tpgid == 0


@pytest.mark.usefixtures("calls")
def test_a_process_carries_the_names_of_its_command_line() -> None:
    """An interpreter also carries the name of the program it runs (PROC-8)."""
    launcher, program = darwin.Table().tree(820)

    assert "codex" in launcher.names
    assert program.names[0] == "codex"


def test_any_number_of_trees_costs_two_calls(calls: list[str]) -> None:
    """The table and the command lines are asked for once each (PROC-1)."""
    table = darwin.Table()
    for root in (640, 812, 640, 5):
        table.tree(root)

    assert calls == [darwin.TABLE, darwin.LINES]


def test_shells_alone_cost_one_call(calls: list[str]) -> None:
    """No command line is read while a tree holds only shells (PROC-8)."""
    darwin.Table().tree(700)

    assert calls == [darwin.TABLE]


@pytest.mark.usefixtures("calls")
def test_ancestors_go_up_from_the_nearest_parent() -> None:
    """The parents are told with pid and name up to pid 1 (OWN-3)."""
    assert darwin.Table().ancestors(700)[:2] == [(655, "claude"), (640, "-zsh")]
    assert darwin.Table().ancestors(700)[-1][0] == 1


@pytest.mark.parametrize("answer", [(1, b"", False), (0, b"no rows\n", False), (-9, b"", True)])
def test_a_ps_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch, answer: tuple[int, bytes, bool]) -> None:
    """A table that cannot be read fails the walk and is no empty tree (PROC-7)."""
    code, out, timed_out = answer
    monkeypatch.setattr(
        child, "run", lambda *_a, **_k: child.Finished(code, out, b"", timed_out=timed_out, truncated=False)
    )

    with pytest.raises(TmaError, match="cannot read the process table"):
        darwin.Table().tree(640)


@pytest.mark.parametrize(("pid", "own"), [(655, True), (1, False), (4, False)])
def test_a_process_is_our_own_by_its_owner(monkeypatch: pytest.MonkeyPatch, pid: int, own: bool) -> None:  # noqa: FBT001
    """NDG-2: one that is gone is nobody's."""
    monkeypatch.setattr(darwin, "uid", lambda: 501)
    owners = b"    1     0\n  655   501\n"
    monkeypatch.setattr(
        child, "run", lambda *_a, **_k: child.Finished(0, owners, b"", timed_out=False, truncated=False)
    )

    assert darwin.Table().is_own(pid) is own
