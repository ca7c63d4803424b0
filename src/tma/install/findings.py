"""Single findings of ``doctor``: what a version lacks, which panes are left out, what stands in the way (DOC-2)."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tma import __version__
from tma.adapters import files
from tma.core import stamp
from tma.core import triage as plans
from tma.core.errors import TmaError
from tma.core.names import NESTED_MULTIPLEXER
from tma.core.pane import ServerFacts
from tma.core.state import number
from tma.install import places
from tma.install.dialect import RefusedError
from tma.install.keybindings import Keybindings
from tma.install.setup import Setup
from tma.install.target import read
from tma.services import holder, link, runtime
from tma.services.survey import Survey

Json = dict[str, Any]

MIN_TMUX = "3.2"

_FEATURES = (
    ((3, 3), "a message to one chosen client"),
    ((3, 3), "trimmed menu labels"),
    ((3, 4), "clickable segments"),
    ((3, 4), "literal messages"),
)


def taken_keys(setup: Setup) -> dict[str, str]:
    """Keys that the managed file binds and the server gives to something else (KYS-2)."""
    try:
        bindings = Keybindings(setup)
        return bindings.conflicts() if bindings.is_installed() else {}
    except TmaError:
        return {}


def daemon(env: Mapping[str, str], facts: ServerFacts | None) -> tuple[Json, int | None]:
    """The daemon's part of the document; of one that does not answer also its process, 0 for unknown (DST-4)."""
    if facts is None:
        return {"alive": False, "socket": None, "version": None, "version_matches": None}, None
    standing = link.standing(facts.socket_path)
    record = holder.read_record(files.daemon_file(env, facts.socket_path, "lock"))
    version = record.version if standing != link.ABSENT else ""
    alive = standing == link.ALIVE
    return {
        "alive": alive,
        "socket": link.path_of(facts.socket_path),
        "version": version or None,
        "version_matches": version == __version__ if alive and version else None,
    }, record.pid if standing == link.WEDGED else None


def faults(setup: Setup) -> list[str]:
    """A plugin that OpenCode loads twice, and a runtime directory that cannot be used (CDO-3)."""
    found = []
    plugin = setup.places.of(places.OPENCODE)
    second = str(Path(plugin).parent.with_name("plugins") / "tma.js") if plugin else ""
    if second != plugin and Path(plugin).is_file() and _is_bridge(second):
        found.append(f"opencode loads {plugin} and {second}: rm {second}")
    directory = files.runtime_dir(setup.env)
    if Path(directory).exists() or Path(directory).is_symlink():
        try:
            os.close(files.open_private(directory))
        except OSError as error:
            found.append(f"the runtime directory {directory} cannot be used ({error}): remove it")
    return found


def hidden_server(setup: Setup) -> int:
    """The server that ``TMUX`` names, where it runs and only its socket file is gone; 0 for anything else."""
    path, pid = runtime.own_server(setup.env)
    if not pid or not path or Path(path).exists():
        return 0
    return pid if any(name.startswith("tmux") for name in setup.runtime.procs().names(pid)) else 0


def tmux(version: str) -> Json:
    """What a server's version lacks (CDO-4)."""
    parsed = tmux_version(version)
    missing = [words for needed, words in _FEATURES if parsed and parsed < needed]
    below = bool(parsed) and parsed < (3, 2)
    return {"version": version or None, "min_version": MIN_TMUX, "below_min": below, "missing_features": missing}


def tmux_version(version: str) -> tuple[int, ...]:
    """``3.3a`` as numbers; nothing for what cannot be read, which counts as newest (TCP-1)."""
    major, _, minor = version.removeprefix("next-").partition(".")
    numbers = [number(major), number(minor.rstrip("abcdefghijklmnopqrstuvwxyz"))]
    return tuple(each for each in numbers if each is not None) if None not in numbers else ()


def panes(found: Survey) -> Json:
    """Panes behind a boundary without a claim, and those that the user took out."""
    outside = [plan for plan in found.plans if plan.reason == plans.OUT_OF_SCOPE]
    nested = [plan for plan in outside if plan.boundary == NESTED_MULTIPLEXER]
    remote = [plan for plan in outside if plan.boundary != NESTED_MULTIPLEXER]
    return {
        "nested_multiplexers": [place(plan) | {"command": plan.pane.command} for plan in nested],
        "remote_panes": [
            place(plan) | {"command": plan.pane.command, "stamped": stamp.carries_stamp(plan.pane)} for plan in remote
        ],
        "ignored_panes": [
            place(plan) | {"value": plan.pane.option(stamp.IGNORE)}
            for plan in found.plans
            if plan.reason == plans.IGNORED
        ],
    }


def place(plan: plans.Plan) -> Json:
    """Which pane a finding is about."""
    return {"pane": plan.pane.pane_id, "locator": plan.pane.locator}


def problem(plan: plans.Plan) -> str:
    """Why a stored tuple is none of ours or cannot be read, "" for nothing."""
    if plan.problem:
        return plan.problem
    if plan.pane.option(stamp.STATE) and not plan.pane.option(stamp.STAMPED_AT):
        return f"{stamp.STATE} is {plan.pane.option(stamp.STATE)!r} without {stamp.STAMPED_AT}"
    return ""


def _is_bridge(path: str) -> bool:
    try:
        return b"tma OpenCode bridge" in (read(path).data or b"").partition(b"\n")[0]
    except RefusedError:
        return False
