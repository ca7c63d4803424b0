"""The commands that take marks down."""

import pytest

from tma.services.attention import DEPARTED, lowering, nudge


def test_the_pane_and_the_one_that_was_left_are_unmarked() -> None:
    """ATN-3, CH-ATTN: in one text; only where a mark was, the status line is counted anew."""
    lines = lowering("%3", "%1", "FORMAT").splitlines()
    assert (lines[0], lines[-1], len(lines)) == ("if-shell -F 1 {", "}", 4)
    for line, pane in zip(lines[1:3], ("%3", "%1"), strict=True):
        down = f"'set-option -pqu -t {pane} @agent_attention ;"
        assert line.startswith(f"if-shell -F -t {pane} '#{{@agent_attention}}' {down}")
        assert "set-option -s -qF @tma_status" in line


@pytest.mark.parametrize("left", ["", "%1%2", "x", "%1 ; kill-server"])
def test_an_answer_that_is_no_pane_names_none(left: str) -> None:
    """SEC-T-2: only a checked id enters a command."""
    assert lowering("%3", left, "").count("set-option") == 1


def test_two_hooks_tell_which_pane_was_left() -> None:
    """ATN-3: any other, a session switch too, tells none."""
    assert set(DEPARTED) == {"after-select-pane", "session-window-changed"}


class Procs:
    """Processes by pid: whether they are ours, and what they are called."""

    def __init__(self, known: dict[int, tuple[bool, str]]) -> None:
        self.known = known

    def is_own(self, pid: int) -> bool:
        """Whether it is ours."""
        return self.known.get(pid, (False, ""))[0]

    def names(self, pid: int) -> tuple[str, ...]:
        """What it is called."""
        return ("python3", self.known.get(pid, (False, ""))[1])


class Runtime:
    """Nothing but processes."""

    def __init__(self, procs: Procs) -> None:
        self.procs = lambda: procs


def test_only_our_own_watchers_are_nudged_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """NDG-2: a signal would end any other program; a refused signal is nobody's business."""
    sent: list[int] = []

    def kill(pid: int, _number: int) -> None:
        sent.append(pid)
        if pid == 5:
            raise PermissionError

    monkeypatch.setattr("posix.kill", kill)
    procs = Procs({5: (True, "tma"), 6: (True, "vim"), 7: (False, "tma"), 8: (True, "tma")})
    nudge(Runtime(procs), "5  6 7\n8 8 -8 0 x 9999999999999999999 9")  # type: ignore[arg-type]
    assert sorted(sent) == [5, 8]


def test_nobody_published_costs_no_look_at_processes() -> None:
    """NDG-2: the usual case."""
    nudge(Runtime(None), "  \n")  # type: ignore[arg-type]
