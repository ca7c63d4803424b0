"""Over a real ssh: the recipe of the documentation, word for word, and what goes wrong with it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from farside import ASK, START, Typist, install_agent
from harness import TmuxServer, private_home, private_server, tmux_binaries, until, version_of
from people import attached, terminal
from recipes import block, filled
from sshd import Host, Near, far_host, link_tmux, need_sshd

PAGE = "how-to/run-over-ssh.md"
SOCKET = "/run/user/1000/tma-me.sock"
PANE = "%5"
"""The pane of the recipes; ``recipe_pane`` opens windows until there is one of that id."""


@pytest.fixture
def near() -> Iterator[Near]:
    """This side's programs."""
    need_sshd()
    with private_home() as home:
        yield Near(home)


def recipe_pane(server: TmuxServer, near: Near) -> Typist:
    """Somebody at a shell in the pane that the recipes name, with this side's programs before all others."""
    link_tmux(near.bin, server.binary)
    pane = server.start("cat")
    while pane != PANE:
        pane = server.pane("env", f"PATH={near.path}", f"HOME={near.bin}", "PS1=near$ ", "/bin/sh")
    return Typist(server, pane, "near$")


def log_in(person: Typist) -> None:
    """The first two blocks: the forward, and the variables on the far side."""
    person.types(block(PAGE, "StreamLocalBindUnlink"))
    person.sees("box$")
    person.types(block(PAGE, "export TMA_SOCKET_PATH"))


@contextmanager
def waiting(server: TmuxServer, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A ``tma wait`` of this side while the block runs."""
    argv = [sys.executable, "-m", "tma", "wait", *words, "--timeout", "30"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=server.environment) as process:
        yield process


def row_of(server: TmuxServer) -> dict[str, object]:
    """The recipe pane's row as this side lists it, empty without one."""
    rows = json.loads(server.tma("ls", "--json").stdout)["agents"]
    return next((row for row in rows if row["pane"] == PANE), {})


def test_the_recipe_brings_a_far_agents_prompt_home(server: TmuxServer, near: Near) -> None:
    """FWD-1, FWD-2, FWD-3, REM-8, REM-13: the page word for word, its paths and its pane included."""
    person = recipe_pane(server, near)
    with far_host(near, hidden=str(server.home)) as box:
        install_agent(box.home / "bin" / "claude")
        log_in(person)
        person.types(block(PAGE, "tma install-hooks"))
        person.sees("[y/N]")
        person.types("y\nclaude")
        person.sees("AGENT STARTED")
        assert row_of(server) == {}
        person.types("begin")
        until(lambda: row_of(server).get("state") == "idle", what="the registration")

        with waiting(server, "--pane", PANE, "--until", "blocked") as wait:
            person.types("ask")
            assert wait.wait(timeout=30) == 0

        row = row_of(server)
        assert (row["state"], row["detail"], row["attention"]) == ("blocked", "permission", True)
        assert (row["agent"], row["session"], row["server"]) == ("claude", "far-session", str(server.socket))
        said = server.tma("debug", "explain", PANE).stdout
        assert "behind remote shell ssh" in said
        assert "hook events are the only evidence" in said
        assert not (near.bin / ".claude").exists()


def test_a_far_hook_notifies_on_the_terminals_here(server: TmuxServer, near: Near) -> None:
    """HOOK-12, FWD-9, REM-25: the message goes through tmux; terminals are written to on their own host only."""
    person = recipe_pane(server, near)
    with far_host(near, hidden=str(server.home)) as box, attached(server) as (viewer, _):
        settings = box.home / ".config" / "tma"
        settings.mkdir(parents=True)
        told = f"{box.home}/told"
        sinks = f'from_event = true\nbell = "both"\nosc = true\nlog = "{told}.log"\ncommand = "cat >{told}"\n'
        (settings / "config.toml").write_text(f"[notify]\n{sinks}")
        log_in(person)
        person.reports("SessionStart", START)
        person.reports("PermissionRequest", ASK)

        until((box.home / "told").exists, what="the command on the far side")
        until(lambda: viewer.reads("blocked"), what="the message here")
        assert server.options(PANE)["@agent_notified_at"] == server.options(PANE)["@agent_since"]
        assert json.loads((box.home / "told.log").read_text())["pane"] == PANE
        assert not viewer.reads("\x1b]9;")


def test_the_daemon_here_notifies_of_a_far_agent(server: TmuxServer, near: Near) -> None:
    """FWD-1, FWD-8: the far side stamps by itself and the daemon here tells; over there none starts."""
    settings = server.home / "config" / "tma"
    settings.mkdir(parents=True)
    told = server.home / "told"
    (settings / "config.toml").write_text(f'[daemon]\nsweep_secs = 1\n[notify]\ncommand = "cat >{told}"\n')
    person = recipe_pane(server, near)
    assert server.tma("daemon", "--ensure").returncode == 0
    try:
        with far_host(near, hidden=str(server.home)) as box:
            log_in(person)
            person.reports("SessionStart", START)
            person.reports("PermissionRequest", ASK)

            until(lambda: told.exists() and told.read_text(), what="the command here")
            assert json.loads(told.read_text())["pane"] == PANE
            done = box.run("tma daemon", TMA_SOCKET_PATH=SOCKET)
            assert (done.returncode, "foreign tmux server" in done.stderr) == (1, True)
            done = box.run("tma daemon --ensure", TMA_SOCKET_PATH=SOCKET)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    finally:
        server.tma("daemon", "--stop")


def test_a_far_tma_reads_stamps_and_says_so_once(server: TmuxServer, near: Near) -> None:
    """FWD-7, FWD-8, REM-20: what a foreign process tells, and that ten looks of it remove nothing."""
    person = recipe_pane(server, near)
    with far_host(near, hidden=str(server.home)) as box:
        log_in(person)
        person.reports("SessionStart", START)
        before = server.options(PANE)
        env = {"TMA_SOCKET_PATH": SOCKET}

        for _ in range(10):
            done = box.run("tma status --format plain", **env)
            assert done.returncode == 0
            assert len(done.stderr.splitlines()) == 1

        row = json.loads(box("tma ls --json", **env))["agents"][0]
        assert (row["host"], row["server"], row["pane"]) == ("box", str(server.socket), PANE)
        assert box("tma doctor", **env).startswith("foreign:")
        assert json.loads(box("tma wait --pane %5 --until idle --timeout 5 --json", **env))["pane"] == PANE
        assert server.options(PANE) == before


def test_a_login_in_the_way_of_an_earlier_one_is_loud(server: TmuxServer, near: Near) -> None:
    """FWD-4: sshd replaces no socket file; without the option the shell comes up and tma says what is wrong."""
    person = recipe_pane(server, near)
    recipe = block(PAGE, "StreamLocalBindUnlink")
    remove, _, forward = recipe.partition("\n")
    with far_host(near, hidden=str(server.home)):
        person.types(recipe)
        person.sees("box$")
        person.types("exit")
        person.is_back()
        person.types(forward)
        person.sees(f"remote port forwarding failed for listen path {SOCKET}")

        person.is_back()
        careless = {" -o StreamLocalBindUnlink=yes": "", " -o ExitOnForwardFailure=yes": ""}
        person.types("clear\n" + filled(forward, careless))
        person.sees("box$")
        person.types(block(PAGE, "export TMA_SOCKET_PATH") + "clear\ntma ls; echo code $?")
        person.sees("code 1")
        screen = server.screen(PANE).replace("\n", " ")
        assert f"no tmux server running on {SOCKET}" in screen
        assert "StreamLocalBindUnlink" in screen
        person.reports("Stop", START)
        person.types("exit")
        person.is_back()
        person.types(f"clear\n{remove}\n{forward}")
        person.sees("box$")


def test_a_forward_whose_tmux_has_ended_is_no_server(server: TmuxServer, near: Near) -> None:
    """FWD-4, FWD-5: sshd still takes connections, so that this is no protocol mismatch."""
    server.start("cat")
    with far_host(near, hidden=str(server.home)) as box:
        argv = ["ssh", "-n", "-N", "-R", f"{SOCKET}:{server.socket}", box.name]
        with subprocess.Popen([str(near.bin / argv[0]), *argv[1:]], stdin=subprocess.DEVNULL) as forward:
            try:
                until(lambda: box.run(f"test -S {SOCKET}").returncode == 0, what="the forward")
                env = {"TMA_SOCKET_PATH": SOCKET}
                assert box.run("tma ls", **env).returncode == 0
                server("kill-server")
                done = box.run("tma ls", **env)
                assert (done.returncode, done.stdout) == (1, "")
                assert f"no tmux server running on {SOCKET}" in done.stderr
                assert "StreamLocalBindUnlink" in done.stderr
                silent = box.run("echo '{}' | tma event --agent claude --kind Stop --payload -", TMUX_PANE=PANE, **env)
                assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")
            finally:
                forward.kill()


def test_a_tmux_variable_that_strays_misleads_nothing(server: TmuxServer, near: Near) -> None:
    """FWD-3, GLO-1: TMUX comes along by ssh, and names a server that lives on the far side besides."""
    person = recipe_pane(server, near)
    with far_host(near, hidden=str(server.home)) as box:
        box("tmux -f /dev/null -S /run/user/1000/other new-session -d cat")
        there = box("tmux -S /run/user/1000/other display -p '#{socket_path},#{pid},0'")
        strays = {" -o ExitOnForwardFailure=yes": " -o ExitOnForwardFailure=yes -o SendEnv=TMUX"}
        for session, stray in (("s1", ""), ("s2", f"export TMUX={there}")):
            person.types(filled(block(PAGE, "StreamLocalBindUnlink"), strays))
            person.sees("box$")
            person.types(block(PAGE, "export TMA_SOCKET_PATH"))
            person.types(f'clear; test -n "$TMUX" && echo TMUX strays\n{stray}')
            person.sees("TMUX strays")
            person.reports("SessionStart", {"session_id": session})
            assert server.options(PANE)["@agent_session"] == session
            person.types("clear; tma ls --json")
            person.sees(f'"session":"{session}"')
            person.types("exit")
            person.is_back()
            person.types("clear")
        assert "@agent" not in box("tmux -S /run/user/1000/other show-options -p")


def test_attach_over_ssh_lands_on_the_pane(server: TmuxServer, near: Near) -> None:
    """REM-2, ATC-2, ATC-3: with a terminal it shows the pane, without one it moves nothing."""
    with far_host(near, tmux=server.binary) as box:
        tmux = f"tmux -S {server.socket}"
        line = block(PAGE, "ssh -t box")
        box(f"{tmux} -f /dev/null new-session -d -s main cat")
        try:
            for _ in range(6):
                box(f"{tmux} new-window -d cat")
            words = filled(line, {"tma attach": f"TMA_SOCKET_PATH={server.socket} tma attach"}).split()
            refused = near.run(*[word for word in words if word != "-t"])
            assert refused.returncode == 2
            assert "needs a terminal" in refused.stderr
            assert box(f"{tmux} display -p '#{{pane_id}}'") == "%0"

            environment = {"PATH": near.path, "HOME": str(near.bin), "TERM": "xterm-256color"}
            with terminal([str(near.bin / "ssh"), *words[1:]], environment) as person:

                def shown() -> bool:
                    person.reads("")
                    return box(f"{tmux} list-clients -F '#{{pane_id}}'") == PANE

                until(shown, what="a client at the pane")
        finally:
            box.run(f"{tmux} kill-server")


PAIRS = [(one, other) for one in tmux_binaries()[:1] for other in tmux_binaries()[1:]]
PAIRS += [(other, one) for one, other in PAIRS]
ALONE = [pytest.param("", "", marks=pytest.mark.skip(reason="TMA_TEST_TMUX lists no other tmux"))]


@pytest.mark.parametrize(("here", "there"), PAIRS or ALONE, ids=lambda path: version_of(path) if path else "none")
def test_other_versions_work_or_end_in_the_one_error(here: str, there: str, near: Near) -> None:
    """REM-14, CLI-10: a server of one version, the client of another on the far side."""
    with private_server(here) as server:
        server.start("cat")
        with far_host(near, tmux=there, hidden=str(server.home)) as box:
            argv = [str(near.bin / "ssh"), "-n", "-N", "-R", f"{SOCKET}:{server.socket}", box.name]
            with subprocess.Popen(argv, stdin=subprocess.DEVNULL) as forward:
                try:
                    until(lambda: box.run(f"test -S {SOCKET}").returncode == 0, what="the forward")
                    speaks(server, box)
                finally:
                    forward.kill()


def speaks(server: TmuxServer, box: Host) -> None:
    """An event and a list from the far side: both work, or neither does and the list says why."""
    env = {"TMA_SOCKET_PATH": SOCKET, "TMUX_PANE": "%0"}
    event = box.run('echo \'{"session_id":"s"}\' | tma event --agent claude --kind SessionStart --payload -', **env)
    assert (event.returncode, event.stdout, event.stderr) == (0, "", "")
    done = box.run("tma ls --json", **env)
    if done.returncode == 0:
        assert [row["session"] for row in json.loads(done.stdout)["agents"]] == ["s"]
        assert server.options("%0")["@agent_session"] == "s"
        return
    assert (done.returncode, done.stdout) == (1, "")
    for words in ("protocol version mismatch", "[tmux] bin", "TMA_TMUX_BIN"):
        assert words in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert "@agent_session" not in server.options("%0")
