"""The desktop's helpers: constant programs, words as arguments, and what they lack."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness import private_home
from tma.core.events import alerts
from tma.services.cache import Options
from tma.services.notify import desktop, telling
from tma.services.notify.jobs import Job
from tma.services.notify.results import Outcome
from tma.services.notify.telling import Telling

HOSTILE = 'x" & (do shell script "touch /tmp/P") & "<b>'


@pytest.fixture
def home() -> Iterator[Path]:
    """A place for programs and a bus."""
    with private_home() as place:
        (place / "bin").mkdir()
        yield place


def program(home: Path, name: str, body: str = "") -> None:
    """A program on the path."""
    path = home / "bin" / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def told(agent: str = "claude", repo: str = HOSTILE, trigger: str = "blocked") -> Telling:
    """A notice about a repository."""
    notice = alerts.Notice(trigger, agent, "%5", at=1)
    notice.repo, notice.branch, notice.locator = repo, "b", "s:1.0"
    return telling.of_notice(notice, title=False)


def asked(
    home: Path, *, click: bool = False, platform: str = "linux", say: Telling | None = None, **env: str
) -> object:
    """What is started, as argument list without its program, or why nothing is."""
    options = Options()
    options.socket_path, options.client = "/run/s", "c1"
    found = desktop.job(say or told(), options, {"PATH": str(home / "bin"), **env}, click=click, platform=platform)
    return found.argv[1:] if isinstance(found, Job) else found


def test_notify_send_gets_words_as_arguments(home: Path) -> None:
    """DSK-2, DSK-3: markup is escaped, blocked is critical."""
    program(home, "notify-send")
    body = 'x" &amp; (do shell script "touch /tmp/P") &amp; "&lt;b&gt;@b s:1.0'
    bus = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"}
    assert asked(home, **bus) == ["--app-name=tma", "-u", "critical", "--", "claude blocked", body]
    normal = asked(home, say=told("-x", "", "done"), **bus)
    assert normal == ["--app-name=tma", "-u", "normal", "--", " -x done", "@b s:1.0"]


def test_without_a_bus_nothing_is_started(home: Path) -> None:
    """DSK-4: a bare ssh login fails at once; a socket in the runtime directory is a bus."""
    program(home, "notify-send", "touch started")
    lacks = Outcome("desktop", "notify-send", "no-session-bus")
    assert asked(home) == asked(home, XDG_RUNTIME_DIR=str(home)) == lacks
    with socket.socket(socket.AF_UNIX) as bus:
        bus.bind(str(home / "bus"))
        assert isinstance(asked(home, XDG_RUNTIME_DIR=str(home)), list)


def test_the_apple_script_is_constant(home: Path) -> None:
    """DSK-2, RCP-1: the words are its arguments."""
    program(home, "osascript")
    program(home, "launchctl", "echo Aqua")
    words = asked(home, platform="darwin")
    assert words == [*desktop.OSASCRIPT, f"{HOSTILE}@b s:1.0", "claude blocked"]


def test_without_a_login_at_the_screen_nothing_is_started(home: Path) -> None:
    """DSK-4."""
    program(home, "osascript")
    program(home, "launchctl", "echo Background")
    assert asked(home, platform="darwin") == Outcome("desktop", "osascript", "no-gui-session")


def test_a_click_goes_to_the_pane_and_answers_nothing(home: Path) -> None:
    """DSK-5, NOT-1: the client is chosen then."""
    for name in ("terminal-notifier", "osascript"):
        program(home, name)
    program(home, "launchctl", "echo Aqua")
    plain = asked(home, platform="darwin")
    assert isinstance(plain, list)
    assert "-execute" not in plain
    words = asked(home, click=True, platform="darwin")
    assert isinstance(words, list)
    assert words[-2] == "-execute"
    assert words[-1].endswith(" --socket-path /run/s jump --pane %5")


def test_windows_reads_the_words_from_its_environment(home: Path) -> None:
    """DSK-1, DSK-2."""
    program(home, "powershell.exe")
    env = {"PATH": str(home / "bin"), "WSL_DISTRO_NAME": "d", "WSLENV": "A"}
    found = desktop.job(told(), Options(), env, click=False)
    assert isinstance(found, Job)
    assert found.argv[1:] == ["-NoProfile", "-NonInteractive", "-Command", desktop.POWERSHELL]
    assert (found.env["TMA_SUMMARY"], found.env["WSLENV"]) == ("claude blocked", "A:TMA_SUMMARY:TMA_BODY")


def test_no_helper_at_all_is_told(home: Path) -> None:
    """DSK-1."""
    assert asked(home) == Outcome("desktop", "", "no-helper", "none of notify-send is on PATH")
