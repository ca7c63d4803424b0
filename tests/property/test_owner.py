"""Whose pane an event is, over any tree of processes."""

from hypothesis import given
from hypothesis import strategies as st

from tma.core.events import owner
from tma.core.pane import PaneRecord, proven

NAMES = ("probe", "node", "sh", "bash", "tmux:")
AGENT = ("probe",)

PIDS = st.integers(1, 30)
CHAINS = st.lists(st.tuples(PIDS, st.sampled_from(NAMES)), max_size=8, unique_by=lambda item: item[0])
PANES = st.lists(PIDS, min_size=1, max_size=5, unique=True).map(
    lambda pids: [PaneRecord(f"%{number}", pid) for number, pid in enumerate(pids)]
)


@given(panes=PANES, chain=CHAINS, session=PIDS, generic=st.booleans(), trusted=st.booleans())
def test_a_pane_above_the_process_is_never_another_panes(
    panes: list[PaneRecord],
    chain: list[tuple[int, str]],
    session: int,
    *,
    generic: bool,
    trusted: bool,
) -> None:
    """OWN-1, OWN-2: what is disproved is no ancestor, and a trusted sender disproves nothing."""
    for pane in panes:
        own = proven(pane.pid, session, chain)
        assert own is (pane.pid == session or pane.pid in {pid for pid, _ in chain})
        sender = owner.Sender(chain, trusted=trusted)
        wrong = owner.disproved(pane, sender, AGENT, generic=generic, others=panes)
        assert not (wrong and trusted)
        if wrong and not own:
            assert any(name == "probe" and pid != 1 for pid, name in chain)


@given(PANES, CHAINS, st.sampled_from(["", "S1", "S2"]), st.lists(st.sampled_from(["", "S1", "S2"]), max_size=5))
def test_a_search_never_guesses(
    panes: list[PaneRecord], chain: list[tuple[int, str]], session: str, stored: list[str]
) -> None:
    """OWN-4: a pane is found only by its process or by its session, and by one alone."""
    for pane, held in zip(panes, stored, strict=False):
        pane.options = {"@agent_name": "probe", "@agent_session": held}
    found = owner.find(panes, chain, agent="probe", session=session, works_in=lambda: None)
    above = [pane for pane in panes if pane.pid in {pid for pid, _ in chain}]
    same = [pane for pane in panes if session and pane.option("@agent_session") == session]
    candidates = above or same
    assert found is (candidates[0] if len(candidates) == 1 else None)


@given(PANES, st.lists(st.lists(PIDS, min_size=1, max_size=6, unique=True), max_size=4))
def test_a_directory_names_a_pane_only_for_one_line(panes: list[PaneRecord], lines: list[list[int]]) -> None:
    """OWN-5: and only one that its process roots."""
    found = owner.by_directory(panes, lines)
    if found is not None:
        assert any(found.pid in line for line in lines)
