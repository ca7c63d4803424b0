"""The options of ``tma status``, and the glyphs that a locale can show."""

from tma.cli import args, table
from tma.view.status import FORMATS


def test_the_format_is_tmux_unless_said_otherwise() -> None:
    """STA-2, STA-6."""
    command = table.named("status")
    assert command is not None

    assert args.parse(["status"], command).format == "tmux"
    assert [args.parse(["status", "--format", form], command).format for form in FORMATS] == list(FORMATS)
