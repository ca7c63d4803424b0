"""Events that could neither be handed over nor stamped in time, kept as files for whoever looks next (DEV-6)."""

import posix

from tma.adapters import owned
from tma.core import wire
from tma.core.text import cut_bytes
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
    frame = wire.event(call.pane, call.agent, call.kind, cut_bytes(raw, MAX_PAYLOAD), said(call, origin))
    if frame is None:
        return False
    name = f"{call.at}-{posix.getpid()}"
    try:
        return _put(path, name, frame)
    except OSError:
        # Whoever applied the last ones may have taken the empty directory away meanwhile.
        return _put(path, name, frame)


def _put(path: str, name: str, frame: bytes) -> bool:
    directory = owned.private_dir(path, missing=1)
    try:
        if len(posix.listdir(directory)) >= MOST:
            return False
        owned.replace(name, frame, dir_fd=directory)
    finally:
        posix.close(directory)
    return True
