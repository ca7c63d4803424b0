"""The settings table: defaults, what a file may change, and the one line when it may not."""

import tomllib

import pytest

from tma.core import config
from tma.core.errors import ConfigError

DEFAULT_FILE = """\
[fold]
dwell_secs = 3
hook_decay_secs = 60
blocked_decay_secs = 300
freshness_secs = 3

[status]
blocked = { glyph = "⚑", color = "red" }
working = { glyph = "●", color = "yellow" }
done    = { glyph = "✓", color = "magenta" }
idle    = { glyph = "○", color = "green" }
unknown = { glyph = "?", color = "colour244" }

[picker]
blocked = { glyph = "⚑", color = "red" }
working = { glyph = "●", color = "yellow" }
done    = { glyph = "✓", color = "magenta" }
idle    = { glyph = "○", color = "green" }
unknown = { glyph = "?", color = "darkgray" }

[notify]
on = ["blocked"]
from_event = false
bell = false
osc = false
osc_777 = false
osc_99 = false
osc_progress = false
include_title = false
command_timeout_s = 10
desktop = false
desktop_click = false
urls = []

[notify.policy]
suppress_watched = false
watched_s = 15
done_min_s = 0

[focus]
events = false

[daemon]
sweep_secs = 45
quiet_ms = 1000
zero_member_recheck_secs = 1
demote_edges = 5
control_mode = true
autostart = false
restart_on_upgrade = true
"""


def test_the_default_file_changes_nothing() -> None:
    """The complete default file and the empty one give the same settings (CFG-2)."""
    assert config.default_file() == DEFAULT_FILE
    assert config.parse(tomllib.loads(DEFAULT_FILE)) == config.parse({})


def test_settings_without_a_default_are_unset() -> None:
    """What the default file cannot show is None, an absent table with a required key included (CFG-2)."""
    settings = config.parse({})

    assert settings["notify"]["command"] is settings["notify"]["log"] is None
    assert settings["notify"]["stall"] is settings["notify"]["context_high"] is None
    assert settings["notify"]["blocked"] == {"command": None, "sinks": None, "urls": None}
    assert settings["act"] == {"log": None}
    assert settings["install"] == {"wrapper_ref": None}
    assert settings["tmux"] == {"bin": None}
    assert (settings["agent"], settings["api"], settings["telemetry"]) == ([], {}, {"windows": {}})


def test_a_partial_table_keeps_the_other_defaults() -> None:
    """Every table and key may be left out (CFG-2)."""
    settings = _parse("[fold]\ndwell_secs = 9\n[status]\nblocked = { glyph = '!' }")

    assert settings["fold"] == {**config.parse({})["fold"], "dwell_secs": 9}
    assert settings["status"]["blocked"] == {"glyph": "!", "color": "red"}
    assert settings["status"]["idle"] == config.parse({})["status"]["idle"]


def test_every_setting_can_be_set() -> None:
    """Each key of the table is read into its place."""
    settings = _parse(
        """
        [notify]
        on = []
        command = "notify-send"
        log = "~/n.jsonl"
        done = { command = "x" }
        context_high = { threshold = 80 }
        stall = { threshold_s = 60, command = "" }
        [act]
        log = "/a"
        [install]
        wrapper_ref = "bare"
        [tmux]
        bin = "/opt/tmux"
        [telemetry.windows]
        "gpt-5.1" = 400000
        [[agent]]
        name = "pi"
        [[agent]]
        name = "x"
        enabled = false
        process_names = ["a", "b"]
        [api.opencode]
        api_base = "http://127.0.0.1:4096"
        [api.far]
        api_base = "https://box.example"
        allow_remote = true
        """
    )

    notify = settings["notify"]
    assert (notify["on"], notify["command"], notify["log"]) == ([], "notify-send", "~/n.jsonl")
    unset = {"sinks": None, "urls": None}
    assert notify["done"] == {"command": "x", **unset}
    assert notify["context_high"] == {"threshold": 80, "command": None, **unset}
    assert notify["stall"] == {"threshold_s": 60, "command": None, "quiet_s": 0, **unset}
    assert (settings["act"]["log"], settings["install"]["wrapper_ref"]) == ("/a", "bare")
    assert settings["tmux"]["bin"] == "/opt/tmux"
    assert settings["telemetry"]["windows"] == {"gpt-5.1": 400000}
    assert settings["agent"] == [
        {"name": "pi", "enabled": True, "process_names": []},
        {"name": "x", "enabled": False, "process_names": ["a", "b"]},
    ]
    assert settings["api"] == {
        "opencode": {"api_base": "http://127.0.0.1:4096", "allow_remote": False},
        "far": {"api_base": "https://box.example", "allow_remote": True},
    }


def test_lists_of_one_parse_are_not_those_of_another() -> None:
    """A caller that changes its settings changes no default."""
    config.parse({})["notify"]["on"].append("x")

    assert config.parse({})["notify"]["on"] == ["blocked"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[notify]\non = ["blocked","finished"]', 'notify.on: "finished" is not one of "blocked", "done"'),
        ("[notifyy]", "notifyy: unknown key; did you mean notify?"),
        ("[notify]\nbel = true", "notify.bel: unknown key; did you mean notify.bell?"),
        ('[status]\nblocked = "red"', "status.blocked: must be a table, not a string"),
        ("[status.done]\nglyphs = ''", "status.done.glyphs: unknown key; did you mean status.done.glyph?"),
        ("[status.error]", "status.error: unknown key; did you mean status.idle?"),
        ("[notify.stall]", "notify.stall.threshold_s: is required"),
        ("[notify.stall]\nthreshold_s = 0", "notify.stall.threshold_s: must be at least 1, not 0"),
        ("[notify.context_high]\nthreshold = 101", "notify.context_high.threshold: must be at most 100, not 101"),
        ("[daemon]\nsweep_secs = -1", "daemon.sweep_secs: must be at least 1, not -1"),
        ("[fold]\ndwell_secs = 1979-05-27", "fold.dwell_secs: must be an integer, not a date or time"),
        ("fold = 3", "fold: must be a table, not an integer"),
        ("dwell_secs = 3", "dwell_secs: unknown key; did you mean fold.dwell_secs?"),
        ("[telemetry]\nwindow = 1", "telemetry.window: unknown key; did you mean telemetry.windows?"),
        ("[telemetry.windows]\nx = true", "telemetry.windows.x: must be an integer, not a boolean"),
        ("[agent]\nname = 'x'", "agent: must be written [[agent]], one table for each entry"),
        ("[[agent]]\nenabled = true", "agent[0].name: is required"),
        ("[[agent]]\nname = 'x'\n[[agent]]\nnam = 'y'", "agent[1].nam: unknown key; did you mean agent.name?"),
        ("['agent[]']\nname = 'x'", '"agent[]": unknown key; did you mean agent?'),
        (
            '[api.opencode]\napi_base = "http://box:4096"',
            "api.opencode.api_base: must be http on a loopback host, unless allow_remote = true stands beside it",
        ),
        (
            '[api.opencode]\napi_base = "https://127.0.0.1"',
            "api.opencode.api_base: must be http on a loopback host, unless allow_remote = true stands beside it",
        ),
        (
            '[api."a b"]\napi_base = "box"\nallow_remote = true',
            'api."a b".api_base: must be http://HOST[:PORT][/PREFIX] in visible ASCII',
        ),
        ("[api.x]\nbase = ''", "api.x.base: unknown key; did you mean api.x.api_base?"),
        ("[api]\nx = 1", "api.x: must be a table, not an integer"),
    ],
)
def test_a_wrong_file_is_one_line_with_key_and_reason(text: str, message: str) -> None:
    """The line names the dotted key, the reason, and for an unknown key the closest one (CFG-3, CFG-4)."""
    with pytest.raises(ConfigError) as caught:
        _parse(text)

    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "[notify]\non = ['error']",
        "[notify]\nbell = 'loud'",
        "[notify.policy]\nquiet_hours = '22:00-07:30'",
        "[notify.escalate]\nafter_s = 60",
        "[notify.done]\nsinks = ['log']",
        "[ui]\nmouse = true",
    ],
)
def test_settings_of_features_that_are_not_there_are_refused(text: str) -> None:
    """A key that nothing reads is an unknown key or value, not a silent no (CFG-3)."""
    with pytest.raises(ConfigError):
        _parse(text)


def test_an_unreadable_picker_color_falls_back_to_its_class() -> None:
    """The default of the class stands in, and no error is raised (CFG-13)."""
    settings = _parse("[picker]\nidle = { color = 'grene' }\ndone = { color = 'BrightBlue' }")

    assert settings["picker"]["idle"]["color"] == "green"
    assert settings["picker"]["done"]["color"] == "brightblue"


def test_every_table_is_described_and_every_setting_has_one() -> None:
    """The reference page leaves nothing out."""
    tables = [setting.key.split(".")[0].removesuffix("[]") for setting in config.SETTINGS]

    assert list(dict.fromkeys(tables)) == list(config.TABLES)
    assert all(setting.help and setting.kind.words for setting in config.SETTINGS)


def _parse(text: str) -> dict:
    return config.parse(tomllib.loads(text))


def test_a_hostile_key_stays_one_line() -> None:
    """CFG-4: a key may hold a newline."""
    with pytest.raises(ConfigError) as caught:
        config.parse({"a\nb": 1})
    assert "\n" not in str(caught.value)
