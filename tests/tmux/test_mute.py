"""``tma mute`` on real panes: which ones, until when, and what it says."""

import json

import pytest

from harness import TmuxServer
from people import attached, done, tma
from standin import StandIn

UNTIL = "@agent_mute_until"
FOR_EVER = "99999999999999"


def row(server: TmuxServer, pane: str) -> dict[str, object]:
    """A pane's row."""
    found: dict[str, object] = json.loads(tma(server, "ls", "--json", "--pane", pane).stdout)["agents"][0]
    return found


def test_a_pane_is_muted_for_good_for_a_while_and_no_longer(any_server: TmuxServer) -> None:
    """MUT-3, MUT-4, CH-MUTE, CLK-6."""
    any_server.start()
    robot = StandIn(any_server)

    good = tma(any_server, "mute", "--pane", robot.pane)
    assert (good.returncode, good.stdout, good.stderr) == (0, f"muted indefinitely {robot.pane}\n", "")
    assert any_server.options(robot.pane)[UNTIL] == FOR_EVER
    assert row(any_server, robot.pane)["muted"] is True

    assert tma(any_server, "mute", "--for", "90m", pane=robot.pane).stdout == f"muted 90m {robot.pane}\n"
    until = int(any_server.options(robot.pane)[UNTIL])
    assert tma(any_server, "mute", "--for", "90m", pane=robot.pane).returncode == 0
    assert 0 <= int(any_server.options(robot.pane)[UNTIL]) - until < 60_000

    assert tma(any_server, "mute", "--pane", robot.pane, "--clear").stdout == f"unmuted {robot.pane}\n"
    assert UNTIL not in any_server.options(robot.pane)


def test_selected_rows_get_one_deadline_in_attention_order(server: TmuxServer) -> None:
    """MUT-1, MUT-3: every row that matches, and no other pane."""
    shell = server.start()
    quiet, finished = StandIn(server), done(server)

    muted = tma(server, "mute", "--agent", "robot", "--for", "1h", pane=shell)

    assert muted.stdout == f"muted 1h {finished.pane} {quiet.pane}\n"
    assert server.options(quiet.pane)[UNTIL] == server.options(finished.pane)[UNTIL]
    assert UNTIL not in server.options(shell)


def test_a_done_row_that_is_looked_at_is_still_found_as_done(server: TmuxServer) -> None:
    """ATN-6: the mark goes only after the targets are resolved."""
    server.start()
    with attached(server) as (person, _):
        robot = done(server)
        server("select-window", "-t", robot.pane)
        seen = int(server("list-clients", "-F", "#{client_activity}"))
        server("set-option", "-p", "-t", robot.pane, "@agent_since", str(seen * 1000 - 5000))
        server("set-option", "-p", "-t", robot.pane, "@agent_turn_at", str(seen * 1000 - 5000))
        assert person.descriptor

        assert tma(server, "mute", "--state", "done").stdout == f"muted indefinitely {robot.pane}\n"
        assert "@agent_attention" not in server.options(robot.pane)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], 2),
        (["--pane", "%0", "--agent", "robot"], 2),
        (["--pane", "%0", "--for", "1h", "--clear"], 2),
        (["--pane", "%0", "--for", "0"], 2),
        (["--pane", "%0", "--for", "1.5h"], 2),
        (["--pane", "%0", "--for", ""], 2),
        (["--session", ""], 2),
        (["--pane", "0"], 2),
        (["--pane", "%999"], 3),
        (["--agent", "nobody"], 3),
    ],
)
def test_a_refusal_has_its_code_and_writes_nothing(server: TmuxServer, words: list[str], code: int) -> None:
    """MUT-1 to MUT-3, CLI-3, CLI-6."""
    server.start()
    StandIn(server)

    refused = tma(server, "mute", *words)

    assert (refused.returncode, refused.stdout) == (code, "")
    assert refused.stderr.startswith("tma: ")
    assert UNTIL not in server.options("%0")


def test_the_pane_one_is_in_must_be_there_too(server: TmuxServer) -> None:
    """MUT-1, CLI-5: a stale or unexpanded TMUX_PANE mutes nothing."""
    server.start()

    assert tma(server, "mute", pane="%999").returncode == 3
    assert tma(server, "mute", pane="#{pane_id}").returncode == 2
