"""What the commands that run all day load, counted beyond a bare interpreter."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness import ROOT, TmuxServer, until
from standin import StandIn, manifests

OWN_LIMIT = 25
STANDARD_LIMIT = 9
COUNT = """
import posix, sys
end = posix._exit
def tell(code):
    posix.write(2, "\\n".join(sys.modules).encode())
    end(code)
posix._exit = tell
sys.argv = sys.argv[1:]
exec(compile(open(sys.argv[0]).read(), sys.argv[0], "exec"), {"__name__": "__main__", "__file__": sys.argv[0]})
"""


def bare() -> set[str]:
    """What an isolated interpreter without sites loads to do nothing."""
    argv = [sys.executable, "-I", "-S", "-c", "import sys; print(*sys.modules)"]
    return set(subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split())


def loaded(server: TmuxServer, *words: str, pane: str = "", stdin: str = "") -> tuple[list[str], list[str]]:
    """Tma's own modules and the standard library's that a command loads."""
    inside = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": pane} if pane else {}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", COUNT, str(ROOT / "bin" / "tma"), *words],
        check=True,
        capture_output=True,
        text=True,
        input=stdin,
        env=server.environment | inside,
    )
    extra = set(done.stderr.split("\n")) - bare()
    own = sorted(name for name in extra if name.split(".")[0] == "tma")
    return own, sorted(extra - set(own))


def in_pane(server: TmuxServer, *words: str) -> tuple[list[str], list[str]]:
    """The same for a hook that runs below the pane's own process."""
    result = server.home / "loaded"
    result.unlink(missing_ok=True)
    script = server.home / "hook.sh"
    quoted = " ".join(
        f"'{word}'"
        for word in (sys.executable, "-I", "-S", "-c", COUNT.replace("'", '"'), str(ROOT / "bin" / "tma"), *words)
    )
    script.write_text(f'echo \'{{"session_id":"s"}}\' | {quoted} 2> {result}.part; mv {result}.part {result}\n')
    environment = [f"-e{name}={value}" for name, value in server.environment.items()]
    server("new-window", "-d", *environment, "sh", str(script))
    until(result.exists, what="the hook's end")
    extra = set(result.read_text().split("\n")) - bare()
    own = sorted(name for name in extra if name.split(".")[0] == "tma")
    return own, sorted(extra - set(own))


@pytest.fixture
def fleet(server: TmuxServer) -> TmuxServer:
    """A server with shells, an agent whose stamp is fresh, and other programs."""
    server.start()
    robot = StandIn(server)
    server.pane("cat")
    _configure(server)
    server.tma("--manifest-dir", manifests(server), "ls")
    assert robot.pane
    return server


def _configure(server: TmuxServer) -> Path:
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[fold]\nfreshness_secs = 3600\n")
    return path


COMMANDS: dict[str, Callable[[TmuxServer], tuple[list[str], list[str]]]] = {
    "status": lambda server: loaded(server, "status", "--manifest-dir", manifests(server)),
    "event": lambda server: in_pane(server, "event", "--agent", "claude", "--kind", "Stop", "--payload", "-"),
    "clear-attention": lambda server: loaded(server, "clear-attention", "%0"),
}


@pytest.mark.parametrize("configured", [True, False])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_hot_command_loads_few_modules(fleet: TmuxServer, name: str, *, configured: bool) -> None:
    """Fast by count: at most 25 of tma's own, fewer than ten of the standard library.

    The bundled manifests are a document, and a module only because Python reads that quickest.
    """
    if not configured:
        _configure(fleet).unlink()
    COMMANDS[name](fleet)
    own, standard = COMMANDS[name](fleet)
    own = [each for each in own if each != "tma.services.prebuilt"]
    assert len(own) <= OWN_LIMIT, own
    assert len(standard) <= STANDARD_LIMIT, standard
    assert "tma.core" in own


def test_a_status_over_a_fleet_in_which_nothing_moves_loads_as_few(fleet: TmuxServer) -> None:
    """CYC-4: a stale stamp stands at a glance, and what a look needs stays where it is."""
    (fleet.home / "config" / "tma" / "config.toml").write_text("[fold]\nfreshness_secs = 1\n")
    seen: list[list[str]] = []

    def quiet() -> bool:
        seen.append(loaded(fleet, "status", "--manifest-dir", manifests(fleet))[0])
        return "tma.core.quiet" in seen[-1] and "tma.core.detect" not in seen[-1]

    until(quiet, what="a status line that looks at nothing")
    assert len(seen[-1]) <= OWN_LIMIT, seen[-1]


def test_a_status_that_looks_at_a_screen_loads_no_parser_and_compiles_no_pattern_twice(fleet: TmuxServer) -> None:
    """Section 4 of the architecture: `re` only for the first screen of a kind; never an argument parser or `json`."""
    (fleet.home / "config" / "tma" / "config.toml").write_text("[fold]\nfreshness_secs = 0\n")
    file = Path(manifests(fleet)) / "robot.toml"
    file.write_text(file.read_text().replace('contains = "READY"', 'regex = "READ[Y]"'))
    seen: list[tuple[list[str], list[str]]] = []

    def looked() -> bool:
        seen.append(loaded(fleet, "status", "--manifest-dir", str(file.parent)))
        return "tma.core.detect.judging" in seen[-1][0]

    until(looked, what="a look at a screen")
    assert "re" in seen[-1][1]
    until(looked, what="another look")
    standard = seen[-1][1]
    assert not {"re", "argparse", "json", "subprocess", "tomllib", "typing", "dataclasses", "asyncio"} & set(standard)
