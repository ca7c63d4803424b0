"""One look at a pane for an action: its facts, and who stands in front of it."""

from tma.adapters import system
from tma.adapters.system import exists
from tma.adapters.tmux import send
from tma.core.act import facts, gate, lease
from tma.core.errors import TmaError, TmuxError, TmuxGoneError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.act.facts import Facts
    from tma.core.act.lease import Lock
    from tma.services.runtime import Runtime

_GONE_WORDS = ("can't find pane", "no such pane", "pane not found")


class PaneGoneError(TmaError):
    """tmux says that there is no such pane (ACT-SEQ-3)."""


def ask(runtime: "Runtime", words: list[str]) -> str:
    """Run tmux commands about a pane.

    Raises:
        PaneGoneError: there is no such pane.
        TmaError: tmux failed in another way.
    """
    try:
        return runtime.server.run(words)
    except TmuxGoneError:
        raise
    except TmuxError as error:
        if is_gone(str(error)):
            raise PaneGoneError(str(error)) from None
        raise


def look(runtime: "Runtime", pane_id: str) -> "Facts | None":
    """One look at a pane; None for one that is not there.

    Raises:
        TmaError: tmux failed in another way.
    """
    mark = system.nonce(8)
    try:
        return facts.parse(send.fields(ask(runtime, send.look(pane_id, mark)), mark), runtime.now_ms())
    except PaneGoneError:
        return None


def standing(runtime: "Runtime", seen: "Facts", *, foreign: bool) -> str:
    """How the agent stands in its pane, judged by processes where they can be seen (ACT-GATE-5)."""
    manifest = next((each for each in runtime.manifests if each.name == seen.agent), None)
    if manifest is None:
        return gate.ABSENT
    tree = None if foreign else runtime.procs().tree(seen.pane_pid)
    return gate.standing_of(seen, manifest, tree, runtime.settings.remote)


def is_gone(text: str) -> bool:
    """Whether tmux's words mean that the pane is not there (ACT-SEQ-3)."""
    return any(words in text.lower() for words in _GONE_WORDS)


def is_alive(lock: "Lock | None") -> bool:
    """Whether a lock's holder runs (LK-3)."""
    return lock is not None and 0 < lock.pid <= lease.MAX_PID and exists(lock.pid)
