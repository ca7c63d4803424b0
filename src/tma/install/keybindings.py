"""Installing, checking and removing the key bindings: the managed file, and the line that loads it."""

import shlex
from pathlib import Path

from tma.core.errors import TmaError, TmuxGoneError
from tma.install import keys, wiring
from tma.install.dialect import FaultError, RefusedError, Text, decode, refusal
from tma.install.plan import Change
from tma.install.setup import Setup
from tma.install.target import Target, read, refuse_unwritable


class Keybindings:
    """The two files of one run; ``conf`` is the tmux configuration that was named, "" to choose it."""

    def __init__(self, setup: Setup, *, conf: str = "", mouse: bool = False, launcher: bool = True) -> None:
        """Choose the files.

        Raises:
            TmaError: neither an option nor HOME names them.
        """
        self._setup = setup
        self._mouse = mouse
        self._launcher = launcher
        directory = setup.places.config_dir()
        self.conf = str(Path(conf).absolute()) if conf else _usual_conf(setup)
        if not directory or not self.conf:
            message = "HOME is not set, and nothing else names the files"
            raise TmaError(message, "use --conf and --config-dir")
        if "\n" in directory and setup.places.is_pinned:
            message = f"{directory!r} has a line break, which a line of a tmux configuration cannot hold"
            raise TmaError(message, "name another directory by --config-dir")
        self.managed = f"{directory}/tmux.conf"
        self.line = keys.source_line(directory, pinned=setup.places.is_pinned)

    def conflicts(self) -> dict[str, str]:
        """Keys that somebody else uses (KYS-2)."""
        managed = self._text(self.managed)
        tables = ["prefix", *(["root"] if self._wants_mouse(managed) else [])]
        try:
            found = keys.conflicts("".join(self._listed("-T", table) for table in tables))
        except TmaError:
            found = keys.conflicts_in_file(Path(self.conf))
        wanted = {key for table in tables for key in keys.TABLES[table]} - set(keys.left_out(managed))
        return {key: command for key, command in found.items() if key in wanted}

    def _listed(self, *words: str) -> str:
        """Bindings of the server that runs; tmux would start one to list them, and it the user's configuration.

        Raises:
            TmaError: none runs, or it does not answer.
        """
        if self._setup.facts is None:
            message = "no tmux server running"
            raise TmuxGoneError(message)
        return self._setup.runtime.server.run(["list-keys", *words])

    def _wants_mouse(self, managed: str) -> bool:
        return self._mouse or any(f" {key} " in managed for key in keys.MOUSE)

    def is_installed(self) -> bool:
        """Whether any of it is there."""
        try:
            managed, conf = self._text(self.managed), self._text(self.conf)
        except RefusedError:
            return True
        return bool(keys.marked(conf)) or (bool(managed.strip()) and keys.is_managed(managed))

    def findings(self) -> list[str]:
        """Everything that is not as installed (IKY-5)."""
        try:
            managed, conf = self._text(self.managed), self._text(self.conf)
        except RefusedError as error:
            return [f"cannot read: {error}"]
        if not managed.strip():
            return [] if self._is_bound() else [f"{self.managed}: not installed"]
        found = [
            f"{self.managed}: {each}" for each in keys.findings(managed, mouse=self._mouse, launcher=self._launcher)
        ]
        lines = keys.marked(conf)
        if lines != [self.line]:
            what = "has no line of tma" if not lines else "has a line of tma that is not right, or more than one"
            found.append(f"{self.conf}: {what}")
        return found

    def _is_bound(self) -> bool:
        """Whether the plugin has made the bindings in the server (TPM-3)."""
        try:
            return keys.NOTE in self._listed("-N", "-T", "prefix")
        except TmaError:
            return False

    @property
    def advice(self) -> str:
        """How to load the bindings into a running server (IKY-7, KYS-5)."""
        return f"load them now: tmux source-file {shlex.quote(self.managed)}"

    def install(self, *, force: bool, yes: bool) -> bool:
        """Write both files; False where the person declined.

        Raises:
            TmaError: a file is not tma's, or cannot be edited.
        """
        managed, conf = read(self.managed), read(self.conf)
        old = self._decoded(managed)
        if not keys.is_managed(old.text):
            raise RefusedError(self.managed, "is not tma's file; it is left alone")
        taken = {} if force else self.conflicts()
        without = set(keys.left_out(old.text)) if not force else set()
        question = "install the key bindings"
        for key, command in taken.items():
            self._setup.console.note(f"{keys.shown(key)} is bound: {command}")
        if taken and yes:
            without |= set(taken)
            self._setup.console.note(f"left out: {' '.join(taken)} (--force-keys takes them)")
        elif taken:
            question += f" and replace {' '.join(taken)} at the next load"
        text = keys.rendered(mouse=self._wants_mouse(old.text), launcher=self._launcher, without=without)
        changes = [Change(managed, text.encode(), mode=0o600), self._with_line(conf)]
        for change in changes:
            if change.needed:
                refuse_unwritable(change.target, self.line)
        if not wiring.confirmed(changes, self._setup.console, question, enter_is_yes=False if taken else None):
            return False
        wiring.make(changes, self._setup.backups, self._setup.console)
        return True

    def uninstall(self) -> bool:
        """Remove both; False where the person declined or the managed file is not tma's (IKY-6).

        Raises:
            TmaError: the line cannot be removed.
        """
        managed, conf = read(self.managed), read(self.conf)
        changes = [change for change in (self._without_line(conf), self._without_file(managed)) if change]
        if not wiring.confirmed(changes, self._setup.console, "remove the key bindings"):
            return False
        wiring.make(changes, self._setup.backups, self._setup.console)
        if changes:
            self._setup.console.note("the keys stay bound in a tmux server that runs, until it ends")
        return True

    def _without_file(self, managed: Target) -> Change | None:
        if managed.data is None:
            return None
        if not keys.is_managed(self._decoded(managed).text):
            self._setup.console.note(f"{self.managed} is not tma's file; it is left alone")
            return None
        return Change(managed, None, emptied=self._setup.backups.made(managed.real), undoes=True)

    def _with_line(self, conf: Target) -> Change:
        source = self._decoded(conf)
        return Change(conf, source.encode(keys.with_line(source, self.line)))

    def _without_line(self, conf: Target) -> Change | None:
        source = self._decoded(conf)
        if conf.data is None or not keys.marked(source.text):
            return None
        refuse_unwritable(conf)
        exact = self._setup.backups.original(conf.real, conf.data)
        if exact is not None:
            original, _ = exact
            if original is None or not keys.marked(original.decode("utf-8", "replace")):
                return Change(conf, original, emptied=self._setup.backups.made(conf.real), undoes=True)
        return Change(conf, source.encode(keys.without_line(source)), undoes=True)

    def _decoded(self, target: Target) -> Text:
        try:
            return decode(target.data or b"")
        except FaultError as fault:
            raise refusal(target.path, fault) from None

    def _text(self, path: str) -> str:
        return self._decoded(read(path)).text


def _usual_conf(setup: Setup) -> str:
    """The first configuration that is there, else the one to make (IKY-4)."""
    home, named = setup.env.get("HOME", ""), setup.env.get("XDG_CONFIG_HOME", "")
    at_home = [f"{home}/.tmux.conf"] if home.startswith("/") else []
    at_named = [f"{named}/tmux/tmux.conf"] if named.startswith("/") else []
    below = [f"{home}/.config/tmux/tmux.conf"] if at_home else []
    there = next((path for path in (*at_home, *at_named, *below) if Path(path).is_symlink() or Path(path).exists()), "")
    if there or at_named:
        return there or at_named[0]
    return next(iter(below if Path(f"{home}/.config").is_dir() else at_home), "")
