"""A session of its own for a watcher that a key opens and that leaves nothing behind (TMP-1 to TMP-3)."""

from tma.adapters import system
from tma.adapters.tmux import focus
from tma.core.errors import TmaError
from tma.services import jump, program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.jump import Here
    from tma.services.runtime import Runtime

PREFIX = "tma-watch-"


def open_session(runtime: "Runtime", words: list[str]) -> None:
    """Bring the acting client to its watcher's session, which is made if there is none; ``words`` are the watcher's.

    Raises:
        TmaError: nobody is attached, or tmux refused.
    """
    at = jump.here(runtime)
    name = f"{PREFIX}{_client_pid(runtime, at)}"
    target = f"={name}"
    if not any(shown.session_name == name for shown in at.sight.shown):
        chosen = program.own_options(runtime.options, system.env("TMA_SOCKET_PATH"))
        acting = [] if runtime.options.client else ["--client", at.client.name]
        command = [*program.own_words(), *chosen, *acting, *words, "--origin", at.pane]
        created = [
            "new-session",
            "-d",
            "-s",
            name,
            "-x",
            str(at.client.width),
            "-y",
            str(at.client.height),
            "--",
            *command,
        ]
        option = ["set-option", "-t", f"{target}:", "detach-on-destroy", "off"]
        runtime.server.run(focus.chain([created, option]))
    runtime.server.run(["switch-client", "-c", at.client.name, "-t", target])


def return_to(runtime: "Runtime", origin: str, own: str) -> None:
    """Bring the client from the watcher's pane back to the session that it came from, if that is there (TMP-2).

    A client that went elsewhere by itself stays there (TMP-4).
    """
    try:
        at = jump.here(runtime)
        session = at.client.session_id
        is_here = any(shown.pane_id == own and shown.session_id == session for shown in at.sight.shown)
        place = at.sight.place(origin)
        if is_here and place is not None:
            runtime.server.run(focus.chain([["switch-client", "-c", at.client.name, "-t", place.session_id]]))
    except TmaError:
        return


def _client_pid(runtime: "Runtime", at: "Here") -> str:
    mark = system.nonce(8)
    lines = runtime.server.run(["list-clients", "-F", f"#{{client_pid}}|{mark}|#{{client_name}}"]).splitlines()
    for line in lines:
        pid, _, name = line.partition(f"|{mark}|")
        if name == at.client.name:
            return pid
    message = f"client {at.client.name} went away"
    raise TmaError(message)
