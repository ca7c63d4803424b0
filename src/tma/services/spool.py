"""Events that could neither be handed over nor stamped in time, kept as files for whoever looks next (DEV-6)."""

import posix

from tma.adapters import owned
from tma.core import wire
from tma.services.offer import said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.intake import Call, Origin

MOST = 64
MAX_PAYLOAD = 64 << 10


def keep(path: str, call: "Call", origin: "Origin", raw: str) -> bool:
    """Keep an event below ``path``; whether there was room for it.

    Raises:
        OSError: it cannot be written.
    """
    ext = said(call, origin) | ({"srv": call.server_pid} if call.server_pid else {})
    payload = raw.encode("utf-8", "replace")[:MAX_PAYLOAD].decode("utf-8", "ignore")
    frame = wire.event(call.pane, call.agent, call.kind, payload, ext)
    if frame is None:
        return False
    directory = owned.private_dir(path, missing=1)
    try:
        if len(posix.listdir(directory)) >= MOST:
            return False
        owned.replace(f"{call.at}-{posix.getpid()}", frame, dir_fd=directory)
    finally:
        posix.close(directory)
    return True
