"""Wiring, checking and unwiring agents: what ``install-hooks`` does, one agent or all."""

from tma.core.errors import FAILURE, OK, TmaError
from tma.install import server, statusline, wiring, wrapper
from tma.install.adapter import Adapter
from tma.install.ours import WRAPPER
from tma.install.setup import Setup
from tma.install.wiring import NOT_INSTALLED, WIRED

REMINDER = "if status-left or status-right runs `#(tma status)`, take it out of your tmux configuration"
"""What only the user can take out (CHK-6)."""


def install(setup: Setup, adapter: Adapter, *, respell: bool = False) -> bool:
    """Wire one agent; False where the person declined.

    Raises:
        TmaError: a file cannot be edited; then none was changed.
    """
    chosen = setup.choice
    reference = wrapper.Reference(chosen.reference.word, chosen.reference.search, respell=respell)
    channels = setup.channels(adapter)
    changes = wiring.plan_install(channels, reference)
    needed = any(change.needed for change in changes)
    if needed:
        _say(setup, chosen.notes)
        if wrapper.is_passing(setup.wrapper_path, setup.env) and reference.word != WRAPPER:
            setup.console.note(f"{setup.wrapper_path} lies in an environment that will vanish; install tma to stay")
    if respell and needed and adapter.gate:
        setup.console.note(adapter.gate)
    if not wiring.confirmed(changes, setup.console, f"wire {adapter.name}"):
        return False
    if wrapper.put(setup.wrapper_path):
        setup.console.note(f"the wrapper was written: {setup.wrapper_path}")
    wiring.make(changes, setup.backups, setup.console)
    _report(setup, adapter, "wired" if needed else "already wired", gate=needed)
    return True


def uninstall(setup: Setup, adapter: Adapter) -> bool:
    """Unwire one agent; False where the person declined.

    Raises:
        TmaError: a file cannot be edited; then none was changed.
    """
    if adapter.statusline and not statusline.remove(setup, adapter):
        return False
    changes = wiring.plan_uninstall(setup.channels(adapter), setup.reference, setup.backups)
    if not changes:
        wiring.forget(setup.channels(adapter), setup.backups)
        setup.console.result(f"{adapter.name}: not wired")
        return True
    if not wiring.confirmed(changes, setup.console, f"unwire {adapter.name}"):
        return False
    wiring.make(changes, setup.backups, setup.console)
    wiring.forget(setup.channels(adapter), setup.backups)
    _report(setup, adapter, "no longer wired", gate=False)
    return True


def carrying(setup: Setup) -> list[Adapter]:
    """The agents that carry wiring of ours, whole or partial (IHK-3)."""
    return [adapter for adapter in setup.adapters() if setup.status(adapter).carried]


def removable(setup: Setup) -> list[Adapter]:
    """The agents with anything of ours to take out, a wrapped status line too (RMV-2)."""
    return [one for one in setup.adapters() if setup.status(one).carried or statusline.is_wrapped(setup, one)]


def each(setup: Setup, adapters: list[Adapter], *, remove: bool) -> int:
    """Treat several agents; one's failure does not stop the others and is named at the end (IHK-3)."""
    failed = []
    for adapter in adapters:
        try:
            done = uninstall(setup, adapter) if remove else install(setup, adapter, respell=True)
        except TmaError as error:
            setup.console.note(f"{adapter.name}: {error}" + (f"\n{error.hint}" if error.hint else ""))
            done = False
        failed += [] if done else [adapter.name]
    if failed:
        setup.console.note(f"not done: {', '.join(failed)}")
    return FAILURE if failed else OK


def leave_server(setup: Setup) -> None:
    """After the last agent: the server's hooks and options go too (IHK-4, CHK-6)."""
    if removable(setup):
        return
    server.uninstall_hooks(setup)
    server.sweep(setup)
    setup.console.note(REMINDER)


def check(setup: Setup, adapter: Adapter | None, *, shim: bool | None = None) -> list[str]:
    """Every finding, of one agent or of all that are wired in part (IHK-5, CHK-1 to CHK-4).

    ``shim`` says whether a wrapped status line is wanted, None for what was recorded.
    """
    found = []
    for one in [adapter] if adapter else setup.adapters():
        status = setup.status(one)
        if status.state == NOT_INSTALLED:
            gone = [f"{one.name}: {line}; restart it, then tma install-hooks {one.name}" for line in status.vanished]
            found += gone or ([f"{one.name}: not installed"] if adapter else [])
        elif status.state != WIRED:
            found += status.reasons
        if one.statusline and not any("cannot read" in reason for reason in status.reasons):
            found += statusline.findings(setup, one, wanted=shim if adapter else None)
    return [*found, *_wrapper_findings(setup), *_tmux_findings(setup)]


def _wrapper_findings(setup: Setup) -> list[str]:
    reference = setup.reference
    if reference.real:
        return []
    where = "not on PATH" if reference.word == WRAPPER else "missing or not executable"
    return [f"wrapper {reference.word}: {where}"]


def _tmux_findings(setup: Setup) -> list[str]:
    try:
        states = server.hook_findings(setup)
        running = setup.facts is not None
    except TmaError as error:
        return [f"the tmux server cannot be read: {error}"]
    if not running:
        return ["no tmux server running: its hooks cannot be checked"]
    reasons = {
        "wiped": "wiped, the server was probably restarted or its configuration loaded again",
        "drifted": "of another release or another place of tma",
        "missing": "missing",
    }
    return [f"tmux hook {hook}: {reasons[state]}" for hook, state in states.items() if state in reasons]


def _report(setup: Setup, adapter: Adapter, what: str, *, gate: bool) -> None:
    setup.console.result(f"{adapter.name}: {what}")
    if gate and adapter.gate:
        setup.console.note(adapter.gate)
    running = server.sessions_of(setup, adapter.name)
    if running and what != "already wired":
        count = f"{running} {adapter.name} {'session is' if running == 1 else 'sessions are'} running"
        setup.console.note(f"{count} and may write the file back; restart, then run --check")


def _say(setup: Setup, notes: list[str]) -> None:
    for note in notes:
        setup.console.note(note)
