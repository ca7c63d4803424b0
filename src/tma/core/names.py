"""The names a process is known by, and which of them mean a shell or a boundary of the host."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

SHELLS = frozenset(("sh", "bash", "zsh", "fish", "dash", "ksh", "mksh", "tcsh", "csh", "ash", "login"))

REMOTE_SHELL = "remote_shell"
NESTED_MULTIPLEXER = "nested_multiplexer"

REMOTE_COMMANDS = frozenset((
    "ssh", "mosh", "mosh-client", "docker", "podman", "kubectl",
    "slogin", "autossh", "et", "dbclient", "telnet", "rlogin", "rsh", "tsh", "nerdctl", "crictl", "oc", "lxc",
    "incus", "machinectl", "systemd-nspawn", "distrobox", "distrobox-enter", "toolbox", "limactl", "multipass",
    "vagrant", "devpod", "devcontainer",
))  # fmt: skip
"""Programs whose screen belongs to another host or container (REM-4)."""

MULTIPLEXERS = frozenset(("tmux", "zellij", "screen", "dvtm", "abduco"))
"""Programs that draw panes of their own inside a pane (REM-16)."""

_WRAPPED = "-wrapped"
_NIX_ENDS = ("-unwrapped", *(_WRAPPED[:end] for end in range(len(_WRAPPED), 0, -1)))
# The kernel cuts a name at 15 characters, so the end of `-wrapped` may be missing.

_INTERPRETERS = frozenset(("node", "bun", "deno", "MainThread"))
_VERSIONS = "/claude/versions/"


def normalise(command: str) -> str:
    """The plain program name in a command as the kernel or tmux tells it (PROC-2).

    The first word, without directories and without the dress that Nix puts on a wrapped program.
    Where nothing would be left the command comes back as it was.
    """
    words = command.split(None, 1)
    return (_unwrapped(words[0].rpartition("/")[2]) if words else "") or command


def carried_names(comm: str, argv: list[str]) -> tuple[str, ...]:
    """Every name a process answers to, the kernel's first (PROC-8).

    Besides that one: its own name for itself, the script that an interpreter runs, and ``claude``
    for a program that is named after its version.
    """
    names = [normalise(comm)]
    if argv:
        names.append(normalise(argv[0]))
        if _VERSIONS in f"/{argv[0]}":
            names.append("claude")
        if any(map(_is_interpreter, names)):
            names.append(_script(argv))
    return tuple(dict.fromkeys(name for name in names if name)) or ("",)


def is_shell(name: str) -> bool:
    """Whether a name is a shell's; a login shell's dash does not count (PROC-6)."""
    return name.lstrip("-") in SHELLS


def remote_commands(table: "Mapping[str, list[str] | None]") -> frozenset[str]:
    """The list of REM-4 as ``[remote]`` changes it; ``add`` goes before ``remove``."""
    return REMOTE_COMMANDS.union(table["add"] or ()).difference(table["remove"] or ())


def out_of_scope(command: str, remote: "Collection[str]" = REMOTE_COMMANDS) -> str:
    """The kind of boundary that a foreground command is, or "" for none (ID-5); ``remote`` is the list of REM-4."""
    name = normalise(command).removeprefix("-")
    if name in remote:
        return REMOTE_SHELL
    return NESTED_MULTIPLEXER if name in MULTIPLEXERS else ""


def _unwrapped(name: str) -> str:
    if name.startswith("."):
        for end in _NIX_ENDS:
            if name.endswith(end):
                return name[1 : -len(end)]
    return name


def _is_interpreter(name: str) -> bool:
    return name in _INTERPRETERS or name.startswith("python")


def _script(argv: list[str]) -> str:
    """The name of the first argument that is no option; directories may hold blanks."""
    for word in argv[1:]:
        if not word.startswith("-"):
            return normalise(word.rpartition("/")[2])
    return ""
