"""The gate's order of reasons, the binders, the payload of a text, and who stands in a pane."""

import pytest

from acting import exec_action, facts, keys_action, text_action
from detection import manifest, process, shell_with
from tma.core import stamp
from tma.core.act import gate
from tma.core.act.gate import Binders, Needs, bound, refusal, standing_of, text_refusal
from tma.core.act.schema import Action

READY = Needs(has_gauge=True, has_endpoint=True, standing=gate.PROVEN)
API = {"keys": None, "api": {"opencode": {"op": "permission-reply", "reply": "once"}}}


class TestOrder:
    """ACT-GATE-2: each reason hides the ones after it."""

    def test_each_reason_outranks_the_next(self) -> None:
        """Everything is wrong at first; one thing after the other is put right."""
        action = keys_action(when={"state": ["idle"], "context_pct_min": 75}, requires=["session"])
        values = {stamp.NAME: "codex", stamp.CONTEXT_PCT: "80"}
        pane = {"pane_dead": "1", "pane_input_off": "1", "pane_in_mode": "1", "pane_synchronized": "1"}
        needs = READY._replace(has_gauge=False)
        seen = []
        for fix in (
            {stamp.NAME: "claude"},
            {},
            {stamp.SESSION: "s1"},
            {stamp.STATE: "idle"},
            {"pane_dead": "0"},
            {"pane_input_off": "0"},
            {"pane_in_mode": "0"},
            {"pane_synchronized": "0"},
        ):
            seen.append(refusal(action, facts({**values, **pane}), needs))
            values |= {key: text for key, text in fix.items() if key.startswith("@")}
            pane |= {key: text for key, text in fix.items() if not key.startswith("@")}
            needs = READY if not fix else needs
        assert seen == [
            "wrong-agent",
            "no-coverage",
            "requires-unmet",
            "gated",
            "pane-dead",
            "input-off",
            "pane-in-mode",
            "synchronized",
        ]
        assert refusal(action, facts({**values, **pane}), needs) == ""

    def test_the_interface_needs_an_address_and_an_id(self) -> None:
        """ACT-API-2: before the lock, also under force, and after the gate."""
        action = keys_action(**API)
        asking = facts({stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1"})
        assert refusal(action, asking, READY) == ""
        for needs, seen in ((READY._replace(has_endpoint=False), asking), (READY, facts({stamp.NAME: "opencode"}))):
            for force in (False, True):
                assert refusal(action, seen, needs, force=force) == "requires-unmet"

    def test_a_pane_condition_is_nothing_to_an_interface_or_a_command(self) -> None:
        """ACT-GATE-2: for a keystroke transport only."""
        off = {"pane_input_off": "1", "pane_in_mode": "1", "pane_synchronized": "1"}
        asking = facts({stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1"}, **off)
        assert refusal(keys_action(**API), asking, READY._replace(standing="")) == ""
        assert refusal(exec_action(), facts(**off), READY._replace(standing=gate.ABSENT)) == ""


class TestWhen:
    """ACT-GATE-1, ACT-GATE-3."""

    @pytest.mark.parametrize("state", ["idle", "working", "blocked", "unknown"])
    @pytest.mark.parametrize(
        "detail", ["", "permission", "plan", "trust", "question", "rate_limit", "api_key", "permission2"]
    )
    def test_only_the_named_pair_fires(self, state: str, detail: str) -> None:
        """STO-8, SEC-A-8: an absent detail never satisfies a detail key, and tokens are exact."""
        fires = (state, detail) == ("blocked", "permission")
        seen = facts({stamp.STATE: state, stamp.DETAIL: detail})
        assert refusal(keys_action(), seen, READY) == ("" if fires else "gated")

    @pytest.mark.parametrize(
        ("low", "high", "context", "fires"),
        [
            (75, None, "75", True),
            (75, None, "74", False),
            (None, 75, "75", True),
            (None, 75, "76", False),
            (10, 20, "15", True),
            (75, None, "", False),
            (75, None, "200", False),
        ],
    )
    def test_context_bounds_are_inclusive_and_fail_closed(self, low: int, high: int, context: str, fires: bool) -> None:  # noqa: FBT001
        """ACT-GATE-1."""
        when = {
            key: value for key, value in {"context_pct_min": low, "context_pct_max": high}.items() if value is not None
        }
        assert refusal(keys_action(when=when), facts({stamp.CONTEXT_PCT: context}), READY) == ("" if fires else "gated")

    def test_without_conditions_every_state_fires(self) -> None:
        """ACT-GATE-3."""
        assert refusal(keys_action(when=None), facts({stamp.STATE: "", stamp.DETAIL: ""}), READY) == ""

    def test_a_line_waits_for_the_turn_unless_the_agent_takes_it_in(self) -> None:
        """ACT-GATE-4: whatever the conditions say."""
        working = facts({stamp.STATE: "working", stamp.DETAIL: ""})
        assert refusal(text_action(when=None), working, READY) == "gated"
        assert refusal(text_action(when=None), working, READY, force=True) == ""
        taken = text_action(when=None, text={"claude": {"steer_now": True}})
        assert refusal(taken, working, READY) == ""

    def test_force_skips_the_conditions_alone(self) -> None:
        """ACT-FORCE-1."""
        idle = facts({stamp.STATE: "idle"})
        assert refusal(keys_action(), idle, READY, force=True) == ""
        assert refusal(keys_action(requires=["session"]), idle, READY, force=True) == "requires-unmet"
        assert refusal(keys_action(), idle, READY._replace(standing=gate.ABSENT), force=True) == "wrong-agent"
        assert refusal(keys_action(), facts(pane_in_mode="1"), READY, force=True) == "pane-in-mode"
        assert (
            refusal(keys_action(), facts(pane_dead="1"), READY._replace(standing=gate.ABSENT), force=True)
            == "pane-dead"
        )


@pytest.mark.parametrize(
    ("required", "missing"),
    [
        ("session", {stamp.SESSION: "a b"}),
        ("cwd", {"pane_current_path": ""}),
        ("pid", {stamp.PID: "0"}),
        ("title", {"pane_title": ""}),
    ],
)
def test_each_requirement_can_be_unmet(required: str, missing: dict[str, str]) -> None:
    """ACT-REQ-1: an unusable value counts as none."""
    action = keys_action(requires=[required])
    assert refusal(action, facts({stamp.SESSION: "s1"}), READY) == ""
    assert refusal(action, facts({stamp.SESSION: "s1", **missing}), READY) == "requires-unmet"


class TestBinders:
    """ACT-BIND-1."""

    def test_an_episode_binds_in_both_directions(self) -> None:
        """An older and a newer number are both another prompt."""
        for episode, reason in (
            (1699999999000, ""),
            (1699999998999, "episode-changed"),
            (1699999999001, "episode-changed"),
        ):
            assert bound(facts(), Binders(episode)) == reason

    def test_an_episode_of_nothing_binds_too(self) -> None:
        """A pane that was never in a state has episode 0."""
        assert bound(facts({stamp.SINCE: ""}), Binders(0)) == ""
        assert bound(facts(), Binders(0)) == "episode-changed"

    def test_ids_bind(self) -> None:
        """Another id and no id are both gone."""
        seen = facts({stamp.PERMISSION_REQUEST: "per_1", stamp.PENDING_CALL: "toolu_1"})
        assert bound(seen, Binders(None, "per_1", "toolu_1")) == ""
        assert bound(seen, Binders(None, "per_2")) == "request-gone"
        assert bound(seen, Binders(None, "", "toolu_2")) == "request-gone"
        assert bound(facts(), Binders(None, "per_1")) == "request-gone"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("go on", ""),
        ("", "empty"),
        (" \u00a0\u3000", "empty"),
        ("é" * 2048, ""),
        ("é" * 2049, "too-long"),
        ("a\nb", "control-bytes"),
        ("a\tb", "control-bytes"),
        ("\x1b[A", "control-bytes"),
        ("a\x7f", "control-bytes"),
        ("a\x9bb", "control-bytes"),
        ("a\udcff", "control-bytes"),
        ("/clear", "sigil"),
        ("  /clear", "sigil"),
        ("\u00a0!ls", "sigil"),
        ("\u200b/clear", "sigil"),
        (" \ufeff \u2060\u00ad!ls", "sigil"),
        ("\u202e\u2066#note", "sigil"),
        ("\u3164\u2800@file", "sigil"),
        ("\ufe0f\u034f\u180e/clear", "sigil"),
        ("\U000e0020/clear", "sigil"),
        ("\u200b \u2063", "empty"),
        ("e\u0301/", ""),
        ("\u200bgo on", ""),
        ("-x", ""),
        ("Enter", ""),
        ("\n" * 5000, "empty"),
        ("x" * 5000 + "\n", "too-long"),
        ("/\n", "control-bytes"),
    ],
)
def test_a_line_is_judged_by_its_first_fault(text: str, reason: str) -> None:
    """ACT-TEXT-1, ACT-TEXT-2."""
    assert text_refusal(text, ("/", "!", "#", "@")) == reason


def test_sigils_can_be_given_up() -> None:
    """The manifest decides which first characters are commands."""
    assert text_refusal("/clear", ()) == ""


class TestStanding:
    """ACT-GATE-5, ID-11, ID-13, FWD-9, REM-12."""

    TREE = shell_with("claude")

    def test_the_agent_in_front_is_proven(self) -> None:
        """Its process is in the pane's tree, by its name, and the terminal is its own."""
        assert standing_of(facts(), manifest(), self.TREE) == gate.PROVEN

    def test_a_shell_in_front_is_nobody(self) -> None:
        """FC-45: the agent is stopped or gone, and the shell would take the key."""
        assert (
            standing_of(facts(pane_current_command="bash"), manifest(), shell_with("claude", front=10)) == gate.ABSENT
        )
        assert standing_of(facts(pane_current_command="bash"), manifest(), self.TREE[:1]) == gate.ABSENT

    def test_another_process_of_that_id_is_nobody(self) -> None:
        """The stored process is in the tree under another name, or a process of the name is not the stored one."""
        assert standing_of(facts(), manifest(), shell_with("vim")) == gate.ABSENT
        assert standing_of(facts({stamp.PID: "21"}), manifest(), self.TREE) == gate.ABSENT

    def test_a_registered_agent_stands_by_its_reports_unless_a_shell_is_in_front(self) -> None:
        """ID-13: no process is known, and none of its name is there."""
        registered = {stamp.PID: "0"}
        wrapper = [process(10, 1, "bash", front=20), process(20, 10, "weird", front=20)]
        assert standing_of(facts(registered, pane_current_command="weird"), manifest(), wrapper) == gate.CLAIMED
        assert standing_of(facts(registered, pane_current_command="-zsh"), manifest(), wrapper) == gate.ABSENT

    def test_a_registered_agent_whose_process_is_there_is_judged_by_it(self) -> None:
        """An event stores no process; the one that is there still decides."""
        assert standing_of(facts({stamp.PID: "0"}), manifest(), self.TREE) == gate.PROVEN
        behind = [*shell_with("claude", front=30), process(30, 10, "vim", front=30)]
        assert standing_of(facts({stamp.PID: "0"}, pane_current_command="vim"), manifest(), behind) == gate.ABSENT

    @pytest.mark.parametrize(("pid", "expected"), [("0", gate.CLAIMED), ("20", gate.ABSENT)])
    def test_behind_a_boundary_a_claim_stands_and_an_older_process_does_not(self, pid: str, expected: str) -> None:
        """ID-6, REM-9, REM-12: a pid was stored before the hop."""
        assert standing_of(facts({stamp.PID: pid}, pane_current_command="ssh"), manifest(), self.TREE) == expected
        assert standing_of(facts({stamp.PID: pid}, pane_current_command="tmux"), manifest(), self.TREE) == expected

    def test_a_foreign_process_stands_by_the_command(self) -> None:
        """FWD-9: no process can be looked at."""
        assert standing_of(facts(), manifest(), None) == gate.CLAIMED
        assert standing_of(facts(pane_current_command="sh"), manifest(), None) == gate.ABSENT
        assert standing_of(facts(pane_current_command="ssh"), manifest(), None) == gate.ABSENT

    def test_a_command_that_may_not_enter_a_guard_is_nobody(self) -> None:
        """ACT-GATE-5: the guard could not test it again."""
        assert standing_of(facts(pane_current_command="cla,ude"), manifest(), self.TREE) == gate.ABSENT

    def test_an_agent_without_a_manifest_is_nobody(self) -> None:
        """Its process names are not known."""
        assert standing_of(facts(), None, self.TREE) == gate.ABSENT


@pytest.mark.parametrize(
    ("action", "agent", "covered"),
    [
        (keys_action(), "claude", True),
        (keys_action(), "codex", False),
        (exec_action(), "codex", True),
        (exec_action(), "", False),
        (exec_action(agents=["pi"]), "codex", False),
    ],
)
def test_only_covered_agents_are_reached(action: Action, agent: str, covered: bool) -> None:  # noqa: FBT001
    """ACTM-3: a pane without an agent is covered by nothing."""
    reason = refusal(action, facts({stamp.NAME: agent}), READY)
    assert (reason == "wrong-agent") is not covered
