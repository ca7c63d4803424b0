"""Which notices a pass claims, and which it rings for; the claims themselves are tried on real servers."""

from acting import fake_runtime
from rows import NOW
from tma.core import stamp
from tma.core.pane import PaneRecord, ServerFacts
from tma.core.triage import Context, triage
from tma.services.cycle import Snapshot
from tma.services.notify.dispatch import Notifier


class Sinks:
    """Sinks that keep what they are offered."""

    def __init__(self) -> None:
        self.offered: list[str] = []

    def offer(self, notice: object) -> None:
        """Take a notice."""
        self.offered.append(notice.trigger)  # type: ignore[attr-defined]

    def adopt(self, _runtime: object) -> None:
        """Nothing to change."""

    def close(self) -> None:
        """Nothing to end."""


def snapshot(**options: str) -> Snapshot:
    """One pane, as a pass reads it."""
    pane = PaneRecord("%1", 5)
    plain = {"name": "claude", "state": "blocked", "session": "s", "source": "hook"}
    times = dict.fromkeys(("since", "evidence_at", "stamped_at"), str(NOW))
    pane.options = {f"@agent_{name}": value for name, value in (plain | times | options).items() if value}
    runtime, _ = fake_runtime(lambda _: "")
    found = Snapshot(NOW + 100, ServerFacts("/s", "3.4", "h", 1, 0))
    found.plans = [triage(pane, Context(now=NOW + 100, settings=runtime.settings, names=["claude"]))]
    return found


def passed(found: Snapshot, *, wins: bool = True) -> tuple[int, list[str], list[str]]:
    """A pass with default settings: how many rang, of what, and what was written."""
    runtime, server = fake_runtime(lambda _: "")
    written: list[str] = []

    def feed(script: str) -> str:
        written.append(script)
        words = script.split("@tma_notify_claim},")
        return "".join(f"%1 {word[:16]}\n" for word in words[1:]) if wins else "%1 other\n"

    server.feed = feed  # type: ignore[attr-defined]
    sinks = Sinks()
    return Notifier(runtime, sinks).dispatch(found), sinks.offered, written  # type: ignore[arg-type]


def test_a_claim_that_was_won_rings() -> None:
    """NMK-1."""
    assert passed(snapshot())[:2] == (1, ["blocked"])


def test_a_claim_that_was_lost_does_not() -> None:
    """NMK-1, NMK-2."""
    assert passed(snapshot(), wins=False)[:2] == (0, [])


def test_a_pass_with_nothing_due_starts_no_client() -> None:
    """RC-2, TRG-3."""
    for options in ({"state": "working"}, {"notified_at": str(NOW)}, {"state": "idle", "attention": "1"}):
        assert passed(snapshot(**options)) == (0, [], [])


def test_a_foreign_pass_tells_nothing() -> None:
    """CYC-14: it only reads."""
    found = snapshot()
    found.foreign = True
    assert passed(found) == (0, [], [])


def test_a_muted_pane_is_marked_and_not_rung() -> None:
    """NMK-5, MTE-1."""
    count, offered, written = passed(snapshot(mute_until=str(NOW + 9999)))
    assert (count, offered) == (0, [])
    assert stamp.NOTIFIED_AT in written[0]
