"""What programs that stay cost while nothing happens: processor time of their own and of the tmux server."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from fleet import Fleet, fleet
from worker import server_ms

from harness import ROOT, until

PANES, PROCESSES = 50, 300
WATCHED_S = 10.0
_WARM_S = 3.0
SUBJECTS = {
    "nobody, beside the server itself": [],
    "wait": ["wait", "--state", "blocked", "--timeout", "600"],
    "subscribe": ["subscribe"],
    "daemon": ["daemon"],
}


def report() -> dict[str, dict[str, float]]:
    """One line for each; the figures by name."""
    print(f"\n{f'at rest, {PANES} panes':34} {'own ms/s':>10} {'tmux ms/s':>10}")
    found: dict[str, dict[str, float]] = {}
    with fleet(PANES, PROCESSES) as made:
        for name, words in SUBJECTS.items():
            own, server = spent(made, words)
            print(f"{name:34} {own:10.2f} {server:10.2f}", flush=True)
            found[f"at rest: {name}"] = {"own_ms_s": own, "tmux_ms_s": server}
    return found


def spent(made: Fleet, words: list[str]) -> tuple[float, float]:
    """Milliseconds of processor time in each second, the program's own with its children's and the server's."""
    argv = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma"), *words]
    running = subprocess.Popen(argv, env=made.server.environment, stdout=subprocess.DEVNULL) if words else None
    try:
        pause(_WARM_S)
        before = own_ms(running), server_ms(made.server.pid)
        pause(WATCHED_S)
        after = own_ms(running), server_ms(made.server.pid)
    finally:
        if running is not None:
            running.send_signal(signal.SIGTERM)
            until(lambda: running.poll() is not None, what="the end")
    return (after[0] - before[0]) / WATCHED_S, (after[1] - before[1]) / WATCHED_S


def own_ms(running: "subprocess.Popen[bytes] | None") -> float:
    """Processor time of a program and of the children that it has waited for."""
    if running is None:
        return 0.0
    fields = Path(f"/proc/{running.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * 1000 / os.sysconf("SC_CLK_TCK")


def pause(seconds: float) -> None:
    """Let time pass."""
    select.select([], [], [], seconds)
