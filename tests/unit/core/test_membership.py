"""Which sessions get a control client, in which order."""

from tma.core.membership import MAX_CLIENTS, Membership, Session


def session(number: int, activity: int = 0, *, group: str = "", fragile: bool = False, people: int = 0) -> Session:
    """A session."""
    return Session(f"${number}", group, activity, fragile, people)


def choose(sessions: list[Session], *wanted: int) -> tuple[list[str], bool]:
    """The choice of a daemon that has just started."""
    membership = Membership()
    membership.observe(sessions)
    choice = membership.choose(sessions, {f"${number}" for number in wanted})
    return choice.sessions, choice.whole


def test_a_server_without_a_pane_to_watch_gets_no_client() -> None:
    """DCC-1: and no other session does."""
    assert choose([session(1), session(2)]) == ([], True)


def test_a_session_with_such_a_pane_is_attached_to() -> None:
    """DCC-1: that one alone, where a plain attach goes elsewhere anyway."""
    assert choose([session(1, 10), session(2, 20)], 1) == (["$1"], True)


def test_the_one_used_last_attaches_last() -> None:
    """DCC-1: attaching is activity."""
    assert choose([session(1, 30), session(2, 10), session(3, 20)], 1, 2, 3)[0] == ["$2", "$3", "$1"]


def test_where_the_one_used_last_is_taken_all_are() -> None:
    """DCC-1: a plain attach prefers sessions that nobody is attached to."""
    assert choose([session(1, 10), session(2, 20)], 2)[0] == ["$1", "$2"]
    assert choose([session(1, 10), session(2, 20), session(3, 1, people=1)], 2)[0] == ["$2"]


def test_a_session_that_ends_with_its_last_client_is_left_alone() -> None:
    """DCC-3: our end would destroy it."""
    assert choose([session(1, fragile=True)], 1) == ([], False)


def test_of_a_group_one_is_enough() -> None:
    """DCC-3: shared windows report once."""
    assert choose([session(1, 1, group="g"), session(2, 2, group="g")], 1, 2) == (["$2"], True)


def test_beyond_64_the_least_recently_active_are_left_out() -> None:
    """DCC-3."""
    many = [session(number, number) for number in range(100)]
    found, whole = choose(many, *range(100))
    assert (len(found), found[-1], whole) == (MAX_CLIENTS, "$99", False)
    assert "$0" not in found


def test_our_own_clients_do_not_count_as_use() -> None:
    """DCC-1: attaching made the times of the server ours."""
    membership = Membership()
    membership.observe([session(1, 10), session(2, 20)])
    membership.observe([session(1, 99), session(2, 20)], {"$1"})
    assert membership.last_used == "$2"
    membership.observe([session(1, 120), session(2, 20)])
    assert membership.last_used == "$1"


def test_a_session_that_is_gone_is_forgotten() -> None:
    """DCC-2: keyed by id."""
    membership = Membership()
    membership.observe([session(1, 10)])
    membership.observe([])
    assert membership.last_used == ""
