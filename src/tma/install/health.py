"""What ``doctor`` finds: the document of everything that can be wrong, read and never changed (DOC-1, DOC-2)."""

from typing import Any

from tma.adapters import files
from tma.core import stamp
from tma.core import triage as plans
from tma.core.errors import TmaError
from tma.core.state import CAPTURE
from tma.install import findings, server, tmux_hooks, trust, wiring
from tma.install.agents import ADAPTERS
from tma.install.ours import WRAPPER
from tma.install.setup import Setup
from tma.install.wrapper import Reference
from tma.services import actions, survey
from tma.view.doctor import Extra

Json = dict[str, Any]

COMM_MAX = 15
"""Characters that the kernel keeps of a process name."""

HOOKLESS, NO_ADAPTER = "hookless", "no_adapter"

_SHARED = (
    "Codex runs hooks in one process for all its windows; two sessions in one directory cannot be told apart, "
    "unless it is started with --no-daemon or has daemon_auto_start = false under [features]"
)
_TIERS = {
    "not_installed": "hooks not installed: tma install-hooks {agent}",
    HOOKLESS: "the agent has no hooks",
    NO_ADAPTER: "tma cannot wire this agent: tma-hook AGENT EVENT by hand",
}


class Health:
    """One examination.

    ``document`` is the report, ``reasons`` what each agent's wiring lacks.
    """

    def __init__(self, setup: Setup) -> None:
        """Examine everything.

        Raises:
            TmaError: there is no server.
        """
        self._setup = setup
        self._survey = survey.take(setup.runtime)
        self.reasons: dict[str, list[str]] = {}
        self._wired: dict[str, str] = {}
        notes = {"codex": _SHARED} if trust.shared_daemon(setup.places) else {}
        self.extra = Extra(faults=findings.faults(setup), notes=notes, keys=findings.taken_keys(setup))
        self.document = self._document()

    def _document(self) -> Json:
        found = self._survey
        facts = found.facts
        status, mouse = self._flags()
        last = facts.last_poll if facts else 0
        age = max(0, found.now - last) if last else None
        watchers = sum(1 for plan in found.plans if plan.pane.option(stamp.WATCH_PID))
        return {
            "tmux": findings.tmux(facts.version if facts else ""),
            "foreign": found.foreign,
            "daemon": self._daemon(),
            "ambient_driver": {"polling": age is not None and age < self._stale_ms(), "last_poll_age_ms": age},
            "clients": {"attached": found.clients},
            "status_option": {"enabled": status != "off"},
            "mouse": {"bindings_installed": self._has_mouse_keys(), "enabled": mouse == "on"},
            "watch": {"running": watchers > 0, "watchers": watchers},
            "wrapper": self._wrapper(),
            "notify": {"last_failure": None},
            "process_walk": {"ok": not found.walk_error, "error": found.walk_error or None},
            "tmux_hooks": self._hooks(),
            "manifests": self._manifests(),
            "process_name_issues": self._names(),
            **findings.panes(found),
            "stamp_issues": [
                findings.place(plan) | {"problem": why} for plan in found.plans if (why := findings.problem(plan))
            ],
            "scope_issues": self._scopes(),
            "agents": self._agents(),
            "actions": self._actions(),
        }

    def _stale_ms(self) -> int:
        return max(60_000, 4 * self._setup.runtime.settings.freshness_ms)

    def _flags(self) -> tuple[str, str]:
        try:
            words = ["show-options", "-gqv", "status", ";", "show-options", "-gqv", "mouse"]
            status, mouse, *_ = [*self._setup.runtime.server.run(words).splitlines(), "", ""]
        except TmaError as error:
            self.extra.unknown["status"] = str(error)
            return "", ""
        return status, mouse

    def _has_mouse_keys(self) -> bool:
        try:
            keys = self._setup.runtime.server.run(["list-keys", "-T", "root"])
        except TmaError:
            return False
        return any("MouseDown" in line and "tma:" in line for line in keys.splitlines())

    def _daemon(self) -> Json:
        facts = self._survey.facts
        directory = files.runtime_dir(self._setup.env)
        path = f"{directory}/{files.short_hash(facts.socket_path)}.sock" if facts else None
        return {"alive": False, "socket": path, "version": None, "version_matches": None}

    def _wrapper(self) -> Json:
        try:
            reference = self._setup.reference
        except TmaError as error:
            self.extra.unknown["wrapper"] = str(error)
            reference = Reference(WRAPPER, self._setup.env.get("PATH", ""))
        return {
            "path": reference.real or self._setup.wrapper_path,
            "reference": reference.word,
            "present": bool(reference.real),
        }

    def _hooks(self) -> list[Json]:
        try:
            states = server.hook_findings(self._setup)
        except TmaError as error:
            self.extra.unknown["hooks"] = str(error)
            states = {}
        return [
            {"hook": hook, "present": state == tmux_hooks.PRESENT, "hook_state": state}
            for hook, state in states.items()
        ]

    def _manifests(self) -> Json:
        document = self._setup.runtime.document
        return {
            "ok": len(document.agents),
            "issues": [{"file": path, "problem": why} for path, why in document.skipped],
        }

    def _names(self) -> list[Json]:
        return [
            {"agent": plain["name"], "name": name, "comm_max": COMM_MAX}
            for plain in self._setup.runtime.document.agents
            for name in plain["process_names"]
            if len(name) > COMM_MAX and name[:COMM_MAX] not in plain["process_names"]
        ]

    def _scopes(self) -> list[Json]:
        try:
            found = survey.stray_options(self._setup.runtime, self._survey)
        except TmaError as error:
            self.extra.unknown["scope"] = str(error)
            found = []
        keys = ("scope", "target", "option", "value")
        return [dict(zip(keys, each, strict=True)) for each in found]

    def _actions(self) -> Json:
        loaded = actions.load(self._setup.env)
        issues = [{"file": place, "problem": problem} for place, problem in loaded.broken.values()]
        return {"ok": len(loaded.usable), "issues": issues}

    def _agents(self) -> list[Json]:
        plans_of_agents = [plan for plan in self._survey.plans if plan.manifest or plan.has_row]
        rows = [self._agent(plan) for plan in plans_of_agents]
        return sorted(rows, key=lambda row: (row["locator"], row["pane"]))

    def _agent(self, plan: plans.Plan) -> Json:
        prior, pane = plan.prior, plan.pane
        agent = plan.manifest or (prior.name if prior else "")
        status = self._status(agent)
        reason = _TIERS.get(status, "the daemon is not running").format(agent=agent)
        age = max(0, self._survey.now - prior.evidence) if prior and prior.evidence else None
        wired = status in {wiring.WIRED, wiring.INCOMPLETE}
        return {
            "pane": pane.pane_id,
            "agent": agent,
            "locator": pane.locator,
            "state": prior.state if prior else None,
            "source": prior.source if prior else None,
            "evidence_age_ms": age,
            "hook_status": status,
            "hooks_wired": status == wiring.WIRED,
            "model": pane.option(stamp.MODEL) or None,
            "window_covered": None,
            "endpoint_ok": None,
            "hook_demoted": bool(prior and prior.session and prior.source == CAPTURE),
            "tier": 2 if wired else 1,
            "tier_reason": reason,
            "trust": trust.gate(agent, self._setup.places, pane.path) if wired else None,
            "config_path": self._path(agent),
        }

    def _status(self, agent: str) -> str:
        if agent not in self._wired:
            self._wired[agent] = self._judged(agent)
        return self._wired[agent]

    def _path(self, agent: str) -> str | None:
        if agent not in ADAPTERS or agent not in self._setup.runtime.names:
            return None
        return next((channel.path for channel in self._setup.channels(ADAPTERS[agent])), None)

    def _judged(self, agent: str) -> str:
        if agent not in self._setup.runtime.names or not self._setup.events(agent):
            return HOOKLESS
        if agent not in ADAPTERS:
            return NO_ADAPTER
        try:
            status = self._setup.status(ADAPTERS[agent])
        except TmaError as error:
            self.reasons[agent] = [str(error)]
            return wiring.INCOMPLETE
        self.reasons[agent] = status.reasons
        return status.state
