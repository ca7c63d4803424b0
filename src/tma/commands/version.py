"""``tma version``."""

import sys

from tma import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.cache import Options


def declare(_parser: "ArgumentParser") -> None:
    """There is nothing to choose."""


def run(_args: "Namespace", _options: "Options") -> int:
    """Print the version (VSN-1)."""
    sys.stdout.write(f"tma {__version__}\n")
    return 0
