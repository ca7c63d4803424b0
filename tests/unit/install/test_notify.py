"""Codex's notify."""

from pathlib import Path

import pytest

from installs import Home
from tma.install.channel import ABSENT, CURRENT, STALE
from tma.install.dialect import FaultError


def test_only_a_root_key_counts(tmp_path: Path) -> None:
    """ADP-4: not one in a table, not one in a comment, not a foreign one."""
    home = Home(tmp_path)
    channel = home.channels("codex")[1]
    word = str(home.wrapper)

    def state(text: str) -> str:
        return channel.inspect(text.encode(), home.reference).state

    assert state(f'notify = ["{word}", "codex", "notify"]\n') == CURRENT
    assert state('notify = ["/gone/tma-hook", "codex", "notify"]\n') == STALE
    assert state(f'[t]\nnotify = ["{word}", "codex", "notify"]\n') == ABSENT
    assert state(f'# notify = ["{word}", "codex", "notify"]\n') == ABSENT
    assert state('notify = ["say"]\n') == ABSENT


def test_a_foreign_program_is_named_with_its_line(tmp_path: Path) -> None:
    """ADP-4: refused, with the way out; uninstall leaves it."""
    home = Home(tmp_path)
    channel = home.channels("codex")[1]
    data = b'a = 1\nnotify = ["say", "done"]\n'

    with pytest.raises(FaultError, match="tma-hook codex notify") as fault:
        channel.install(data, home.reference)

    assert fault.value.line == 2
    assert channel.uninstall(data, None) == data
