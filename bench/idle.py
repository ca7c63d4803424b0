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
    "wait": ["wait", "--until", "blocked", "--any", "--timeout", "600"],
    "subscribe": ["subscribe", "--json"],
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


def spent(made: Fleet, words: list[str], watched_s: float = WATCHED_S) -> tuple[float, float]:
    """Milliseconds of processor time in each second, the program's own with its children's and the server's."""
    argv = [sys.executable, "-I", "-S", str(ROOT / "bin" / "tma"), *words]
    running = subprocess.Popen(argv, env=made.server.environment, stdout=subprocess.DEVNULL) if words else None
    try:
        pause(_WARM_S)
        before = own_ms(running), server_ms(made.server.pid)
        pause(watched_s)
        after = own_ms(running), server_ms(made.server.pid)
        if running is not None and running.poll() is not None:
            message = f"{' '.join(words)} ended with {running.poll()}"
            raise SystemExit(message)
    finally:
        if running is not None:
            running.send_signal(signal.SIGTERM)
            until(lambda: running.poll() is not None, what="the end")
    return (after[0] - before[0]) / watched_s, (after[1] - before[1]) / watched_s


def own_ms(running: "subprocess.Popen[bytes] | None") -> float:
    """Processor time of a program and, by the clock's ticks, of the children that it has waited for."""
    if running is None or running.poll() is not None:
        return 0.0
    fields = Path(f"/proc/{running.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    threads = Path(f"/proc/{running.pid}/task").iterdir()
    own = sum(int((thread / "schedstat").read_text(encoding="utf-8").split()[0]) for thread in threads)
    return own / 1e6 + sum(map(int, fields[13:15])) * 1000 / os.sysconf("SC_CLK_TCK")


def pause(seconds: float) -> None:
    """Let time pass."""
    select.select([], [], [], seconds)
