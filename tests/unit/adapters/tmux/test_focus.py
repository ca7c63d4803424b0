"""Who looks at what, read from an answer, and the commands that move."""

import pytest

from tma.adapters.tmux import focus
from tma.adapters.tmux.focus import Client, Shown, Sight

MARK = "77"


def shown(pane: str = "%1", session: str = "$1", *, attached: bool = False, **changes: object) -> Shown:
    """A pane in a window that is current, and in front there."""
    return Shown(pane, session, "work", attached, "@1", 1, current=True, pane_index=0, active=True)._replace(
        **changes  # type: ignore[arg-type]
    )


def client(name: str = "c", activity: int = 0, session: str = "$1", pane: str = "%1") -> Client:
    """A person's client."""
    return Client(name, activity, 80, 24, session, pane)


def answer(*records: tuple[str, ...]) -> str:
    """What tmux prints, a line a record."""
    return "".join(f"|{MARK}.|" + f"|{MARK}|".join(record) + "\n" for record in records)


def test_an_answer_is_read_and_what_is_broken_left_out() -> None:
    """FOC-2, ATN-5: a client of a program is nobody's; a name may hold anything but the mark."""
    text = answer(
        ("choice", "/dev/pts/1"),
        ("client", "/dev/pts/1", "0", "100", "120", "40", "$2", "%4"),
        ("client", "client-9", "1", "100", "", "", "$2", "%4"),
        ("client", "short"),
        ("shown", "$2", "it's |x| \n;", "1", "@3", "4", "1", "0", "0", "%4"),
        ("shown", "$2"),
    )

    sight = focus.parse(text, MARK)

    assert sight.choice == "/dev/pts/1"
    assert sight.clients == [Client("/dev/pts/1", 100, 120, 40, "$2", "%4")]
    assert [each.locator for each in sight.shown] == ["it's |x| \n;:4.0"]
    assert (sight.shown[0].current, sight.shown[0].active, sight.shown[0].attached) == (True, False, True)


@pytest.mark.parametrize(
    ("name", "choice", "expected"), [("b", "a", "b"), ("x", "a", None), ("", "a", "a"), ("", "tool", "b")]
)
def test_the_client_is_the_named_one_else_tmuxs_choice_else_the_last_used(
    name: str, choice: str, expected: str | None
) -> None:
    """FOC-2: another is never moved in place of the named one; a choice that is a program's does not count."""
    found = Sight(choice, [client("a", 1), client("b", 2)], []).client(name)

    assert (found and found.name) == expected


def test_a_pane_is_found_in_the_session_asked_for_else_an_attached_else_the_oldest() -> None:
    """FC-29, READ-4."""
    panes = [shown(session="$10"), shown(session="$9"), shown(session="$11", attached=True)]

    assert Sight("", [], panes).place("%1", "$10") is panes[0]
    assert Sight("", [], panes).place("%1", "$77") is panes[2]
    assert Sight("", [], panes[:2]).place("%1") is panes[1]
    assert Sight("", [], panes).place("%2") is None


def test_each_command_is_left_out_where_it_holds() -> None:
    """FOC-1."""
    assert focus.move(client(), shown()) == []
    assert focus.move(client(session="$2"), shown()) == [["switch-client", "-c", "c", "-t", "$1"]]
    assert focus.move(client(), shown(current=False)) == [["select-window", "-t", "$1:@1"]]
    assert focus.move(client(), shown(active=False)) == [["select-pane", "-t", "%1"]]


def test_commands_are_chained() -> None:
    """A list ends at the first command that fails, so that a refused move leaves no trail."""
    assert focus.chain([["a", "b"], ["c"]]) == ["a", "b", ";", "c"]
    assert focus.chain([]) == []


def test_an_empty_trail_is_forgotten() -> None:
    """TRL-4."""
    assert focus.keep_trail("@k", "%1 a:0.0") == ["set-option", "-sq", "@k", "%1 a:0.0"]
    assert focus.keep_trail("@k", "") == ["set-option", "-squ", "@k"]
