"""Which agents are here."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tma.install.adapter import Adapter
from tma.install.starting import found


def test_an_agent_is_found_by_a_name_that_says_which_it_is(tmp_path: Path) -> None:
    """INI-2: generic names and empty or relative entries of PATH do not count."""
    for name in ("codex", "node"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    agents = [{"name": name, "process_names": ["node"]} for name in ("codex", "gemini", "agent")]
    runtime = SimpleNamespace(document=SimpleNamespace(agents=agents))
    setup: Any = SimpleNamespace(runtime=runtime, env={"PATH": f":.:{tmp_path}"})

    assert [found(setup, Adapter(name, lambda _, __: [])) for name in ("codex", "gemini", "agent")] == [
        str(tmp_path / "codex"),
        "",
        "?",
    ]
