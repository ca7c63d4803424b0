"""The settings in force: milliseconds, overrides, the home directory."""

import tomllib

import pytest

from tma.core import config, kinds
from tma.core.settings import Settings, expanded

HOME = {"HOME": "/home/dev"}


def test_times_are_milliseconds() -> None:
    """Seconds of the file are converted once."""
    settings = _settings("[fold]\ndwell_secs = 1\nhook_decay_secs = 2\nblocked_decay_secs = 4\nfreshness_secs = 0")

    assert (settings.dwell_ms, settings.hook_decay_ms) == (1000, 2000)
    assert (settings.blocked_decay_ms, settings.freshness_ms) == (4000, 0)


def test_the_defaults_are_those_of_the_table() -> None:
    """Unset texts are empty, looks are pairs by class (CFG-2)."""
    settings = _settings("")

    assert settings.status["unknown"] == ("?", "colour244")
    assert settings.picker["unknown"] == ("?", "darkgray")
    assert (settings.tmux_bin, settings.act_log, settings.wrapper_ref, settings.notify["log"]) == ("", "", "", "")
    assert (settings.focus_events, settings.agents, settings.api, settings.windows) == (False, [], {}, {})
    assert settings.daemon["sweep_secs"] == 45


def test_paths_begin_at_the_home_directory() -> None:
    """Every setting that is a path has its ``~`` expanded (CFG-7)."""
    paths = [setting.key for setting in config.SETTINGS if setting.kind is kinds.PATH]
    settings = _settings("[act]\nlog = '~/act.jsonl'\n[notify]\nlog = '~/notify.jsonl'", HOME)

    assert paths == ["notify.log", "act.log"]
    assert settings.act_log == "/home/dev/act.jsonl"
    assert settings.notify["log"] == "/home/dev/notify.jsonl"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("~", "/home/dev"),
        ("~/", "/home/dev/"),
        ("~other/x", "~other/x"),
        ("a/~/b", "a/~/b"),
        ("$HOME/x", "$HOME/x"),
        ("", ""),
    ],
)
def test_only_a_leading_tilde_is_expanded(path: str, expected: str) -> None:
    """No other expansion happens (CFG-7)."""
    assert expanded(path, HOME) == expected


@pytest.mark.parametrize("env", [{}, {"HOME": ""}])
def test_without_a_home_the_tilde_stays(env: dict[str, str]) -> None:
    """Nothing is made relative to the current directory (PTH-11)."""
    assert expanded("~/x", env) == "~/x"


def test_the_command_variable_wins_over_every_command() -> None:
    """Triggers and thresholds still apply (CFG-8)."""
    text = "[notify]\non = ['done']\ncommand = 'a'\nblocked.command = 'b'\nstall = { threshold_s = 5, command = 'c' }"
    notify = _settings(text, {"TMA_NOTIFY_CMD": "mine"}).notify

    assert notify["command"] == "mine"
    assert notify["blocked"]["command"] is notify["stall"]["command"] is None
    assert notify["stall"]["threshold_s"] == 5
    assert notify["context_high"] is None
    assert notify["on"] == ["done"]


def test_an_empty_command_variable_counts_as_unset() -> None:
    """The file's commands stay (GLO-6)."""
    assert _settings("[notify]\ncommand = 'a'", {"TMA_NOTIFY_CMD": ""}).notify["command"] == "a"


@pytest.mark.parametrize(
    ("value", "expected"), [("1", True), ("0", False), ("", False), ("true", False), ("01", False)]
)
def test_the_from_event_variable_wins_once_set(value: str, *, expected: bool) -> None:
    """Exactly ``1`` is true, anything else, empty included, is false (GLO-6)."""
    for text in ("", "[notify]\nfrom_event = true"):
        assert _settings(text, {"TMA_NOTIFY_FROM_EVENT": value}).notify["from_event"] is expected


def test_overrides_leave_the_plain_settings_alone() -> None:
    """One document serves several environments."""
    plain = config.parse({"notify": {"log": "~/n"}})
    Settings(plain, {**HOME, "TMA_NOTIFY_CMD": "x", "TMA_NOTIFY_FROM_EVENT": "1"})

    assert plain == config.parse({"notify": {"log": "~/n"}})


def _settings(text: str, env: dict[str, str] | None = None) -> Settings:
    return Settings(config.parse(tomllib.loads(text)), env)
