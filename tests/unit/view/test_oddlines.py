"""Panes that are not read, and options that others wrote, as text."""

from tma.view.oddlines import lines

NOTHING: dict[str, object] = {
    **{name: [] for name in ("nested_multiplexers", "remote_panes", "ignored_panes", "stamp_issues", "scope_issues")},
    "process_walk": {"ok": True, "error": None},
}
PLACE = {"pane": "%3", "locator": "s1:0.1"}


def test_nothing_odd_says_nothing() -> None:
    """DOC-2: marked lines appear only when they have something to say."""
    assert lines(NOTHING) == []


def test_panes_behind_a_boundary_are_counted_and_named() -> None:
    """REM-16, REM-18: with the command, and whether a stamp is held."""
    nested = [PLACE | {"command": "tmux"}]
    remote = [PLACE | {"command": "ssh", "stamped": held} for held in (False, True)]

    shown = lines(NOTHING | {"nested_multiplexers": nested, "remote_panes": remote})

    assert shown[0].startswith("nested:   1 pane ")
    assert "run tma inside" in shown[0]
    assert shown[1] == "  - %3 s1:0.1 (tmux)"
    assert shown[2].startswith("remote:   2 panes behind a remote shell")
    assert "reach this tmux socket" in shown[2]
    assert shown[2].endswith("docs/how-to/agents-in-containers.md")
    assert shown[3:] == ["  - %3 s1:0.1 (ssh)", "  - %3 s1:0.1 (ssh; its @agent_* options are held, not refreshed)"]


def test_each_fault_ends_with_what_mends_it() -> None:
    """DOC-8, RD-6, SAN-1: foreign stamps, options at another scope, a walk that failed."""
    scopes = [
        {"scope": scope, "target": target, "option": "@agent_state", "value": "x"}
        for scope, target in (("server", ""), ("session", "global"), ("window", "@1"))
    ]
    report = NOTHING | {
        "ignored_panes": [PLACE | {"value": "a\x1bb"}],
        "stamp_issues": [PLACE | {"problem": "it is odd"}],
        "scope_issues": scopes,
        "process_walk": {"ok": False, "error": "no ps"},
    }

    shown = lines(report)

    assert "\x1b" not in "".join(shown)
    assert [line.rpartition(": ")[2] for line in shown if "✗" in line] == [
        "tmux set-option -pu -t %3 @agent_state",
        "tmux set-option -su @agent_state",
        "tmux set-option -ug @agent_state",
        "tmux set-option -wu -t '@1' @agent_state",
        "run tma where it can see the processes",
    ]
