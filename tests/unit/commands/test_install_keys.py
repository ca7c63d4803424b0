"""The command line of ``tma install-keys``."""

from tma.cli.args import Parser
from tma.commands import install_keys


def test_nothing_is_written_without_a_question_unless_told() -> None:
    """The setup commands: ``--yes`` is off by default."""
    parser = Parser()
    install_keys.declare(parser)

    assert parser.parse_args([]).yes is False
    assert parser.parse_args(["--yes", "--config-dir", "/d"]).config_dir == "/d"
