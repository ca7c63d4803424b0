"""The steps of ``tma init``: which agents are here, wire them, bind keys, show where the counts go (INI-1, INI-2)."""

import shlex
from collections.abc import Callable
from functools import partial

from tma.core import stamp
from tma.core.errors import TmaError
from tma.install import hooks, server, wrapper
from tma.install.adapter import Adapter
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup
from tma.install.wiring import WIRED

GENERIC = frozenset(("node", "bun", "deno", "python", "python3", "ruby", "perl", "sh", "bash", "zsh", "fish", "agent"))
"""Names that say nothing about which program it is (INI-2)."""


def found(setup: Setup, adapter: Adapter) -> str:
    """Where an agent's program is on PATH, "" for not found; "?" where only generic names are known."""
    plain = next(each for each in setup.runtime.document.agents if each["name"] == adapter.name)
    names = [name for name in dict.fromkeys([adapter.name, *plain["process_names"]]) if name not in GENERIC]
    if not names:
        return "?"
    return next((path for name in names if (path := wrapper.on_path(name, setup.env.get("PATH", "")))), "")


def wire(setup: Setup) -> bool:
    """Report every agent and wire those that are here; whether all of that was done."""
    done = True
    for adapter in setup.adapters():
        path = found(setup, adapter)
        words = {"": "not found", "?": "runs under a generic name"}.get(path, f"found ({path})")
        setup.console.result(f"{adapter.name}: {words}")
        if path in {"", "?"}:
            continue
        if setup.status(adapter).state != WIRED:
            done = attempted(setup, adapter.name, partial(hooks.install, setup, adapter)) and done
    return server.install_hooks(setup) and done


def bind(setup: Setup, bindings: Keybindings, *, force: bool, yes: bool) -> bool:
    """Install the key bindings unless they are current."""
    if not bindings.findings():
        return True
    done = attempted(setup, "key bindings", lambda: bindings.install(force=force, yes=yes))
    if done:
        setup.console.result(bindings.advice)
    return done


def show_status_line(setup: Setup, conf: str) -> None:
    """Whether ``status-right`` runs ``tma status``, else the line to put there; it is never edited (INT-2)."""
    try:
        value = setup.runtime.server.run(["show-options", "-gqv", "status-right"]).strip()
        other = setup.runtime.server.run(["show-options", "-gqv", "status-left"]).strip()
    except TmaError:
        value = other = ""
    if "tma status" in value + other or stamp.STATUS_LINE in value + other:
        setup.console.result("status line: it shows the counts already")
        return
    quoted = value.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    setup.console.result(f"status line: put this line into {conf}, then run: tmux source-file {shlex.quote(conf)}")
    setup.console.result(f'  set -g status-right "#(tma status) {quoted}"')
    setup.console.result(f"  (#{{E:{stamp.STATUS_LINE}}} shows the same and starts nothing, but looks at no agent)")


def attempted(setup: Setup, what: str, step: Callable[[], bool]) -> bool:
    """Do one step; its failure is said and does not stop the others."""
    try:
        return step()
    except TmaError as error:
        setup.console.note(f"{what}: {error}" + (f"\n{error.hint}" if error.hint else ""))
        return False
