"""Whether output is reported."""

from detection import NOW, pane
from tma.core.triage import Plan
from tma.daemon.coverage import ASSUMED, AVAILABLE, UNAVAILABLE, Coverage
from tma.services.cycle import Snapshot


def swept(coverage: Coverage, activity_s: int, *, attached: bool = True) -> str:
    """A sweep that saw the window print at that second."""
    snapshot = Snapshot(NOW, None)
    record = pane()
    record.activity_s, record.window_id, record.sessions = activity_s, "@1", [("$0", "main")]
    snapshot.plans = [Plan(record, NOW)]
    coverage.swept(snapshot, frozenset({"$0"} if attached else set()))
    return coverage.word


def test_the_first_line_proves_it() -> None:
    """DCC-16."""
    coverage = Coverage()
    assert coverage.word == ASSUMED
    assert coverage.heard("%1")
    assert not coverage.heard("%1")
    assert coverage.word == AVAILABLE


def test_two_sweeps_with_unreported_output_disprove_it_until_a_line_comes() -> None:
    """DCC-16: in a row, in a session with a client."""
    coverage = Coverage()
    assert [swept(coverage, second) for second in (1, 2, 2, 3, 4)] == [ASSUMED] * 4 + [UNAVAILABLE]
    assert coverage.is_unavailable
    coverage.heard("%1")
    assert coverage.word == AVAILABLE


def test_reported_output_and_sessions_without_a_client_prove_nothing() -> None:
    """DCC-16."""
    coverage = Coverage()
    for second in range(1, 6):
        coverage.heard("%1")
        swept(coverage, second)
    assert coverage.word == AVAILABLE
    for second in range(6, 12):
        swept(coverage, second, attached=False)
    assert coverage.word == AVAILABLE
