"""The command line of ``tma uninstall``."""

from tma.cli.args import Parser
from tma.commands import uninstall


def test_nothing_is_written_without_a_question_unless_told() -> None:
    """The setup commands: ``--yes`` is off by default."""
    parser = Parser()
    uninstall.declare(parser)

    assert parser.parse_args([]).yes is False
    assert parser.parse_args(["--yes", "--config-dir", "/d"]).config_dir == "/d"
