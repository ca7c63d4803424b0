"""What a run of a setup command is made of; the parts that need a server are tested on one."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tma.core.errors import TmaError, TmuxError, TmuxGoneError, UsageError
from tma.install.console import Console
from tma.install.setup import Setup


class Server:
    """A server that answers with one text, or is not there."""

    binary = "tmux"

    def __init__(self, answer: str = "") -> None:
        self.answer = answer

    def run(self, _words: list[str]) -> str:
        """What a client prints."""
        if not self.answer:
            message = "no tmux server running"
            raise TmuxGoneError(message)
        return self.answer


def setup(home: Path, answer: str = "", **given: str) -> Setup:
    """A run in a home with three agents: one with hooks, one without, one that nothing can wire."""
    agents = [
        {"name": "claude", "map": [{"event": "Stop"}, {"event": "Start"}, {"event": "Stop"}]},
        {"name": "plain", "map": []},
        {"name": "mine", "map": [{"event": "x"}]},
    ]
    runtime: Any = SimpleNamespace(
        names=[agent["name"] for agent in agents],
        document=SimpleNamespace(agents=agents),
        settings=SimpleNamespace(wrapper_ref=""),
        server=Server(answer),
    )
    return Setup(runtime, Console(yes=True), {"HOME": str(home), "PATH": ""}, given)


def test_an_agent_that_cannot_be_wired_is_refused_by_reason(tmp_path: Path) -> None:
    """IHK-2: unknown is a usage error; no hooks and no adapter are failures."""
    run = setup(tmp_path)

    assert run.adapter("claude").name == "claude"
    assert [adapter.name for adapter in run.adapters()] == ["claude"]
    with pytest.raises(UsageError, match="unknown agent"):
        run.adapter("nobody")
    with pytest.raises(TmaError, match="no hooks"):
        run.adapter("plain")
    with pytest.raises(TmaError, match="cannot be wired"):
        run.adapter("mine")


def test_events_come_in_the_manifests_order_and_once(tmp_path: Path) -> None:
    """ADP-2."""
    run = setup(tmp_path)

    assert run.events("claude") == ["Stop", "Start"]
    (channel,) = run.channels(run.adapter("claude"))
    assert channel.path == str(tmp_path / ".claude" / "settings.json")


def test_a_server_tells_who_it_is_or_is_not_there(tmp_path: Path) -> None:
    """IHK-7: a path may hold any character."""
    facts = setup(tmp_path, "3.5a|host|42|/tmp/a|b\n").facts

    assert facts is not None
    assert (facts.version, facts.host, facts.pid, facts.socket_path) == ("3.5a", "host", 42, "/tmp/a|b")
    assert setup(tmp_path).facts is None


def test_an_options_wrapper_is_the_one_that_is_named(tmp_path: Path) -> None:
    """IHK-1, REF-1."""
    run = setup(tmp_path, wrapper_path=str(tmp_path / "tma-hook"), wrapper_ref="absolute")

    assert run.reference.word == str(tmp_path / "tma-hook")


@pytest.mark.parametrize("answer", ["\n", "nonsense", "3.4|box|many|/s"])
def test_an_answer_that_makes_no_sense_is_an_error(tmp_path: Path, answer: str) -> None:
    """CLI-1, UNI-3: of a program that only looks like tmux, so that the steps without a server go on."""
    with pytest.raises(TmuxError, match="does not answer like tmux"):
        _ = setup(tmp_path, answer).facts
