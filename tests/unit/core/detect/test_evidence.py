"""One dated observation."""

import pytest

from tma.core.detect.evidence import Evidence


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        (Evidence("screen", "idle", 1), "idle"),
        (Evidence("hook", "blocked", 1, detail="plan"), "blocked/plan"),
        (Evidence("hook", "", 1, lifecycle="start"), "lifecycle:start"),
    ],
)
def test_a_claim_reads_as_words(evidence: Evidence, claim: str) -> None:
    """CAP-7, json.md section 9: state, state/detail or lifecycle."""
    assert evidence.claim == claim
