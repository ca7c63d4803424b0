"""The commands by name: where each lives and what help says of it; imports none of them."""


class Command:
    """One command.

    ``selects`` gives it the selectors, ``bare`` means that it is handed the global options and
    not a loaded configuration, ``hook`` that it must exit 0 in silence whatever happens (CLI-7,
    HEV-1, HCL-1); a hook command is bare. It stays out of help, as a ``hidden`` one does. One that
    ``attends`` sees to the daemon first (CDM-4).
    """

    __slots__ = ("attends", "bare", "example", "hidden", "hook", "module", "name", "selects", "summary")

    def __init__(
        self,
        name: str,
        module: str,
        summary: str,
        example: str,
        *,
        selects: bool = False,
        bare: bool = False,
        hook: bool = False,
        hidden: bool = False,
        attends: bool = False,
    ) -> None:
        """Keep the parts."""
        self.name = name
        self.module = module
        self.summary = summary
        self.example = example
        self.selects = selects
        self.bare = bare
        self.hook = hook
        self.hidden = hidden
        self.attends = attends


COMMANDS = (
    Command(
        "ls",
        "tma.commands.ls",
        "List the agents in tmux and what each is doing.",
        "tma ls --state blocked,done",
        selects=True,
        attends=True,
    ),
    Command(
        "status",
        "tma.commands.status",
        "Count the agents in each state, for a status line or a script.",
        "tma status --format plain",
        selects=True,
        attends=True,
    ),
    Command(
        "jump",
        "tma.commands.jump",
        "Go to the agent that needs you, to another one, or back.",
        "tma jump --attention",
        selects=True,
        attends=True,
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
        attends=True,
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
        attends=True,
    ),
    Command(
        "mute",
        "tma.commands.mute",
        "Keep panes from ringing, for a while or for good.",
        "tma mute --pane %5 --for 30m",
        selects=True,
    ),
    Command(
        "snooze",
        "tma.commands.snooze",
        "Put off what agents want, until later.",
        "tma snooze --pane %5 --for 15m",
        selects=True,
    ),
    Command(
        "watch",
        "tma.commands.watch",
        "Keep a dashboard of the agents open.",
        "tma watch --table",
        selects=True,
        attends=True,
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
        "daemon",
        "tma.commands.daemon",
        "Run the optional helper that notices, notifies and wakes; in the foreground or the background.",
        "tma daemon --ensure",
    ),
    Command(
        "reload",
        "tma.commands.reload",
        "Have the daemon read configuration and manifests again.",
        "tma reload",
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
    Command("notify", "tma.commands.notify", "Tell a notice.", "tma notify deliver", hidden=True),
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
