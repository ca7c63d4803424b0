"""Containers, made of namespaces: the recipe of the documentation, word for word, and who is turned away."""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from farside import Typist, install_agent
from harness import ROOT, TmuxServer, private_home, until
from recipes import block
from sshd import Near, link_tmux, need_namespaces, python_tma

PAGE = "how-to/agents-in-containers.md"
SPACES = ["unshare", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]
INSIDE = "/run/tma.sock"

DOCKER = r"""
[ "$1" = run ] && {
  shift
  while :; do
    case $1 in
      -d) shift ;;
      --name) name=$2; shift 2 ;;
      --user) printf '%s' "$2" >"$state/user"; shift 2 ;;
      -v) source=${2%%:*} target=${2#*:}; shift 2 ;;
      *) break ;;
    esac
  done
  [ "$1" = image ] || exit 9
  shift
  setsid unshare --uts --pid --mount --fork --kill-child --mount-proc \
    sh "$state/start" "$name" "$source" "$target" "$@" </dev/null >"$state/log" 2>&1 &
  echo $! >"$state/pid"
  read -r _ <"$state/ready"
  exit
}
[ "$1 $2" = "exec -it" ] || exit 9
shift 2
set -- "$@" --
while [ "$1" = -e ]; do
  variables="$variables $2"
  shift 2
done
shift
words=
while [ "$1" != -- ]; do
  words="$words $1"
  shift
done
read -r pid _ <"/proc/$(cat "$state/pid")/task/$(cat "$state/pid")/children"
user=$(cat "$state/user")
nsenter --target "$pid" --uts --pid --mount -- setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups \
  env -i HOME="$home" PATH="$home/bin:/usr/bin:/bin" TERM="$TERM" LC_ALL=C.UTF-8 $variables $words
"""
"""What the recipes need of docker: a container is namespaces with the mounts that were asked for."""

START = r"""
set -e
hostname "$1"
mount -t tmpfs tmpfs /run
touch "$3"
mount --bind "$2" "$3"
mount -t tmpfs tmpfs "$hidden"
echo >"$state/ready"
shift 3
exec "$@"
"""


class Docker:
    """A ``docker`` on this side's PATH, and the home directory of who runs inside."""

    def __init__(self, near: Near, server: TmuxServer, home: Path) -> None:
        """Put the program in place; a copy of the shell bears its name, as tmux tells it."""
        self.near = near
        self.home = home
        self.state = near.bin / "docker-state"
        self.state.mkdir()
        os.mkfifo(self.state / "ready")
        shutil.copy("/bin/sh", self.state / "docker")
        known = f"state={self.state} home={home} hidden={server.home}\n"
        (self.state / "start").write_text(known + START)
        (near.bin / "docker").write_text(f"#!{self.state}/docker\n{known}{DOCKER}")
        (near.bin / "docker").chmod(0o755)
        (home / "bin").mkdir()
        python_tma(home / "bin")
        link_tmux(home / "bin", server.binary)

    def __call__(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run something inside, without a terminal."""
        variables = [word for name, value in env.items() for word in ("-e", f"{name}={value}")]
        return self.near.run("docker", "exec", "-it", *variables, "work", *words, TERM="xterm")

    def end(self) -> None:
        """Kill the container with everything in it."""
        if (self.state / "pid").exists():
            os.kill(int((self.state / "pid").read_text()), signal.SIGKILL)


@contextmanager
def docker(server: TmuxServer) -> Iterator[Docker]:
    """Containers for the block, and a shell in a pane of a started server that knows of them."""
    need_namespaces("--uts", *SPACES[1:])
    with private_home() as here, private_home() as inside:
        near = Near(here)
        link_tmux(near.bin, server.binary)
        made = Docker(near, server, inside)
        try:
            yield made
        finally:
            made.end()


def a_shell(server: TmuxServer, made: Docker) -> Typist:
    """Somebody at a shell of the host."""
    pane = server.pane("env", f"PATH={made.near.path}", f"HOME={made.near.bin}", "PS1=here$ ", "/bin/sh")
    return Typist(server, pane, "here$")


def create(person: Typist, made: Docker) -> None:
    """The recipe's container."""
    person.types(block(PAGE, "docker run"))
    until((made.state / "pid").exists, what="the container")
    person.is_back()


def test_the_recipe_brings_a_containers_agent_to_its_pane(server: TmuxServer) -> None:
    """CON-1, CON-4, CON-6, REM-8: the page word for word."""
    server.start("cat")
    with docker(server) as made:
        install_agent(made.home / "bin" / "claude")
        person = a_shell(server, made)
        create(person, made)
        person.types(block(PAGE, "install-hooks"))
        person.sees("[y/N]")
        person.types("y")
        person.is_back()
        person.types(f"clear\n{block(PAGE, '-e TMA_SOCKET_PATH')}")
        person.sees("AGENT STARTED")

        assert json.loads(server.tma("ls", "--json").stdout)["agents"] == []
        assert "clear-attention" not in server("show-hooks", "-g")
        person.types("begin\nask")
        until(lambda: server.options(person.pane).get("@agent_state") == "blocked", what="the prompt")
        row = json.loads(server.tma("ls", "--json").stdout)["agents"][0]
        assert (row["pane"], row["state"], row["detail"]) == (person.pane, "blocked", "permission")
        assert "behind remote shell docker" in server.tma("debug", "explain", person.pane).stdout
        report = json.loads(server.tma("doctor", "--json").stdout)
        assert [(each["pane"], each["agent"]) for each in report["agents"]] == [(person.pane, "claude")]
        assert report["remote_panes"] == []


def test_inside_the_hooks_of_the_hosts_server_are_left_alone(server: TmuxServer) -> None:
    """CON-6, CON-7: they would name a program that the host does not have; a gauge takes the same way as an event."""
    server.start("cat")
    with docker(server) as made:
        person = a_shell(server, made)
        create(person, made)

        done = made("tma", "install-hooks", "claude", "--yes", TMA_SOCKET_PATH=INSIDE)

        assert done.returncode == 0, done.stderr
        assert "its hooks were left alone" in done.stderr
        assert "tma-hook" in (made.home / ".claude" / "settings.json").read_text()
        assert "clear-attention" not in server("show-hooks", "-g")
        gauge = '{"session_id":"x","context_window":{"used_percentage":42,"context_window_size":200000}}'
        (made.home / "gauge").write_text(gauge)
        words = ("tma", "event", "--agent", "claude", "--kind", "context", "--pane", person.pane, "--payload")
        assert made(*words, f"{made.home}/gauge", TMA_SOCKET_PATH=INSIDE).returncode == 0
        assert server.options(person.pane).get("@agent_context_pct") == "42"


def test_a_mount_of_a_server_that_restarted_is_no_server(server: TmuxServer) -> None:
    """CON-3, FWD-4: the mount holds on to the old socket."""
    server.start("cat")
    with docker(server) as made:
        create(a_shell(server, made), made)
        assert made("tma", "ls", TMA_SOCKET_PATH=INSIDE).returncode == 0
        server.stop()
        server.start("cat")

        done = made("tma", "ls", TMA_SOCKET_PATH=INSIDE)

        assert done.returncode == 1
        assert f"no tmux server running on {INSIDE}" in done.stderr


def test_an_image_without_tma_troubles_no_agent(server: TmuxServer) -> None:
    """CON-5: the wrapper finds nothing to run."""
    server.start("cat")
    bare = server.home / "bare"
    bare.mkdir()
    shutil.copy(ROOT / "bin" / "tma-hook", bare)

    argv = [str(bare / "tma-hook"), "claude", "PermissionRequest", "{}"]
    env = {"PATH": f"{bare}:/usr/bin:/bin", "TMA_SOCKET_PATH": str(server.socket), "TMUX_PANE": "%0"}
    done = subprocess.run(argv, check=False, capture_output=True, text=True, env=env, timeout=30)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
