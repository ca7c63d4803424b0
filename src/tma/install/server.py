"""tma's part of a tmux server: its hooks, and the options that it leaves there."""

import re

from tma.core import stamp
from tma.core.errors import TmaError
from tma.install import sightings, tmux_hooks
from tma.install.setup import Setup
from tma.services.program import own_words

_PANE_ALSO = (
    stamp.ACTION, stamp.MUTE_UNTIL, stamp.WATCH_PID, stamp.STAGE,
    "@agent_quota_pct", "@agent_quota_window", "@agent_quota_resets_at", "@agent_quota_at", "@agent_cost_usd",
    "@agent_stall_notified_at", "@agent_question_request", "@agent_snooze", "@agent_escalated",
)  # fmt: skip
"""What outlives an agent or is written by parts that may not have run."""

PANE_OPTIONS = tuple(dict.fromkeys((*stamp.DEREG, *_PANE_ALSO)))
"""Everything that uninstall unsets on a pane, each by its name (RM-3)."""

_SERVER_OPTIONS = (stamp.LAST_POLL, stamp.STATUS_LINE, "@tma_probe")
_TRAIL = re.compile(r"^(@tma_origin_[A-Za-z0-9_]*_[0-9a-f]{8}) ", re.MULTILINE)


def hook_texts(setup: Setup) -> dict[str, str]:
    """The text of each hook for this program."""
    words = own_words()
    return tmux_hooks.wanted(words[0] if len(words) == 1 else "", focus=setup.runtime.settings.focus_events)


def install_hooks(setup: Setup, *, recorded: bool = True) -> bool:
    """Put the server's hooks in place; False where it failed (IHK-7, CON-6)."""
    try:
        facts = setup.facts
    except TmaError as error:
        setup.console.note(f"the tmux server cannot be reached, its hooks were skipped: {error}")
        return True
    if facts is None:
        setup.console.note("no tmux server is running: its hooks were skipped; run this again inside tmux")
        return True
    if setup.runtime.foreign(facts):
        setup.console.note("this process cannot see the tmux server's processes: its hooks were left alone")
        return True
    record = _record(setup, facts.socket_path) if recorded else ""
    try:
        changed = tmux_hooks.install(setup.runtime, hook_texts(setup), record)
    except TmaError as error:
        setup.console.note(f"the tmux hooks could not be installed: {error}")
        return False
    if changed:
        setup.console.note(f"tmux hooks installed in {facts.socket_path}: {', '.join(changed)}")
    return True


def restore_hooks(setup: Setup) -> bool:
    """Bring back hooks that a restart or a reload of tmux wiped; whether any had been installed and were gone (TMH-7).

    Raises:
        TmaError: the server refuses.
    """
    if tmux_hooks.WIPED not in hook_findings(setup).values() or setup.facts is None:
        return False
    tmux_hooks.install(setup.runtime, hook_texts(setup), _record(setup, setup.facts.socket_path))
    return True


def uninstall_hooks(setup: Setup) -> None:
    """Take the server's hooks out, where there is a server that is ours to change."""
    facts = setup.facts
    if facts is not None and not setup.runtime.foreign(facts):
        count = tmux_hooks.uninstall(setup.runtime, _record(setup, facts.socket_path))
        if count:
            setup.console.note(f"{count} tmux hooks removed from {facts.socket_path}")


def hook_findings(setup: Setup) -> dict[str, str]:
    """How each hook of the server stands; none without a server.

    Raises:
        TmaError: the server cannot be read.
    """
    facts = setup.facts
    if facts is None or setup.runtime.foreign(facts):
        return {}
    recorded = tmux_hooks.recorded(_record(setup, facts.socket_path))
    return tmux_hooks.states(tmux_hooks.read(setup.runtime), hook_texts(setup), recorded)


def sweep(setup: Setup) -> None:
    """Unset tma's options at every scope, each by its name; what is the user's stays (RM-3)."""
    facts = setup.facts
    if facts is None or setup.runtime.foreign(facts):
        return
    server = setup.runtime.server
    listed = server.run(["list-panes", "-a", "-F", "#{pane_id} #{window_id} #{session_id}"]).split()
    lines = [f"set-option -pqu -t {pane} {name}" for pane in sorted(set(listed[::3])) for name in PANE_OPTIONS]
    lines += [f"set-option -wqu -t {window} {stamp.SUMMARY}" for window in sorted(set(listed[1::3]))]
    lines += [f"set-option -qu -t '{session}' {stamp.SESSION_SUMMARY}" for session in sorted(set(listed[2::3]))]
    trails = _TRAIL.findall(server.run(["show-options", "-s"]))
    seen = sightings.options({agent: setup.known_events(agent) for agent in setup.runtime.names})
    lines += [f"set-option -squ {name}" for name in (*_SERVER_OPTIONS, *trails, *seen)]
    server.feed("".join(f"{line}\n" for line in lines))


def sessions_of(setup: Setup, agent: str) -> int:
    """How many panes of the server hold that agent, as far as their stamps say (EDT-13)."""
    try:
        if setup.facts is None:
            return 0
        names = setup.runtime.server.run(["list-panes", "-a", "-F", f"#{{{stamp.NAME}}}"]).splitlines()
    except TmaError:
        return 0
    return names.count(agent)


def _record(setup: Setup, socket_path: str) -> str:
    return tmux_hooks.record_path(setup.places.config_dir(), socket_path)
