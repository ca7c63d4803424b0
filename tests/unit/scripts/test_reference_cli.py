"""The reference page of the command line is made from the table and the parsers."""

import argparse
import subprocess
import sys
from pathlib import Path

from tma.cli import args, table

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "reference_cli.py"


def test_the_page_names_every_command_and_option() -> None:
    """Nothing that a parser takes is left out, hook commands included."""
    page = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout

    for command in [*table.visible(), *(each for each in table.COMMANDS if each.hook)]:
        assert f"# `tma {command.name}`\n\n{command.summary}\n" in page
        assert f"Example: `{command.example}`" in page
        parser = args.add_command(args.Program().add_commands(), command)
        for option, action in parser._option_string_actions.items():
            hidden = action.help == argparse.SUPPRESS
            assert option in {"-h", "--help", "-V", "--version"} or (f"`{option}" in page) is not hidden
    assert all(f"### `tma debug {verb}`" in page for verb in ("capture", "explain", "redact"))
