"""The Linux process table, on a /proc made of files and on the real one."""

import os
from pathlib import Path

import pytest

from tma.adapters.linux import Table
from tma.adapters.system import MAX_PARENTS
from tma.core.errors import TmaError


class FakeProc:
    """A directory that looks like /proc to the table."""

    def __init__(self, root: Path, *, lists_children: bool = True) -> None:
        self.root = root
        self.lists_children = lists_children
        self.parents: dict[int, int] = {}

    def add(self, pid: int, ppid: int, comm: str, *argv: str, pgid: int = 0, tpgid: int = -1, state: str = "S") -> None:
        """Add one process; its parent must be there already to list it."""
        task = self.root / str(pid) / "task" / str(pid)
        task.mkdir(parents=True)
        rest = f"{state} {ppid} {pgid or pid} {pid} 34816 {tpgid} " + "0 " * 13 + "4711 0 0"
        (self.root / str(pid) / "stat").write_text(f"{pid} ({comm}) {rest}\n")
        (self.root / str(pid) / "cmdline").write_text("".join(f"{word}\0" for word in argv))
        (task / "stat").write_text(f"{pid} ({comm}) {rest}\n")
        if self.lists_children:
            (task / "children").write_text("")
            listing = self.root / str(ppid) / "task" / str(ppid) / "children"
            if listing.exists():
                listing.write_text(f"{listing.read_text()}{pid} ")

    def table(self) -> Table:
        """The table that reads it."""
        return Table(str(self.root))


@pytest.fixture
def proc(tmp_path: Path) -> FakeProc:
    """An empty /proc of a kernel that lists children."""
    return FakeProc(tmp_path)


def codex_pane(proc: FakeProc) -> None:
    """A shell with codex from npm in the foreground."""
    proc.add(100, 1, "bash", "-bash", tpgid=200)
    proc.add(200, 100, "node", "node", "/opt/bin/codex", tpgid=200)
    proc.add(300, 200, "codex", "/opt/lib/codex", pgid=200, tpgid=200)


def test_a_tree_holds_the_root_first_and_every_descendant(proc: FakeProc) -> None:
    """The walk starts at the pane's root and follows parent links down (PROC-4)."""
    codex_pane(proc)
    proc.add(900, 1, "claude", "claude")

    tree = proc.table().tree(100)

    assert [info.pid for info in tree] == [100, 200, 300]
    assert [(info.ppid, info.pgid, info.tpgid) for info in tree] == [(1, 100, 200), (100, 200, 200), (200, 200, 200)]
    assert tree[2].started == "4711"


def test_a_kernel_without_children_lists_gives_the_same_tree(tmp_path: Path) -> None:
    """The fall-back over the whole table finds what the lists would have said (PROC-1)."""
    with_lists, without = FakeProc(tmp_path / "a"), FakeProc(tmp_path / "b", lists_children=False)
    codex_pane(with_lists)
    codex_pane(without)

    trees = [[(info.pid, info.names) for info in fake.table().tree(100)] for fake in (with_lists, without)]

    assert trees[0] == trees[1]
    assert len(trees[1]) == 3


def test_a_process_carries_the_names_of_its_command_line(proc: FakeProc) -> None:
    """An interpreter also carries the name of the program it runs (PROC-8)."""
    codex_pane(proc)

    tree = proc.table().tree(100)

    assert tree[1].names[0] == "node"
    assert "codex" in tree[1].names


def test_a_shell_carries_its_own_name_only(proc: FakeProc) -> None:
    """A shell's command line is not read, so a script's name makes no agent of it (PROC-6, PROC-8)."""
    proc.add(100, 1, "bash", "bash", "claude")

    assert proc.table().tree(100)[0].names == ("bash",)


def test_a_name_with_brackets_and_blanks_is_read_whole(proc: FakeProc) -> None:
    """The name ends at the last bracket, so it cannot shift the numbers behind it (PROC-1)."""
    proc.add(100, 1, "a) S 9 9 (b", tpgid=7)

    info = proc.table().tree(100)[0]

    assert (info.ppid, info.tpgid) == (1, 7)


def test_no_controlling_terminal_reads_as_zero(proc: FakeProc) -> None:
    """A foreground group of -1 means that there is no terminal (PROC-1)."""
    proc.add(100, 1, "claude", "claude", tpgid=-1)

    assert proc.table().tree(100)[0].tpgid == 0


def test_an_ended_process_that_nobody_collected_is_gone(proc: FakeProc) -> None:
    """A zombie runs nothing and is no agent (PROC-5)."""
    codex_pane(proc)
    (proc.root / "300" / "stat").write_text("300 (codex) Z 200 200 200 0 200 " + "0 " * 13 + "1\n")

    assert [info.pid for info in proc.table().tree(100)] == [100, 200]


def test_a_loop_in_the_data_ends_the_walk(proc: FakeProc) -> None:
    """A process listed as its own descendant is visited once (PROC-4)."""
    codex_pane(proc)
    (proc.root / "300" / "task" / "300" / "children").write_text("100 200 300 ")

    assert [info.pid for info in proc.table().tree(100)] == [100, 200, 300]


def test_a_gone_root_gives_an_empty_tree_while_others_are_seen(proc: FakeProc) -> None:
    """A pane that just died has no processes (PROC-6)."""
    proc.add(os.getpid(), 1, "python3", "python3")

    assert proc.table().tree(100) == []


def test_an_unreadable_table_is_an_error_and_no_empty_tree(proc: FakeProc) -> None:
    """Where nothing can be seen the walk fails, since an empty tree would end agents (PROC-7)."""
    with pytest.raises(TmaError, match="cannot read the process table"):
        proc.table().tree(100)


def test_ancestors_go_up_from_the_nearest_parent(proc: FakeProc) -> None:
    """The parents are told with pid and name up to pid 1 (OWN-3)."""
    proc.add(1, 0, "init")
    codex_pane(proc)
    proc.add(400, 300, "sh", "sh", "-c", "hook")

    assert proc.table().ancestors(400) == [(300, "codex"), (200, "node"), (100, "bash"), (1, "init")]


def test_ancestors_end_after_sixty_four(proc: FakeProc) -> None:
    """A deeper chain is cut, so a loop of parents ends too (OWN-3)."""
    proc.add(10, 11, "a")
    proc.add(11, 10, "b")

    assert len(proc.table().ancestors(10)) == MAX_PARENTS


def test_names_of_a_missing_process_are_none(proc: FakeProc) -> None:
    """A pid that is not there has no name (FWD-7)."""
    codex_pane(proc)

    assert proc.table().names(200)[0] == "node"
    assert proc.table().names(5) == ()


def test_a_variable_is_the_one_that_the_process_was_started_with(proc: FakeProc) -> None:
    """Another account's agent is asked for its own directory; nothing to read is no variable (APS-3)."""
    codex_pane(proc)
    (proc.root / "300" / "environ").write_bytes(b"HOMEPAGE=no\0HOME=/home/you\0EMPTY=\0")

    told = [proc.table().variable(pid, name) for pid, name in ((300, "HOME"), (300, "EMPTY"), (200, "HOME"))]

    assert told == ["/home/you", "", ""]


def test_this_process_is_found_in_the_real_table() -> None:
    """The real /proc is read like the made one (PROC-1)."""
    table = Table()

    assert [info.pid for info in table.tree(os.getpid())][:1] == [os.getpid()]
    assert table.ancestors(os.getpid())[0][0] == os.getppid()
    assert table.getsid(os.getpid()) == os.getsid(0)
    assert table.exists(os.getpid())


def test_a_process_is_our_own_by_its_owner(proc: FakeProc, monkeypatch: pytest.MonkeyPatch) -> None:
    """NDG-2: one that is gone is nobody's."""
    proc.add(100, 1, "python3")

    assert proc.table().is_own(100)
    assert not proc.table().is_own(101)
    monkeypatch.setattr("tma.adapters.linux.uid", lambda: os.geteuid() + 1)
    assert not proc.table().is_own(100)


def test_the_names_of_a_tree_are_those_of_its_processes(proc: FakeProc) -> None:
    """ID-8: for a pane that holds no agent nothing else is asked; a shell is nobody by its command line (PROC-8)."""
    codex_pane(proc)
    proc.add(os.getpid(), 1, "python")

    assert list(proc.table().carried(100)) == [name for info in proc.table().tree(100) for name in info.names]
    assert next(iter(proc.table().carried(100))) == "bash"
    assert list(proc.table().carried(999)) == []


def test_what_was_foreseen_is_not_read_again(proc: FakeProc) -> None:
    """The children of the server, while it answers; a pane that came later is read when it is asked for."""
    proc.add(10, 1, "tmux: server", "tmux")
    proc.add(20, 10, "vim", "vim")
    table = proc.table()
    table.foresee(10)
    proc.add(30, 10, "claude", "claude")
    (proc.root / "20" / "stat").unlink()

    assert list(table.carried(20)) == ["vim"]
    assert [info.names for info in table.tree(20)] == [("vim",)]
    assert list(table.carried(30)) == ["claude"]


def test_a_foreseen_tree_without_the_process_that_is_asked_for_is_read_anew(proc: FakeProc) -> None:
    """ID-8: an agent that began and reported since then is not taken for gone."""
    proc.add(10, 1, "tmux: server", "tmux")
    proc.add(20, 10, "bash", "bash")
    table = proc.table()
    table.foresee(10)
    proc.add(30, 20, "claude", "claude")

    assert [info.pid for info in table.tree(20)] == [20]
    assert [info.pid for info in table.tree(20, holding=30)] == [20, 30]


def test_nothing_is_foreseen_of_nobody(proc: FakeProc) -> None:
    """Without a server's process there is nothing to read."""
    proc.add(os.getpid(), 1, "python")
    table = proc.table()
    table.foresee(0)
    table.foresee(77)
    assert list(table.carried(77)) == []
