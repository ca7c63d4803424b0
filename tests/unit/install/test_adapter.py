"""Which events an agent gets."""

from tma.install.adapter import Adapter, events_of


def test_the_manifests_events_come_first_and_once() -> None:
    """ADP-2, CHK-1: an agent without events has nothing to wire."""
    adapter = Adapter("x", lambda _, __: [], extra=("B", "C"))

    assert events_of(adapter, ["A", "B", "A"]) == ["A", "B", "C"]
    assert events_of(adapter, []) == []
