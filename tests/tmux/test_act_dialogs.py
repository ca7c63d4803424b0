"""One dialog replaced by the next of its kind, on panes that no hook tells of: an answer stays with what it was for."""

import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from actor import PERMISSION, Actor, act, configure, user_action
from harness import ROOT, TmuxServer, until
from tma.core.screen import strip
from tma.core.stamp import LAST_POLL

FRESH = "[fold]\nfreshness_secs = 3600\n"
BOX = "─" * 30 + PERMISSION
OTHER = BOX.replace("make test", "rm -rf build")


def asking(server: TmuxServer, screen: str = BOX) -> Actor:
    """A claude without hooks whose dialog a cycle has seen."""
    configure(server, FRESH)
    actor = Actor(server, screen=screen)
    seen(actor)
    assert server.options(actor.pane)["@agent_source"] == "capture"
    return actor


def follow(actor: Actor) -> None:
    """Show the next dialog, which ends in the same words."""
    actor.show(OTHER)
    until(lambda: "rm -rf build" in actor.server.screen(actor.pane), what="the next dialog")


def seen(actor: Actor) -> int:
    """Run a cycle, and give the pane's episode."""
    configure(actor.server, "[fold]\nfreshness_secs = 0\n")
    actor.server("set-option", "-squ", LAST_POLL)
    rows = json.loads(actor.server.tma("ls", "--json").stdout)["agents"]
    configure(actor.server, FRESH)
    return next(int(row["episode_ms"]) for row in rows if row["pane"] == actor.pane)


def test_a_cycle_between_two_prompts_begins_another_episode(any_server: TmuxServer) -> None:
    """ACT-BIND-1: what was bound to the first never reaches the second; it calls for attention again."""
    any_server.start()
    actor = asking(any_server)
    first = seen(actor)
    any_server("set-option", "-pqu", "-t", actor.pane, "@agent_attention")
    follow(actor)
    second = seen(actor)
    assert second > first
    assert any_server.options(actor.pane)["@agent_attention"] == "1"
    bound = act(any_server, "approve", "--pane", actor.pane, "--expect-episode-ms", str(first))
    assert bound[:3] == (4, "refused", "episode-changed")
    assert actor.heard_nothing()
    assert act(any_server, "approve", "--pane", actor.pane, "--expect-episode-ms", str(second)).outcome == "sent"


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_no_cycle_between_two_prompts_answers_the_wrong_one_neither(
    any_server: TmuxServer, force: tuple[str, ...]
) -> None:
    """ACT-BIND-1, ACT-FRESH-2: the stamp is young and of the first prompt, and the screen shows the second."""
    any_server.start()
    actor = asking(any_server)
    first = int(any_server.options(actor.pane)["@agent_since"])
    follow(actor)
    bound = act(any_server, "approve", "--pane", actor.pane, "--expect-episode-ms", str(first), *force)
    assert bound[:3] == (4, "refused", "episode-changed")
    assert actor.heard_nothing()
    assert act(any_server, "approve", "--pane", actor.pane).outcome == "sent"
    assert int(any_server.options(actor.pane)["@agent_act_repeat"].partition(":")[0]) > first


def test_the_same_prompt_keeps_its_episode(server: TmuxServer) -> None:
    """GRD-6: with another answer highlighted, another width, and a line more above it."""
    server.start()
    actor = asking(server)
    first = seen(actor)
    for screen in (BOX.replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No"), f"● Bash(make test)\n{BOX}"):
        before = server.screen(actor.pane)
        actor.show(screen)
        until(lambda before=before: server.screen(actor.pane) != before, what="the same dialog, drawn anew")
        assert seen(actor) == first
    server("resize-window", "-t", actor.pane, "-x", "60")
    assert seen(actor) == first


def test_a_prompt_that_changes_while_a_person_is_asked_is_detected_anew(server: TmuxServer) -> None:
    """ACT-CONF-2: the question comes first, and the fire looks at what stands there afterwards."""
    server.start()
    actor = asking(server)
    first = int(server.options(actor.pane)["@agent_since"])
    when = 'when = { state = ["blocked"], detail = ["permission"] }\n'
    user_action(server, "sure", f'kind = "keys"\nconfirm = true\n{when}[keys]\nclaude = ["1"]\n')
    words = [sys.executable, "-m", "tma", "act", "sure", "--pane", actor.pane, "--expect-episode-ms", str(first)]
    leader, follower = pty.openpty()
    with subprocess.Popen(words, env=server.environment, stdin=follower, stderr=subprocess.PIPE) as fire:
        os.close(follower)
        assert fire.stderr is not None
        asked = fire.stderr.read(len(f"tma: fire sure on {actor.pane} [y/N]? "))
        assert asked.endswith(b"? ")
        follow(actor)
        os.write(leader, b"y\n")
        assert fire.wait(20) == 4
        assert b"episode-changed" in fire.stderr.read()
    os.close(leader)
    assert actor.heard_nothing()


def test_twenty_commands_at_once_are_one_answer(any_server: TmuxServer) -> None:
    """SEC threats, two clients: processes this time, and an agent that never reacts."""
    any_server.start()
    configure(any_server, FRESH)
    actor = Actor(any_server)
    actor.block()
    words = [sys.executable, "-m", "tma", "act", "approve", "--pane", actor.pane, "--json"]
    begun = [
        subprocess.Popen(words, env=any_server.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(20)
    ]
    with ThreadPoolExecutor(20) as waiting:
        said = list(waiting.map(lambda each: json.loads(each.communicate(timeout=60)[0]), begun))
    assert sorted((each["outcome"], each["reason"]) for each in said) == [("refused", "locked")] * 19 + [("sent", None)]
    actor.hears(b"1")


@pytest.mark.parametrize(
    ("screen", "name", "state"),
    [
        ("claude-2.1.332/trust_dialog_w24", "interrupt", "working"),
        ("claude-2.1.332/startup_mcp_w60", "interrupt", "working"),
        ("claude-2.1.197/blocked_plan_w24", "interrupt", "working"),
        ("claude-2.1.197/menu_config_w60", "interrupt", "working"),
        ("claude-made/unknown_dialog", "interrupt", "working"),
        ("pi-1.6.0/blocked_perm_long_w60", "interrupt", "working"),
        ("gemini-0.61.0/blocked_perm_bash_w24", "interrupt", "working"),
        ("qwen-made/trust", "interrupt", "working"),
        ("codex-made/unknown_dialog", "interrupt", "working"),
        ("codex-made/unknown_dialog", "steer", "idle"),
        ("codex-made/unknown_dialog", "steer_now", "working"),
    ],
)
def test_what_is_no_answer_goes_to_no_dialog(server: TmuxServer, screen: str, name: str, state: str) -> None:
    """ACT-BUN-4, ACT-BUN-5: Escape and a line are answers there, and the stamp is a moment behind the screen."""
    stored = (ROOT / "tests" / "golden" / "screens" / f"{screen}.txt").read_text(encoding="utf-8")
    head, _, body = stored.partition("---\n")
    keys = dict(line.removeprefix("# ").partition(": ")[::2] for line in head.splitlines())
    server.start(width=int(keys["width"]), height=int(keys["height"]))
    server("set-option", "-g", "default-size", f"{keys['width']}x{keys['height']}")
    configure(server, FRESH)
    process = {"gemini": "node", "qwen": "node"}.get(keys["agent"], keys["agent"])
    actor = Actor(server, process, screen=strip(body).rstrip("\n"))
    actor.stamp(state, name=keys["agent"])
    text = ("--text", "go on") if name.startswith("steer") else ()
    for force in ((), ("--force",)):
        fired = act(server, name, "--pane", actor.pane, *text, *force)
        assert fired[:3] == (4, "refused", "screen-mismatch"), fired
    assert actor.heard_nothing()


def test_a_menus_entry_answers_no_prompt_twice(server: TmuxServer) -> None:
    """SEC threats, two clients: a second menu over the same prompt, while the agent has not reacted."""
    server.start()
    configure(server, FRESH)
    actor = Actor(server)
    episode = actor.block()
    words = ("approve", "--pane", actor.pane, "--from-menu", "--expect-episode-ms", str(episode))
    assert act(server, *words).outcome == "sent"
    assert act(server, *words)[:3] == (5, "refused", "locked")
    assert act(server, *words[:3]).outcome == "sent"
    until(lambda: actor.heard == b"11", what="both answers")
