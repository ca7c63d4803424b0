"""Print the reference page of the bundled agents, in Markdown, from their manifests."""

import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "src"))

from tma.services.loading import BUNDLED

_DATA = Path(__file__).resolve().parent.parent / "src" / "tma" / "data" / "agents"

_INTRO = """\
# Agent coverage

<!-- Written by scripts/reference_agents.py from src/tma/data/agents; change those. -->

What the bundled manifests know, in the order in which they are tried on a pane.
What the columns and words mean: [manifest schema](manifests.md).

| agent | process names | title needed | hooks tell | screen tells reliably | dialog replaces input | context gauge |
|---|---|---|---|---|---|---|
"""

_HOOKS = """\
| event | when | claim |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    agents = {name: (_DATA / f"{name}.toml").read_text("utf-8") for name in BUNDLED}
    manifests = {name: tomllib.loads(text) for name, text in agents.items()}
    summary = "".join(_summary(name, manifest) for name, manifest in manifests.items())
    sections = "".join(_section(name, agents[name], manifest) for name, manifest in manifests.items())
    return f"{_INTRO}{summary}{sections}"


def _summary(name: str, manifest: dict[str, Any]) -> str:
    identity, capture = manifest["identity"], manifest["capture"]
    context = manifest.get("telemetry", {}).get("context", {})
    cells = [
        name,
        _codes(identity["process_names"]),
        "yes" if identity.get("title_patterns") else "no",
        ", ".join(manifest.get("hooks", {}).get("covers", [])) or "nothing",
        ", ".join(capture.get("visible", [])) or "nothing",
        "yes" if capture.get("exclusive") else "no",
        f"`{context['format']}`" if context else "none",
    ]
    return _line(cells)


def _section(name: str, text: str, manifest: dict[str, Any]) -> str:
    comment = [line.removeprefix("#").strip() for line in text.split("\n") if line.startswith("#")]
    header = " ".join(comment[: _header_lines(text)])
    found = {(rule["state"], rule.get("detail", "")) for rule in manifest.get("rules", [])}
    claims = sorted(f"`{state}/{detail}`" if detail else f"`{state}`" for state, detail in found)
    entries = "".join(_line(_entry(entry)) for entry in manifest.get("hooks", {}).get("map", []))
    screen = f"From its screen and title: {', '.join(claims)}.\n" if claims else "Its screen is not read.\n"
    return f"\n## {name}\n\n{header}\n\n{screen}\n{_HOOKS + entries if entries else 'It reports nothing by hooks.'}"


def _header_lines(text: str) -> int:
    """How many comment lines the file begins with."""
    lines = text.split("\n")
    return next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))


def _entry(entry: dict[str, Any]) -> list[str]:
    conditions = [f"`{path}` {_condition(wanted)}" for path, wanted in entry.get("where", {}).items()]
    if "matcher" in entry:
        conditions.append(f"text has `{entry['matcher']}`")
    claim = entry["claim"]
    if "lifecycle" in claim:
        said = "the agent starts" if claim["lifecycle"] == "start" else "the agent ends"
    elif "state" in claim:
        said = f"`{claim['state']}/{claim['detail']}`" if claim.get("detail") else f"`{claim['state']}`"
    else:
        said = "nothing changes"
    said += ", the turn ends" if entry.get("turn_end") else ""
    said += ", detail kept" if entry.get("keep_detail") else ""
    return [f"`{entry['event']}`", " and ".join(conditions), said]


def _condition(wanted: object) -> str:
    if isinstance(wanted, bool):
        return "is there" if wanted else "is absent"
    return "is " + " or ".join(f"`{value}`" for value in (wanted if isinstance(wanted, list) else [wanted]))


def _codes(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


if __name__ == "__main__":
    sys.stdout.write(page())
