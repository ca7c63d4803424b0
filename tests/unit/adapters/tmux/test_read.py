"""Records of the one read, from literal text."""

from tma.adapters.tmux import read
from tma.core.stamp import READ_OPTIONS

MARK = "0123abcd"


def record(
    pane: str = "%1", *, session: str = "$1", attached: str = "0", title: str = "t", path: str = "/w", **options: str
) -> str:
    """What tmux prints for one pane."""
    plain = [pane, "100", f"name{session}", session, attached, "@1", "2", "3", "1700", "", "0", "0", "24",
             "/tmp/s", "3.3a", "box", "9"]  # fmt: skip
    values = [options.get(key.removeprefix("@"), "") for key in READ_OPTIONS]
    return f"|{MARK}|".join([*plain, *values, "blocked:1", "", "5000", "sh", path, title]) + f"|{MARK}.|\n"


def test_a_record_gives_the_pane_and_the_server() -> None:
    """READ-1, READ-5: every field lands in its place."""
    (pane,), facts = read.parse(record(agent_state="idle"), MARK)
    assert (pane.pane_id, pane.pid, pane.locator, pane.command, pane.title) == ("%1", 100, "name$1:2.3", "sh", "t")
    assert (pane.height, pane.scroll, pane.activity_s, pane.window_summary) == (24, None, 1700, "blocked:1")
    assert pane.options == {"@agent_state": "idle"}
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


def test_a_pane_listed_twice_is_one_record_of_the_attached_session() -> None:
    """READ-4: attached first, else the lowest session number; every session stays known."""
    (pane,), _ = read.parse(record(session="$1") + record(session="$10", attached="1"), MARK)
    assert [session_id for session_id, _ in pane.sessions] == ["$10", "$1"]
    (pane,), _ = read.parse(record(session="$10") + record(session="$2"), MARK)
    assert pane.session_name == "name$2"


def brief(pane: str, *, session: str = "$1", summary: str = "") -> str:
    """What tmux prints for one pane of the second list."""
    return f"|{MARK}|".join([pane, "200", f"name{session}", session, "@7", "1", summary, ""]) + f"|{MARK}.|\n"


def facts(*values: str) -> str:
    """What tmux prints of itself."""
    return f"|{MARK}|".join(["facts", *values]) + f"|{MARK}.|\n"


def test_a_brief_record_tells_the_process_and_the_summaries_alone() -> None:
    """READ-1: a pane without an agent is not asked for its options; a whole record of the same pane goes first."""
    text = facts("/tmp/s", "3.3a", "box", "9", "5000", "#[fg=red]⚑1") + record("%1", agent_state="idle")
    text += brief("%1") + brief("%2", session="$1", summary="idle:1") + brief("%2", session="$0")

    (first, second), told = read.parse(text, MARK)

    assert (first.is_brief, first.options, first.sessions) == (False, {"@agent_state": "idle"}, [("$1", "name$1")])
    assert (second.pane_id, second.pid, second.is_brief, second.dead, second.window_id) == ("%2", 200, True, True, "@7")
    assert (second.options, second.command, second.window_summary) == ({}, "", "")
    assert [session_id for session_id, _ in second.sessions] == ["$0", "$1"]
    assert told is not None
    assert (told.host, told.pid, told.last_poll, told.status_line) == ("box", 9, 5000, "#[fg=red]⚑1")


def test_a_server_without_panes_has_no_facts() -> None:
    """READ-1: nothing is to be decided there; a broken brief record is dropped like any other (READ-3)."""
    assert read.parse(facts("/tmp/s", "3.3a", "box", "9", "", ""), MARK) == ([], None)
    assert read.parse(brief("%1").replace("200", "x"), MARK) == ([], None)


def test_the_brief_read_asks_whole_records_of_panes_that_tell_something() -> None:
    """READ-1: the path of none, since no row of a count needs it."""
    command, mark = read.list_telling()
    whole, others = command[: command.index(";")], command[command.index(";") + 1 :]
    assert "#{@agent_state}" in whole[whole.index("-f") + 1]
    assert "#{pane_current_path}" not in " ".join(command)
    assert others[-1].count(f"|{mark}") == len(brief("%1").split(f"|{MARK}|"))


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


def test_captures_are_split_by_pane() -> None:
    """CAP-1: the text of each pane that was still there."""
    text = f"|{MARK}|%1\nline\n\n|{MARK}|%2\n"
    assert read.parse_captures(text, MARK) == {"%1": "line\n\n", "%2": ""}
