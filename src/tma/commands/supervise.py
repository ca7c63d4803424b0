"""``tma supervise``: the hidden process behind a detached action; it takes its order from standard input."""

from tma.services import supervise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from tma.services.runtime import Runtime


def declare(_parser: "ArgumentParser") -> None:
    """There is nothing to choose."""


def run(_args: "Namespace", runtime: "Runtime") -> int:
    """Serve one order."""
    return supervise.serve(runtime)
