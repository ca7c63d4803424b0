"""Properties of names and identity over arbitrary processes and stored tuples."""

from hypothesis import given
from hypothesis import strategies as st

from detection import manifest, pane, stamp
from tma.core.detect.identity import REMOVE, identify, reap, shell_only
from tma.core.names import carried_names, is_shell, normalise, out_of_scope
from tma.core.pane import ProcInfo
from tma.core.stamp import Stamp

NAMES = st.sampled_from(["bash", "-zsh", "claude", "node", "vim", "MainThread", "2.1.220"])
NUMBERS = st.integers(0, 8)
PROCESSES = st.builds(
    lambda pid, ppid, pgid, tpgid, names: ProcInfo(pid, ppid, pgid, tpgid, tuple(names)),
    st.integers(1, 8),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.lists(NAMES, min_size=1, max_size=3),
)
TREES = st.lists(PROCESSES, max_size=8, unique_by=lambda process: process.pid)
TITLES = st.sampled_from(["", "Ready", "box"])
PRIORS = st.none() | st.builds(
    stamp,
    st.sampled_from(["idle", "blocked"]),
    name=st.sampled_from(["", "claude", "gemini", "other"]),
    source=st.sampled_from(["hook", "capture"]),
    session=st.sampled_from(["", "s"]),
    pid=NUMBERS,
)
AGENTS = [
    manifest("claude"),
    manifest("gemini", process_names=["node", "MainThread"], title_patterns=["^Ready"]),
]
OPTIONS = st.just({}) | st.builds(lambda pid: {"@tma_title_match_pid": str(pid)}, NUMBERS)


@given(TREES, PRIORS, TITLES, OPTIONS, NAMES)
def test_an_identity_is_backed_by_a_process_or_by_a_report(
    tree: list[ProcInfo], prior: Stamp | None, title: str, options: dict[str, str], command: str
) -> None:
    """Any facts, cycles and doubles included, give an answer that something proves (ID-8, ID-9, ID-13)."""
    found = identify(pane(options, command=command, title=title), tree, AGENTS, prior)

    if found is None:
        return
    registered = prior is not None and prior.name == found.name and bool(prior.session)
    if not found.pid:
        assert prior is not None
        assert found.name == prior.name in {"claude", "gemini"}
        assert registered or (prior.source == "hook" and not prior.pid)
        assert not found.foreground
        return
    wanted = next(agent for agent in AGENTS if agent.name == found.name)
    assert any(each.pid == found.pid and set(each.names) & set(wanted.process_names) for each in tree)
    gated = bool(wanted.title_patterns)
    matched = title == "Ready" or options.get("@tma_title_match_pid") == str(found.pid)
    assert not gated or matched or registered
    assert found.anchor == (found.pid if gated and matched else None)
    assert (found.source == "registered") is registered


@given(TREES, PRIORS, NAMES)
def test_the_terminals_group_always_has_its_veto(tree: list[ProcInfo], prior: Stamp | None, command: str) -> None:
    """A known foreground group that holds no process of the tree's agents is in front of all (ID-11)."""
    found = identify(pane(command=command, title="Ready"), tree, AGENTS, prior)
    if found is None or not found.pid:
        return
    agent = next(each for each in tree if each.pid == found.pid)
    groups = {each.pgid for each in tree if not is_shell(each.names[0])} | {agent.pgid}

    assert not (found.foreground and agent.pgid and tree[0].tpgid and tree[0].tpgid not in groups)


@given(TREES, st.integers(0, 8), st.none() | st.integers(0, 100_000), st.integers(0, 100_000))
def test_nothing_is_reaped_while_more_than_shells_run(
    tree: list[ProcInfo], pid: int, marker: int | None, now: int
) -> None:
    """Removal needs shells alone, and an ended process or 30 s of them (ID-14)."""
    options = {} if marker is None else {"@tma_reg_dead_since": str(marker)}

    fate = reap(stamp("idle", pid=pid), tree, pane(options), now)

    if fate == REMOVE:
        assert shell_only(tree)
        ended = pid and pid not in {each.pid for each in tree}
        assert ended or (marker is not None and now - marker >= 30_000)


@given(st.text())
def test_a_name_is_never_lost(command: str) -> None:
    """One word without directories, or the command as it was (PROC-2, REM-4)."""
    name = normalise(command)

    assert bool(name) is bool(command)
    assert name == command or ("/" not in name and len(name.split()) == 1)
    assert out_of_scope(command) in {"", "remote_shell", "nested_multiplexer"}


@given(st.text(), st.lists(st.text()))
def test_a_process_always_carries_the_kernels_name_first(comm: str, argv: list[str]) -> None:
    """Whatever its command line holds, without doubles (PROC-8)."""
    names = carried_names(comm, argv)

    assert len(set(names)) == len(names) >= 1
    assert names[0] == normalise(comm) or not comm
