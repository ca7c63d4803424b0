"""Setting up a running server, with a server that only remembers what it is told."""

from types import SimpleNamespace
from typing import Any

from tma.install import plugin


def test_switches_turn_the_parts_off() -> None:
    """TPM-2: without keys, hooks, mouse and daemon nothing is sent."""
    sent: list[Any] = []

    def answer(words: list[str]) -> str:
        sent.append(words)
        return "off\n" if words[-1].startswith("@tma_") else ""

    server = SimpleNamespace(run=answer, feed=sent.append)
    setup: Any = SimpleNamespace(runtime=SimpleNamespace(server=server))

    plugin.apply(setup)

    assert all(words[0] == "show-options" for words in sent)
