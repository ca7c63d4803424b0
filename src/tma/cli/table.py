"""The commands by name: where each lives and what help says of it; imports none of them."""

from typing import NamedTuple


class Command(NamedTuple):
    """One command.

    ``selects`` gives it the selectors, ``bare`` means that it is handed the global options and
    not a loaded configuration, ``hook`` that it must exit 0 in silence whatever happens (CLI-7,
    HEV-1, HCL-1); a hook command is bare. It stays out of help, as a ``hidden`` one does.
    """

    name: str
    module: str
    summary: str
    example: str
    selects: bool = False
    bare: bool = False
    hook: bool = False
    hidden: bool = False


COMMANDS = (
    Command(
        "ls",
        "tma.commands.ls",
        "List the agents in tmux and what each is doing.",
        "tma ls --state blocked,done",
        selects=True,
    ),
    Command(
        "status",
        "tma.commands.status",
        "Count the agents in each state, for a status line or a script.",
        "tma status --format plain",
        selects=True,
    ),
    Command(
        "jump",
        "tma.commands.jump",
        "Go to the agent that needs you, to another one, or back.",
        "tma jump --attention",
        selects=True,
    ),
    Command(
        "attach",
        "tma.commands.attach",
        "Show an agent's pane on a terminal outside tmux.",
        "tma attach --pane %5",
    ),
    Command(
        "wait",
        "tma.commands.wait",
        "Wait until agents are in a state, for scripts.",
        "tma wait --agent claude --until idle,blocked --timeout 600",
        selects=True,
    ),
    Command(
        "act",
        "tma.commands.act",
        "Answer an agent's prompt, or send it something, if it still is what you saw.",
        "tma act approve --pane %5",
        selects=True,
    ),
    Command(
        "subscribe",
        "tma.commands.subscribe",
        "Print the agents again and again, or each of their changes, for bars and scripts.",
        "tma subscribe --json --events",
        selects=True,
    ),
    Command(
        "mute",
        "tma.commands.mute",
        "Keep panes from ringing, for a while or for good.",
        "tma mute --pane %5 --for 30m",
        selects=True,
    ),
    Command(
        "watch",
        "tma.commands.watch",
        "Keep a dashboard of the agents open.",
        "tma watch --table",
        selects=True,
    ),
    Command("init", "tma.commands.init", "Set tma up: wire the agents that are here and bind keys.", "tma init"),
    Command(
        "install-keys",
        "tma.commands.install_keys",
        "Bind keys in tmux, from a file of tma's own and one line in your tmux configuration.",
        "tma install-keys",
    ),
    Command(
        "uninstall",
        "tma.commands.uninstall",
        "Undo every installation: wiring, key bindings, tmux hooks and options.",
        "tma uninstall --dry-run",
    ),
    Command(
        "doctor",
        "tma.commands.doctor",
        "Say what is wired and what is not, with the command that mends it.",
        "tma doctor",
    ),
    Command(
        "install-hooks",
        "tma.commands.install_hooks",
        "Wire an agent's own hooks to tma, check the wiring, or take it out.",
        "tma install-hooks claude",
    ),
    Command(
        "debug",
        "tma.commands.debug",
        "Show what tma sees in a pane and why it reads it so.",
        "tma debug explain %5",
    ),
    Command(
        "demo",
        "tma.commands.demo",
        "Show everything on a tmux server of its own, with agents that play recordings.",
        "tma demo",
        bare=True,
    ),
    Command(
        "supervise",
        "tma.commands.supervise",
        "Watch over a detached action.",
        "tma supervise",
        hidden=True,
    ),
    Command(
        "completions",
        "tma.cli.completions",
        "Print the completion script of a shell.",
        "tma completions fish",
        bare=True,
    ),
    Command("plugin", "tma.commands.plugin", "Set up the running tmux server.", "tma plugin", hidden=True),
    Command("version", "tma.commands.version", "Print the version.", "tma version", bare=True),
    Command(
        "event",
        "tma.commands.event",
        "Take an agent's hook event.",
        "tma event --agent claude --kind Stop --payload -",
        bare=True,
        hook=True,
    ),
    Command(
        "clear-attention",
        "tma.commands.clear_attention",
        "Take down the mark of a pane that is being looked at.",
        "tma clear-attention %5",
        bare=True,
        hook=True,
    ),
)


def visible() -> list[Command]:
    """The commands that help and completions show."""
    return [command for command in COMMANDS if not (command.hook or command.hidden)]


def named(name: str) -> Command | None:
    """The command of exactly that name."""
    return next((command for command in COMMANDS if command.name == name), None)
