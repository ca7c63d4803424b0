"""What ``doctor`` says of each agent's pane: its tier, its wiring, what its hooks and its account are up to (DOC-3)."""

from collections.abc import Collection
from typing import Any

from tma.core import stamp
from tma.core import triage as plans
from tma.core.act import order
from tma.core.errors import TmaError
from tma.core.state import CAPTURE
from tma.install import releases, sightings, starting, trust, wiring
from tma.install.adapter import Adapter
from tma.install.agents import ADAPTERS
from tma.install.setup import Setup
from tma.install.surroundings import Surroundings
from tma.services.survey import Survey
from tma.view.agentlines import age

Json = dict[str, Any]

HOOKLESS, NO_ADAPTER = "hookless", "no_adapter"

KNOWN_MODELS = frozenset(("gemini-2.5-pro", "gemini-2.5-flash", "gemini-1.5-pro"))
"""Models whose context windows need no entry under ``[telemetry.windows]``."""

_BEST, _WIRED, _SEEN = 3, 2, 1
_SHARED = (
    "Codex runs hooks in one process for all its windows; two sessions in one directory cannot be told apart, "
    "unless it is started with --no-daemon or has daemon_auto_start = false under [features]"
)
_MANAGED = "an administrator's settings keep Claude Code from running your hooks"
_IDLE = "the daemon is not running: tma daemon --ensure"
_TIERS = {
    "not_installed": "hooks not installed: tma install-hooks {agent}",
    HOOKLESS: "the agent has no hooks",
    NO_ADAPTER: "tma cannot wire this agent: tma-hook AGENT EVENT by hand",
}
_COVERED = "; meanwhile the daemon looks at its screen"


class Rows:
    """The rows of one survey.

    ``reasons`` says of each agent what its wiring lacks, ``notes`` has lines for each pane.
    """

    def __init__(self, setup: Setup, survey: Survey, replying: Collection[str], *, daemon: bool) -> None:
        """Keep the parts; ``replying`` agents are answered by HTTP, ``daemon`` says that one is alive."""
        self._setup = setup
        self._survey = survey
        self._daemon = daemon
        self.reasons: dict[str, list[str]] = {}
        self.notes: dict[str, list[str]] = {}
        self._states: dict[str, str] = {}
        self._replying = replying
        self._came = self._sightings()

    def all(self) -> list[Json]:
        """Every agent's pane, by its place."""
        found = [self._row(plan) for plan in self._survey.plans if plan.manifest or plan.has_row]
        return sorted(found, key=lambda row: (row["locator"], row["pane"]))

    def _row(self, plan: plans.Plan) -> Json:
        prior, pane = plan.prior, plan.pane
        agent = plan.manifest or (prior.name if prior else "")
        is_far = bool(plan.boundary)
        status = wiring.WIRED if is_far else self.status(agent)  # only its hooks can have told of it
        wired = status in {wiring.WIRED, wiring.INCOMPLETE}
        tier = (_BEST if self._daemon else _WIRED) if wired else _SEEN
        around = self._surroundings(plan, agent)
        events = sightings.seen(self._came, agent, self._setup.known_events(agent))
        model = pane.option(stamp.MODEL) or None
        self.notes[pane.pane_id] = [
            *self._notes(agent, plan, events, older=around is not None and around.is_older()),
            *(around.notes(wired=wired) if around else []),
        ]
        return {
            "pane": pane.pane_id,
            "agent": agent,
            "locator": pane.locator,
            "state": prior.state if prior else None,
            "source": prior.source if prior else None,
            "evidence_age_ms": max(0, self._survey.now - prior.evidence) if prior and prior.evidence else None,
            "hook_status": status,
            "hooks_wired": status == wiring.WIRED,
            "model": model,
            "window_covered": model in KNOWN_MODELS | self._setup.runtime.settings.windows.keys() if model else None,
            "endpoint_ok": self._endpoint(agent, plan),
            "hook_demoted": bool(prior and prior.session and prior.source == CAPTURE),
            "tier": tier,
            "tier_reason": None if tier == _BEST else self._tier_reason(agent, status),
            "trust": trust.gate(agent, self._setup.places, pane.path) if wired and not is_far else None,
            "events": events,
            "config_path": None if is_far else self._path(agent),
            "config_mismatch": around is not None and around.away() is not None,
        }

    def _tier_reason(self, agent: str, status: str) -> str:
        reason = _TIERS.get(status, _IDLE).format(agent=agent)
        return reason + _COVERED if self._daemon else reason

    def _endpoint(self, agent: str, plan: plans.Plan) -> bool | None:
        """Whether an answer would find its way, while a request waits on an agent that is answered so."""
        pending = agent in self._replying and plan.pane.option(stamp.PERMISSION_REQUEST)
        url, settings = plan.pane.option(stamp.API_ENDPOINT), self._setup.runtime.settings
        return order.address(url, agent, settings.api) is not None if pending else None

    def _notes(self, agent: str, plan: plans.Plan, events: dict[str, int | None], *, older: bool) -> list[str]:
        adapter = ADAPTERS.get(agent)
        if adapter is None or agent not in self._setup.runtime.names:
            return []
        if plan.boundary:
            return self._heard(events)
        found = [f"note: {_SHARED}"] if agent == "codex" and trust.shared_daemon(self._setup.places) else []
        found += [f"note: {_MANAGED}"] if trust.is_managed(agent) else []
        if self.status(agent) == wiring.WIRED:
            found += self._heard(events)
            missed = [] if older else sightings.missed(adapter, events, plan.prior)
            found += [f"silent: never since this server started: {', '.join(missed)}"] if missed else []
        return found + self._release(adapter)

    def _heard(self, events: dict[str, int | None]) -> list[str]:
        came = sorted(((at, event) for event, at in events.items() if at), reverse=True)
        words = ", ".join(f"{event} {age(max(0, self._survey.now - at))}" for at, event in came)
        return [f"events: {words} ago"] if words else []

    def _release(self, adapter: Adapter) -> list[str]:
        program = starting.found(self._setup, adapter)
        release = releases.installed("" if program == "?" else program)
        if not releases.is_newer(release, adapter.checked):
            return []
        return [f"release: {release} is newer than what its rules were checked on ({', '.join(adapter.checked)})"]

    def _surroundings(self, plan: plans.Plan, agent: str) -> Surroundings | None:
        """What the agent's process tells of itself; None where it is another user's, or unknown."""
        adapter, known = ADAPTERS.get(agent), plan.identity
        if adapter is None or known is None or not known.pid or agent not in self._setup.runtime.names:
            return None
        return None if self._survey.foreign else Surroundings(self._setup, adapter, known)

    def _sightings(self) -> dict[str, int]:
        try:
            return sightings.read(self._setup.runtime)
        except TmaError:
            return {}

    def _path(self, agent: str) -> str | None:
        if agent not in ADAPTERS or agent not in self._setup.runtime.names:
            return None
        return next((channel.path for channel in self._setup.channels(ADAPTERS[agent])), None)

    def status(self, agent: str) -> str:
        """How an agent is wired, in the words of the document."""
        if agent not in self._states:
            self._states[agent] = self._judged(agent)
        return self._states[agent]

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
        self.reasons[agent] = list(status.vanished) if status.state == wiring.NOT_INSTALLED else status.reasons
        return status.state
