"""``tma reload``: have the daemon read configuration and manifests again."""

import sys

from tma.core.errors import OK
from tma.services import keeper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(_parser: "ArgumentParser") -> None:
    """The command has no options of its own."""


def run(_args: "Namespace", runtime: "Runtime") -> int:
    """Tell it, and say so (CRL-1)."""
    if keeper.Keeper(runtime).reload():
        sys.stdout.write("the daemon reads configuration and manifests again\n")
    else:
        runtime.note("no daemon runs; other commands read the files each time")
    return OK
