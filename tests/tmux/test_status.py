"""``tma status`` on real panes: its four formats, by both roads."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from actor import configure
from harness import DEADLINE_S, ROOT, TmuxServer, until
from standin import MANIFEST, StandIn, manifests
from tma.core.stamp import CONTEXT_PCT, HASH, NAME, PID, SESSION, STAMPED_AT

FORMATS = ("tmux", "plain", "json", "prom")


def tma(server: TmuxServer, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command with the stand-in's manifest alone."""
    return server.tma(*words, "--manifest-dir", manifests(server), **options)


def short(server: TmuxServer, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program file as hooks and status lines do, without the site directory."""
    argv = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma"), *words, "--manifest-dir", manifests(server)]
    return subprocess.run(argv, check=False, capture_output=True, text=True, env=server.environment, timeout=DEADLINE_S)


def counted(robot: StandIn) -> dict[str, str]:
    """What a status line leaves on a pane."""
    done = short(robot.server, "status")
    assert done.returncode == 0, done.stderr
    return robot.server.options(robot.pane)


def stands(robot: StandIn) -> bool:
    """Whether a pane's stamp is younger than all that its window printed."""
    stamped = int(counted(robot).get(STAMPED_AT, "0"))
    return stamped // 1000 > int(robot.server.show(robot.pane, "#{window_activity}"))


def test_each_format_tells_the_same_counts(server: TmuxServer) -> None:
    """STA-2 to STA-5: no newline behind the two that a status line shows."""
    server.start("cat")
    StandIn(server, screen="ALLOW?")
    StandIn(server)
    StandIn(server)

    tmux, plain, counts, prom = (tma(server, "status", "--format", form).stdout for form in FORMATS)

    assert tmux == "#[range=user|tma:blocked]#[fg=red]⚑1#[norange] #[range=user|tma:idle]#[fg=green]○2#[norange]"
    assert tma(server, "status").stdout == tmux
    assert plain == "⚑1 ○2"
    assert json.loads(counts)["counts"] == {"working": 0, "blocked": 1, "idle": 2, "unknown": 0, "done": 0}
    assert 'tma_agents{state="idle"} 2\n' in prom
    assert prom.count("tma_agent_state_seconds{") == 3


def test_no_agents_are_an_empty_segment(server: TmuxServer) -> None:
    """STA-2: and no error."""
    server.start("cat")

    done = tma(server, "status")

    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    "words", [(), ("--format", "plain"), ("--state", "idle", "--format=json"), ("--state", "x"), ("--frm",)]
)
def test_both_roads_end_alike(server: TmuxServer, words: tuple[str, ...]) -> None:
    """One meaning of a line, whichever parser reads it."""
    server.start("cat")
    StandIn(server)

    one, other = short(server, "status", *words), tma(server, "status", *words)

    assert (one.stdout, one.stderr, one.returncode) == (other.stdout, other.stderr, other.returncode)


@pytest.mark.parametrize(("full", "code"), [(True, 1), (False, 141)])
def test_both_roads_end_alike_where_nothing_can_be_written(server: TmuxServer, *, full: bool, code: int) -> None:
    """CLI-8: a full disk is said in one line, a reader that has gone is not."""
    server.start()
    StandIn(server)
    ended = []
    for program in (["-m", "tma"], ["-I", "-S", str(ROOT / "bin" / "tma")]):
        reading, writing = os.pipe()
        os.close(reading)
        with open("/dev/full" if full else writing, "w") as output:  # noqa: PTH123  # a descriptor, too
            argv = [sys.executable, *program, "status", "--manifest-dir", manifests(server)]
            done = subprocess.run(
                argv, check=False, stdout=output, stderr=subprocess.PIPE, text=True, env=server.environment
            )
        if full:
            os.close(writing)
        ended.append((done.returncode, done.stderr))

    said = "tma: cannot write the output: No space left on device\n" if full else ""
    assert ended == [(code, said)] * 2


def test_a_title_tells_of_a_silent_pane_too_whose_it_is(server: TmuxServer) -> None:
    """ID-8, ID-9, CYC-4: agents of one interpreter differ by it, and a person may set it where nothing is printed."""
    server.start("cat")
    robot = StandIn(server)
    directory = Path(manifests(server))
    for name, pattern in (("first", "^one"), ("robot", "^two")):
        gate = f'process_names = ["robot"]\ntitle_patterns = ["{pattern}"]'
        (directory / f"{name}.toml").write_text(MANIFEST.replace('process_names = ["robot"]', gate))
    configure(server, "[fold]\nfreshness_secs = 1\n")

    server("select-pane", "-t", robot.pane, "-T", "two")
    until(lambda: stands(robot), what="a stamp that nothing was printed after")
    assert counted(robot)[NAME] == "robot"
    server("select-pane", "-t", robot.pane, "-T", "one")
    until(lambda: counted(robot)[NAME] == "first", what="the agent that the title names")


def test_the_log_of_a_silent_pane_still_tells_its_gauge(server: TmuxServer) -> None:
    """ROL-1, CYC-4: what was written to it last may not have been read before the turn ended."""
    server.start("cat")
    robot = StandIn(server)
    file = Path(manifests(server)) / "robot.toml"
    file.write_text(f'{MANIFEST}[telemetry.context]\nchannel = "file-tail"\nformat = "codex-rollout-jsonl"\n')
    configure(server, "[fold]\nfreshness_secs = 1\n")
    server("set-option", "-p", "-t", robot.pane, SESSION, "s1")
    until(lambda: stands(robot), what="a stamp that nothing was printed after")

    info = {"total_token_usage": {"total_tokens": 500}, "model_context_window": 1000}
    log = server.home / ".codex" / "sessions" / "2026" / "01" / "02" / "rollout-s1.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(json.dumps({"type": "event_msg", "payload": {"type": "token_count", "info": info}}) + "\n")

    assert CONTEXT_PCT not in server.options(robot.pane)
    until(lambda: CONTEXT_PCT in counted(robot), what="the gauge")
    before = server.options(robot.pane)
    assert counted(robot) == before


def test_what_a_torn_stamp_left_is_held_behind_a_boundary(server: TmuxServer) -> None:
    """ID-7: nothing of it is removed, whoever counts."""
    server.start("cat")
    far = StandIn(server, "ssh")
    silent_at = (int(server.show(far.pane, "#{window_activity}")) + 1) * 1000
    for key, value in ((PID, far.pid), (HASH, 1), (STAMPED_AT, silent_at)):
        server("set-option", "-p", "-t", far.pane, key, str(value))
    before = server.options(far.pane)

    for done in (tma(server, "ls"), short(server, "status")):
        assert done.returncode == 0, done.stderr
        assert server.options(far.pane) == before


def test_timing_is_one_line_on_standard_error(server: TmuxServer) -> None:
    """CYC-9, section 2 of cli.md: what a cycle cost."""
    server.start("cat")
    StandIn(server)

    said = tma(server, "status", "--debug-timing").stderr

    assert said.count("\n") == 1
    words = (
        "tma: cycle ",
        "ms",
        "1 agents",
        "1 produced",
        "0 consumed",
        "1 captures",
        "0 capture-skipped",
        "0 removed",
    )
    assert all(word in said for word in words)


def test_a_locale_without_unicode_gets_ascii_glyphs(server: TmuxServer) -> None:
    """A11Y-4: and so does nobody else."""
    server.start("cat")
    StandIn(server, screen="ALLOW?")

    assert tma(server, "status", "--format", "plain", env={"LC_ALL": "C"}).stdout == "!1"
    assert tma(server, "status", "--format", "plain", env={"LC_ALL": ""}).stdout == "⚑1"
    assert tma(server, "status", "--format", "plain", env={"LC_ALL": "en_US.utf8"}).stdout == "⚑1"


def test_a_broken_configuration_is_an_empty_segment_and_a_failure(server: TmuxServer) -> None:
    """STL-4, CFG-4, GLO-5."""
    server.start("cat")
    StandIn(server)
    config = server.home / "broken.toml"
    config.write_text("[statuss]\n")

    done = tma(server, "status", "--config", str(config))

    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith(f"tma: config {config}: ")
    assert "statuss" in done.stderr
