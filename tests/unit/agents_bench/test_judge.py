"""What the bench of real agents calls right, late and wrong."""

from judge import RIGHT, WRONG, Truth, Verdict, judge, told
from observe import Seen


def seen(*claims: tuple[int, str]) -> list[Seen]:
    """Claims by instant, with a detail behind a slash."""
    return [Seen(at, *claim.partition("/")[::2]) for at, claim in claims]


def test_a_claim_after_the_truth_is_right_and_late() -> None:
    """The lateness counts from the model's event, not from the keys."""
    found = judge(Truth(5000, "working"), seen((0, "idle"), (5120, "working")), "idle")

    assert found == Verdict(RIGHT, 120)


def test_a_claim_that_stands_already_is_not_late() -> None:
    """A hook may report an end before the model server has noted it."""
    assert judge(Truth(5000, "done"), seen((0, "working"), (4990, "done")), "working") == Verdict(RIGHT, 0)


def test_the_last_turns_end_is_not_taken_for_this_ones() -> None:
    """An old claim that was replaced long before the truth counts as the way to it."""
    claims = seen((0, "done"), (1000, "working"), (9300, "done"))

    assert judge(Truth(9000, "done"), claims, "done") == Verdict(RIGHT, 300)


def test_a_state_that_was_never_true_is_wrong() -> None:
    """Working is always possible on the way, blocked is not."""
    claims = seen((0, "idle"), (1000, "blocked/permission"), (1200, "done"))

    assert judge(Truth(1100, "done"), claims, "idle").word == WRONG


def test_blocked_before_it_is_known_for_what_is_only_late() -> None:
    """An agent's state file may be quicker than its screen."""
    claims = seen((0, "idle"), (1000, "blocked"), (3000, "blocked/permission"))

    assert judge(Truth(900, "blocked/permission"), claims, "idle") == Verdict(RIGHT, 2100)


def test_an_agent_that_is_seen_once_more_while_it_ends_is_gone_when_it_stays_gone() -> None:
    """Its goodbye comes before its process's end."""
    claims = seen((0, "done"), (1000, "gone"), (1100, "idle"), (3000, "gone"))

    assert judge(Truth(900, "gone"), claims, "done") == Verdict(RIGHT, 2100)
    assert judge(Truth(900, "gone"), claims[:3], "done").word == WRONG


def test_a_claim_that_does_not_last_is_wrong() -> None:
    """An expectation holds until the next step."""
    found = judge(Truth(0, "blocked"), seen((10, "blocked/permission"), (2010, "idle")), "idle")

    assert found == Verdict(WRONG, 0, "blocked became idle after 2.0 s")


def test_a_detail_counts_where_it_is_named() -> None:
    """Blocked for a question is no permission."""
    claims = seen((0, "blocked/question"))

    assert judge(Truth(0, "blocked"), claims, "idle").word == RIGHT
    assert judge(Truth(0, "blocked/permission"), claims, "blocked").word == WRONG


def test_idle_may_be_done_and_done_may_not_be_idle() -> None:
    """Whether somebody has seen it matters where a scenario says so."""
    assert judge(Truth(0, "idle"), seen((0, "done")), "working").word == RIGHT
    assert judge(Truth(0, "done"), seen((0, "idle")), "idle").word == WRONG


def test_what_is_optional_may_be_missed() -> None:
    """A state shorter than the time between two looks."""
    assert judge(Truth(0, "working", optional=True), seen((0, "idle")), "idle").word == RIGHT


def test_a_stream_that_skips_a_state_is_told() -> None:
    """Edges between the expected ones do no harm, a missing one is named."""
    assert told(["working", "done"], ["working", "blocked", "idle"]) == "done"
    assert told(["working", "idle"], ["working", "blocked", "done"]) == ""
