"""Tests of which agent owns a pane."""

import pytest

from detection import NOW, SHELL, manifest, pane, process, shell_with, stamp
from tma.core.detect.identity import (
    ALIVE,
    MARK,
    REMOVE,
    WAIT,
    agent_process,
    behind,
    identify,
    in_foreground,
    reap,
    shell_only,
    title_gate,
)
from tma.core.pane import ProcInfo

CLAUDE = manifest("claude")
NODE_AGENT = manifest("gemini", process_names=["node", "MainThread"], title_patterns=["^◇  Ready "])
REGISTERED = stamp("idle", name="gemini", session="s", pid=0)


def test_a_group_leader_is_the_agent_before_a_lower_pid() -> None:
    """Leaders come first, then the lowest pid (PROC-5)."""
    tree = [process(10, 1, "bash"), process(20, 10, "claude", group=10), process(30, 10, "claude")]

    found = agent_process(tree, ["claude"])

    assert found is not None
    assert found.pid == 30


def test_the_lowest_of_several_leaders_is_the_agent() -> None:
    """Equal rank falls to the lowest pid (PROC-5)."""
    tree = [process(30, 10, "codex"), process(20, 10, "codex")]

    found = agent_process(tree, ["codex"])

    assert found is not None
    assert found.pid == 20


def test_any_carried_name_makes_a_process_the_agent() -> None:
    """The kernel's name may be a version (PROC-8, PROC-3)."""
    assert agent_process([process(20, 10, "2.1.220", "claude")], ["claude"]) is not None
    assert agent_process([process(20, 10, "2.1.220")], ["claude"]) is None


def test_a_program_named_by_a_part_of_a_name_is_not_the_agent() -> None:
    """Names are compared for equality (PROC-3)."""
    assert agent_process([process(20, 10, "claude-helper")], ["claude"]) is None


def test_the_first_manifest_with_a_process_wins() -> None:
    """Load order decides where several match (ID-1, ID-8)."""
    first = manifest("one", process_names=["tool"])
    second = manifest("two", process_names=["tool"])

    found = identify(pane(command="tool"), shell_with("tool"), [first, second], None)

    assert found is not None
    assert (found.name, found.pid, found.source) == ("one", 20, "observed")
    assert found.started == "777"


def test_the_registered_manifest_is_tried_first() -> None:
    """A registration moves its manifest to the front and names the source (ID-8, ID-12)."""
    first = manifest("one", process_names=["tool"])
    second = manifest("two", process_names=["tool"])
    prior = stamp("idle", name="two", session="s", pid=20)

    found = identify(pane(command="tool"), shell_with("tool"), [first, second], prior)

    assert found is not None
    assert (found.name, found.source) == ("two", "registered")


def test_a_registered_manifest_without_process_leaves_the_pane_to_the_others() -> None:
    """What runs there wins over what registered (ID-8, ID-12)."""
    prior = stamp("idle", name="gemini", session="s", pid=20)

    found = identify(pane(), shell_with("claude"), [NODE_AGENT, CLAUDE], prior)

    assert found is not None
    assert (found.name, found.source) == ("claude", "observed")


def test_a_generic_name_alone_is_no_agent() -> None:
    """Without title, anchor or registration the gate stays closed (ID-9)."""
    assert identify(pane(command="node", title="box"), shell_with("node"), [NODE_AGENT], None) is None


@pytest.mark.parametrize(
    ("title", "options", "registered", "expected"),
    [
        ("◇  Ready (shop)", {}, False, (True, 20)),
        ("\x1b[1m◇  Ready (shop)", {}, False, (True, 20)),
        ("box", {"@tma_title_match_pid": "20"}, False, (True, 20)),
        ("box", {"@tma_title_match_pid": "19"}, False, (False, None)),
        ("box", {}, True, (True, None)),
        ("box", {}, False, (False, None)),
    ],
)
def test_the_gate_passes_by_title_anchor_or_registration(
    title: str, options: dict[str, str], *, registered: bool, expected: tuple[bool, int | None]
) -> None:
    """The first two are remembered, a new process needs a new match (ID-9, ID-10)."""
    assert title_gate(NODE_AGENT, pane(options, title=title), 20, registered_here=registered) == expected


def test_a_remembered_process_is_that_of_the_agent_it_was_remembered_for() -> None:
    """Several agents run on one interpreter: the anchor of one opens no other's gate (ID-9, ID-10)."""
    other = manifest("copilot", process_names=["node"], title_patterns=["GitHub Copilot$"])
    kept = pane({"@tma_title_match_pid": "20"}, command="node", title="fix the build")

    found = identify(kept, shell_with("node"), [NODE_AGENT, other], stamp("idle", name="copilot", pid=20))

    assert found is not None
    assert found.name == "copilot"


def test_a_manifest_without_title_patterns_has_no_gate() -> None:
    """It passes always and remembers nothing (ID-9, ID-10)."""
    assert title_gate(CLAUDE, pane(), 20, registered_here=False) == (True, None)


def test_a_launcher_above_the_agent_may_be_the_foreground_command() -> None:
    """An agent from npm shows `node`, which is of its agent line (ID-11, MAN-ID-5)."""
    tree = [process(10, 1, "bash", front=20), process(20, 10, "node", "codex.js"), process(21, 20, "codex", group=20)]

    assert in_foreground(tree[2], tree, "node", ["codex"])


def test_the_name_alone_decides_where_the_terminal_tells_nothing() -> None:
    """Another of the agent's names, or a launcher's, passes without a foreground group (ID-11)."""
    tree = [process(10, 1, "bash"), process(20, 10, "node"), process(21, 20, "claude")]

    assert in_foreground(tree[2], tree, "claude.exe", ["claude", "claude.exe"])
    assert in_foreground(tree[2], tree, "node", ["claude"])
    assert not in_foreground(tree[2], tree, "bash", ["claude"])


def test_a_program_in_front_of_the_agent_takes_the_foreground() -> None:
    """The name test fails for another command (ID-11)."""
    tree = [*shell_with("claude", front=30), process(30, 10, "vim")]

    assert not in_foreground(tree[1], tree, "vim", ["claude"])


def test_the_terminal_vetoes_a_name_that_is_only_equal() -> None:
    """A second program of the name is in front, the agent's group is not (ID-11)."""
    tree = [*shell_with("claude", front=30), process(30, 10, "claude")]

    assert not in_foreground(tree[1], tree, "claude", ["claude"])


def test_missing_facts_abstain_from_the_veto() -> None:
    """Without a foreground group the name decides (ID-11)."""
    tree = shell_with("claude", front=0)

    assert in_foreground(tree[1], tree, "claude", ["claude"])
    assert not in_foreground(tree[1], tree, "vim", ["claude"])
    groupless = ProcInfo(20, 10, 0, 0, ("claude",))
    assert in_foreground(groupless, [process(10, 1, "bash", front=30), groupless], "claude", ["claude"])


def test_a_name_that_only_the_foreground_process_carries_passes() -> None:
    """The foreground command is a version, the process also calls itself claude (PROC-8, ID-11)."""
    tree = shell_with("2.1.220", "claude")

    assert in_foreground(tree[1], tree, "2.1.220", ["claude"])
    assert in_foreground(tree[1], tree, "other", ["claude"])
    assert in_foreground(tree[1], tree, "", ["claude"])


def test_an_agent_without_a_shell_is_its_own_root() -> None:
    """A pane may run the agent itself (ID-11, MAN-ID-5)."""
    tree = [process(10, 1, "claude", front=10)]

    assert in_foreground(tree[0], tree, "claude", ["claude"])


def test_a_shell_that_waits_for_the_agent_leaves_it_in_front() -> None:
    """`bash -lc 'claude; echo bye'` leads the agent's group, and tmux shows `bash` (ID-11)."""
    tree = [process(10, 1, "bash", front=10), process(20, 10, "claude", group=10, front=10)]

    assert in_foreground(tree[1], tree, "bash", ["claude"])


def test_a_tool_of_the_agent_in_its_group_does_not_take_the_foreground() -> None:
    """What the agent's own line started is no stranger (ID-11)."""
    tree = [
        process(10, 1, "bash", front=10),
        process(20, 10, "claude", group=10),
        process(30, 20, "rg", group=10),
    ]

    assert in_foreground(tree[1], tree, "bash", ["claude"])


def test_a_stranger_in_the_shells_group_may_be_in_front_of_the_agent() -> None:
    """A background child shares the group of a shell without job control (ID-11)."""
    tree = [
        process(10, 1, "sh", front=10),
        process(20, 10, "claude", group=10),
        process(30, 10, "vim", group=10),
    ]

    assert not in_foreground(tree[1], tree, "sh", ["claude"])


def test_a_background_job_is_not_in_front_of_its_shell() -> None:
    """The shell's own group is in front, the job has another (ID-11)."""
    tree = shell_with("claude", front=10)

    assert not in_foreground(tree[1], tree, "bash", ["claude"])


def test_a_cycle_among_parents_ends_the_walk() -> None:
    """Broken facts never hang (PROC-4)."""
    tree = [process(20, 21, "claude", front=20), process(21, 20, "node")]

    assert in_foreground(tree[0], tree, "node", ["claude"])


def test_a_claim_outranks_the_boundary_in_front() -> None:
    """The pane is an agent without process, marked with the command (ID-6)."""
    found = behind(pane(command="-ssh"), stamp("blocked", name="claude", source="hook"), ["claude"])

    assert found is not None
    assert (found.name, found.pid, found.foreground, found.source) == ("claude", 0, False, "registered")
    assert (found.behind, found.behind_kind) == ("-ssh", "remote_shell")


@pytest.mark.parametrize("command", ["", "bash", "claude"])
def test_nothing_is_behind_an_ordinary_command(command: str) -> None:
    """Only the two lists are boundaries (ID-5, ID-6)."""
    assert behind(pane(command=command), stamp("blocked", name="claude", source="hook"), ["claude"]) is None


def test_nothing_is_behind_a_boundary_without_claim() -> None:
    """A captured tuple or none claims nothing (ID-6)."""
    assert behind(pane(command="ssh"), stamp("blocked", name="claude"), ["claude"]) is None
    assert behind(pane(command="ssh"), None, ["claude"]) is None


def test_a_report_keeps_a_pane_whose_processes_match_nothing() -> None:
    """Registered, or reported by hook without a process (ID-13)."""
    tree = shell_with("sleep")
    registered = stamp("idle", name="claude", session="s", pid=20)
    reported = stamp("working", name="claude", source="hook")

    for prior in (registered, reported):
        found = identify(pane(command="sleep"), tree, [CLAUDE], prior)
        assert found is not None
        assert (found.name, found.pid, found.foreground, found.source) == ("claude", 0, False, "registered")


@pytest.mark.parametrize(
    "prior",
    [
        None,
        stamp("working", name="claude", pid=20),
        stamp("working", name="claude", pid=20, source="hook"),
        stamp("working", name="gone", source="hook"),
    ],
)
def test_nothing_else_keeps_a_pane_without_process(prior: object) -> None:
    """A capture, a hook's claim of a known process, or an unknown name (ID-13)."""
    assert identify(pane(command="sleep"), shell_with("sleep"), [CLAUDE], prior) is None  # type: ignore[arg-type]


def test_only_shells_and_nothing_at_all_are_shell_only() -> None:
    """Login shells count, an empty tree does too (PROC-6)."""
    assert shell_only([])
    assert shell_only([process(10, 1, "-zsh"), process(11, 10, "sh")])
    assert not shell_only(shell_with("sleep"))


def test_the_end_of_a_known_process_removes_the_stamp_at_once() -> None:
    """Stored pid gone and only shells left (ID-14)."""
    assert reap(stamp("idle", pid=20), SHELL, pane(), NOW) == REMOVE


def test_a_tree_with_more_than_shells_keeps_the_stamp() -> None:
    """A live agent under an unknown name is held for ever (ID-14)."""
    marked = pane({"@tma_reg_dead_since": str(NOW - 90_000)})

    assert reap(stamp("idle", pid=20), shell_with("sleep"), marked, NOW) == ALIVE


@pytest.mark.parametrize(
    ("marker", "fate"),
    [
        ("", MARK),
        ("junk", MARK),
        (str(NOW + 1), MARK),
        (str(NOW), WAIT),
        (str(NOW - 29_999), WAIT),
        (str(NOW - 30_000), REMOVE),
    ],
)
def test_shells_alone_for_thirty_seconds_remove_the_stamp(marker: str, fate: str) -> None:
    """A missing or future marker starts the wait (ID-14)."""
    options = {"@tma_reg_dead_since": marker} if marker else {}

    assert reap(stamp("idle"), SHELL, pane(options), NOW) == fate


def test_what_a_respawned_pane_reported_before_is_nobodys() -> None:
    """FC-33: the pane's own process began after the stamp; nothing waits 30 s for that."""
    root = process(10, 1, "bash", front=10)
    root.started_ms = NOW
    assert reap(stamp("blocked", source="hook", stamped=NOW - 1), [root], pane(), NOW) == REMOVE
    assert reap(stamp("blocked", source="hook", stamped=NOW), [root], pane(), NOW) == MARK
