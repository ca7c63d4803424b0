"""What is to be fired, what it is judged by besides the pane, and what of both reaches a command or an interface."""

from typing import NamedTuple

from tma.core import endpoint, stamp
from tma.core.act.gate import Binders
from tma.core.names import REMOTE_COMMANDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from tma.core.act.facts import Facts
    from tma.core.act.schema import Action
    from tma.core.endpoint import Endpoint


class Order(NamedTuple):
    """What is to be fired: the action, the pane, what the caller saw, and the caller's words.

    ``text`` is None for anything but a text action. ``nonce`` names the lock. ``at`` is when the
    caller asked for it, in epoch ms; 0 says that nobody else can have. The caller may have seen the
    prompt ``settle_ms`` earlier.
    """

    action: "Action"
    pane: str
    nonce: str
    force: bool = False
    binders: Binders = Binders()
    text: str | None = None
    args: tuple[str, ...] = ()
    at: int = 0
    settle_ms: int = 0


class World(NamedTuple):
    """What a fire is judged by besides the pane: freshness, agents with a gauge, interfaces by agent, REM-4."""

    freshness_ms: int
    gauges: "Collection[str]"
    api: "Mapping[str, Mapping[str, Any]]"
    remote: "Collection[str]" = REMOTE_COMMANDS


def address_of(facts: "Facts", api: "Mapping[str, Mapping[str, Any]]") -> "Endpoint | None":
    """Where the interface of a pane's agent is."""
    return address(facts.stored[stamp.API_ENDPOINT], facts.agent, api)


def address(url: str, agent: str, api: "Mapping[str, Mapping[str, Any]]") -> "Endpoint | None":
    """Where an agent's interface is: the stamped address, else the configured one, if allowed (ACT-API-3)."""
    stamped = endpoint.parse(url)
    if stamped is not None and stamped.scheme == "http" and stamped.is_loopback:
        return stamped
    entry = api.get(agent) or {}
    configured = endpoint.parse(entry.get("api_base") or "")
    if configured is None or entry.get("allow_remote"):
        return configured
    return configured if configured.scheme == "http" and configured.is_loopback else None


def reply_path(facts: "Facts") -> str:
    """Where an answer to the pending permission request goes."""
    return f"/permission/{facts.stored[stamp.PERMISSION_REQUEST]}/reply"


def variables_of(order: Order, facts: "Facts") -> dict[str, str]:
    """The environment of a command: what is known of the pane, and the caller's words (ACT-EXEC-3, ACT-EXEC-4)."""
    known = {
        "TMA_PANE": facts.pane,
        "TMA_AGENT": facts.agent,
        "TMA_STATE": facts.state,
        "TMA_DETAIL": facts.detail,
        "TMA_SESSION_ID": facts.stored[stamp.SESSION],
        "TMA_CWD": facts.path,
        "TMA_PID": str(facts.agent_pid or ""),
        "TMA_LOCATOR": facts.locator,
        "TMA_TITLE": facts.title,
        "TMA_ACTION": order.action.name,
    }
    words = {f"TMA_ARG_{index}": word for index, word in enumerate(order.args, start=1)}
    if words:
        words |= {"TMA_ARG": order.args[0], "TMA_ARG_COUNT": str(len(order.args))}
    return {name: value.replace("\0", "") for name, value in (known | words).items()}
