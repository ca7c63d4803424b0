"""Whatever a configuration or manifest file holds, it loads or is refused by name."""

import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tma.core import config
from tma.core.errors import ConfigError
from tma.core.settings import Settings
from tma.services import loading

_NAMES = sorted({part.removesuffix("[]") for setting in config.SETTINGS for part in setting.key.split(".")})
_VALUES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates()
    | st.sampled_from(["blocked", "red", "http://[::1", "https://h", "~", "bare"])
)  # fmt: skip
_TREES = st.recursive(
    _VALUES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES) | st.text(), inner, max_size=4),
    max_leaves=12,
)
_TABLES = st.dictionaries(st.sampled_from(_NAMES), _TREES, max_size=4)
_LINES = st.lists(
    st.sampled_from(
        [
            "[fold]", "dwell_secs = 3", "dwell_secs = -3", "[notify.stall]", "threshold_s = 9", "[[agent]]",
            "name = 'x'", "name = ''", "[api.x]", "api_base = 'http://h'", "allow_remote = true", "x = {", "[",
            "'''", '"\\ud800"', "= 1",
        ]
    )
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _long_settled() -> Iterator[None]:
    """Every file counts as old, so that no example waits for its file to settle."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading.system, "now_ms", lambda: 0)
        yield


@given(_TABLES)
def test_any_table_is_parsed_or_refused_by_key(data: dict[str, Any]) -> None:
    """Nothing else leaves the parser, and what it gives makes settings (FZ-9)."""
    try:
        settings = config.parse(data)
    except ConfigError as error:
        key, _, reason = str(error).partition(": ")
        assert key
        assert reason
        return

    assert settings.keys() == config.parse({}).keys()
    assert Settings(settings).dwell_ms == settings["fold"]["dwell_secs"] * 1000


@given(st.binary() | _LINES.map("\n".join).map(lambda text: text.encode()))
def test_any_file_gives_a_document_and_at_most_one_line(content: bytes) -> None:
    """As configuration and as manifest, with the defaults and the bundled agents behind it (FZ-9, MAN-SET-3)."""
    bundled = [{"name": "claude", "process_names": ["claude"]}]
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "agents").mkdir()
        (base / "agents" / "claude.toml").write_bytes(content)
        (base / "config.toml").write_bytes(content)
        built = loading.build([f"{name}/config.toml", f"{name}/agents"], only=False, bundled=bundled)

    document = built.document
    assert [agent["name"] for agent in document["agents"]] == ["claude"]
    assert [path for path, _ in document["skipped"]] == [f"{name}/agents/claude.toml"]
    if document["config_error"]:
        assert document["config_error"].startswith(f"config {name}/config.toml: ")
        assert document["settings"] == config.parse({})
    else:
        assert document["settings"] == config.parse(tomllib.loads(content.decode()))
