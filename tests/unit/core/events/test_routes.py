"""Which sinks a trigger reaches."""

from tma.core import config
from tma.core.events.routes import Route, route


def routed(trigger: str = "blocked", **notify: object) -> Route:
    """The route of a trigger under settings."""
    return route(config.parse({"notify": notify})["notify"], trigger)


def test_without_settings_the_message_alone_is_sent() -> None:
    """RTE-2."""
    assert routed() == Route(
        message=True, bell="", forms=(), desktop=False, click=False, command="", urls=(), log="", title=False,
        timeout_s=10,
    )  # fmt: skip


def test_a_trigger_has_its_own_command_or_the_general_one() -> None:
    """RTE-1: an empty text is unset."""
    assert routed(command="a", blocked={"command": "b"}).command == "b"
    assert routed("done", command="a", blocked={"command": "b"}).command == "a"
    assert routed(command="a", blocked={"command": ""}).command == "a"
    assert routed("completion", command="a").command == "a"


def test_a_trigger_may_choose_its_sinks() -> None:
    """RTE-4: instead of what is on; the log is no sink to choose."""
    chosen = routed(
        command="a", bell=True, osc_777=True, urls=["u://a"], log="/l", blocked={"sinks": ["osc", "desktop", "urls"]}
    )
    assert (chosen.message, chosen.bell, chosen.command, chosen.log) == (False, "", "", "/l")
    assert (chosen.forms, chosen.desktop, chosen.urls) == (("777",), True, ("u://a",))
    assert routed(blocked={"sinks": ["osc", "bell"]}).forms == ("9",)
    assert routed(blocked={"sinks": ["bell"]}).bell == "pane"
    assert routed(urls=["u://a"], blocked={"urls": []}).urls == ()


def test_a_bell_is_the_panes_the_clients_or_both() -> None:
    """SNK-2: true is the pane's."""
    assert [routed(bell=value).bell for value in (False, True, "client", "both")] == ["", "pane", "client", "both"]
