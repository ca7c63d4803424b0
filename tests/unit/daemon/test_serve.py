"""A daemon's start, where there is nothing to serve."""

from pathlib import Path

from gone import world
from tma.core.errors import OK
from tma.core.pane import ServerFacts
from tma.daemon import serve
from tma.daemon.serve import Serving, Trial


def test_without_a_server_there_is_nothing_to_do() -> None:
    """DLC-1: exit 0."""
    assert serve.run(world(), Trial(), bool) == OK


def test_the_status_file_is_written_when_a_value_changed(tmp_path: Path) -> None:
    """DST-1: by rename; a file that cannot be written is nobody's business."""
    path = tmp_path / "status"
    serving = Serving(world(), ServerFacts("/s", "3.3a", "host", 1, 0), Trial(str(path)), bool)
    serving.tell({"a": "1", "b": "x"})
    assert path.read_text() == "a=1\nb=x\n"
    first = path.stat().st_ino
    serving.tell({"a": "1", "b": "x"})
    assert path.stat().st_ino == first
    serving.tell({"a": "2"})
    assert path.read_text() == "a=2\n"
    path.unlink()
    path.mkdir()
    serving.tell({"a": "3"})
