"""The command line of ``tma init``."""

from tma.cli.args import Parser
from tma.commands import init


def test_nothing_is_written_without_a_question_unless_told() -> None:
    """The setup commands: ``--yes`` is off by default."""
    parser = Parser()
    init.declare(parser)

    assert parser.parse_args([]).yes is False
    assert parser.parse_args(["--yes", "--config-dir", "/d"]).config_dir == "/d"
