"""The machine of one fire, run against a world of literals."""

from typing import Any

import pytest

from acting import NOW, exec_action, facts, keys_action, order, text_action, world
from tma.core import stamp
from tma.core.act import effects, gate
from tma.core.act.facts import Facts
from tma.core.act.gate import Binders
from tma.core.act.order import Order, World, variables_of
from tma.core.act.result import Result
from tma.core.act.sight import Sight
from tma.core.act.steps import Fire

API = {"keys": None, "api": {"opencode": {"op": "permission-reply", "reply": "once"}}}
ASKING = {stamp.NAME: "opencode", stamp.PERMISSION_REQUEST: "per_1", stamp.API_ENDPOINT: "http://127.0.0.1:4096"}


class Answers:
    """Answers every effect and keeps them in order."""

    def __init__(self, *looks: Facts | None, **answers: Any) -> None:
        """Give the looks in turn, the last one for ever; further answers by effect name."""
        self.looks = list(looks) or [facts()]
        self.answers: dict[str, Any] = {
            "Stand": gate.PROVEN,
            "Acquire": True,
            "Press": "sent",
            "Drain": True,
            "Post": 200,
            "Run": 0,
            "Supervise": True,
        } | answers
        self.seen: list[Any] = []

    def run(self, fire: Fire) -> Result:
        """Drive a fire to its end."""
        steps = fire.run()
        answer = None
        try:
            while True:
                effect = steps.send(answer)
                self.seen.append(effect)
                answer = self.answer(effect)
        except StopIteration as end:
            return end.value

    def answer(self, effect: Any) -> Any:
        """The next answer; a list is used up one by one."""
        if isinstance(effect, effects.Read):
            return self.looks.pop(0) if len(self.looks) > 1 else self.looks[0]
        kept = self.answers.get(type(effect).__name__)
        return kept.pop(0) if isinstance(kept, list) else kept

    @property
    def names(self) -> list[str]:
        """What was asked for, by name."""
        return [type(each).__name__ for each in self.seen]


def fired(given: Order, answers: Answers, around: World | None = None) -> tuple[Result, Fire]:
    """One fire, run."""
    fire = Fire(given, around or world())
    return answers.run(fire), fire


def test_the_steps_come_in_order() -> None:
    """ACT-SEQ-1: look, gate, lock, look again, send; nothing is detected anew while the stamp is young."""
    answers = Answers()
    result, fire = fired(order(keys_action()), answers)
    assert answers.names == ["Read", "Stand", "See", "Acquire", "Read", "Stand", "See", "Press"]
    assert (result.outcome, result.exit_code, fire.repeat) == ("sent", 0, 1)


def test_a_stale_pane_is_detected_once_before_the_gate() -> None:
    """ACT-FRESH-2: and gated on what that stored."""
    stale = facts({stamp.STAMPED_AT: "1"})
    answers = Answers(stale, facts({stamp.STATE: "idle"}))
    result, _ = fired(order(keys_action()), answers)
    assert answers.names == ["Read", "Stand", "See", "Refresh", "Read", "Stand", "See"]
    assert result.reason == "gated"


@pytest.mark.parametrize("force", [False, True])
def test_force_detects_a_stale_pane_too(force: bool) -> None:  # noqa: FBT001
    """ACT-FORCE-1: for identity; a pane that is no longer an agent's refuses."""
    answers = Answers(facts({stamp.STAMPED_AT: "1"}), facts({stamp.NAME: ""}))
    result, _ = fired(order(keys_action(), force=force), answers)
    assert "Refresh" in answers.names
    assert result.reason == "wrong-agent"


def test_a_command_and_a_far_side_are_not_detected_anew() -> None:
    """ACT-FRESH-2: exec fires run no cycle, and behind a boundary there is nothing fresher to look at."""
    old = {stamp.STAMPED_AT: "1"}
    answers = Answers(facts(old))
    fired(order(exec_action()), answers)
    assert "Refresh" not in answers.names
    behind = Answers(facts({**old, stamp.PID: "0"}, pane_current_command="ssh"), Stand=gate.CLAIMED)
    result, _ = fired(order(keys_action()), behind)
    assert "Refresh" not in behind.names
    assert result.outcome == "sent"


def test_nothing_is_read_for_a_line_that_may_not_be_typed() -> None:
    """ACT-SEQ-1, step 0."""
    answers = Answers()
    result, fire = fired(order(text_action(), text="/clear"), answers)
    assert (answers.names, result.reason, result.exit_code, fire.facts) == ([], "sigil", 4, None)


def test_a_missing_pane_is_gone_at_every_look() -> None:
    """ACT-TGT-1, ACT-SEQ-1."""
    for looks in ([None], [facts({stamp.STAMPED_AT: "1"}), None], [facts(), None]):
        result, _ = fired(order(keys_action()), Answers(*looks))
        assert (result.outcome, result.reason, result.exit_code) == ("vanished", "pane-gone", 3)


def test_a_held_lock_ends_the_fire() -> None:
    """ACT-LOCK-2."""
    answers = Answers(Acquire=False)
    result, _ = fired(order(keys_action()), answers)
    assert (result.reason, result.exit_code, answers.names[-1]) == ("locked", 5, "Acquire")


@pytest.mark.parametrize(
    ("later", "reason"),
    [
        ({stamp.STATE: "idle"}, "gated"),
        ({stamp.DETAIL: "plan"}, "gated"),
        ({stamp.NAME: "codex"}, "wrong-agent"),
        ({stamp.SINCE: "7"}, "episode-changed"),
    ],
)
def test_everything_is_judged_again_under_the_lock(later: dict[str, str], reason: str) -> None:
    """ACT-SEQ-1, step 5; ACT-BIND-1: binders are judged there, not before."""
    answers = Answers(facts(), facts(later))
    result, _ = fired(order(keys_action(), binders=Binders(1699999999000)), answers)
    assert (result.reason, "Press" in answers.names) == (reason, False)


def test_a_claim_must_stand_behind_the_same_command() -> None:
    """ACT-GATE-5: without a process to judge, the command may not change between the looks."""
    claim = {stamp.PID: "0"}
    looks = (facts(claim, pane_current_command="ssh"), facts(claim, pane_current_command="docker"))
    result, _ = fired(order(keys_action()), Answers(*looks, Stand=gate.CLAIMED))
    assert result.reason == "wrong-agent"


class TestSends:
    """ACT-SEND-4, ACT-SEND-5."""

    def test_a_changing_pane_is_offered_the_keys_three_times(self) -> None:
        """A third ``changed`` is ``gated``; each time everything is judged anew."""
        answers = Answers(Press="changed")
        result, fire = fired(order(keys_action()), answers)
        assert (answers.names.count("Press"), answers.names.count("Read"), result.reason, fire.repeat) == (
            3,
            4,
            "gated",
            0,
        )

    def test_a_change_that_gates_ends_it(self) -> None:
        """The keys go to nothing that the gate did not see."""
        answers = Answers(facts(), facts(), facts({stamp.STATE: "idle"}), Press="changed")
        result, _ = fired(order(keys_action()), answers)
        assert (answers.names.count("Press"), result.reason) == (1, "gated")

    def test_new_values_are_what_the_next_send_compares(self) -> None:
        """The second send carries the second look."""
        answers = Answers(facts(), facts(), facts({stamp.EVIDENCE_AT: "1699999999999"}), Press=["changed", "sent"])
        result, _ = fired(order(keys_action()), answers)
        formats = [each.format for each in answers.seen[-1].conditions]
        assert result.outcome == "sent"
        assert "#{==:#{@agent_evidence_at},1699999999999}" in formats

    @pytest.mark.parametrize(
        ("token", "outcome", "reason", "code"),
        [
            ("dead", "refused", "pane-dead", 4),
            ("input-off", "refused", "input-off", 4),
            ("in-mode", "refused", "pane-in-mode", 4),
            ("sync", "refused", "synchronized", 4),
            ("agent", "refused", "wrong-agent", 4),
            ("request", "refused", "request-gone", 4),
            ("screen", "refused", "screen-mismatch", 4),
            ("lock", "refused", "locked", 5),
            ("gone", "vanished", "pane-gone", 3),
            ("unknown", "error", None, 1),
            ("", "error", None, 1),
            ("nonsense", "error", None, 1),
        ],
    )
    def test_each_word_of_the_server_has_one_meaning(
        self, token: str, outcome: str, reason: str | None, code: int
    ) -> None:
        """ACT-SEND-4: and no effect is counted."""
        result, fire = fired(order(keys_action()), Answers(Press=token))
        assert (result.outcome, result.reason, result.exit_code, fire.repeat) == (outcome, reason, code, 0)


class TestKeys:
    """ACT-KEY-1, ACT-KEY-4, ACT-SEND-8."""

    def test_a_list_is_one_stroke(self) -> None:
        """Without a delay."""
        answers = Answers()
        fired(order(keys_action(keys={"claude": ["/compact", "Enter"]})), answers)
        assert answers.seen[-1].strokes == (effects.Stroke(("/compact", "Enter")),)

    def test_keys_go_apart(self) -> None:
        """The first keeps the lock, the last lets go and counts."""
        answers = Answers(Press=["typed", "sent"])
        result, fire = fired(
            order(keys_action(keys={"claude": ["Escape", "Escape"]}, key_delay_ms={"claude": 150})), answers
        )
        assert answers.names[-5:] == ["Press", "Pause", "Drain", "See", "Press"]
        first, pause, _, _, last = answers.seen[-5:]
        assert (first.last, pause.ms, last.last, last.strokes) == (False, 150, True, (effects.Stroke(("Escape",)),))
        assert (result.outcome, fire.repeat) == ("sent", 1)

    def test_one_key_needs_no_steps(self) -> None:
        """A delay between one thing and nothing is none."""
        answers = Answers()
        fired(order(keys_action(key_delay_ms={"claude": 150})), answers)
        assert answers.names[-1] == "Press"
        assert answers.seen[-1].last

    def test_no_keys_are_sent_as_nothing(self) -> None:
        """The guard still runs, and so does what follows it."""
        answers = Answers()
        result, _ = fired(order(keys_action(keys={"claude": []})), answers)
        assert (answers.seen[-1].strokes, result.outcome) == ((), "sent")

    def test_a_later_key_that_stays_is_an_error_with_its_number(self) -> None:
        """ACT-KEY-4: it is not tried again."""
        answers = Answers(Press=["typed", "changed"])
        result, fire = fired(order(keys_action(keys={"claude": ["a", "b", "c"]}, key_delay_ms={"claude": 1})), answers)
        assert (result.outcome, result.exit_code, fire.repeat) == ("error", 1, 0)
        assert "1 of the keys went out" in result.note
        assert answers.names.count("Press") == 2


class TestText:
    """ACT-TEXT-2 to ACT-TEXT-4."""

    IDLE = facts({stamp.STATE: "idle", stamp.DETAIL: ""})

    def test_a_line_and_its_end_are_two_steps(self) -> None:
        """The text is literal, its end a key."""
        answers = Answers(self.IDLE, Press=["typed", "sent"])
        result, _ = fired(order(text_action(), text="Enter"), answers)
        first, pause, _, _, last = answers.seen[-5:]
        assert first.strokes == (effects.Stroke(("Enter",), literal=True),)
        assert (pause.ms, last.strokes, result.outcome) == (150, (effects.Stroke(("Enter",)),), "sent")

    def test_an_agent_that_does_not_read_gets_no_enter(self) -> None:
        """ACT-TEXT-4: it may be dying, and the shell below would run the line."""
        answers = Answers(self.IDLE, Press=["typed"], Drain=False)
        result, _ = fired(order(text_action(), text="go"), answers)
        assert (result.outcome, answers.names.count("Press")) == ("error", 1)
        assert "not submitted; the agent does not read it" in result.note

    def test_without_a_delay_it_is_one_step(self) -> None:
        """Prefix, text and suffix in one."""
        entry = {"prefix": ["i"], "suffix": ["Enter"], "suffix_delay_ms": 0}
        answers = Answers(self.IDLE)
        fired(order(text_action(text={"claude": entry}), text="go"), answers)
        strokes = (effects.Stroke(("i",)), effects.Stroke(("go",), literal=True), effects.Stroke(("Enter",)))
        assert answers.seen[-1].strokes == strokes
        assert answers.seen[-1].last

    def test_without_an_end_it_is_one_step(self) -> None:
        """There is nothing to wait for."""
        answers = Answers(self.IDLE)
        fired(order(text_action(text={"claude": {}}), text="go"), answers)
        assert (answers.names.count("Press"), answers.seen[-1].last) == (1, True)

    @pytest.mark.parametrize("token", ["changed", "screen", "agent", "in-mode", "lock"])
    def test_a_prompt_in_between_is_not_answered(self, token: str) -> None:
        """ACT-TEXT-4: the message says what stands in the composer."""
        answers = Answers(self.IDLE, Press=["typed", token])
        result, _ = fired(order(text_action(), text="go"), answers)
        assert (result.outcome, answers.names.count("Press")) == ("error", 2)
        assert "typed and not submitted" in result.note


class TestReply:
    """ACT-API-1, ACT-API-2, ACT-API-5."""

    @pytest.mark.parametrize(
        ("status", "outcome", "reason", "forgotten"),
        [
            (200, "replied", None, True),
            (204, "replied", None, True),
            (404, "vanished", "request-gone", False),
            (500, "error", None, False),
            (302, "error", None, False),
            (0, "refused", "requires-unmet", False),
        ],
    )
    def test_the_status_decides(self, status: int, outcome: str, reason: str | None, forgotten: bool) -> None:  # noqa: FBT001
        """A redirect is no answer; the id goes only with a success."""
        answers = Answers(facts(ASKING), Post=status)
        result, _ = fired(order(keys_action(**API)), answers)
        assert (result.outcome, result.reason, "Forget" in answers.names) == (outcome, reason, forgotten)
        assert "Press" not in answers.names

    def test_the_call_is_counted_just_before(self) -> None:
        """ACT-REP-1; the path and body are the agent's own."""
        answers = Answers(facts(ASKING))
        fired(order(keys_action(**API)), answers)
        count, post, forget = answers.seen[-3:]
        assert count == effects.Count("1699999999000:approve:1")
        assert (post.path, post.body, post.address.port) == ("/permission/per_1/reply", '{"reply":"once"}', 4096)
        assert forget == effects.Forget(stamp.PERMISSION_REQUEST, "per_1")


class TestCommand:
    """ACT-EXEC-3, ACT-EXEC-4, ACT-EXEC-6, ACT-DET-1."""

    @pytest.mark.parametrize(
        ("code", "outcome", "exit_code"),
        [(0, "exited", 0), (7, "exited", 7), (-9, "exited", 137), (None, "timeout", 124)],
    )
    def test_the_child_decides(self, code: int | None, outcome: str, exit_code: int) -> None:
        """A signal is 128 and its number."""
        result, fire = fired(order(exec_action()), Answers(Run=code))
        assert (result.outcome, result.exit_code, fire.repeat) == (outcome, exit_code, 1)

    def test_a_detached_one_ends_with_its_start(self) -> None:
        """The fire says spawned, or error."""
        answers = Answers()
        result, _ = fired(order(exec_action(detach=True)), answers)
        assert (result.outcome, answers.names[-2:]) == ("spawned", ["Count", "Supervise"])
        failed, fire = fired(order(exec_action(detach=True)), Answers(Supervise=False))
        assert (failed.outcome, failed.exit_code, fire.repeat) == ("error", 1, 0)

    def test_the_environment_is_whole(self) -> None:
        """Every name is set, empty when there is nothing to say; a NUL can be in none."""
        seen = facts({stamp.PID: "0", stamp.SESSION: "a b"}, pane_title="x\0#{y} $(z)")
        assert variables_of(order(exec_action()), seen) == {
            "TMA_PANE": "%5",
            "TMA_AGENT": "claude",
            "TMA_STATE": "blocked",
            "TMA_DETAIL": "permission",
            "TMA_SESSION_ID": "",
            "TMA_CWD": "/home/u/app",
            "TMA_PID": "",
            "TMA_LOCATOR": "work:1.0",
            "TMA_TITLE": "x#{y} $(z)",
            "TMA_ACTION": "report",
        }

    def test_words_are_numbered(self) -> None:
        """ACT-EXEC-4."""
        found = variables_of(order(exec_action(), args=("a", "")), facts())
        words = {name: text for name, text in found.items() if name.startswith("TMA_ARG")}
        assert words == {"TMA_ARG": "a", "TMA_ARG_1": "a", "TMA_ARG_2": "", "TMA_ARG_COUNT": "2"}


@pytest.mark.parametrize(
    ("stored", "count"),
    [
        ("", 1),
        ("1699999999000:approve:1", 2),
        ("1699999999000:approve:41", 42),
        ("1699999999001:approve:9", 1),
        ("1699999999000:deny:9", 1),
        ("garbage", 1),
        ("1699999999000:approve:x", 1),
        ("::", 1),
    ],
)
def test_repeats_count_within_an_episode(stored: str, count: int) -> None:
    """ACT-REP-1: another episode or action starts anew, garbage counts as none."""
    answers = Answers(facts({stamp.ACT_REPEAT: stored}))
    _, fire = fired(order(keys_action()), answers)
    assert fire.repeat == count
    assert answers.seen[-1].repeat == f"1699999999000:approve:{count}"


def test_a_refusal_counts_nothing() -> None:
    """ACT-REP-1: written only with an effect."""
    _, fire = fired(
        order(keys_action()), Answers(facts({stamp.STATE: "idle", stamp.ACT_REPEAT: "1699999999000:approve:5"}))
    )
    assert fire.repeat == 0


def test_a_judgment_writes_nothing() -> None:
    """ACT-DRY-1: a verdict is the gate's, on a look that somebody took."""
    fire = Fire(order(text_action(), text="/x"), world())
    assert fire.judge(facts(), gate.PROVEN) == "sigil"
    assert Fire(order(keys_action()), world()).judge(facts(at=NOW + 10**9), gate.PROVEN) == ""
    assert Fire(order(keys_action()), world()).transport == "keys"


class TestScreen:
    """What the agent's rules say of its screen, before anything is pressed."""

    CAPTURED = facts({stamp.SOURCE: "capture", stamp.DIALOG: "a" * 16 + ".40"})

    @staticmethod
    def sight(dialog: str = "a", **changes: Any) -> Sight:
        """An open permission dialog."""
        known = frozenset((("blocked", "permission"), ("idle", ""), ("working", "")))
        made = Sight(
            frozenset(("blocked",)),
            frozenset(("permission",)),
            has_composer=False,
            history=False,
            dialog=f"{dialog * 16}.40",
            known=known,
        )
        return made._replace(**changes)

    def test_another_prompt_than_the_stored_one_is_detected_anew(self) -> None:
        """ACT-BIND-1: two prompts in a row are two episodes; an answer bound to the first never reaches the second."""
        moved = self.CAPTURED._replace(
            stored={**self.CAPTURED.stored, stamp.SINCE: "1700000000000", stamp.DIALOG: "b" * 16 + ".40"}
        )
        bound = order(keys_action(), binders=Binders(episode=self.CAPTURED.episode))
        answers = Answers(self.CAPTURED, moved, See=self.sight("b"))
        result, _ = fired(bound, answers)
        assert answers.names.count("Refresh") == 1
        assert (result.reason, "Press" in answers.names) == ("episode-changed", False)

    def test_the_stored_prompt_is_answered_without_a_cycle(self) -> None:
        """ACT-FRESH-2: one more look costs little, a cycle only where something changed."""
        answers = Answers(self.CAPTURED, See=self.sight())
        result, _ = fired(order(keys_action()), answers)
        assert ("Refresh" in answers.names, result.outcome) == (False, "sent")

    def test_a_prompt_that_changes_during_the_fire_gets_no_answer(self) -> None:
        """SEC-A-2: whoever made the claim; the first look and the last one are of one dialog."""
        answers = Answers(facts({stamp.SOURCE: "hook"}), See=[self.sight("a"), self.sight("b")])
        result, _ = fired(order(keys_action()), answers)
        assert (result.reason, "Press" in answers.names) == ("screen-mismatch", False)

    def test_a_dialog_that_opens_between_two_steps_gets_no_enter(self) -> None:
        """ACT-TEXT-4: also one that no assertion names."""
        idle = self.sight(states=frozenset(("idle",)), details=frozenset(("",)), has_composer=True, dialog="")
        opened = self.sight(details=frozenset(("question",)), dialog="")
        answers = Answers(facts({stamp.STATE: "idle", stamp.DETAIL: ""}), See=[idle, idle, opened], Press=["typed"])
        result, _ = fired(order(text_action(), text="go"), answers)
        assert (result.outcome, answers.names.count("Press")) == ("error", 1)
        assert "not submitted" in result.note


class TestRacers:
    """Of all who asked before the first answer went out, one answers."""

    def test_a_fire_that_was_overtaken_has_lost(self) -> None:
        """LK-7: the lock is free again, and the agent has not reacted yet."""
        answers = Answers(facts(), facts({stamp.ACTED: f"{NOW - 5}:1"}))
        result, _ = fired(order(keys_action(), at=NOW - 10), answers)
        assert (result.reason, result.exit_code, "Press" in answers.names) == ("locked", 5, False)

    def test_a_fire_of_later_may_answer_again(self) -> None:
        """ACT-REP-1: the same prompt that comes back."""
        for acted in ("", "x", f"{NOW - 20}:{facts().episode}", f"{NOW + 3_600_000}:1"):
            answers = Answers(facts({stamp.ACTED: acted}))
            result, _ = fired(order(keys_action(), at=NOW - 10), answers)
            assert result.outcome == "sent"

    def test_a_menus_entry_does_not_answer_the_same_prompt_again(self) -> None:
        """SEC threats, two clients: it was chosen from what stood before the first answer."""
        episode = facts().episode
        for acted, reason in ((f"{NOW - 500}:{episode}", "locked"), (f"{NOW - 500}:{episode - 1}", None)):
            answers = Answers(facts({stamp.ACTED: acted}))
            result, _ = fired(order(keys_action(), at=NOW - 10, settle_ms=1000), answers)
            assert result.reason == reason

    def test_a_command_is_not_overtaken(self) -> None:
        """What types nothing answers nothing."""
        answers = Answers(facts({stamp.ACTED: f"{NOW - 5}:1"}))
        result, _ = fired(order(exec_action(), at=NOW - 10), answers)
        assert result.outcome == "exited"
