"""What the bench's report says in short."""

from summary import answers, stops


def entry(*steps: tuple[str, int]) -> dict[str, object]:
    """A scenario in mode both that was right, with the lateness of its steps."""
    return {"both": {"verdicts": [{"step": step, "word": "right", "late_ms": late} for step, late in steps]}}


def test_answers_are_counted_at_each_width() -> None:
    """How often each did what it says."""
    found = {"claude 2": {"deny-often": {"both": {"verdicts": [], "rounds": [[100, 20, 20], [60, 4, 5]]}}}}

    assert "| claude 2 | deny | 100: 20 of 20, 60: 4 of 5 |" in answers(found)


def test_without_counts_there_is_no_table() -> None:
    """As with one agent, or one scenario."""
    assert answers({"claude 2": {"deny": entry(("2 idle", 900))}}) == ""


def test_an_agent_that_says_that_it_was_stopped_is_idle_within_two_seconds() -> None:
    """Only the step that ends it counts, and what is later is bold."""
    found = {
        "claude 2": {
            "deny": entry(("1 blocked/permission", 4000), ("2 idle", 1990)),
            "interrupt": entry(("2 idle", 2010)),
        }
    }

    assert "| claude 2 | 1990 |  |  | **2010** |  | 2000 |" in stops(found, dwell_s=3)


def test_an_agent_that_says_nothing_has_the_dwell_time_more() -> None:
    """Nothing but its screen tells."""
    found = {"copilot 1": {"deny": entry(("2 idle", 4990))}}

    assert "| copilot 1 | 4990 |  |  |  |  | 5000 |" in stops(found, dwell_s=3)


def test_a_stop_after_a_wrong_step_is_not_counted() -> None:
    """An agent that never asked was idle all the time."""
    found = {"claude 2": {"plan": entry(("2 blocked/plan", 0), ("3 idle", 0))}}
    found["claude 2"]["plan"]["both"]["verdicts"][0]["word"] = "wrong"  # type: ignore[index]

    assert "| claude 2 |  |  |  |  |  | 2000 |" in stops(found, dwell_s=3)
