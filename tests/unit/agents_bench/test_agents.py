"""The definitions of the bench are complete."""

import pytest

from agents import Agent, Scenario, agents, filled, scenarios

DOINGS = {"plan", "answer", "dismiss", "menu", "compact", "clear", "exit"}


@pytest.mark.parametrize("agent", agents(), ids=lambda agent: agent.title)
@pytest.mark.parametrize("scenario", scenarios(), ids=lambda scenario: scenario.name)
def test_an_agent_can_do_what_a_scenario_asks_or_says_why_not(agent: Agent, scenario: Scenario) -> None:
    """Keys and texts for each step."""
    wanted = {step["do"] for step in scenario.steps if "do" in step} & DOINGS
    if scenario.name not in agent.skip:
        assert wanted - agent.keys.keys() - agent.texts.keys() == set()


def test_a_reason_is_given_for_scenarios_that_exist_only() -> None:
    """A scenario that was renamed leaves no reason behind."""
    known = {scenario.name for scenario in scenarios()}

    assert [
        name for agent in agents() for name in {**agent.skip, **agent.silent, **agent.known} if name not in known
    ] == []


def test_an_unknown_place_is_an_error() -> None:
    """A misspelt place would reach an agent's configuration."""
    with pytest.raises(KeyError):
        filled("@NOPE@", {"PORT": "1"})


def test_where_no_action_fits_a_persons_keys_are_pressed() -> None:
    """An agent without permissions has questions in their place."""
    agent = next(each for each in agents() if not each.asks)

    assert agent.adapted({"act": "approve", "expect": "blocked/permission"}) == {
        "do": "answer",
        "expect": "blocked/question",
    }


@pytest.mark.parametrize("agent", agents(), ids=lambda agent: agent.title)
def test_a_person_has_keys_for_what_must_be_refused(agent: Agent) -> None:
    """The dialog is answered all the same, and the scenario goes on."""
    assert agent.refused.keys() <= agent.keys.keys()
