"""Gauge readings that ask no server, and one that does."""

import posix
import time
from pathlib import Path

import pytest

from tma.core.errors import TmuxError
from tma.services import intake
from tma.services.cache import Options

MANIFEST = """
min_engine_version = "0.6.0"
[identity]
process_names = ["probe"]
[capture]
"""
CHANNEL = '[telemetry.context]\nchannel = "event"\nformat = "claude-statusline-json"\n'
READING = '{"context_window": {"used_percentage": 5}}'


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of manifests, and a tmux that cannot be started."""
    for name, value in (("TMA_TMUX_BIN", "/nonexistent/tmux"), ("HOME", str(tmp_path)), ("CLAUDE_JOB_DIR", "")):
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    monkeypatch.setitem(posix.environ, b"XDG_CACHE_HOME", str(tmp_path / "cache").encode())
    (tmp_path / "gauged.toml").write_text(MANIFEST + CHANNEL)
    (tmp_path / "plain.toml").write_text(MANIFEST)
    (tmp_path / "odd.toml").write_text(MANIFEST + CHANNEL.replace("claude-statusline-json", "unknown-json"))
    return tmp_path


def report_reading(agents: Path, agent: str, payload: str) -> None:
    """Take a reading."""
    options = Options()
    options.manifest_dir = str(agents)
    call = intake.Call(options, at=1, began=time.monotonic())
    call.agent, call.kind, call.pane = agent, "context", "%1"
    file = agents / "payload"
    file.write_text(payload)
    call.payload = str(file)
    intake.report_gauge(call)


@pytest.mark.parametrize(
    ("agent", "payload"),
    [
        ("nobody", READING),
        ("plain", READING),
        ("odd", READING),
        ("gauged", ""),
        ("gauged", "[1]"),
        ("gauged", '{"context_window": {"used_percentage": 101}}'),
    ],
)
def test_nothing_to_store_asks_no_server(agents: Path, agent: str, payload: str) -> None:
    """CTX-1: no channel, unknown format, unparsable payload, a value that is none."""
    report_reading(agents, agent, payload)


def test_a_background_session_asks_no_server(agents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OWN-6: its parents may lead to somebody's pane."""
    monkeypatch.setitem(posix.environ, b"CLAUDE_JOB_DIR", b"/jobs/1")
    report_reading(agents, "gauged", READING)


def test_a_reading_asks_the_server(agents: Path) -> None:
    """CTX-1: the caller swallows what fails there."""
    with pytest.raises(TmuxError):
        report_reading(agents, "gauged", READING)
