"""The argument lists of a guarded send, a look and the lock."""

from acting import NONCE, facts, keys_action
from tma.adapters.tmux import send
from tma.core.act import effects, guarded
from tma.core.act.effects import Press, Stroke
from tma.core.act.facts import FIELDS
from tma.core.act.gate import Binders
from tma.core.act.lease import Lock

FIRE = "f" * 32
AT = 1_700_000_000_020
LOCK = Lock(1_700_000_035_000, NONCE, 7, "approve")


def press(*strokes: Stroke, last: bool = True, leave_mode: bool = False) -> Press:
    """A press of these strokes."""
    conditions = guarded.conditions(guarded.Look(keys_action(), facts(), Binders(), NONCE), first=True)
    return Press("%5", conditions, strokes, "9:approve:1", 9, last, leave_mode)


def test_a_send_is_one_conditional_and_its_result() -> None:
    """ACT-SEND-1, ACT-SEND-3: guard, keys, result, counter and release in one list, the answer behind it."""
    order = press(Stroke(("1",)))
    words = send.press(order, FIRE, AT)
    assert words[:4] == ["if-shell", "-F", "-t", "%5"]
    assert words[4] == guarded.all_hold(order.conditions)
    assert words[5] == (
        f"send-keys -t %5 -- '1' ; set-option -p -t %5 @agent_act_result '{FIRE}:sent' ; "
        "set-option -p -t %5 @agent_act_repeat '9:approve:1' ; "
        f"set-option -p -t %5 @tma_acted '{AT}:9' ; set-option -p -t %5 @agent_action ''"
    )
    assert words[6] == f"set-option -pF -t %5 @agent_act_result '{FIRE}:no:{guarded.first_failure(order.conditions)}'"
    assert words[7:] == [";", "display-message", "-p", "-t", "%5", "#{@agent_act_result}"]


def test_a_first_step_keeps_the_lock() -> None:
    """ACT-TEXT-3: it says typed, and neither counts nor lets go."""
    then = send.press(press(Stroke(("a b",), literal=True), last=False), FIRE, AT)[5]
    assert then == f"send-keys -t %5 -l -- 'a b' ; set-option -p -t %5 @agent_act_result '{FIRE}:typed'"


def test_a_mode_is_left_first() -> None:
    """ACT-SEND-3."""
    assert send.press(press(Stroke(("1",)), leave_mode=True), FIRE, AT)[5].startswith("copy-mode -q -t %5 ; send-keys ")


def test_no_keys_are_no_send() -> None:
    """ACT-SEND-8."""
    assert "send-keys" not in send.press(press(), FIRE, AT)[5]


def test_no_branch_ends_in_a_separator() -> None:
    """ACT-Q-1, WR-4: whatever the keys end in."""
    for text in (";", "a;", "\\", "'"):
        words = send.press(press(Stroke((text,))), FIRE, AT)
        assert not any(word.endswith(";") for word in words if word != ";")


def test_the_worst_text_stays_within_one_message() -> None:
    """ACT-Q-3: 4096 bytes of quotes and letters, beside a guard with every assertion."""
    screen = {"claude": {"present": ["x" * 30] * 4, "absent": ["y" * 30] * 4}}
    look = guarded.Look(keys_action(screen=screen), facts(), Binders(1, "r" * 128, "c" * 128), NONCE)
    order = effects.Press(
        "%5",
        guarded.conditions(look, first=True),
        (Stroke(("'a" * 2048,), literal=True),),
        "9:approve:1",
        episode=9,
        last=True,
        leave_mode=False,
    )
    assert sum(len(word.encode()) + 1 for word in send.press(order, FIRE, AT)) < 16_384


def test_a_look_asks_for_every_field_in_order() -> None:
    """ACT-FACT-1, READ-2: and its values come back whatever they hold."""
    words = send.look("%5", "abcd")
    assert words[:4] == ["display-message", "-p", "-t", "%5"]
    assert words[4].split("|abcd|") == [f"#{{{name}}}" for name in FIELDS]
    assert send.fields("a|b\nc|abcd|d|abcd|\n", "abcd") == ["a|b\nc", "d", ""]


def test_the_lock_is_asked_for_and_read_back_in_one_call() -> None:
    """LK-2, LK-4, LK-5."""
    stored = "#{@agent_action}"
    assert send.acquire("%5", LOCK, 1_700_000_000_000) == [
        "set-option",
        "-pqF",
        "-t",
        "%5",
        "@agent_action",
        f"#{{?#{{||:#{{==:{stored},}},#{{e|<:#{{s/[^0-9].*//:{stored}}},1700000000000}}}},{LOCK.text},{stored}}}",
        ";",
        "display-message",
        "-p",
        "-t",
        "%5",
        stored,
    ]
    assert send.release("%5", NONCE)[-1] == f"#{{?#{{m:*:{NONCE}:*,{stored}}},,{stored}}}"
    assert send.hand_over("%5", LOCK)[5] == f"#{{?#{{m:*:{NONCE}:*,{stored}}},{LOCK.text},{stored}}}"


def test_a_spent_id_goes_only_if_it_is_still_there() -> None:
    """STO-4, ACT-API-5."""
    assert send.forget("%5", "@agent_permission_request", "per_1")[-1] == (
        "#{?#{==:#{@agent_permission_request},per_1},,#{@agent_permission_request}}"
    )
    assert send.result("%5") == ["display-message", "-p", "-t", "%5", "#{@agent_act_result}"]
