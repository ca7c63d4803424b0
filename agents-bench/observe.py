"""What tma says of panes over time: their stamps, looked at often, and the edges of a subscriber."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from harness import TmuxServer

LOOK_EVERY_S = 0.05
GONE = "gone"
_BLIND = "\n[capture]\nvisible = []\n"
_FORMAT = "#{pane_id}\t#{@agent_state}\t#{@agent_detail}\t#{@agent_attention}"


def now_ms() -> int:
    """The wall clock, which the stamps use too."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Seen:
    """What a pane's stamp said from an instant on: a class (``done`` is idle and not seen yet) and its detail."""

    at_ms: int
    state: str
    detail: str

    @property
    def claim(self) -> str:
        """State and detail in one word."""
        return f"{self.state}/{self.detail}" if self.detail else self.state


@dataclass
class Timeline:
    """The changes of every pane's stamp, and the edges that ``tma subscribe --events`` printed."""

    stamps: dict[str, list[Seen]] = field(default_factory=dict)
    edges: list[dict[str, object]] = field(default_factory=list)

    def add(self, line: str, at_ms: int) -> None:
        """One pane as a look found it."""
        pane, state, detail, attention = line.split("\t")
        name = "done" if state == "idle" and attention == "1" else state or GONE
        seen = self.stamps.setdefault(pane, [])
        if not seen or (seen[-1].state, seen[-1].detail) != (name, detail):
            seen.append(Seen(at_ms, name, detail))

    def last(self, pane: str) -> Seen:
        """What a pane's stamp says now."""
        return self.stamps.get(pane, [Seen(0, GONE, "")])[-1]

    def between(self, pane: str, start_ms: int, end_ms: int) -> list[Seen]:
        """What a pane's stamp said in a stretch of time, beginning with what stood before it."""
        seen = self.stamps.get(pane, [])
        before = [each for each in seen if each.at_ms <= start_ms][-1:]
        return [*before, *(each for each in seen if start_ms < each.at_ms <= end_ms)]


@contextmanager
def observed(server: TmuxServer, environment: dict[str, str], options: list[str]) -> Iterator[Timeline]:
    """Watch a server's panes as long as the block runs; ``options`` are global ones of tma."""
    timeline = Timeline()
    over = threading.Event()
    argv = [sys.executable, "-m", "tma", *options, "subscribe", "--json", "--events"]
    errors = server.home / "subscribe.err"
    with errors.open("w") as said:
        stream = subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=said, text=True, env=server.environment | environment
        )
    threads = [
        threading.Thread(target=_look, args=(server, timeline, over), daemon=True),
        threading.Thread(target=_read, args=(stream, timeline), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        yield timeline
    finally:
        over.set()
        died = stream.poll()
        stream.terminate()
        stream.wait()
        for thread in threads:
            thread.join()
    if died is not None:
        message = f"tma subscribe ended by itself with {died}: {errors.read_text(encoding='utf-8').strip()}"
        raise AssertionError(message)


def _look(server: TmuxServer, timeline: Timeline, over: threading.Event) -> None:
    while not over.wait(LOOK_EVERY_S):
        try:
            at = now_ms()
            for line in server("list-panes", "-a", "-F", _FORMAT).splitlines():
                timeline.add(line, at)
        except (AssertionError, subprocess.TimeoutExpired):
            continue


def _read(stream: "subprocess.Popen[str]", timeline: Timeline) -> None:
    for line in stream.stdout or ():
        timeline.edges.append(json.loads(line))


def without_screens(bundled: Path, place: Path) -> Path:
    """Manifests with hooks alone: no rules, no state files. The subscriber then sees what hooks say."""
    place.mkdir()
    for file in bundled.glob("*.toml"):
        text = file.read_text(encoding="utf-8")
        kept = [block for block in _tables(text) if not block.startswith(("[[rules]]", "[capture]", "[published]"))]
        (place / file.name).write_text("".join([*kept, _BLIND]), encoding="utf-8")
    return place


def _tables(text: str) -> list[str]:
    """The text cut before every table's head."""
    blocks = [""]
    for line in text.splitlines(keepends=True):
        if line.startswith("["):
            blocks.append("")
        blocks[-1] += line
    return blocks


def pid_of(pane_pid: int) -> list[int]:
    """A process and all that descend from it, the youngest last."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found = [pane_pid]
    for pid in found:
        found += parents.get(pid, [])
    return [pid for pid in found if pid != os.getpid()]
