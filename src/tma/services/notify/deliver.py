"""One telling through all of its sinks: what is quick at once, what may take long as jobs (RTE-3).

The log comes first, so that no sink that hangs costs the record; a sink that fails stops no other.
"""

from tma.adapters import audit, system
from tma.core.events import routes
from tma.services.notify import desktop, push, results, screens
from tma.services.notify.jobs import Job
from tma.services.notify.results import Outcome
from tma.services.running import SHELL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tma.core.events.routes import Route
    from tma.services.notify.jobs import Runner
    from tma.services.notify.results import Records
    from tma.services.notify.telling import Telling
    from tma.services.runtime import Runtime

_AT_HOME = 'case $HOME in /*) cd -- "$HOME" 2>/dev/null || cd / ;; *) cd / ;; esac; exec "$0" -c "$1"'
"""Starts a command in the home directory; the command itself stays one untouched argument (CMD-1, SEC-X-1)."""


def quick(runtime: "Runtime", telling: "Telling", route: "Route") -> list[Outcome]:
    """The sinks that are done in a moment: log, message, bell, terminal sequences."""
    logged = []
    if route.log:
        written = audit.append(route.log, telling.log_line())
        logged = [Outcome("log", "", results.OK if written else results.FAILED)]
    return logged + screens.show(runtime, telling, route)


def slow(runtime: "Runtime", telling: "Telling", route: "Route", records: "Records") -> list[Job | Outcome]:
    """The sinks that run programs: each a job, or why there is none."""
    env = system.environment()
    found: list[Job | Outcome] = []
    if route.command:
        found.append(command(telling, route, records, env))
    if route.desktop:
        found.append(desktop.job(telling, runtime.options, env, click=route.click))
    if route.urls:
        found.append(push.job(telling, runtime.options, route.urls, env))
    return found


def command(telling: "Telling", route: "Route", records: "Records", env: "Mapping[str, str]") -> Job:
    """The user's command with its payload; how it ends is kept (DLV-2)."""
    return Job(
        routes.COMMAND,
        "",
        [SHELL, "-c", _AT_HOME, SHELL, route.command],
        telling.document().encode("utf-8", "replace"),
        environment(telling, env),
        route.timeout_s,
        lambda reason: records.command_ended(route.command, reason),
    )


def environment(telling: "Telling", env: "Mapping[str, str]") -> dict[str, str]:
    """A command's environment: ours, and the notice's; what has no value is not inherited (NTF-1).

    Nor is the pane that a hook or a daemon was started in: the command runs in none, ``TMA_PANE`` is the notice's.
    """
    removed = {*telling.removed, "TMUX_PANE"}
    return {name: text for name, text in env.items() if name not in removed} | telling.variables


def everything(runtime: "Runtime", telling: "Telling", runner: "Runner", records: "Records") -> list[Outcome]:
    """Tell through every sink and wait for all of them; what finds no slot is dropped."""
    route = routes.route(runtime.settings.notify, telling.trigger)
    outcomes = quick(runtime, telling, route)
    for job in slow(runtime, telling, route, records):
        outcome = job if isinstance(job, Outcome) else runner.start(job)
        if outcome is not None:
            outcomes.append(outcome)
    records.note(outcomes)
    ended = runner.finish()
    records.note(kept(ended))
    return outcomes + ended


def kept(ended: list[Outcome]) -> list[Outcome]:
    """What the records need of ended jobs: the child of push services wrote its own, unless it failed as a whole."""
    return [outcome for outcome in ended if outcome.sink != push.SINK or outcome.result != results.OK]
