"""One telling through its sinks, in their order."""

from pathlib import Path

import pytest

from acting import fake_runtime
from tma.core import config
from tma.core.errors import TmuxGoneError
from tma.core.events import alerts, routes
from tma.services.notify import deliver, telling
from tma.services.notify.jobs import Job, Runner
from tma.services.notify.results import Outcome, Records


def told() -> telling.Telling:
    """A notice."""
    notice = alerts.Notice("blocked", "claude", "%5", at=1)
    notice.locator = "s:1.0"
    return telling.of_notice(notice, title=False)


def route(**notify: object) -> routes.Route:
    """The route under settings."""
    return routes.route(config.parse({"notify": notify})["notify"], "blocked")


def test_a_variable_without_a_value_is_not_inherited() -> None:
    """NTF-1: nor the pane that we were started in."""
    env = deliver.environment(told(), {"TMA_TITLE": "old", "TMA_PANE": "%9", "TMUX_PANE": "%9", "A": "b"})
    assert ("TMA_TITLE" in env, "TMUX_PANE" in env, env["TMA_PANE"], env["A"]) == (False, False, "%5", "b")


@pytest.mark.parametrize("home", ["", "relative", "{home}"])
def test_a_command_runs_at_home_or_at_the_root(tmp_path: Path, home: str) -> None:
    """CMD-1: its text is one untouched argument."""
    env = {"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": home.format(home=tmp_path)}
    records = Records(env, lambda: 1)
    job = deliver.command(told(), route(command=f"pwd > '{tmp_path}/it'\"'\"'s'; cat >> {tmp_path}/in"), records, env)
    runner = Runner(env)
    runner.start(job)
    assert runner.finish() == [Outcome("command", "", "ok")]
    assert (tmp_path / "it's").read_text().strip() == (str(tmp_path) if home == "{home}" else "/")
    assert (tmp_path / "in").read_text() == told().document()


def test_the_log_is_written_before_anything_else(tmp_path: Path) -> None:
    """RTE-3, NOT-4: and a server that is gone costs its own sinks alone."""
    log = tmp_path / "log"
    runtime, _ = fake_runtime(lambda _: TmuxGoneError("no tmux server running") if log.exists() else "")
    outcomes = deliver.quick(runtime, told(), route(log=str(log), bell=True))
    assert [(each.sink, each.result) for each in outcomes] == [("log", "ok"), ("message", "failed"), ("bell", "failed")]


def test_programs_are_one_for_each_sink(tmp_path: Path) -> None:
    """RTE-3: command, desktop and push services, at the same time."""
    runtime, _ = fake_runtime(lambda _: "")
    records = Records({"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: 1)
    found = deliver.slow(runtime, told(), route(command="a", desktop=True, urls=["u://x"]), records)
    assert [each.sink for each in found] == ["command", "desktop", "urls"]
    assert isinstance(found[0], Job)
    assert deliver.slow(runtime, told(), route(), records) == []
