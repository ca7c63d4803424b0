"""What a reading of an agent's context window writes to its pane (CH-CONTEXT, CTX-2)."""

from tma.core import guard, ops, stamp, text, writes
from tma.core.guard import and_, ne, opt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.core.detect.telemetry import Gauge
    from tma.core.ops import Op


def observed(gauge: "Gauge", at: int, options: dict[str, str]) -> "list[Op]":
    """A reading at an instant; one of another session than the pane's is dropped by the server (CTX-2).

    Nothing is written to an ignored pane (RM-4).
    """
    if options.get(stamp.IGNORE):
        return []
    chain = writes.gauge(at, gauge.percent, gauge.tokens)
    model = text.store_text(gauge.model)
    if model and model != options.get(stamp.MODEL):
        chain = ops.staged(stamp.MODEL, guard.context(at), model) + chain
    session = text.store_text(gauge.session)
    if not session:
        return chain
    other = and_(ne(opt(stamp.SESSION), ""), ne(opt(stamp.SESSION), opt(stamp.STAGE)))
    return [ops.put(stamp.STAGE, session), ops.unless(other, chain), ops.unset(stamp.STAGE)]


def is_news(gauge: "Gauge", options: dict[str, str]) -> bool:
    """Whether a reading differs from what is stored: a cycle that changes nothing writes nothing (RC-2)."""
    percent = "" if gauge.percent is None else str(gauge.percent)
    model = text.store_text(gauge.model)
    return percent != options.get(stamp.CONTEXT_PCT, "") or model not in {"", options.get(stamp.MODEL, "")}
