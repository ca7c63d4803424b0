"""Other hosts for tests: a real sshd on loopback, with a host name, processes and a /run of its own.

Everything that runs there ends with the namespace. Only root can make one.
"""

import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from harness import ROOT, private_home, until

APT = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "openssh-server", "openssh-client"]
NAMESPACES = ["unshare", "--uts", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"]
RUN_DIR = "/run/user/1000"
"""A directory of the far user alone, as the documentation names it."""

START = """
set -e
hostname "$1"
mount -t tmpfs tmpfs /run
mkdir -p -m 700 /run/user/1000 /run/sshd
[ -z "$3" ] || mount -t tmpfs tmpfs "$3"
exec /usr/sbin/sshd -D -e -f "$2"
"""
SERVER = """
Port {port}
ListenAddress 127.0.0.1
HostKey {home}/host_key
AuthorizedKeysFile {home}/id.pub
StrictModes no
UsePAM no
PidFile none
PermitRootLogin yes
PasswordAuthentication no
PrintMotd no
PrintLastLog no
AcceptEnv TMUX
SetEnv HOME={home} LC_ALL=C.UTF-8 PATH={home}/bin:{path}
"""
CLIENT = """
Host {name}
  HostName 127.0.0.1
  Port {port}
  User {user}
  IdentityFile {home}/id
  IdentitiesOnly yes
  UserKnownHostsFile {home}/known_hosts
  StrictHostKeyChecking yes
  LogLevel ERROR
"""


class Near:
    """This side: a directory of programs that goes before PATH, with an ``ssh`` that knows the test's hosts."""

    def __init__(self, home: Path) -> None:
        """Put the programs in place."""
        self.bin = home / "near"
        self.bin.mkdir()
        self.config = self.bin / "ssh_config"
        self.config.touch()
        program(self.bin / "ssh", f'exec /usr/bin/ssh -F "{self.config}" "$@"')
        python_tma(self.bin)

    @property
    def path(self) -> str:
        """The value of PATH."""
        return f"{self.bin}:{os.environ['PATH']}"

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a program with these programs before all others."""
        environment = {"HOME": str(self.bin), "PATH": self.path, "LC_ALL": "C.UTF-8", **env}
        return subprocess.run(words, check=False, capture_output=True, text=True, env=environment, timeout=60)


class Host:
    """A far host."""

    def __init__(self, near: Near, name: str, home: Path) -> None:
        """Keep the parts; its user's home is a directory that both sides see."""
        self.near = near
        self.name = name
        self.home = home

    def run(self, command: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a line of shell there, without a terminal."""
        assignments = "".join(f"export {key}='{value}'; " for key, value in env.items())
        return self.near.run("ssh", "-n", self.name, assignments + command)

    def __call__(self, command: str, **env: str) -> str:
        """The same, for what must succeed: its output."""
        done = self.run(command, **env)
        assert done.returncode == 0, done.stderr
        return done.stdout.removesuffix("\n")


def need_sshd() -> None:
    """Skip the test where there can be no far host, with the reason."""
    reason = _why_not()
    if reason:
        pytest.skip(reason)


def need_namespaces(*flags: str) -> None:
    """Skip the test where a process cannot be put into namespaces of its own."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("namespaces of one's own need Linux and root")
    argv = [NAMESPACES[0], *(flags or NAMESPACES[1:]), "true"]
    if subprocess.run(argv, check=False, capture_output=True).returncode:
        pytest.skip("this kernel, or a container's rules, permit no namespaces")


@cache
def _why_not() -> str:
    if sys.platform != "linux" or os.geteuid() != 0:
        return "a host of its own for sshd needs Linux namespaces, and those need root"
    if not shutil.which("sshd", path="/usr/sbin") and not _installed():
        return "no sshd: install openssh-server"
    if not shutil.which("ssh", path="/usr/bin"):
        return "no ssh: install openssh-client"
    if subprocess.run([*NAMESPACES, "true"], check=False, capture_output=True).returncode:
        return "this kernel, or a container's rules, permit no namespaces"
    return ""


def _installed() -> bool:
    """Install it, but not on a machine whose service manager would start one for everybody."""
    if not shutil.which("apt-get") or Path("/run/systemd/system").exists():
        return False
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(APT, check=False, capture_output=True, env=environment, timeout=300)
    return done.returncode == 0 and bool(shutil.which("sshd", path="/usr/sbin"))


@contextmanager
def far_host(near: Near, name: str = "box", *, tmux: str = "", hidden: str = "") -> Iterator[Host]:
    """A host with tma and a tmux, the system's by default; ``hidden`` is a directory that it cannot see into."""
    need_sshd()
    with private_home() as home, ExitStack() as ending:
        host = Host(near, name, home)
        programs = home / "bin"
        programs.mkdir()
        python_tma(programs)
        link_tmux(programs, tmux)
        (home / ".profile").write_text(f"PATH={programs}:$PATH\nPS1='{name}$ '\n")
        port = free_port()
        write_keys(near, host, port)
        config = home / "sshd_config"
        config.write_text(SERVER.format(port=port, home=home, path=os.environ["PATH"]))
        log = ending.enter_context((home / "sshd.log").open("w"))
        argv = [*NAMESPACES, "sh", "-c", START, "sh", name, str(config), hidden]
        daemon = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        ending.callback(_end, daemon)
        until(lambda: daemon.poll() is not None or listens(port), what="an sshd that listens")
        assert daemon.poll() is None, (home / "sshd.log").read_text()
        yield host


def write_keys(near: Near, host: Host, port: int) -> None:
    """Make the host's key and the user's, and tell this side's ssh of them."""
    for key in ("host_key", "id"):
        made = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(host.home / key)]
        subprocess.run(made, check=True, capture_output=True)
    public = (host.home / "host_key.pub").read_text()
    (host.home / "known_hosts").write_text(f"[127.0.0.1]:{port} {public}")
    entry = CLIENT.format(name=host.name, port=port, user=getpass.getuser(), home=host.home)
    near.config.write_text(near.config.read_text() + entry)


def python_tma(directory: Path) -> None:
    """Programs ``tma`` and ``tma-hook`` of this source tree."""
    program(directory / "tma", f'PYTHONPATH="{ROOT}/src" exec "{sys.executable}" -m tma "$@"')
    shutil.copy(ROOT / "bin" / "tma-hook", directory / "tma-hook")


def link_tmux(directory: Path, binary: str) -> None:
    """A program ``tmux`` that is a certain one."""
    (directory / "tmux").symlink_to(binary or shutil.which("tmux") or "/usr/bin/tmux")


def program(path: Path, text: str) -> None:
    """A shell script that can be run."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def free_port() -> int:
    """A port of loopback that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Whether somebody does on a port of loopback."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _end(daemon: subprocess.Popen[bytes]) -> None:
    """Kill the namespace: its first process takes all others along."""
    if daemon.poll() is None:
        daemon.send_signal(signal.SIGKILL)
    daemon.wait()
