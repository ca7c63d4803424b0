"""Which pane an event belongs to, by the shapes of real process chains."""

import pytest

from tma.core.events import owner
from tma.core.pane import PaneRecord, proven

Chain = list[tuple[int, str]]

CLAUDE = ("claude", "claude.exe")
CODEX = ("codex",)
NODE = ("node", "MainThread")


def pane(pane_id: str, pid: int, command: str = "", **options: str) -> PaneRecord:
    """A pane by its id and its own process."""
    record = PaneRecord(pane_id, pid)
    record.command = command
    record.options = {f"@agent_{name}": value for name, value in options.items()}
    return record


FIRST = pane("%0", 100)
SECOND = pane("%1", 200)
PANES = [FIRST, SECOND]


def stands(named: PaneRecord, chain: Chain, names: tuple[str, ...], *, generic: bool = False, session: int = 7) -> bool:
    """Whether a claim on a pane stands."""
    if proven(named.pid, session, chain):
        return True
    return not owner.disproved(named, owner.Sender(chain), names, generic=generic, others=PANES)


@pytest.mark.parametrize(
    ("chain", "names"),
    [
        ([(31, "sh"), (30, "claude"), (100, "bash"), (9, "tmux:")], CLAUDE),
        ([(31, "node"), (30, "node"), (100, "bash"), (9, "tmux:")], NODE),
        ([(31, "MainThread"), (30, "node"), (100, "bash"), (9, "tmux:")], NODE),
        ([(31, "codex"), (30, "node"), (100, "bash"), (9, "tmux:")], CODEX),
        ([(31, "sh"), (100, "claude"), (9, "tmux:")], CLAUDE),
    ],
    ids=["claude", "gemini", "copilot", "codex", "agent as pane root"],
)
def test_an_agent_below_the_panes_process_is_the_panes(chain: Chain, names: tuple[str, ...]) -> None:
    """OWN-2, OWN-7: the pane's own process is among the ancestors."""
    assert stands(FIRST, chain, names, generic=names == NODE)
    assert not stands(SECOND, chain, names, generic=names == NODE)


def test_a_shared_daemon_proves_no_pane() -> None:
    """OWN-2 (a), OWN-7: codex with parent 1 carries the variable of the client that started it."""
    assert not stands(FIRST, [(50, "codex"), (1, "init")], CODEX)
    assert not stands(FIRST, [(50, "codex")], CODEX)


def test_the_second_panes_agent_never_stamps_the_first() -> None:
    """OWN-2 (a): the nearest agent lies in the tree of another pane, whatever the variable says."""
    assert not stands(FIRST, [(60, "codex"), (200, "bash"), (9, "tmux:")], CODEX)
    assert not stands(FIRST, [(60, "node"), (200, "bash"), (9, "tmux:")], NODE, generic=True)


def test_a_generic_name_outside_all_panes_disproves_nothing() -> None:
    """OWN-2 (a): a node of nowhere may be anything; only a narrowed agent in another pane tells."""
    assert stands(FIRST, [(60, "node"), (1, "init")], NODE, generic=True)


@pytest.mark.parametrize(
    "chain",
    [[], [(1, "systemd")], [(40, "cron"), (1, "init")], [(41, "sh"), (40, "make"), (1, "init")], [(31, "sh")]],
    ids=["unreadable", "unit", "cron", "double fork", "agent gone"],
)
def test_a_caller_that_no_agent_sent_may_report_for_any_pane(chain: Chain) -> None:
    """OWN-1, OWN-2, OWN-7: scripts, cron, a double fork, a wrapper whose agent has just exited."""
    assert stands(FIRST, chain, CLAUDE)


def test_pid_one_is_nobodys_agent() -> None:
    """OWN-3: in a container the agent may be pid 1, which proves nothing."""
    assert stands(FIRST, [(5, "sh"), (1, "claude")], CLAUDE)


def test_the_session_leader_alone_proves_a_pane() -> None:
    """OWN-2: getsid needs no walk, and holds where the parents have gone."""
    assert proven(100, 100, [])
    assert not proven(100, 101, [(102, "sh")])


def test_a_plugin_names_the_program_that_it_runs_in() -> None:
    """OWN-2 (b): alive and outside the pane disproves it; inside, or gone, does not."""
    names = ("opencode",)
    outside = owner.Sender([], plugin=[60, 200, 9])
    inside = owner.Sender([], plugin=[60, 100, 9])
    assert owner.disproved(FIRST, outside, names, generic=False, others=PANES)
    assert not owner.disproved(FIRST, inside, names, generic=False, others=PANES)
    assert not owner.disproved(FIRST, owner.Sender([]), names, generic=False, others=PANES)


@pytest.mark.parametrize("command", ["ssh", "docker", "kubectl", "tmux", "-ssh"])
def test_a_pane_behind_a_boundary_is_never_disproved(command: str) -> None:
    """OWN-2, REM-4, REM-16: the sender sits on the far side."""
    remote = pane("%0", 100, command)
    sender = owner.Sender([(50, "codex"), (1, "init")], plugin=[60, 200])
    assert not owner.disproved(remote, sender, CODEX, generic=False, others=PANES)


def test_a_trusted_sender_is_never_disproved() -> None:
    """OWN-2: foreign processes, and TMA_TRUST_PANE=1."""
    sender = owner.Sender([(50, "codex"), (1, "init")], plugin=[60, 200], trusted=True)
    assert not owner.disproved(FIRST, sender, CODEX, generic=False, others=PANES)


def found(
    panes: list[PaneRecord], chain: Chain, *, session: str = "", there: PaneRecord | None = None
) -> PaneRecord | None:
    """The pane that a search finds."""
    return owner.find(panes, chain, agent="codex", session=session, works_in=lambda: there)


def test_a_search_takes_the_pane_above_the_process_first() -> None:
    """OWN-4 (1): before any session."""
    known = pane("%1", 200, name="codex", session="S1")
    assert found([FIRST, known], [(60, "codex"), (100, "bash")], session="S1") is FIRST


def test_a_search_takes_the_pane_of_the_session_next() -> None:
    """OWN-4 (2): name and session must both be the event's."""
    known = pane("%1", 200, name="codex", session="S1")
    assert found([FIRST, known], [(50, "codex")], session="S1") is known
    assert found([FIRST, known], [(50, "codex")], session="S2") is None
    assert found([FIRST, pane("%1", 200, name="claude", session="S1")], [], session="S1") is None
    assert found([pane("%1", 200, name="codex")], [], session="") is None


def test_two_panes_at_a_step_end_the_search() -> None:
    """OWN-4: an ambiguous event is dropped, not handed to the next step."""
    twins = [pane("%1", 200, name="codex", session="S1"), pane("%2", 300, name="codex", session="S1")]
    assert found(twins, [], session="S1", there=FIRST) is None
    assert found(PANES, [(100, "bash"), (200, "bash")], there=FIRST) is None


def test_the_directory_is_asked_last() -> None:
    """OWN-4 (3): only where neither process nor session knows a pane."""
    assert found(PANES, [(50, "codex")], session="new", there=SECOND) is SECOND


def test_one_agent_line_in_a_directory_is_its_panes() -> None:
    """OWN-5: an agent and the launcher above it are one line."""
    assert owner.by_directory(PANES, [[61, 60, 200, 9]]) is SECOND
    assert owner.by_directory(PANES, [[61, 60, 200, 9], [60, 200, 9]]) is SECOND
    assert owner.by_directory(PANES, [[200, 9]]) is SECOND


def test_two_agents_in_a_directory_stay_ambiguous() -> None:
    """OWN-5: also when one of them is in no pane of this server."""
    assert owner.by_directory(PANES, [[60, 200, 9], [70, 100, 9]]) is None
    assert owner.by_directory(PANES, [[60, 200, 9], [70, 5, 1]]) is None
    assert owner.by_directory(PANES, [[70, 5, 1]]) is None
    assert owner.by_directory(PANES, []) is None
