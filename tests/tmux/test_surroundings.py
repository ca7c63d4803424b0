"""The short road in bad surroundings: whatever stands between Python and its compiled files, what it says is right."""

import compileall
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from harness import DEADLINE_S, ROOT, TmuxServer, until
from standin import StandIn, manifests

EXPECTED = "⚑1 ○1"


class Installation:
    """A copy of the program."""

    def __init__(self, place: Path, *, compiled: bool = True) -> None:
        """Copy it, with the files that an installer compiles or without."""
        shutil.copytree(ROOT / "src" / "tma", place / "src" / "tma", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "bin", place / "bin")
        if compiled:
            compileall.compile_dir(place / "src", quiet=1)
        self.place = place

    def run(self, server: TmuxServer, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run it as hooks and status lines do."""
        argv = [sys.executable, "-I", "-S", str(self.place / "bin" / "tma"), *words]
        argv += ["--manifest-dir", manifests(server)]
        environment = server.environment | env
        return subprocess.run(argv, check=False, capture_output=True, text=True, env=environment, timeout=DEADLINE_S)

    def counts(self, server: TmuxServer, **env: str) -> str:
        """The counts, printed without a word beside them."""
        done = self.run(server, "status", "--format", "plain", **env)
        assert (done.stderr, done.returncode) == ("", 0)
        return done.stdout

    def compiled_files(self) -> list[Path]:
        """What Python kept."""
        return sorted(self.place.rglob("*.pyc"))


@pytest.fixture
def fleet(server: TmuxServer) -> TmuxServer:
    """A server with one agent that asks and one at rest."""
    server.start("cat")
    StandIn(server, screen="ALLOW?")
    StandIn(server)
    return server


def test_nothing_compiled_and_nothing_kept(fleet: TmuxServer, tmp_path: Path) -> None:
    """PTH-16: the first run of all; the second finds what the first kept."""
    made = Installation(tmp_path / "tma", compiled=False)
    shutil.rmtree(fleet.environment["XDG_CACHE_HOME"], ignore_errors=True)
    assert made.counts(fleet) == EXPECTED
    assert made.compiled_files()
    assert made.counts(fleet) == EXPECTED


def test_an_interpreter_that_keeps_nothing(fleet: TmuxServer, tmp_path: Path) -> None:
    """`-B`, which `-I` leaves as the only way to say it."""
    made = Installation(tmp_path / "tma", compiled=False)
    argv = [sys.executable, "-B", "-I", "-S", str(made.place / "bin" / "tma"), "status", "--format", "plain"]
    argv += ["--manifest-dir", manifests(fleet)]
    for _ in range(2):
        done = subprocess.run(argv, check=True, capture_output=True, text=True, env=fleet.environment)
        assert done.stdout == EXPECTED
    assert made.compiled_files() == []


@pytest.mark.parametrize("compiled", [True, False])
def test_an_installation_that_cannot_be_written(fleet: TmuxServer, tmp_path: Path, *, compiled: bool) -> None:
    """With what its installer compiled, and with nothing at all; a file in the way stops root too."""
    made = Installation(tmp_path / "tma", compiled=compiled)
    if not compiled:
        for directory in [made.place / "src" / "tma", *(made.place / "src" / "tma").rglob("*/")]:
            if directory.is_dir():
                (directory / "__pycache__").write_text("")
    assert made.counts(fleet) == EXPECTED
    assert made.counts(fleet) == EXPECTED


def test_damaged_compiled_files_do_no_harm(fleet: TmuxServer, tmp_path: Path) -> None:
    """What Python itself would refuse or recompile is left to Python."""
    made = Installation(tmp_path / "tma")
    for file in made.compiled_files():
        file.write_bytes(b"\0" * 16 + file.read_bytes()[16:])
    assert made.counts(fleet) == EXPECTED


def test_two_versions_take_turns(fleet: TmuxServer, tmp_path: Path) -> None:
    """PTH-16: one cache directory; neither believes what the other kept."""
    first, second = Installation(tmp_path / "a"), Installation(tmp_path / "b")
    version = second.place / "src" / "tma" / "__init__.py"
    version.write_text(version.read_text().replace('__version__ = "', '__version__ = "9'))
    for _ in range(2):
        assert first.counts(fleet) == EXPECTED
        assert second.counts(fleet) == EXPECTED


def test_a_source_that_changed_counts_at_once(fleet: TmuxServer, tmp_path: Path) -> None:
    """A compiled file of yesterday is no program of today."""
    made = Installation(tmp_path / "tma")
    assert made.counts(fleet) == EXPECTED
    source = made.place / "src" / "tma" / "view" / "status.py"
    source.write_text(source.read_text().replace('return " ".join(f"{styles', 'return "|".join(f"{styles'))
    assert made.counts(fleet) == EXPECTED.replace(" ", "|")


@pytest.mark.parametrize("home", ["/dev/null/home", "", "relative"])
def test_a_home_that_is_not_there(fleet: TmuxServer, tmp_path: Path, home: str) -> None:
    """PTH-11: nothing can be kept, and nothing is said of it."""
    made = Installation(tmp_path / "tma")
    places = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"), home)
    assert made.counts(fleet, **places) == EXPECTED


def test_an_event_is_silent_and_right_without_anything_compiled(fleet: TmuxServer, tmp_path: Path) -> None:
    """HOOK-1: from a pane whose hook finds a fresh copy."""
    made = Installation(tmp_path / "tma", compiled=False)
    said = tmp_path / "said"
    words = f"event --agent robot --kind Work --payload - --manifest-dir {manifests(fleet)}"
    hook = f"{sys.executable} -I -S {made.place}/bin/tma {words} >{said}.part 2>&1; mv {said}.part {said}"
    payload = json.dumps({"session_id": "one"})
    environment = [f"-e{name}={value}" for name, value in fleet.environment.items()]
    pane = fleet("new-window", "-d", "-P", "-F", "#{pane_id}", *environment, f"echo '{payload}' | {hook}; sleep 1000")

    until(said.exists, what="the end of the hook")
    assert said.read_text() == ""
    assert fleet.options(pane)["@agent_state"] == "working"
