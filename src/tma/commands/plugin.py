"""``tma plugin``: the hidden command behind ``tma.tmux``."""

from tma.adapters import system
from tma.core.errors import OK
from tma.install import plugin
from tma.install.console import Console
from tma.install.setup import Setup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(_parser: "ArgumentParser") -> None:
    """There is nothing to choose; tmux options choose."""


def run(_args: "Namespace", runtime: "Runtime") -> int:
    """Set the running server up (TPM-1, TPM-2)."""
    plugin.apply(Setup(runtime, Console(yes=True), system.environment(), {}))
    return OK
