"""`tma demo`: start, show or end the pretended fleet on a tmux server of its own."""

import argparse
import os
import shlex
import sys

from tma.adapters import system
from tma.core.errors import OK
from tma.services.demo import Demo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.services.cache import Options

_SLOWEST, _FASTEST = 0.1, 20.0


def declare(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--no-attach", action="store_true", help="print how to attach instead of attaching")
    parser.add_argument("--speed", metavar="F", type=_speed, default=1.0, help="multiply the pace, 0.1 to 20")
    parser.add_argument("--stop", action="store_true", help="end the demo and remove its files")


def run(args: argparse.Namespace, _options: "Options") -> int:
    """Bring the demo up, unless it is, and show it where there is a terminal to show it on."""
    demo = Demo(system.environment())
    if args.stop:
        sys.stdout.write("the demo has ended\n" if demo.stop() else "no demo was running\n")
        return OK
    if not demo.running():
        demo.start(args.speed)
    words = demo.attach_words()
    if not args.no_attach and not system.env("TMUX") and sys.stdin.isatty() and sys.stdout.isatty():
        os.execv(words[0], words)  # noqa: S606  # the terminal becomes tmux's
    sys.stdout.write(_what_next(words))
    return OK


def _what_next(words: list[str]) -> str:
    return (
        "The demo runs. Look at it from a terminal outside tmux, or with TMUX unset:\n"
        f"  env -u TMUX {shlex.join(words)}\n"
        "Type `tma ls` in it. End it as you started it, with `--stop`.\n"
    )


def _speed(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not _SLOWEST <= value <= _FASTEST:
        message = f"{text!r} is no number from {_SLOWEST:g} to {_FASTEST:g}"
        raise argparse.ArgumentTypeError(message)
    return value
