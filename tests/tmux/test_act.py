"""Acting on real panes: every refusal with its exit code, and not one byte where nothing was to be sent."""

import json
import os
import signal
import sys
from collections.abc import Callable

import pytest

from actor import DRAFT, IDLE, PERMISSION, PLAN, QUESTION, TRUST, WORKING, Actor, act, configure, user_action
from harness import ROOT, TmuxServer, until
from tma.core.screen import strip

ANSWER = 'kind = "keys"\nwhen = { state = ["blocked"], detail = ["permission"] }\n[keys]\nclaude = ["1"]\n'
FRESH = "[fold]\nfreshness_secs = 3600\n"


@pytest.fixture
def actor(server: TmuxServer) -> Actor:
    """A claude that asks for a permission, and a configuration in which a stamp stays fresh."""
    server.start()
    configure(server, FRESH)
    return Actor(server)


def test_an_answer_arrives_once_and_is_counted(any_server: TmuxServer) -> None:
    """ACT-SEND-3, ACT-REP-1, ACT-RES-1: the key, the result, the counter, and no lock."""
    any_server.start()
    configure(any_server, FRESH)
    agent = Actor(any_server)
    episode = agent.block()
    done = any_server.tma("act", "approve", "--pane", agent.pane)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"tma: sent approve to {agent.pane}\n")
    agent.hears(b"1")
    options = any_server.options(agent.pane)
    assert options["@agent_act_repeat"] == f"{episode}:approve:1"
    assert options["@agent_act_result"].endswith(":sent")
    assert options["@agent_action"] == ""


@pytest.mark.parametrize("action", ["approve", "deny"])
@pytest.mark.parametrize(
    ("agent", "screen"),
    [
        ("claude", "claude-made/transcript_view_of_a_permission"),
        ("claude", "claude-made/permission_quoted_above_an_unknown_dialog"),
        ("codex", "codex-made/permission_quoted_above_an_unknown_dialog"),
    ],
)
def test_a_claim_that_the_screen_contradicts_is_not_answered(
    server: TmuxServer, agent: str, screen: str, action: str
) -> None:
    """FC-05, STO-8: the words of a permission stand on the screen, but the rules read another dialog or none."""
    server.start(width=100, height=40)
    configure(server, FRESH)
    stored = (ROOT / "tests" / "golden" / "screens" / f"{screen}.txt").read_text(encoding="utf-8")
    shown = strip(stored.partition("---\n")[2])
    asked = Actor(server, agent, screen=shown)
    asked.stamp("blocked", "permission")
    assert act(server, action, "--pane", asked.pane)[:3] == (4, "refused", "screen-mismatch")
    assert asked.heard_nothing()


@pytest.mark.parametrize(
    ("screen", "state", "detail"),
    [
        (PLAN, "blocked", "plan"),
        (QUESTION, "blocked", "question"),
        (TRUST, "blocked", "trust"),
        (PERMISSION, "blocked", ""),
        (PERMISSION, "blocked", "rate_limit"),
        (WORKING, "working", ""),
        (IDLE, "idle", ""),
        (PERMISSION, "", ""),
    ],
)
@pytest.mark.parametrize("name", ["approve", "deny"])
def test_only_a_permission_is_answered(actor: Actor, screen: str, state: str, detail: str, name: str) -> None:
    """STO-8, ACT-BUN-2, SEC-A-8, FC-05, FC-43: gated, exit 4, no byte."""
    actor.show(screen)
    actor.stamp(state, detail)
    assert act(actor.server, name, "--pane", actor.pane)[:3] == (4, "refused", "gated")
    assert actor.heard_nothing()


@pytest.mark.parametrize("screen", [PLAN, QUESTION, TRUST, IDLE, WORKING])
@pytest.mark.parametrize("name", ["approve", "deny"])
def test_force_presses_no_key_on_another_screen(actor: Actor, screen: str, name: str) -> None:
    """ACT-FORCE-1, FC-43: the assertion stays, whatever the stamp says."""
    actor.show(screen)
    actor.block()
    for words in ((), ("--force",), ("--force", "--yes")):
        assert act(actor.server, name, "--pane", actor.pane, *words)[:3] == (4, "refused", "screen-mismatch")
    assert actor.heard_nothing()


def test_a_question_on_the_permission_channel_is_read_off_the_screen(server: TmuxServer) -> None:
    """FC-05: the stored detail came from a notice that could not tell the two apart, and is stale."""
    server.start()
    configure(server, "[fold]\nfreshness_secs = 0\n")
    actor = Actor(server, screen=QUESTION)
    actor.block(source="capture", evidence_at=1)
    fired = act(server, "approve", "--pane", actor.pane)
    assert (fired.code, fired.reason) == (4, "gated")
    assert server.options(actor.pane)["@agent_detail"] == "question"
    assert actor.heard_nothing()


def test_a_plain_dialog_after_a_plan_is_approved_as_ever(actor: Actor) -> None:
    """FC-43: the refusal before leaves nothing behind."""
    actor.show(PLAN)
    actor.stamp("blocked", "plan")
    assert act(actor.server, "approve", "--pane", actor.pane).reason == "gated"
    actor.show(PERMISSION)
    actor.block()
    assert act(actor.server, "approve", "--pane", actor.pane).outcome == "sent"
    actor.hears(b"1")


def test_a_stale_pane_is_looked_at_before_it_is_answered(server: TmuxServer) -> None:
    """ACT-FRESH-1, ACT-FRESH-2: the stored state is old, the screen decides."""
    server.start()
    actor = Actor(server)
    actor.stamp("idle", since=5, evidence_at=5, stamped_at=5)
    assert act(server, "approve", "--pane", actor.pane).outcome == "sent"
    actor.hears(b"1")
    assert server.options(actor.pane)["@agent_state"] == "blocked"
    assert "blocked:1" in server.show(actor.pane, "#{@agent_summary}")


def test_a_stale_pane_that_moved_on_is_not_answered(server: TmuxServer) -> None:
    """SEC-A-1: the other way round."""
    server.start()
    actor = Actor(server, screen=IDLE)
    actor.block(source="capture", since=5, evidence_at=5, stamped_at=5)
    assert act(server, "approve", "--pane", actor.pane).reason == "gated"
    assert actor.heard_nothing()


MODES = {
    "copy-mode": ("pane-in-mode", lambda server, pane: server("copy-mode", "-t", pane)),
    "clock-mode": ("pane-in-mode", lambda server, pane: server("clock-mode", "-t", pane)),
    "choose-tree": ("pane-in-mode", lambda server, pane: server("choose-tree", "-t", pane)),
    "input-off": ("input-off", lambda server, pane: server("select-pane", "-d", "-t", pane)),
    "pane-synchronized": (
        "synchronized",
        lambda server, pane: server("set-option", "-p", "-t", pane, "synchronize-panes", "on"),
    ),
    "window-synchronized": (
        "synchronized",
        lambda server, pane: server("set-option", "-w", "-t", pane, "synchronize-panes", "on"),
    ),
}


@pytest.mark.parametrize("condition", MODES)
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_pane_that_would_not_pass_the_key_on_refuses(
    any_server: TmuxServer, condition: str, force: tuple[str, ...]
) -> None:
    """ACT-GATE-2, ACT-KEY-3, FC-41, FC-45: named, nothing sent, the mode left as it was."""
    any_server.start()
    configure(any_server, FRESH)
    actor = Actor(any_server)
    actor.block()
    reason, apply = MODES[condition]
    apply(any_server, actor.pane)
    before = any_server.show(actor.pane, "#{pane_mode}")
    for name in ("approve", "deny"):
        assert act(any_server, name, "--pane", actor.pane, *force)[:3] == (4, "refused", reason)
    assert any_server.show(actor.pane, "#{pane_mode}") == before
    assert actor.heard == b""


def test_an_action_may_leave_the_mode_first(any_server: TmuxServer) -> None:
    """ACT-KEY-3, FC-41: in the same step, and the key arrives once."""
    any_server.start()
    configure(any_server, FRESH)
    user_action(any_server, "insist", f"leave_mode = true\n{ANSWER}")
    actor = Actor(any_server)
    actor.block()
    any_server("copy-mode", "-t", actor.pane)
    assert act(any_server, "insist", "--pane", actor.pane).outcome == "sent"
    actor.hears(b"1")
    assert any_server.show(actor.pane, "#{pane_in_mode}") == "0"


def test_a_dead_pane_refuses(any_server: TmuxServer) -> None:
    """FC-45: the pane is there, and nobody in it."""
    any_server.start()
    configure(any_server, FRESH)
    actor = Actor(any_server)
    actor.block()
    any_server("set-option", "-w", "-t", actor.pane, "remain-on-exit", "on")
    actor.file.unlink()
    until(lambda: any_server.show(actor.pane, "#{pane_dead}") == "1", what="a dead pane")
    for force in ((), ("--force",)):
        assert act(any_server, "approve", "--pane", actor.pane, *force)[:3] == (4, "refused", "pane-dead")


def test_a_killed_agent_leaves_its_shell_alone(any_server: TmuxServer) -> None:
    """FC-45, ACT-GATE-5: half a command stands at the prompt, and stays half a command."""
    any_server.start()
    configure(any_server, FRESH)
    actor = Actor(any_server, below_shell=True)
    actor.block()
    os.kill(actor.pid, signal.SIGKILL)
    until(lambda: any_server.show(actor.pane, "#{pane_current_command}") == "bash", what="the shell")
    any_server("send-keys", "-t", actor.pane, "-l", "rm -r old")
    until(lambda: "rm -r old" in any_server.screen(actor.pane), what="half a command")
    before = any_server.screen(actor.pane)
    for words in (
        ("approve",),
        ("approve", "--force", "--yes"),
        ("deny", "--force"),
        ("steer", "--text", "x", "--force"),
    ):
        assert act(any_server, *words, "--pane", actor.pane)[:3] == (4, "refused", "wrong-agent")
    assert any_server.screen(actor.pane) == before


def test_a_stopped_agent_is_not_in_front(actor: Actor) -> None:
    """ID-11: another program was started over it."""
    actor.block(pid=1)
    assert act(actor.server, "approve", "--pane", actor.pane).reason == "wrong-agent"
    actor.block(name="codex")
    assert act(actor.server, "approve", "--pane", actor.pane).reason == "wrong-agent"
    assert actor.heard_nothing()


def test_a_missing_pane_is_gone(actor: Actor) -> None:
    """ACT-TGT-1, ACT-SEQ-3: exit 3."""
    assert act(actor.server, "approve", "--pane", "%999")[:3] == (3, "vanished", "pane-gone")
    done = actor.server.tma("act", "--list", "--pane", "%999")
    assert (done.returncode, done.stdout) == (3, "")


def test_no_server_is_a_failure(server: TmuxServer) -> None:
    """ACT-TGT-5, CLI-9: exit 1, nothing on standard output, and no server started."""
    done = server.tma("act", "approve", "--pane", "%1", "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no tmux server running" in done.stderr
    assert not server.socket.exists()


class TestBinders:
    """ACT-BIND-1, ACT-BIND-2."""

    @pytest.mark.parametrize("force", [(), ("--force",)])
    def test_two_prompts_without_work_between_are_two_episodes(self, actor: Actor, force: tuple[str, ...]) -> None:
        """GRD-6: an answer bound to the first never reaches the second."""
        first = actor.block()
        until(lambda: actor.block() != first, what="a later instant")
        bound = ("--expect-episode-ms", str(first), *force)
        assert act(actor.server, "approve", "--pane", actor.pane, *bound)[:3] == (4, "refused", "episode-changed")
        assert actor.heard_nothing()

    def test_ids_that_are_no_longer_stored_refuse(self, actor: Actor) -> None:
        """Exit 4, the options as they were, the lock released."""
        actor.block(permission_request="per_1", pending_call="toolu_1")
        before = actor.server.options(actor.pane)
        for flag in ("--expect-permission-request", "--expect-pending-call"):
            assert act(actor.server, "approve", "--pane", actor.pane, flag, "other")[:3] == (
                4,
                "refused",
                "request-gone",
            )
        after = actor.server.options(actor.pane)
        assert after.pop("@agent_action") == ""
        assert after == before
        assert actor.heard_nothing()

    def test_what_still_stands_is_answered(self, actor: Actor) -> None:
        """All three together."""
        episode = actor.block(permission_request="per_1", pending_call="toolu:1.a")
        words = [
            "--expect-episode-ms",
            str(episode),
            "--expect-permission-request",
            "per_1",
            "--expect-pending-call",
            "toolu:1.a",
        ]
        assert act(actor.server, "approve", "--pane", actor.pane, *words).outcome == "sent"
        actor.hears(b"1")


class TestRequirements:
    """ACT-REQ-1, ACT-GATE-2."""

    def test_a_missing_session_is_unmet_also_under_force(self, actor: Actor) -> None:
        """Exit 4."""
        user_action(actor.server, "need", f'requires = ["session"]\n{ANSWER}')
        actor.block()
        for force in ((), ("--force",)):
            assert act(actor.server, "need", "--pane", actor.pane, *force)[:3] == (4, "refused", "requires-unmet")
        actor.block(session="s-1")
        assert act(actor.server, "need", "--pane", actor.pane).outcome == "sent"

    def test_a_bound_needs_a_gauge(self, actor: Actor) -> None:
        """``no-coverage`` for an agent without one, ``gated`` for one whose gauge says nothing."""
        table = 'kind = "keys"\nwhen = { context_pct_min = 75 }\n[keys]\nclaude = ["1"]\nopencode = ["1"]\n'
        user_action(actor.server, "full", table)
        actor.block()
        assert act(actor.server, "full", "--pane", actor.pane).reason == "gated"
        actor.block(context_pct=80)
        assert act(actor.server, "full", "--pane", actor.pane).outcome == "sent"
        other = Actor(actor.server, "opencode")
        other.block()
        assert act(actor.server, "full", "--pane", other.pane)[:3] == (4, "refused", "no-coverage")


class TestTargets:
    """ACT-TGT-2 to ACT-TGT-4."""

    def test_the_own_pane_is_the_default(self, actor: Actor) -> None:
        """Inside tmux; outside it is a usage error."""
        actor.block()
        assert act(actor.server, "approve", pane=actor.pane).outcome == "sent"
        done = actor.server.tma("act", "approve")
        assert (done.returncode, done.stdout) == (2, "")

    def test_a_selector_must_name_one(self, actor: Actor) -> None:
        """None is exit 3, several exit 1 with their ids."""
        actor.block()
        assert act(actor.server, "approve", "--agent", "claude").outcome == "sent"
        done = actor.server.tma("act", "approve", "--agent", "codex")
        assert (done.returncode, done.stdout) == (3, "")
        other = Actor(actor.server)
        other.block()
        done = actor.server.tma("act", "approve", "--agent", "claude")
        assert done.returncode == 1
        assert actor.pane in done.stderr
        assert other.pane in done.stderr
        assert "--all" in done.stderr
        assert other.heard == b""

    def test_all_fires_one_after_the_other(self, actor: Actor) -> None:
        """ACT-ALL-1 to ACT-ALL-3, AJ-4: one refusal stops nothing, and the worst decides the exit code."""
        planning = Actor(actor.server, screen=PLAN)
        third = Actor(actor.server)
        third.block(since=1)
        actor.block(since=2)
        planning.stamp("blocked", "plan", since=3)
        done = actor.server.tma("act", "approve", "--all", "--json")
        results = json.loads(done.stdout)["results"]
        assert [(each["pane"], each["outcome"]) for each in results] == [
            (third.pane, "sent"),
            (actor.pane, "sent"),
            (planning.pane, "refused"),
        ]
        assert done.returncode == 4
        third.hears(b"1")
        actor.hears(b"1")
        assert planning.heard_nothing()
        assert actor.server.tma("act", "approve", "--all", "--agent", "codex").returncode == 2


def test_the_same_answer_again_and_again_is_pointed_out(actor: Actor) -> None:
    """ACT-REP-2, SEC-A-6: from the third on; it never refuses."""
    actor.block()
    notes = [act(actor.server, "approve", "--pane", actor.pane).err for _ in range(4)]
    assert ["consecutive" in note for note in notes] == [False, False, True, True]
    assert f"4 consecutive approve on {actor.pane}" in notes[-1]


@pytest.mark.parametrize(
    "words",
    [
        ("nonsense", "--pane", "%1"),
        (),
        ("approve", "--pane", "1"),
        ("approve", "--pane", "#{pane_id}"),
        ("approve", "--pane", "%00000001"),
        ("approve", "--pane", "%00000001", "--dry-run"),
        ("approve", "--pane", "%1", "--all"),
        ("approve", "--pane", "%1", "--agent", "x"),
        ("approve", "--arg", "x", "--pane", "%1"),
        ("approve", "--text", "x", "--pane", "%1"),
        ("steer", "--pane", "%1"),
        ("--list", "approve"),
        ("--list", "--menu"),
        ("--list", "--all"),
        ("--list", "--force"),
        ("--list", "--text", ""),
        ("--menu", "--json"),
        ("--menu", "--agent", "x"),
        ("--list", "--expect-episode-ms", "0"),
        ("approve", "--all", "--expect-episode-ms", "1"),
        ("--list", "--dry-run"),
        ("approve", "--pane", "%1", "--expect-episode-ms", "x"),
        ("approve", "--pane", "%1", "--expect-permission-request", "a b"),
        ("approve", "--pane", "%1", "--expect-pending-call", "a b"),
        ("approve", "--pane", "%1", "--expect-pending-call", ""),
        ("approve", "--pane", "%1", "--pane", "%2"),
        ("approve", "--pan", "%1"),
        ("steer", "--pane", "%1", "--text"),
        ("approve", "--agent", ""),
        ("--menu", "--from-menu", "--pane", "%1"),
    ],
)
def test_a_wrong_command_line_touches_no_server(server: TmuxServer, words: tuple[str, ...]) -> None:
    """CAC-1, CLI-3: exit 2 with nothing on standard output, and no tmux was called: none is there."""
    done = server.tma("act", *words, env={"TMA_TMUX_BIN": "/nonexistent/tmux"})
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("tma: ")


@pytest.mark.parametrize("text", ["kind = ", 'kind = "keys"\nnonsense = 1\n[keys]\nclaude = ["2"]\n'])
def test_a_broken_action_of_the_users_disables_that_name(actor: Actor, text: str) -> None:
    """ACT-CLI-1, ACTM-LOAD-4: it never falls back to the bundled one, and everything else works."""
    path = user_action(actor.server, "approve", text)
    actor.block()
    done = actor.server.tma("act", "approve", "--pane", actor.pane, "--json")
    assert (done.returncode, done.stdout) == (1, "")
    assert str(path) in done.stderr
    assert act(actor.server, "deny", "--pane", actor.pane).outcome == "sent"
    listed = actor.server.tma("act", "--list")
    assert "approve" not in listed.stdout
    assert str(path) in listed.stderr
    actor.hears(b"\x1b")


def test_a_users_action_replaces_the_bundled_one_whole(actor: Actor) -> None:
    """ACTM-LOAD-1, ACTM-LOAD-2: in its place, and nothing is merged."""
    user_action(actor.server, "approve", 'kind = "keys"\n[keys]\nclaude = ["2"]\n')
    actor.stamp("idle")
    assert act(actor.server, "approve", "--pane", actor.pane).outcome == "sent"
    actor.hears(b"2")
    listed = json.loads(actor.server.tma("act", "--list", "--json").stdout)["actions"]
    assert listed[0] == {"name": "approve", "label": "approve", "kind": "keys", "agents": ["claude"], "when": None}


class TestWithoutFiring:
    """ACT-DRY-1, ACT-DRY-2, ACT-LIST-1: nothing is written."""

    def check(self, actor: Actor, run: Callable[[], object]) -> None:
        """The options and the pane stay as they are."""
        before = actor.server.options(actor.pane)
        run()
        assert actor.server.options(actor.pane) == before
        assert actor.heard == b""

    def test_a_dry_run_tells_target_gate_effect_and_ages(self, actor: Actor) -> None:
        """Exit 0 once a target is there, whatever the gate says."""
        actor.server("select-pane", "-t", actor.pane, "-T", "x\x1b]0;y\x07z")
        actor.block()

        def run() -> None:
            done = actor.server.tma("act", "approve", "--pane", actor.pane, "--dry-run")
            lines = done.stdout.splitlines()
            assert done.returncode == 0
            assert lines[:6] == [
                "action:  approve",
                f"pane:    {actor.pane}",
                "agent:   claude",
                "gate:    fireable",
                "effect:  keys: 1",
                "context:",
            ]
            assert f"  TMA_PANE={actor.pane} (live)" in lines
            assert any(line.startswith("  TMA_STATE=blocked (") and line.endswith(" ms old)") for line in lines)
            assert "\x1b" not in done.stdout
            assert actor.server.tma("act", "interrupt", "--pane", actor.pane, "--dry-run").returncode == 0

        self.check(actor, run)

    def test_a_dry_run_names_the_reason(self, actor: Actor) -> None:
        """Also for a payload, a missing pane, and many targets."""
        actor.block()
        tma = actor.server.tma
        assert "gate:    refused: gated" in tma("act", "interrupt", "--pane", actor.pane, "--dry-run").stdout
        assert (
            "gate:    refused: sigil" in tma("act", "steer", "--text", "/x", "--pane", actor.pane, "--dry-run").stdout
        )
        gone = tma("act", "approve", "--pane", "%99", "--dry-run")
        assert (gone.returncode, "gate:    vanished (pane gone)" in gone.stdout) == (0, True)
        for words in (("--all", "--dry-run"), ("--all", "--dry-run", "--json")):
            assert tma("act", "approve", *words).stdout == f"targets: 1\n{actor.pane} claude would fire\n"

    def test_a_dry_run_is_no_document(self, actor: Actor) -> None:
        """ACT-DRY-1: ``--json`` has no effect beside it."""
        actor.block()
        done = actor.server.tma("act", "approve", "--pane", actor.pane, "--dry-run", "--json")
        assert (done.returncode, done.stdout.splitlines()[0], done.stderr) == (0, "action:  approve", "")

    def test_a_list_gives_each_verdict(self, actor: Actor) -> None:
        """A gate reason outranks a held lock."""
        actor.block()
        lines = actor.server.tma("act", "--list", "--pane", actor.pane).stdout.splitlines()
        assert lines[0] == "approve      keys  claude,codex,copilot,gemini,opencode,qwen  fireable"
        assert lines[2].endswith("  refused: gated")
        actor.server("set-option", "-p", "-t", actor.pane, "@agent_action", f"99999999999999:{'a' * 32}:1:approve")
        document = json.loads(actor.server.tma("act", "--list", "--pane", actor.pane, "--json").stdout)
        verdicts = {each["name"]: (each["fireable"], each["reason"]) for each in document["actions"]}
        assert verdicts["approve"] == (False, "locked")
        assert verdicts["steer"] == (False, "gated")
        assert list(document["actions"][0]) == ["name", "label", "kind", "agents", "when", "fireable", "reason"]
        assert document["actions"][0]["when"] == {
            "state": ["blocked"],
            "detail": ["permission"],
            "context_pct_min": None,
            "context_pct_max": None,
        }


class TestConfirm:
    """ACT-CONF-1 to ACT-CONF-3."""

    def test_without_a_terminal_nothing_is_fired(self, actor: Actor) -> None:
        """Exit 1, ``error``; force is no yes."""
        user_action(actor.server, "risky", f"confirm = true\n{ANSWER}")
        actor.block()
        for force in ((), ("--force",)):
            assert act(actor.server, "risky", "--pane", actor.pane, *force)[:3] == (1, "error", None)
        assert actor.heard_nothing()

    def test_yes_answers_beforehand(self, actor: Actor) -> None:
        """The gate runs afterwards."""
        user_action(actor.server, "risky", f"confirm = true\n{ANSWER}")
        actor.block()
        assert act(actor.server, "risky", "--pane", actor.pane, "--yes").outcome == "sent"

    @pytest.mark.parametrize(("answer", "code"), [("y", 0), ("YES", 0), ("n", 1), ("", 1), ("yess", 1)])
    def test_a_person_is_asked_on_the_terminal(self, actor: Actor, answer: str, code: int) -> None:
        """Only ``y`` and ``yes`` go on."""
        server = actor.server
        user_action(server, "risky", f"confirm = true\n{ANSWER}")
        actor.block()
        shell = server.pane("sh")
        exports = " ".join(f"{name}='{value}'" for name, value in server.environment.items() if name != "TERM")
        command = f"env {exports} {sys.executable} -m tma act risky --pane {actor.pane}; echo code=$?="
        server("send-keys", "-t", shell, "-l", command)
        server("send-keys", "-t", shell, "Enter")
        until(lambda: "[y/N]?" in server.screen(shell), what="the question")
        server("send-keys", "-t", shell, "-l", answer)
        server("send-keys", "-t", shell, "Enter")
        until(lambda: f"code={code}=" in server.screen(shell), what=f"exit {code}; {server.screen(shell)}")
        if code:
            assert actor.heard_nothing()
        else:
            actor.hears(b"1")


def test_a_draft_is_not_sent_along(actor: Actor) -> None:
    """FC-47, ACT-BUN-4: the composer is not empty, and the draft stays as it is."""
    actor.show(DRAFT)
    actor.stamp("idle", context_pct=90)
    assert act(actor.server, "compact", "--pane", actor.pane)[:3] == (4, "refused", "screen-mismatch")
    assert act(actor.server, "steer", "--text", "go on", "--pane", actor.pane).reason == "screen-mismatch"
    assert actor.heard_nothing()
