"""Setting up the running server when tmux loads its configuration; no file is written (TPM-2)."""

from tma.install import keys, server
from tma.install.setup import Setup
from tma.services.keeper import Keeper

_OFF, _ON, _FORCE = "off", "on", "force"
_PLACEHOLDER, _COUNTS = "#{tma_status}", "#(tma status)"


def apply(setup: Setup) -> None:
    """Bind keys, add the server hooks, start the daemon and show the counts, as the options say; twice is once.

    Raises:
        TmaError: there is no server, or it refuses.
    """
    run = setup.runtime.server.run
    names = ("@tma_keys", "@tma_mouse", "@tma_hooks", "@tma_daemon")
    chosen = {name: run(["show-options", "-gqv", name]).strip() for name in names}
    lines = []
    if chosen["@tma_keys"] != _OFF:
        lines += _bindings(run(["list-keys"]), force=chosen["@tma_keys"] == _FORCE)
    if chosen["@tma_mouse"] == _ON:
        taken = {} if chosen["@tma_keys"] == _FORCE else keys.conflicts(run(["list-keys", "-T", "root"]))
        lines += [f"bind-key -n {key} {command}" for key, command in keys.MOUSE.items() if key not in taken]
    if lines:
        setup.runtime.server.feed("".join(f"{line}\n" for line in lines))
    if chosen["@tma_hooks"] != _OFF:
        server.install_hooks(setup, recorded=False)
    for side in ("status-left", "status-right"):
        value = run(["show-options", "-gqv", side]).removesuffix("\n")
        if _PLACEHOLDER in value:
            run(["set-option", "-g", side, value.replace(_PLACEHOLDER, _COUNTS)])
    if chosen["@tma_daemon"] != _OFF:
        Keeper(setup.runtime).ensure()


def _bindings(listed: str, *, force: bool) -> list[str]:
    """The keys that nobody else uses, or all of them."""
    taken = {} if force else keys.conflicts(listed)
    return [f'bind-key -N "{keys.NOTE}" {key} {command}' for key, command in keys.KEYS.items() if key not in taken]
