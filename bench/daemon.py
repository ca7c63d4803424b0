"""What a daemon costs and how fast it is, on this machine, on a tmux server of its own.

Usage: bench/daemon.py [--prompts N] [--transitions N] [--minutes N] [--only NAME,NAME] [--tmux PROGRAM]

The half hour in real time is measured only where ``--only`` names it.
"""

import argparse
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

import ringing  # noqa: E402
from daemons import Daemon, daemon  # noqa: E402
from harness import TmuxServer, private_server, until  # noqa: E402
from notices import Desk  # noqa: E402
from people import report  # noqa: E402
from standin import StandIn, manifests  # noqa: E402

IDLE_S = 10.0
WARM_SWEEPS = 20
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure, one line for each figure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--prompts", type=int, default=100)
    parser.add_argument("--transitions", type=int, default=1000)
    parser.add_argument("--minutes", type=int, default=30)
    parser.add_argument("--only", default="")
    parser.add_argument("--tmux", default=shutil.which("tmux"))
    args = parser.parse_args()
    wanted = [name for name in args.only.split(",") if name]
    for name, measure in MEASURES.items():
        if name in wanted or not (wanted or measure is real):
            with private_server(args.tmux) as server:
                if measure is not kills:
                    server.start()
                measure(server, args)


def sleep(seconds: float) -> None:
    """Let time pass."""
    select.select([], [], [], seconds)


def tell(what: str, value: str) -> None:
    """Print one figure."""
    print(f"{what:<58}{value}", flush=True)


def usage(pid: int) -> dict[str, float]:
    """Resident KiB, voluntary context switches of all threads, and processor seconds."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    switches = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        lines = (task / "status").read_text().splitlines()
        switches += next(int(line.split()[1]) for line in lines if line.startswith("voluntary"))
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return {
        "rss": int(fields["VmRSS"].split()[0]),
        "switches": switches,
        "cpu": (int(words[11]) + int(words[12])) / TICKS,
    }


def percentile(values: list[float], share: float) -> float:
    """A value that so many are not above."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def configure(server: TmuxServer, text: str) -> None:
    """Write the configuration."""
    path = server.home / "config" / "tma" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@contextmanager
def watched(server: TmuxServer, agents: int, **more: int) -> Iterator[tuple[Daemon, list[StandIn]]]:
    """A daemon that has looked at so many agents without hooks."""
    robots = [StandIn(server) for _ in range(agents)]
    with daemon(server, **more) as running:
        for robot in robots:
            until(lambda robot=robot: server.options(robot.pane).get("@agent_state"), what="a first look", seconds=60)
        running.settled()
        yield running, robots


def prompts(server: TmuxServer, args: argparse.Namespace) -> None:
    """A prompt without hooks, from its print to the stored state."""
    taken = []
    with watched(server, 1) as (_, (robot,)):
        for number in range(args.prompts):
            state = ("blocked", "idle")[number % 2]
            robot.file.write_text({"blocked": "ALLOW?", "idle": "READY"}[state])
            server("send-keys", "-t", robot.pane, "show", "Enter")
            began = time.monotonic()
            wait_for(server, robot.pane, state)
            taken.append((time.monotonic() - began) * 1000)
    tell("prompt without hooks to stored state, quiet_ms 1000, p50", f"{statistics.median(taken):.0f} ms")
    tell(f"  p95 of {len(taken)} (bound 1300)", f"{percentile(taken, 0.95):.0f} ms")


def wait_for(server: TmuxServer, pane: str, state: str) -> None:
    """Ask until the option reads so."""
    until(lambda: server("show-options", "-pqv", "-t", pane, "@agent_state") == state, what=f"{state} in {pane}")


def silence(server: TmuxServer, _args: argparse.Namespace) -> None:
    """Nothing happens: wake-ups, processor time, memory."""
    with watched(server, 20) as (running, _):
        sleep(2)
        before = usage(running.pid)
        sleep(IDLE_S)
        after = usage(running.pid)
        tell(
            f"voluntary context switches in {IDLE_S:.0f} s of silence (bound 2)",
            f"{after['switches'] - before['switches']:.0f}",
        )
        tell("processor time in silence (bound 0.05 %)", f"{(after['cpu'] - before['cpu']) / IDLE_S * 100:.3f} %")
        tell("resident, 20 agents in one session (bound 32768)", f"{after['rss']:.0f} KiB")


def repainting(server: TmuxServer, _args: argparse.Namespace) -> None:
    """Twenty agents that repaint ten times a second."""
    with watched(server, 20) as (running, robots):
        for robot in robots:
            server(
                "respawn-pane",
                "-k",
                "-t",
                robot.pane,
                "sh",
                "-c",
                "while :; do printf '\\033[HBUSY %s' $$; sleep 0.1; done",
            )
        sleep(2)
        before = usage(running.pid)
        sleep(IDLE_S)
        spent = usage(running.pid)["cpu"] - before["cpu"]
        tell("processor time, 20 panes repainting (bound 3 %)", f"{spent / IDLE_S * 100:.2f} %")


def flood(server: TmuxServer, _args: argparse.Namespace) -> None:
    """A pane that runs ``yes``: its speed with the daemon against without, and the server's answers."""
    counted = "yes | head -c 20000000; printf done > {0}"
    robot, loud = StandIn(server), StandIn(server)

    def run() -> tuple[float, float]:
        mark = server.home / "mark"
        mark.unlink(missing_ok=True)
        began, slowest = time.monotonic(), 0.0
        server("respawn-pane", "-k", "-t", loud.pane, "sh", "-c", counted.format(mark) + "; sleep 1000")
        while not mark.exists():
            asked = time.monotonic()
            server("display-message", "-p", "#{pid}")
            slowest = max(slowest, time.monotonic() - asked)
            sleep(0.02)
        return time.monotonic() - began, slowest

    alone = [run() for _ in range(3)]
    with daemon(server) as running:
        until(lambda: server.options(robot.pane).get("@agent_state"), what="a first look", seconds=60)
        before, began = usage(running.pid)["cpu"], time.monotonic()
        with_it = [run() for _ in range(3)]
        spent = (usage(running.pid)["cpu"] - before) / (time.monotonic() - began)
    ratio = statistics.median(one for one, _ in alone) / statistics.median(one for one, _ in with_it)
    tell("speed of `yes` with the daemon (bound 90 %)", f"{ratio * 100:.0f} %")
    tell(
        "slowest answer of tmux meanwhile, alone and with it",
        f"{max(s for _, s in alone) * 1000:.0f}, {max(s for _, s in with_it) * 1000:.0f} ms",
    )
    tell("processor time while flooded (bound 5 %)", f"{spent * 100:.1f} %")


def events(server: TmuxServer, _args: argparse.Namespace) -> None:
    """A hook's process from start to end, without and with the daemon."""
    robot = StandIn(server)
    words = [
        sys.executable,
        "-I",
        "-S",
        str(ROOT / "bin" / "tma"),
        "event",
        "--agent",
        "claude",
        "--payload",
        "-",
        "--kind",
    ]
    inside = {"TMUX": f"{server.socket},{server.pid},0", "TMUX_PANE": robot.pane}
    environment = {name: value for name, value in server.environment.items() if name != "TMA_SOCKET_PATH"} | inside

    def run(count: int) -> list[float]:
        taken = []
        for number in range(count):
            kind = ("UserPromptSubmit", "Stop")[number % 2]
            began = time.monotonic()
            subprocess.run([*words, kind], check=True, input=b"{}", env=environment)
            taken.append((time.monotonic() - began) * 1000)
        return taken

    run(5)
    for name, figures in (("without", run(100)), ("with", _served(server, lambda: run(100)))):
        tell(
            f"hook process {name} the daemon, p50 and p95",
            f"{statistics.median(figures):.0f}, {percentile(figures, 0.95):.0f} ms",
        )


def notices(server: TmuxServer, args: argparse.Namespace) -> None:
    """A prompt by a hook, from the hook's start to the notice in the log, by the hook itself and by the daemon."""
    robot = StandIn(server)
    desk = Desk(server, "from_event = true")

    def run() -> list[float]:
        taken = []
        for _ in range(args.prompts):
            report(robot, "Stop")
            began, count = time.monotonic(), len(desk.lines())
            report(robot, "Ask")
            desk.logged(count + 1)
            taken.append((time.monotonic() - began) * 1000)
        return taken

    alone, served = run(), _served(server, run)
    for name, figures in (("by the hook itself", alone), ("by the daemon", served)):
        tell(
            f"hook to notice {name}, p50 and p95",
            f"{statistics.median(figures):.0f}, {percentile(figures, 0.95):.0f} ms",
        )
    tell(
        "  the daemon's p95 over the other's (bound 50)", f"{percentile(served, 0.95) - percentile(alone, 0.95):.0f} ms"
    )


def _served(server: TmuxServer, run: Callable[[], list[float]]) -> list[float]:
    argv = [sys.executable, "-m", "tma", "daemon", "--status-file", str(server.home / "status")]
    process = subprocess.Popen(argv, env=server.environment, stderr=subprocess.DEVNULL)
    until((server.home / "status").exists, what="the daemon")
    try:
        return run()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def day(server: TmuxServer, args: argparse.Namespace) -> None:
    """Eight hours of sweeps, frames and edges of forty agents in fast-forward: nothing grows."""
    del args
    configure(server, "[fold]\nfreshness_secs = 0\n[daemon]\nquiet_ms = 20\n")
    sweeps = 8 * 3600 // 45
    with watched(server, 40, sweep_ms=50) as (running, robots):
        until(lambda: running.count("sweeps") >= WARM_SWEEPS, what="a start", seconds=120)
        first = _size(server, running)
        number = 0
        while running.count("sweeps") < sweeps + WARM_SWEEPS:
            robot = robots[number % len(robots)]
            robot.file.write_text(("READY", "BUSY", "ALLOW?")[number % 3])
            server("send-keys", "-t", robot.pane, "show", "Enter")
            kind = ("Work", "Ask", "Stop")[number % 3]
            server.tma(
                "--manifest-dir", manifests(server), "event", "--agent", "robot", "--kind", kind, pane=robots[0].pane
            )
            number += 1
        _grown(server, running, first)


def real(server: TmuxServer, args: argparse.Namespace) -> None:
    """Forty agents in real time, one of them at work each minute, then as long again of silence."""
    with watched(server, 40, sweep_ms=0) as (running, robots):
        first, began = _size(server, running), usage(running.pid)
        for minute in range(args.minutes // 2):
            robot = robots[minute % len(robots)]
            robot.file.write_text(("READY", "BUSY", "ALLOW?")[minute % 3])
            server("send-keys", "-t", robot.pane, "show", "Enter")
            sleep(60)
        busy = usage(running.pid)
        sleep(args.minutes * 30)
        idle = usage(running.pid)
        _grown(server, running, first)
        half = args.minutes * 30
        tell("  processor, one agent a minute at work", f"{100 * (busy['cpu'] - began['cpu']) / half:.3f} %")
        tell("  processor in silence (bound 0.05 %)", f"{100 * (idle['cpu'] - busy['cpu']) / half:.3f} %")
        tell("  voluntary switches a minute in silence", f"{(idle['switches'] - busy['switches']) / half * 60:.1f}")


def _grown(server: TmuxServer, running: Daemon, first: dict[str, int]) -> None:
    last = _size(server, running)
    tell(f"{running.count('sweeps')} sweeps, {running.count('captures')} looks, {running.count('frames')} frames", "")
    for name, value in first.items():
        tell(f"  {name} at the start and at the end", f"{value}, {last[name]}")


def _size(server: TmuxServer, running: Daemon) -> dict[str, int]:
    return {
        "KiB resident": int(usage(running.pid)["rss"]),
        "descriptors": len(list(Path(f"/proc/{running.pid}/fd").iterdir())),
        "clients": len(server("list-clients", "-F", "x").splitlines()),
        "bytes of log": len(running.said),
    }


def kills(server: TmuxServer, args: argparse.Namespace) -> None:
    """A thousand transitions under kills at random; a state that is lost or told twice would be an error."""
    prompts, killed, told = ringing.run(server, args.transitions, seed=args.transitions)
    tell(f"{prompts} prompts, {killed} kills: told (none twice)", f"{told}")
    if not prompts - killed <= told <= prompts:
        raise SystemExit(1)


def stopping(server: TmuxServer, _args: argparse.Namespace) -> None:
    """How long a stop takes."""
    with watched(server, 5) as (running, _):
        began = time.monotonic()
        running.end()
        tell("stop, idle (bound 200 ms)", f"{(time.monotonic() - began) * 1000:.0f} ms")


MEASURES = {
    "prompts": prompts,
    "silence": silence,
    "repainting": repainting,
    "flood": flood,
    "events": events,
    "notices": notices,
    "stopping": stopping,
    "day": day,
    "real": real,
    "kills": kills,
}


if __name__ == "__main__":
    main()
