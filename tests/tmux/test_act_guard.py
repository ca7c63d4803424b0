"""The guard inside real servers: true only if every fact is equal, and each failure by its own name."""

import random
import re

import pytest

from acting import NONCE, action, facts
from actor import PERMISSION, Actor
from harness import TmuxServer, until
from tma.adapters.tmux import client, send
from tma.core import stamp
from tma.core.act import assertion, guarded
from tma.core.act.effects import Press, Stroke
from tma.core.act.facts import FIELDS, Facts, parse
from tma.core.act.gate import Binders
from tma.core.act.guarded import Look
from tma.services import actions

FIRE = "f" * 32
VALUES = {
    stamp.NAME: ["claude", "codex", "x_-1"],
    stamp.STATE: ["blocked", "idle", "working", ""],
    stamp.DETAIL: ["permission", "plan", "", "0", "1"],
    stamp.EVIDENCE_AT: ["1699999999000", "0", "", "9007199254740991"],
    stamp.SINCE: ["1699999999000", "1", ""],
    stamp.TURN_AT: ["1699999999500", ""],
    stamp.CONTEXT_PCT: ["0", "80", "100", ""],
    stamp.PERMISSION_REQUEST: ["per_1", "-", "a" * 128],
    stamp.PENDING_CALL: ["toolu:1.a", "x", "b" * 128],
}
HOSTILE = [
    "#{?1,blocked,}",
    "x,blocked",
    "#(touch {mark})",
    "*",
    "blocked}",
    "1",
    "}",
    ",",
    "#{@agent_state}",
    "[a-z]*",
]
ACTION = action(
    "probe",
    {
        "kind": "keys",
        "when": {"context_pct_min": 0},
        "keys": {name: ["K"] for name in VALUES[stamp.NAME]},
        "screen": {"claude": {"present": ["1. Yes$", "Esc to cancel"], "absent": ["Enter to select"]}},
    },
)


def connect(server: TmuxServer) -> client.Server:
    """The adapter's view of a server."""
    return client.Server(("-S", str(server.socket)), server.binary)


def store(server: TmuxServer, pane: str, values: dict[str, str]) -> None:
    """Set or unset options in one client."""
    words: list[str] = []
    for key, value in values.items():
        words += ["set-option", "-p", "-t", pane, key, value, ";"]
    server(*words[:-1])


def seen(server: TmuxServer, pane: str) -> Facts:
    """A look, as the broker takes it."""
    found = parse(send.fields(connect(server).run(send.look(pane, "abcd")), "abcd"), 1)
    assert found is not None
    return found


def pressed(server: TmuxServer, look: Look, text: str = "K") -> str:
    """What a guarded send says, without its digits."""
    order = Press(
        look.facts.pane,
        guarded.conditions(look, first=True),
        (Stroke((text,)),),
        "1:probe:1",
        episode=1,
        last=True,
        leave_mode=False,
    )
    return connect(server).run(send.press(order, FIRE, 1)).strip("\n").removeprefix(f"{FIRE}:")


def test_the_guard_is_true_only_if_every_fact_is_equal(any_server: TmuxServer) -> None:
    """FZ-5, ACT-SEND-2: random facts, each changed alone behind the look."""
    any_server.start()
    agent = Actor(any_server)
    chance = random.Random(5)
    sent = 0
    for _ in range(25):
        values = {key: chance.choice(options) for key, options in VALUES.items()}
        values[stamp.ACTION] = f"99999999999999:{NONCE}:1:probe"
        store(any_server, agent.pane, values)
        look = Look(
            ACTION,
            seen(any_server, agent.pane),
            Binders(0, values[stamp.PERMISSION_REQUEST], values[stamp.PENDING_CALL]),
            NONCE,
        )
        changed = chance.choice(list(VALUES))
        other = chance.choice([value for value in VALUES[changed] if value != values[changed]])
        store(any_server, agent.pane, {changed: other})
        expected = (
            "agent"
            if changed == stamp.NAME
            else "request"
            if changed in {stamp.PERMISSION_REQUEST, stamp.PENDING_CALL}
            else "changed"
        )
        assert pressed(any_server, look) == f"no:{expected}", (changed, values[changed], other)
        store(any_server, agent.pane, {changed: values[changed]})
        assert pressed(any_server, look) == "sent"
        sent += 1
    agent.hears(b"K" * sent)


@pytest.mark.parametrize("key", [stamp.STATE, stamp.DETAIL, stamp.EVIDENCE_AT, stamp.SINCE, stamp.TURN_AT, stamp.NAME])
def test_a_hostile_value_makes_no_guard_true(any_server: TmuxServer, key: str) -> None:
    """SEC-T-2, ACT-Q-2: it counts as absent, so the guard compares with nothing; and it runs nothing."""
    any_server.start()
    agent = Actor(any_server)
    mark = any_server.home / "touched"
    stored = {
        stamp.NAME: "claude",
        stamp.STATE: "blocked",
        stamp.DETAIL: "permission",
        stamp.ACTION: f"9:{NONCE}:1:probe",
    }
    for text in HOSTILE:
        hostile = text.replace("{mark}", str(mark))
        store(any_server, agent.pane, {**stored, key: hostile})
        look = Look(ACTION, seen(any_server, agent.pane), Binders(), NONCE)
        if key not in {stamp.EVIDENCE_AT, stamp.SINCE, stamp.TURN_AT} or not hostile.isdecimal():
            assert look.facts.stored[key] in {"", hostile if hostile == "1" else ""}
        if not look.facts.stored[key]:
            assert pressed(any_server, look) in {"no:changed", "no:agent"}
    assert agent.heard in {b"", b"K" * 5}
    assert not mark.exists()


CONDITIONS = {
    "in-mode": lambda server, pane: server("copy-mode", "-t", pane),
    "input-off": lambda server, pane: server("select-pane", "-d", "-t", pane),
    "sync": lambda server, pane: server("set-option", "-w", "-t", pane, "synchronize-panes", "on"),
    "lock": lambda server, pane: server("set-option", "-p", "-t", pane, "@agent_action", f"1:{'0' * 32}:1:x"),
}


@pytest.mark.parametrize("token", CONDITIONS)
def test_each_condition_names_itself(any_server: TmuxServer, token: str) -> None:
    """ACT-SEND-3, ACT-SEND-4: what came up behind the last look."""
    any_server.start()
    agent = Actor(any_server)
    agent.block()
    store(any_server, agent.pane, {stamp.ACTION: f"99999999999999:{NONCE}:1:probe", stamp.CONTEXT_PCT: "1"})
    look = Look(ACTION, seen(any_server, agent.pane), Binders(), NONCE)
    CONDITIONS[token](any_server, agent.pane)
    assert pressed(any_server, look) == f"no:{token}"
    assert agent.heard == b""


def test_a_dead_pane_and_another_command_name_themselves(any_server: TmuxServer) -> None:
    """ACT-SEND-2: the foreground command is tested again in the step that types."""
    any_server.start()
    agent = Actor(any_server, below_shell=True)
    agent.block()
    store(any_server, agent.pane, {stamp.ACTION: f"99999999999999:{NONCE}:1:probe", stamp.CONTEXT_PCT: "1"})
    look = Look(ACTION, seen(any_server, agent.pane), Binders(), NONCE)
    agent.file.unlink()
    until(lambda: any_server.show(agent.pane, "#{pane_current_command}") == "bash", what="the shell")
    assert pressed(any_server, look) == "no:agent"
    any_server("set-option", "-w", "-t", agent.pane, "remain-on-exit", "on")
    any_server("send-keys", "-t", agent.pane, "exit", "Enter")
    until(lambda: any_server.show(agent.pane, "#{pane_dead}") == "1", what="a dead pane")
    assert pressed(any_server, look) == "no:dead"


def test_the_longest_guard_still_decides(any_server: TmuxServer) -> None:
    """ACT-Q-3: every condition, eight assertions and the longest ids, within one message."""
    any_server.start()
    agent = Actor(any_server)
    screen = {
        "claude": {
            "present": ["1. Yes$", "Esc to cancel", "2. No"],
            "absent": ["x" * 200, "!?*" * 20, "a^b\\c]d", "é" * 100, "no such words"],
        }
    }
    long = action(
        "probe", {"kind": "keys", "when": {"context_pct_min": 0}, "keys": {"claude": ["K"]}, "screen": screen}
    )
    agent.block(permission_request="r" * 128, pending_call="c" * 128, context_pct=7)
    store(any_server, agent.pane, {stamp.ACTION: f"99999999999999:{NONCE}:1:probe"})
    look = Look(long, seen(any_server, agent.pane), Binders(0, "r" * 128, "c" * 128), NONCE)
    assert pressed(any_server, look) == "sent"
    agent.hears(b"K")
    store(any_server, agent.pane, {stamp.ACTION: f"99999999999999:{NONCE}:1:probe"})
    agent.show(PERMISSION + "no such words\n")
    assert pressed(any_server, look) == "no:screen"


def test_an_assertion_holds_exactly_when_a_plain_search_says_so(any_server: TmuxServer) -> None:
    """FZ-8, ACT-SCR-1, ACT-SCR-2: random strings over random screens."""
    any_server.start()
    agent = Actor(any_server)
    chance = random.Random(9)
    letters = "ab1.^$*+?()[]|\\/'\",;:=~@%&!<>-_ é❯│"
    for turn in range(15):
        lines = ["".join(chance.choice(letters) for _ in range(chance.randrange(0, 12))) for _ in range(6)]
        agent.show("\n".join([*lines, f"end {turn}"]) + "\n")
        shown = [line.rstrip(" ") for line in [*lines, f"end {turn}"]]
        texts = []
        while len(texts) < 40:
            line = chance.choice(lines)
            start = chance.randrange(0, len(line) + 1)
            text = line[start : start + chance.randrange(1, 6)] if chance.random() < 0.6 else chance.choice(letters) * 2
            text = chance.choice(["", "", "^"]) + text + chance.choice(["", "", "$"])
            if not assertion.problem(text):
                texts.append(text)
        said = any_server.show(agent.pane, "|".join(f"#{{?#{{C/r:{assertion.pattern(text)}}},1,0}}" for text in texts))
        assert said.split("|") == ["1" if any(plainly(text, line) for line in shown) else "0" for text in texts], texts


def plainly(text: str, line: str) -> bool:
    """Whether a line shows a string, by plain comparison."""
    body = text.removeprefix("^")
    at_start, whole = body != text, body.removesuffix("$")
    at_end = whole != body
    if at_start:
        stripped = line.lstrip(" ")
        starts = [line[index:] for index in range(len(line) - len(stripped) + 1)]
        return any(rest == whole if at_end else rest.startswith(whole) for rest in starts)
    return line.endswith(whole) if at_end else whole in line


@pytest.mark.parametrize("name", ["approve", "deny", "interrupt", "compact", "steer", "steer_now"])
def test_every_bundled_expression_compiles(any_server: TmuxServer, name: str) -> None:
    """ACT-SCR-2: in the server, where a broken one would never match."""
    any_server.start()
    agent = Actor(any_server)
    made = actions.load({}).named(name)
    assert made is not None
    wanted = [text for each in made.screen.values() for text in (*each.present, *each.absent)]
    for number, text in enumerate(wanted):
        plain = text.removeprefix("^").removesuffix("$")
        agent.show(f"{plain}{'' if text.endswith('$') else 'x'}\nmark {number}.\n")
        assert any_server.show(agent.pane, f"#{{?#{{C/r:{assertion.pattern(text)}}},1,0}}") == "1", text
        assert re.compile(assertion.pattern(text))


def test_facts_of_literals_and_of_a_server_have_the_same_fields(server: TmuxServer) -> None:
    """ACT-FACT-1: the literals that other tests use are what a server says."""
    server.start()
    agent = Actor(server)
    agent.block()
    assert set(seen(server, agent.pane).stored) == set(facts().stored)
    assert len(FIELDS) == len(set(FIELDS))
