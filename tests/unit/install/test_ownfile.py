"""A file that is ours alone."""

from pathlib import Path

import pytest

from installs import Home
from tma.install.channel import ABSENT, CURRENT, STALE
from tma.install.dialect import FaultError


@pytest.mark.parametrize("agent", ["opencode", "pi", "copilot"])
def test_a_foreign_file_at_the_path_is_left_alone(tmp_path: Path, agent: str) -> None:
    """ADP-7: never overwritten, never removed."""
    home = Home(tmp_path)
    channel = home.channels(agent)[0]

    assert channel.inspect(b"export default 1\n", home.reference).state == ABSENT
    with pytest.raises(FaultError, match="not tma's"):
        channel.install(b"export default 1\n", home.reference)
    with pytest.raises(FaultError, match="not tma's"):
        channel.uninstall(b"export default 1\n", None)


@pytest.mark.parametrize("agent", ["opencode", "pi", "copilot"])
def test_our_file_is_current_stale_or_of_another_release(tmp_path: Path, agent: str) -> None:
    """CHK-1, EDT-10: repaired as a whole."""
    home = Home(tmp_path)
    channel = home.channels(agent)[0]
    data = channel.install(b"", home.reference)

    assert channel.inspect(data, home.reference).state == CURRENT
    moved = data.replace(str(home.wrapper).encode(), b"/gone/tma-hook")
    assert channel.inspect(moved, home.reference).state == STALE
    assert channel.inspect(data + b" \n", home.reference).state == STALE
    assert channel.install(moved, home.reference) == data
    assert channel.uninstall(data, None) is None
