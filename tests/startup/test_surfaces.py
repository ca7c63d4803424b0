"""What the picker loads before its first frame, counted beyond a bare interpreter."""

import subprocess
import sys

from harness import ROOT

SLOW = {"argparse", "asyncio", "curses", "dataclasses", "inspect", "json", "logging", "subprocess", "tomllib"}
COUNT = """
import sys
sys.path.insert(0, {source!r})
before = set(sys.modules)
import tma.cli.main, tma.services.cache, tma.services.runtime, tma.commands.picker
print(*sorted(set(sys.modules) - before))
"""
MOST_OF_OURS = 65


def test_the_picker_loads_no_parser_and_no_event_loop() -> None:
    """TUI-1: its first frame waits for every import, so that none of the slow ones is among them."""
    argv = [sys.executable, "-I", "-S", "-c", COUNT.format(source=str(ROOT / "src"))]
    loaded = set(subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split())

    assert not SLOW & loaded
    assert {name.split(".")[0] for name in loaded} & {"prompt_toolkit", "textual", "wcwidth"} == set()
    assert len([name for name in loaded if name.startswith("tma.")]) <= MOST_OF_OURS
