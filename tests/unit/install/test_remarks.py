"""What doctor says about the user's own files."""

from pathlib import Path
from typing import Any

import pytest

from tma.core import config
from tma.core.settings import Settings
from tma.install import remarks
from tma.services.loading import toml_of


def setup(tmp_path: Path, text: str) -> Any:  # as little of a run as is needed
    """A run with that configuration, and claude as the only manifest."""
    file = tmp_path / "tma" / "config.toml"
    file.parent.mkdir()
    file.write_text(text)
    run: Any = type("Run", (), {})()
    run.env = {"XDG_CONFIG_HOME": str(tmp_path)}
    run.runtime = type("Runtime", (), {})()
    run.runtime.options = type("Options", (), {"config": ""})()
    run.runtime.names = ["claude"]
    run.runtime.settings = Settings(config.parse(toml_of(text.encode())))
    return run


def test_a_configuration_in_order_has_no_remark(tmp_path: Path) -> None:
    """CFG-13: also where there is no file."""
    run = setup(tmp_path, '[picker]\nblocked = { color = "colour7" }\n[api.claude]\napi_base = "http://[::1]:1"\n')
    assert remarks.of_configuration(run) == []
    run.env = {}
    assert remarks.of_configuration(run) == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('[picker]\nidle = { color = "mauve" }', "[picker] idle color 'mauve'"),
        ('[api.claude]\napi_base = "http://box:1"\nallow_remote = true', "answers to claude may go to box"),
        ('[remote]\nadd = ["hop", "ssh"]', "[remote] hop leads to another host"),
        ('[remote]\nremove = ["et"]', "[remote] et leads nowhere else"),
    ],
)
def test_what_has_no_effect_or_a_price_is_said(tmp_path: Path, text: str, named: str) -> None:
    """CFG-13, REM-4, ``[api]``: with the file that says it."""
    (line,) = remarks.of_configuration(setup(tmp_path, text))

    assert named in line
    assert line.startswith(str(tmp_path / "tma" / "config.toml"))


def test_an_agent_without_a_manifest_is_named(tmp_path: Path) -> None:
    """``[[agent]]``: not one that was switched off."""
    entries = '[[agent]]\nname = "cluade"\n[[agent]]\nname = "claude"\n[[agent]]\nname = "pi"\nenabled = false\n'

    assert remarks.of_agents(setup(tmp_path, entries)) == ["[[agent]] cluade names no manifest"]


def test_an_action_for_an_unknown_agent_is_named(tmp_path: Path) -> None:
    """ACTM-LOAD-5, ACTM-6: once for each."""
    loaded: Any = type("Actions", (), {})()
    loaded.usable = [type("Action", (), {"name": name, "agents": agents})() for name, agents in
                     (("approve", ("claude", "robot")), ("log", ()))]  # fmt: skip

    assert remarks.of_actions(setup(tmp_path, ""), loaded) == ["approve names robot, which no manifest describes"]
