"""Captures of what an agent showed, with their paths made neutral, in the form of the golden screens."""

from pathlib import Path
from typing import Any

from harness import ROOT
from install import CACHE
from pane import AgentPane

SCREENS = ROOT / "tests" / "golden" / "screens"
_USUAL_HEIGHT = 40
_HOME = "/home/me"


class Recorder:
    """Writes one file for each step that asks for it, to ``<place>/<agent>-<version>/``."""

    def __init__(self, place: Path = SCREENS) -> None:
        """Choose the directory."""
        self.place = place
        self.written: list[Path] = []

    def capture(self, pane: AgentPane, scenario: str, step: dict[str, Any]) -> None:
        """Take what the pane shows now as one fixture."""
        agent = pane.account.agent
        shown = "#{pane_title}\t#{pane_current_command}\t#{pane_width}\t#{pane_height}"
        title, command, width, height = pane.server.show(pane.id, shown).split("\t")
        name = f"{step['record']}_{scenario.replace('-', '_')}"
        name += f"_h{height}" if int(height) != _USUAL_HEIGHT else ""
        head = {
            "agent": agent.name,
            "version": agent.version,
            "state": claim(step),
            "title": title.rstrip(),
            "command": command,
            "width": width,
            "height": height,
        }
        file = self.place / f"{agent.name}-{agent.version}" / f"{name}_w{width}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        body = pane.server("capture-pane", "-p", "-e", "-t", pane.id)
        lines = "".join(f"# {key}: {value}".rstrip() + "\n" for key, value in head.items())
        file.write_text(private(f"{lines}---\n{body}\n", pane.account.home, CACHE, Path.home()), encoding="utf-8")
        self.written.append(file)


def claim(step: dict[str, Any]) -> str:
    """What a header expects of the screen: the step's truth, as far as a screen can show it."""
    return str(step.get("shows") or step["expect"].replace("done", "idle"))


def private(text: str, *places: Path) -> str:
    """A capture without these places of this machine; every line keeps its width, and a path stays one."""
    for place in sorted(map(str, places), key=len, reverse=True):
        text = text.replace(place, f"{_HOME}/".ljust(len(place), "x")[: len(place)])
    return text
