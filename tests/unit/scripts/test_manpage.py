"""The manual page is made from the table and the parsers."""

import shutil
import subprocess
import sys
from pathlib import Path

from tma.cli import table, tree

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "scripts" / "manpage.py"


def page() -> str:
    """What the script prints."""
    return subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True).stdout


def test_the_page_names_every_visible_command_and_option_and_no_hidden_one() -> None:
    """CLI-7: from the same table as help."""
    text = page().replace("\\-", "-")

    for path, node in tree.program().nodes:
        assert f".SS tma {path} [options]" in text
        assert all(f"\\fB{name}\\fR" in text for option in node.all_options for name in option.names)
    hidden = [command.name for command in table.COMMANDS if command not in table.visible()]
    assert not any(f"tma {name} [options]" in text for name in hidden)
    assert "--from-menu" not in text


def test_no_line_begins_with_a_request_that_is_none() -> None:
    """A text that begins with a dot or a quote would vanish."""
    requests = {line.split()[0] for line in page().splitlines() if line[:1] in {".", "'"}}

    assert requests <= {'.\\"', ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".BR"}


def test_a_formatter_has_nothing_to_complain_of() -> None:
    """Where there is one; the page reads as text."""
    groff = shutil.which("groff")
    if groff:
        argv = [groff, "-man", "-Tutf8", "-ww", "-z"]
        assert subprocess.run(argv, input=page(), capture_output=True, text=True, check=True).stderr == ""
