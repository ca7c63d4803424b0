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


def test_a_fresh_pane_is_not_asked_for_its_command() -> None:
    """READ-1: the server looks up the command only of panes that need it."""
    assert "#{?#{e|>:#{@agent_stamped_at},77},,#{pane_current_command}}" in read.pane_format(MARK, fresh_since_ms=77)
    assert "#{pane_current_command}" in read.pane_format(MARK)


def test_program_clients_and_broken_records_are_no_clients() -> None:
    """ATN-4, ATN-5: only a client whose control mode is literally 0 has eyes behind it."""
    rows = [("%1", "10", "0"), ("%2", "10", "1"), ("%3", "10", "")]
    text = "".join(f"|{MARK}.|client|{MARK}|" + f"|{MARK}|".join(row) + "\n" for row in rows) + "junk"
    assert [(client.pane_id, client.active_at) for client in read.parse_clients(text, MARK)] == [("%1", 10_000)]


def test_captures_are_split_by_pane() -> None:
    """CAP-1: the text of each pane that was still there."""
    text = f"|{MARK}|%1\nline\n\n|{MARK}|%2\n"
    assert read.parse_captures(text, MARK) == {"%1": "line\n\n", "%2": ""}
