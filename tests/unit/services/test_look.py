"""One pane under judgment, its screen given by hand."""

from detection import context, pane, shell_with
from tma.adapters.linux import Table
from tma.core.triage import triage
from tma.services.look import Look, ticks


def looking(screen: str | None) -> Look:
    """A look at a pane with a known agent."""
    look = Look(triage(pane(), context()), context(), Table(), shell_with("claude"))
    assert look.waiting
    look.show(screen)
    return look


def test_a_look_waits_for_the_screen_and_then_decides() -> None:
    """CYC-5: capture, evaluate, fold."""
    look = looking("[permission]\n")
    assert not look.waiting
    assert look.plan.stamp_after is not None
    assert (look.plan.stamp_after.state, look.plan.stamp_after.detail) == ("blocked", "permission")


def test_a_pane_that_vanished_has_no_row() -> None:
    """CYC-6: one pane less."""
    assert not looking(None).plan.has_row


def test_the_running_clock_never_goes_back() -> None:
    """MAN-RX-6: the budget is measured on it."""
    assert 0 < ticks() <= ticks()
