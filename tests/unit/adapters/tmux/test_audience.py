"""Who sees a notice."""

from tma.adapters.tmux import audience

MARK = "0123abcd"


def record(kind: str, *fields: str) -> str:
    """One record of the answer."""
    return f"|{MARK}.|{kind}" + "".join(f"|{MARK}|{field}" for field in fields) + "\n"


def test_the_answer_names_clients_server_and_the_panes_terminal() -> None:
    """SNK-1, OSC-2: flags say who is suspended, control mode who has no terminal."""
    found = audience.parse(
        record("server", "3.4", "/s", "box", "7")
        + record("viewer", "c1", "/dev/pts/1", "0", "attached,focused", "xterm", "kitty", "$1")
        + record("viewer", "c2", "", "1", "attached,suspended", "", "", "$2")
        + record("viewer", "broken")
        + record("pane", "/dev/pts/9"),
        MARK,
    )
    assert (found.version, found.socket_path, found.pane_tty) == ("3.4", "/s", "/dev/pts/9")
    assert (found.host, found.pid) == ("box", 7)
    first, second = found.viewers
    assert (first.tty, first.control, first.suspended, first.termtype) == ("/dev/pts/1", False, False, "kitty")
    assert (second.control, second.suspended) == (True, True)


def test_a_server_without_clients_answers_nothing_more() -> None:
    """SNK-1."""
    assert audience.parse(record("server", "3.2a", "/s", "box", "7"), MARK).viewers == []
    assert audience.question(MARK, "")[-3:-1] == ["list-clients", "-F"]


def test_terminals_of_another_host_are_none_of_ours() -> None:
    """FWD-8, OSC-2: the same path here may be somebody else's terminal."""
    answer = record("server", "3.4", "/s", "box", "7") + record("pane", "/dev/pts/9")
    answer += record("viewer", "c1", "/dev/pts/1", "0", "attached", "xterm", "", "$1")
    unseen = audience.parse(answer, MARK).unseen()
    assert (unseen.pane_tty, [(viewer.name, viewer.tty) for viewer in unseen.viewers]) == ("", [("c1", "")])
