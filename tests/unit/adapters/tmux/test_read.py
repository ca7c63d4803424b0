"""Records of the one read, from literal text."""

import os
from pathlib import Path

import pytest

from tma.adapters.tmux import read
from tma.core.stamp import AGED, READ_OPTIONS

MARK = "0123abcd"


def record(
    pane: str = "%1", *, session: str = "$1", attached: str = "0", title: str = "t", path: str = "/w", **options: str
) -> str:
    """What tmux prints for one pane."""
    others = [options.get(key.removeprefix("@"), "") for key in READ_OPTIONS if key not in AGED]
    rest = [f"name{session}", attached, "2", "3", "", "0", "24", "/tmp/s", "3.3a", "box", "9", "5000", *others]
    first = aged(pane, session, summary="blocked:1", title=title, **options).removesuffix(f"|{MARK}.|\n")
    return f"|{MARK}|".join([first, *rest, "sh", path]) + f"|{MARK}.|\n"


def aged(pane: str, session: str = "$1", *, summary: str = "idle:1", title: str = "t", **options: str) -> str:
    """What tmux prints for a pane whose stamp nothing can have changed."""
    values = [options.get(key.removeprefix("@"), "") for key in AGED]
    return f"|{MARK}|".join([pane, "100", session, "@1", "1700", "0", title, *values, summary, ""]) + f"|{MARK}.|\n"


def test_a_record_gives_the_pane_and_the_server() -> None:
    """READ-1, READ-5: every field lands in its place."""
    (pane,), facts = read.parse(record(agent_state="idle", agent_model="m"), MARK)
    assert (pane.pane_id, pane.pid, pane.locator, pane.command, pane.title) == ("%1", 100, "name$1:2.3", "sh", "t")
    assert (pane.height, pane.scroll, pane.activity_s, pane.window_summary) == (24, None, 1700, "blocked:1")
    assert pane.options == {"@agent_state": "idle", "@agent_model": "m"}
    assert facts is not None
    assert (facts.socket_path, facts.version, facts.host, facts.pid, facts.last_poll) == (
        "/tmp/s",
        "3.3a",
        "box",
        9,
        5000,
    )


def test_values_cannot_forge_a_boundary() -> None:
    """READ-2, SEC-T-17: another mark, newlines and control bytes are text."""
    hostile = "|ffffffff.|\n|ffffffff|%9\x1f\t"
    (pane,), _ = read.parse(record(title=hostile, path="a\nb"), MARK)
    assert pane.title == hostile
    assert pane.path == "a\nb"


def test_a_broken_record_is_dropped_alone() -> None:
    """READ-3: wrong field count, or no number where one belongs."""
    bad = record("%2").replace("|100|", "|x|").replace(f"{MARK}|100", f"{MARK}|x")
    panes, _ = read.parse(record("%1") + bad + f"short|{MARK}|x|{MARK}.|\n" + record("%3"), MARK)
    assert [pane.pane_id for pane in panes] == ["%1", "%3"]


def test_a_dead_pane_without_a_process_is_no_broken_record() -> None:
    """ID-4: tmux 3.8 tells none of it, and its stamp has to go."""
    dead = aged("%1").replace(f"|{MARK}|100|", f"|{MARK}||").replace("1700|0123abcd|0", "1700|0123abcd|1")
    (pane,), _ = read.parse(dead + aged("%2").replace(f"|{MARK}|100|", f"|{MARK}||"), MARK)
    assert (pane.pane_id, pane.dead, pane.pid) == ("%1", True, read.NO_PROCESS)


def test_a_pane_listed_twice_is_one_record_of_the_attached_session() -> None:
    """READ-4: attached first, else the lowest session number; every session stays known."""
    (pane,), _ = read.parse(record(session="$1") + record(session="$10", attached="1"), MARK)
    assert [session_id for session_id, _ in pane.sessions] == ["$10", "$1"]
    (pane,), _ = read.parse(record(session="$10") + record(session="$2"), MARK)
    assert pane.session_name == "name$2"


def facts(*values: str) -> str:
    """What tmux prints of itself."""
    return f"|{MARK}|".join(["facts", *values]) + f"|{MARK}.|\n"


def test_panes_without_an_agent_tell_their_process_alone() -> None:
    """READ-1: they are not asked for their options, and are told once in lines of their own."""
    text = facts("/tmp/s", "3.3a", "box", "9", "5000", "#[fg=red]⚑1") + record("%1", agent_state="idle")
    text += f"window|{MARK}|@7|{MARK}|idle:1|{MARK}.|\nsession|{MARK}|$1|{MARK}|idle:2|{MARK}.|\n"
    text += f"%1 100\n%2 200\n%2 200\n%3 x\n|{MARK}.|client|{MARK}|%1|{MARK}|1|{MARK}|0|{MARK}||{MARK}|1\n"

    (pane,), told = read.parse(text, MARK)

    assert (pane.options, pane.sessions) == ({"@agent_state": "idle"}, [("$1", "name$1")])
    assert told is not None
    assert (told.host, told.pid, told.last_poll, told.status_line) == ("box", 9, 5000, "#[fg=red]⚑1")
    assert (told.windows, told.sessions, told.others) == ({"@7": "idle:1"}, {"$1": "idle:2"}, {"%2": 200})


def test_an_aged_record_tells_what_decides_whether_it_stands() -> None:
    """READ-1, READ-4, CYC-4: the stamp, the mark, the title, the window's last output, and the summaries."""
    text = facts("/tmp/s", "3.3a", "box", "9", "", "") + aged("%1", "$2", agent_state="idle", agent_attention="1")
    (pane,), _ = read.parse(text + aged("%1", "$1", agent_state="idle"), MARK)
    assert (pane.pane_id, pane.pid, pane.window_id, pane.activity_s, pane.command) == ("%1", 100, "@1", 1700, "")
    assert pane.title == "t"
    assert [session_id for session_id, _ in pane.sessions] == ["$1", "$2"]
    assert (pane.window_summary, pane.summaries) == ("idle:1", {"$1": "", "$2": ""})
    assert pane.options == {"@agent_state": "idle"}


def test_a_server_without_panes_has_no_facts() -> None:
    """READ-1: nothing is to be decided there; a broken record is dropped (READ-3)."""
    said = facts("/tmp/s", "3.3a", "box", "9", "", "")
    assert read.parse(said, MARK) == ([], None)
    assert read.parse(aged("%1").replace("|100|", "|x|").replace("100", "x"), MARK) == ([], None)
    assert read.parse(said + "%1 100\n", MARK)[1] is not None


def test_the_read_for_rows_asks_records_of_panes_that_tell_something() -> None:
    """READ-1: the path of none, since no row of a count needs it."""
    command, mark = read.list_telling()
    whole = command[: command.index(";")]
    assert "#{@agent_state}" in whole[whole.index("-f") + 1]
    assert len(whole[-1].split(f"|{mark}|")) == len(record().split(f"|{MARK}|"))
    assert "#{pane_current_path}" not in " ".join(command)
    assert command[-4:] == ["list-panes", "-a", "-F", "#{pane_id} #{pane_pid}"]


def test_the_read_for_counts_asks_less_of_what_stands_unseen() -> None:
    """READ-1, CYC-4: the condition is evaluated by the server."""
    command, mark = read.list_telling(100_000)
    first, _, rest = command[command.index("-F") + 1].partition("#{?")
    assert len(first.split(f"|{mark}|")) == len(aged("%1").split(f"|{MARK}|"))
    assert "40000" in rest


def test_a_filter_names_few_panes_and_takes_all_where_they_are_many() -> None:
    """WR-3: an argument list has its limit."""
    assert read.one_of(["%1", "%20"]) == "#{m:* #{pane_id} *, %1 %20 }"
    assert read.one_of([f"%{number}" for number in range(300)]) == "1"


def test_program_clients_and_broken_records_are_no_clients() -> None:
    """ATN-4, ATN-5: only a client whose control mode is literally 0 has eyes behind it."""
    rows = [
        ("%1", "10", "0", "attached,focused", "1"),
        ("%2", "10", "1", "", "1"),
        ("%3", "10", "", "", "1"),
        ("%4", "10", "0", "attached,focused,suspended", "0"),
    ]
    text = "".join(f"|{MARK}.|client|{MARK}|" + f"|{MARK}|".join(row) + "\n" for row in rows) + "junk"
    first, second = read.parse_clients(text, MARK)
    assert (first.pane_id, first.active_at, first.focused, first.suspended) == ("%1", 10_000, True, False)
    assert (second.pane_id, second.focused, second.suspended) == ("%4", None, True)


class TestAskingEarly:
    """The one read may begin before the configuration is loaded, where no file can choose another tmux."""

    @pytest.fixture
    def home(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """An environment without any configuration, whose tmux prints what it was asked."""
        for name in list(os.environ):
            if name.startswith(("TMA_", "XDG_")):
                monkeypatch.delenv(name)
        stand_in = tmp_path / "tmux"
        stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        stand_in.chmod(0o755)
        environment = {b"HOME": str(tmp_path).encode(), b"TMA_TMUX_BIN": str(stand_in).encode()}
        monkeypatch.setattr("posix.environ", environment)
        return tmp_path

    def test_without_a_configuration_tmux_is_asked_at_once(self, home: Path) -> None:
        """GLO-2: at the server that the options name."""
        asked = read.ask_early({"socket_name": "work"})
        assert asked is not None
        words = asked.begun.finish().out.decode().split("\n")
        assert words[:4] == ["-u", "-L", "work", "display-message"]
        assert home.is_dir()

    @pytest.mark.parametrize("place", [".config/tma/config.toml", ".config/tma/agents/x.toml"])
    def test_a_configuration_is_read_first(self, home: Path, place: str) -> None:
        """It may name another tmux, or be broken."""
        (home / place).parent.mkdir(parents=True)
        (home / place).touch()
        assert read.ask_early({}) is None

    @pytest.mark.parametrize("option", ["config", "manifest_dir"])
    def test_a_chosen_one_is_read_first(self, home: Path, option: str) -> None:
        """GLO-5: whether or not it is there."""
        assert read.ask_early({option: str(home / "none")}) is None
