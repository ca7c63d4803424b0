"""What ``doctor`` finds: the document of everything that can be wrong, read and never changed (DOC-1, DOC-2)."""

from typing import Any

from tma.adapters import files
from tma.core import stamp
from tma.core.errors import TmaError
from tma.core.events import routes
from tma.install import findings, hooks, keys, remarks, server, tmux_hooks
from tma.install.agentrows import Rows
from tma.install.setup import Setup
from tma.services import actions, survey
from tma.services.notify import push
from tma.services.notify.results import Records
from tma.view import sinklines
from tma.view.doctor import Extra

Json = dict[str, Any]

COMM_MAX = 15
"""Characters that the kernel keeps of a process name."""


class Health:
    """One examination.

    ``document`` is the report, ``extra`` what it has no place for.
    """

    def __init__(self, setup: Setup) -> None:
        """Examine everything.

        Raises:
            TmaError: there is no server.
        """
        self._setup = setup
        self._survey = survey.take(setup.runtime)
        self._loaded = actions.load(setup.env)
        self._daemon, wedged = findings.daemon(setup.env, self._survey.facts)
        self.extra = Extra(
            faults=findings.faults(setup), remarks=self._remarks(), wedged=wedged, is_wired=self._is_wired()
        )
        replying = {agent for action in self._loaded.usable for agent in action.api}
        self._rows = Rows(setup, self._survey, replying, daemon=self._daemon["alive"])
        self.document = self._document()
        self.extra.notes.update(self._rows.notes)

    @property
    def reasons(self) -> dict[str, list[str]]:
        """What each agent's wiring lacks."""
        return self._rows.reasons

    def _is_wired(self) -> bool:
        try:
            return bool(hooks.carrying(self._setup))
        except TmaError:
            return True

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
            "daemon": self._daemon,
            "ambient_driver": {"polling": age is not None and age < self._stale_ms(), "last_poll_age_ms": age},
            "clients": {"attached": found.clients},
            "status_option": {"enabled": status != "off"},
            "mouse": {"bindings_installed": self._has_mouse_keys(), "enabled": mouse == "on"},
            "watch": {"running": watchers > 0, "watchers": watchers},
            "wrapper": self._wrapper(),
            "notify": self._notify(),
            "process_walk": {"ok": not found.walk_error, "error": found.walk_error or None},
            "tmux_hooks": self._hooks(),
            "manifests": self._manifests(),
            "process_name_issues": self._names(),
            **findings.panes(found),
            "stamp_issues": [
                findings.place(plan) | {"problem": why} for plan in found.plans if (why := findings.problem(plan))
            ],
            "scope_issues": self._scopes(),
            "agents": self._rows.all(),
            "actions": self._actions(),
            "key_conflicts": self._key_conflicts(),
        }

    def _notify(self) -> Json:
        """What became of notices; what the document has no place for goes to ``extra`` (DLV-3, DLV-4)."""
        runtime = self._setup.runtime
        records = Records(self._setup.env, runtime.now_ms)
        failure, sinks = records.failure(), records.sinks()
        shown = [{key: each.get(key) for key in ("sink", "target", "last_ok_at", "last_failure")} for each in sinks]
        section: Json = {"last_failure": failure._asdict() if failure else None, "sinks": shown}
        route = routes.route(runtime.settings.notify, "")
        self.extra.remarks["notify"] = [
            *sinklines.lines(section, runtime.now_ms()),
            *sinklines.confirmed(records.confirmed(), route.forms),
            *push.remarks(route.urls, files.config_file(self._setup.env)),
        ]
        self.extra.failing.extend(each["sink"] for each in sinklines.failing(sinks, runtime.now_ms()))
        return section

    def _key_conflicts(self) -> list[Json]:
        taken = findings.taken_keys(self._setup)
        tables = {key: table for table, known in keys.TABLES.items() for key in known}
        return [{"table": tables[key], "key": key, "command": command} for key, command in taken.items()]

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

    def _wrapper(self) -> Json:
        try:
            reference = self._setup.choice.reference
        except TmaError as error:
            self.extra.unknown["wrapper"] = str(error)
            reference = self._setup.reference
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
        issues = [{"file": place, "problem": problem} for place, problem in self._loaded.broken.values()]
        return {"ok": len(self._loaded.usable), "issues": issues}

    def _remarks(self) -> dict[str, list[str]]:
        return {
            "config": remarks.of_configuration(self._setup),
            "agents": remarks.of_agents(self._setup),
            "actions": remarks.of_actions(self._setup, self._loaded),
        }
