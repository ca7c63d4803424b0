"""Inputs at their bounds: what the longest screen, payload or listing costs the function that takes it."""

import statistics
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tma.core import jsontext, screen, stamp, text
from tma.core.detect import agent, manifest, rules
from tma.services.loading import BUNDLED

BOUND_MS = 100
"""What an input at its bound may take."""

_AGENTS = Path(__file__).resolve().parent.parent / "src" / "tma" / "data" / "agents"
_ROUNDS = 5
_CAPTURE = 256 << 10
_LINE = 4096

Action = Callable[[], object]


def captures() -> dict[str, str]:
    """Screens of the greatest size, each of a kind that could be slow."""
    return {
        "plain words": ("word " * 20 + "\n") * (_CAPTURE // 101),
        "one sign, long lines": ("─" * (_LINE // 4) + "\n") * (_CAPTURE // 1024),
        "escape sequences": "\x1b[38;5;174mx\x1b[0m " * (_CAPTURE // 20),
        "unfinished sequence": "\x1b]" * (_CAPTURE // 2),
    }


def subjects() -> dict[str, Action]:
    """Each input with the function that has to bear it."""
    found: dict[str, Action] = {}
    for name, capture in captures().items():
        found[f"strip escapes: {name}"] = lambda capture=capture: screen.strip(capture)
    for name in BUNDLED:
        plain = manifest.parse(name, tomllib.loads((_AGENTS / f"{name}.toml").read_text("utf-8")), name)
        made = agent.Manifest(plain)
        for kind, capture in captures().items():
            lines = screen.lines_of(capture)
            rules.judge(made, rules.Screen(lines, 50, "x" * _LINE), 1)
            found[f"rules of {name}: {kind}"] = lambda made=made, lines=lines: rules.judge(
                made, rules.Screen(lines, 50, "x" * _LINE), 1
            )
    flat = '{"tool_input":{"command":"' + "x" * (16 << 20) + '"}}'
    found["payload of 16 MiB"] = lambda: jsontext.parse(flat)
    found["payload nested 100,000 deep"] = lambda: _refused("[" * 100_000)
    found["clean 64 KiB of marks"] = lambda: text.clean("e" + "\u0301" * (1 << 15))
    found["decode a hostile tuple"] = lambda: stamp.decode(dict.fromkeys(stamp.READ_OPTIONS, "9" * 1024))
    return found


def _refused(payload: str) -> None:
    try:
        jsontext.parse(payload)
    except ValueError:
        return


def report() -> None:
    """One line for each input, the slow ones marked."""
    print(f"\n{'input at its bound':52} {'ms':>8}")
    for name, action in subjects().items():
        took = statistics.median(_milliseconds(action) for _ in range(_ROUNDS))
        print(f"{name:52} {took:8.1f}{'   over the bound' if took > BOUND_MS else ''}", flush=True)


def _milliseconds(action: Action) -> float:
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    report()
