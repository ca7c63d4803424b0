"""What uninstall leaves to its user."""

from types import SimpleNamespace
from typing import Any

from tma.install.removal import left


def test_what_the_user_wrote_is_left_and_named(tmp_path: Any) -> None:
    """UNI-2, RMV-1: configuration, manifests, actions, logs."""
    (tmp_path / "tma" / "agents").mkdir(parents=True)
    (tmp_path / "tma" / "config.toml").write_text("")
    log = tmp_path / "act.log"
    log.touch()
    settings = SimpleNamespace(notify={"log": str(tmp_path / "never")}, act_log=str(log))
    setup: Any = SimpleNamespace(env={"XDG_CONFIG_HOME": str(tmp_path)}, runtime=SimpleNamespace(settings=settings))

    assert left(setup) == [f"{tmp_path}/tma/config.toml", f"{tmp_path}/tma/agents", str(log)]
