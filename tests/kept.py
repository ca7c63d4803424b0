"""Events that were kept as files for want of time."""

import time

from tma.services import intake, spool
from tma.services.cache import Options

NOW = int(time.time() * 1000)


def call(at: int = NOW, *, server: int = 0) -> intake.Call:
    """A hook that could not stamp."""
    made = intake.Call(Options(), at=at, began=0)
    made.agent, made.kind, made.pane, made.server_pid = "claude", "Stop", "%1", server
    return made


def keep(path: str, at: int = NOW, raw: str = "{}", *, server: int = 0) -> bool:
    """Keep one event."""
    return spool.keep(path, call(at, server=server), intake.Origin(session=1, known=[], pid=1), raw)
