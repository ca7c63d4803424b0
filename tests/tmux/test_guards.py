"""The two interpreters of a guard agree, and hostile text travels whole: on every tmux there is."""

import random
from contextlib import suppress

import pytest

from harness import TmuxServer, until
from tma.adapters.tmux import capture, client, read, write
from tma.core import guard, ops, stamp, writes
from tma.core.errors import TmuxError
from tma.core.guard import evaluate, opt, render

NUMBERS = ("", "0", "1", "99", "100", "101", "1700000000000", "1700000000001", "12x", "-5", "007", "1e3")
STATES = ("", "idle", "working", "blocked", "unknown", "0")
SOURCES = ("", "hook", "capture", "process")
WORDS = ("", "a", "a b", "b a c", "ab", "a  b", "h-0123456789abcdef a")
HOSTILE = (
    "#(touch {mark})", "a,b}c;", "#{pane_pid}", "it's", "{ } ; #", "a;", "\\", "#[fg=red]x", "%H %d",
    "日本 ✳", "$HOME ~",
    "'\"`", "#{?1,a,b}", "}", "x\\;", "-p", "#",
)  # fmt: skip


def connect(server: TmuxServer) -> client.Server:
    """A client of the test's server."""
    return client.Server(("-S", str(server.socket)), server.binary)


def some_options(chance: random.Random) -> dict[str, str]:
    """Random stored values, absent ones among them."""
    options = {
        stamp.STATE: chance.choice(STATES),
        stamp.SOURCE: chance.choice(SOURCES),
        stamp.SUBAGENTS: chance.choice(WORDS),
        **{key: chance.choice(NUMBERS) for key in (stamp.EVIDENCE_AT, stamp.SINCE, stamp.STAMPED_AT, stamp.CONTEXT_AT)},
    }
    return {key: value for key, value in options.items() if value}


def expressions(at: int) -> list[guard.Expr]:
    """Every guard, and the other expressions that chains use."""
    return [
        guard.protect(), guard.carve(at), guard.event(at), guard.decided(at), guard.context(at),
        guard.refresh("working", at), writes.since_expr("idle", at, at), writes.stamped_expr(at),
        guard.has_word(stamp.SUBAGENTS, "a"), guard.without_word(stamp.SUBAGENTS, "a"),
        guard.joined(stamp.SUBAGENTS, "z"), guard.blank(stamp.SUBAGENTS), guard.not_(opt(stamp.STATE)),
        guard.or_(guard.ne(opt(stamp.STATE), "idle"), guard.lt(opt(stamp.SINCE), guard.lit(at))),
        guard.if_(guard.ge(opt(stamp.SINCE), guard.lit(at)), opt(stamp.STATE), "no"),
    ]  # fmt: skip


def test_the_two_interpreters_of_a_guard_agree(any_server: TmuxServer) -> None:
    """FZ-5, GRD-1 to GRD-6: what tmux expands is what Python evaluates, for random stored values."""
    pane = any_server.start()
    talk = connect(any_server)
    chance = random.Random(7)
    for _ in range(150):
        options = some_options(chance)
        asked = expressions(chance.choice([0, 99, 100, 1700000000000]))
        chain = [*(ops.unset(key) for key in stamp.DEREG), *(ops.put(key, value) for key, value in options.items())]
        chain += [ops.say(guard.raw(f"<{render(expr)}>")) for expr in asked]
        answers = talk.feed(write.script(pane, chain)).splitlines()
        assert answers == [f"<{evaluate(expr, options)}>" for expr in asked], options


def test_a_chain_leaves_in_the_server_what_it_leaves_in_python(any_server: TmuxServer) -> None:
    """CH-PUBLISH, CH-RESET, CH-REMOVE, CH-CONTEXT: one list of ops, two interpreters, one result."""
    pane = any_server.start()
    talk = connect(any_server)
    chance = random.Random(11)
    for _ in range(100):
        options = {
            key: value for key, value in some_options(chance).items() if value.isdecimal() or not value[-1].isdigit()
        }
        looked = writes.Looked(now=100, pid=5, name="claude", options=options)
        claim = writes.Claim(chance.choice(STATES[1:5]), source="capture", at=chance.choice([99, 100, 101]))
        chain = chance.choice([
            writes.publish(claim, guard.carve(100), looked), writes.publish(claim, guard.protect(), looked),
            writes.hold(looked), writes.reset(claim, 100, looked), writes.remove("100"), writes.gauge(100, 7, None),
        ])  # fmt: skip
        start = [*(ops.unset(key) for key in stamp.DEREG), *(ops.put(key, value) for key, value in options.items())]
        talk.feed(write.script(pane, [*start, *chain]))
        ops.apply(options, chain)
        command, mark = read.list_panes()
        (record,), _ = read.parse(talk.run(command), mark)
        assert record.options == options


def test_hostile_text_is_stored_verbatim_and_runs_nothing(any_server: TmuxServer) -> None:
    """FZ-6, WR-4, WR-5, race 8 of the store: the exact bytes come back, and no file appears."""
    pane = any_server.start()
    talk = connect(any_server)
    touched = any_server.home / "touched"
    for text in HOSTILE:
        value = text.replace("{mark}", str(touched))
        chain = [*ops.staged(stamp.SESSION, guard.protect(), value), ops.put(stamp.TRANSCRIPT, value)]
        nested = [ops.unless("0", [ops.put(stamp.MODEL, value)])]
        talk.feed(write.script(pane, [*chain, *nested]))
        command, mark = read.list_panes()
        (record,), _ = read.parse(talk.run(command), mark)
        assert [record.option(key) for key in (stamp.SESSION, stamp.TRANSCRIPT, stamp.MODEL)] == [value] * 3
        assert stamp.STAGE not in any_server.options(pane)
    assert not touched.exists()


def test_a_writer_that_dies_anywhere_leaves_no_half_chain(any_server: TmuxServer) -> None:
    """WR-1, race 9 of the store: no prefix of a script runs anything."""
    pane = any_server.start()
    talk = connect(any_server)
    text = write.script(
        pane, [ops.put("@one", "it's"), ops.unless("0", [ops.put("@two", "x")]), ops.put("@three", "3")]
    )
    for end in range(0, len(text) - 2, 3):
        with suppress(TmuxError):
            talk.feed(text[:end])
        assert any_server.options(pane) == {}, text[:end]
    talk.feed(text)
    assert any_server.options(pane) == {"@one": "it's", "@two": "x", "@three": "3"}


def test_a_caller_that_ends_soon_waits_for_the_writes_and_not_for_the_client(any_server: TmuxServer) -> None:
    """WR-1: what was written stands when the call returns, and nothing to write, or an error, is told as ever."""
    pane = any_server.start()
    talk = connect(any_server)
    read = ["display-message", "-p", "-t", pane, "#{pane_id}"]
    heard: list[str] = []

    def answer(text: str) -> str:
        heard.append(text)
        return write.script(pane, [ops.put("@one", "it's"), ops.say("said")])

    assert talk.converse(read, leaves=True)(answer).startswith("said\n")
    assert any_server.options(pane) == {"@one": "it's"}
    assert talk.converse(read, leaves=True)(lambda _: "") == ""
    assert heard == [f"{pane}\n"]
    with pytest.raises(TmuxError):
        talk.converse(read, leaves=True)(lambda _: "no-such-command\n")


def test_a_pane_killed_between_read_and_write_costs_only_itself(any_server: TmuxServer) -> None:
    """WR-2, race 7 of the store: the others commit and nothing fails."""
    first = any_server.start()
    dead, last = any_server.pane("cat"), any_server.pane("cat")
    any_server("kill-pane", "-t", dead)
    chains = [(pane, writes.publish(writes.Claim("idle", source="capture", at=5), guard.protect(),
               writes.Looked(now=5, pid=1, name="pi", options={}))) for pane in (first, dead, last)]  # fmt: skip
    for text in write.scripts(chains, [ops.scoped_put("-s", "", stamp.LAST_POLL, "5")]):
        connect(any_server).feed(text)
    assert any_server.options(first)[stamp.STATE] == "idle"
    assert any_server.options(last)[stamp.STATE] == "idle"
    assert any_server("show-options", "-sv", stamp.LAST_POLL) == "5"


def test_captures_of_many_panes_take_one_client_and_skip_the_dead(any_server: TmuxServer) -> None:
    """CAP-1, CYC-6: a pane that is gone is one pane less."""
    first = any_server.start("sh", "-c", "echo alpha; exec cat")
    other = any_server.pane("sh", "-c", "echo beta; exec cat")
    commands, mark = capture.commands_for([first, "%99", other])

    def texts() -> dict[str, str]:
        found = capture.parse(connect(any_server).run(commands), mark)
        return found if "alpha" in found[first] and "beta" in found[other] else {}

    assert set(until(texts)) == {first, other}
