"""A notice that nobody caused, to see what becomes of one: its command, every sink, or each terminal form (NTT-1)."""

import sys
from pathlib import Path
from typing import NamedTuple

from tma.adapters import child, files, system, terminal
from tma.core.events import alerts, routes
from tma.core.state import is_pane_id
from tma.core.text import clean
from tma.services.notify import deliver, push, results, screens, telling
from tma.services.notify.jobs import Job, Runner
from tma.services.notify.results import Outcome, Records
from tma.services.repos import Labels
from tma.view import banner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tma.adapters.tmux.audience import Viewer
    from tma.services.runtime import Runtime

PANE, AGENT, PLACE, PERCENT = "%0", "claude", "session:0.0", 80
FINE = results.FINE
"""The results that count as sent (NTT-4)."""

_CODE_DIGITS = 4
_STDERR_BYTES = 4096


class Tried(NamedTuple):
    """How a command took a sample: what it read, the command itself, its exit in words, what it said in error."""

    payload: str
    command: str
    exit: str
    stderr: str
    clean: bool


class Sent(NamedTuple):
    """One form sent to one terminal, with the code that a person may see there."""

    viewer: "Viewer"
    form: str
    code: str
    result: str
    size: int


def sample(runtime: "Runtime", trigger: str) -> "telling.Telling":
    """The sample notice of a trigger, about the current directory's repository."""
    notice = alerts.Notice(trigger, AGENT, PANE, at=runtime.now_ms())
    notice.locator, notice.context_pct = PLACE, PERCENT
    notice.episode_ms = notice.at
    here = str(Path.cwd())
    label = Labels().of([here])[here]
    if label is not None:
        notice.repo, notice.branch = label.repo, label.branch or ""
    return telling.of_notice(notice, title=runtime.settings.notify["include_title"])


def command(runtime: "Runtime", trigger: str) -> Tried | None:
    """Run the trigger's command on the sample, its output to ours; None where there is none (DBG-5)."""
    told = sample(runtime, trigger)
    route = routes.route(runtime.settings.notify, trigger)
    if not route.command:
        return None
    env = system.environment()
    job = deliver.command(told, route, Records(env, runtime.now_ms), env)
    try:
        done = child.run(job.argv, stdin=job.stdin, env=job.env, timeout_s=job.timeout_s)
    except (OSError, ValueError) as error:
        return _ended(job, route.command, f"spawn failed: {getattr(error, 'strerror', None) or error}", b"")
    sys.stdout.write(done.out.decode("utf-8", "replace"))
    late = f"timed out after {job.timeout_s}s" if done.timed_out else ""
    return _ended(job, route.command, late or (_words(done.code) if done.code else ""), done.err)


def every_sink(runtime: "Runtime", trigger: str) -> list[Outcome]:
    """Send the sample through every sink of the trigger, push services one by one (NTT-2)."""
    told = sample(runtime, trigger)
    route = routes.route(runtime.settings.notify, trigger)
    env = system.environment()
    records, runner = Records(env, runtime.now_ms), Runner(env)
    outcomes = deliver.quick(runtime, told._replace(pane=_own_pane()), route)
    for job in deliver.slow(runtime, told, route, records):
        if isinstance(job, Job) and job.sink == push.SINK:
            outcomes += _pushed(job)
            continue
        outcome = job if isinstance(job, Outcome) else runner.start(job)
        outcomes += [outcome] if outcome else []
    outcomes += runner.finish()
    records.note(outcome for outcome in outcomes if outcome.sink != push.SINK)
    return outcomes


def outcome_lines(outcomes: "Iterable[Outcome]") -> str:
    """A line for each: sink, target, result (NTT-2)."""
    return "".join(
        "\t".join(clean(part) for part in (each.sink, each.target or "-", each.result, each.detail)).rstrip() + "\n"
        for each in outcomes
    )


def live(runtime: "Runtime", wait: "Callable[[], None]") -> list[Sent]:
    """Send every form to every terminal, one after another; ``wait`` comes between two (NTT-3).

    Raises:
        TmaError: tmux failed.
    """
    seen = screens.look(runtime)
    key = files.short_hash(seen.socket_path)
    found = []
    for viewer in screens.people(seen):
        for _, form in routes.FORMS:
            code = system.nonce(_CODE_DIGITS)
            data = banner.sequence(form, "tma", code, key=key, pane=PANE)
            result = screens.write(viewer, data)
            found.append(Sent(viewer, form, code, result, len(data) if result in {*results.FINE, terminal.OK} else 0))
            wait()
    return found


def confirm(runtime: "Runtime", sent: "Iterable[Sent]", seen: set[str]) -> None:
    """Keep which forms a person saw, for each kind of terminal that was tried."""
    records = Records(system.environment(), runtime.now_ms)
    kinds: dict[str, list[str]] = {}
    for each in sent:
        forms = kinds.setdefault(each.viewer.termtype or each.viewer.termname, [])
        forms += [each.form] if each.code in seen else []
    for kind, forms in kinds.items():
        records.confirm(kind, set(forms))


def _ended(job: Job, command: str, reason: str, said: bytes) -> Tried:
    if job.ended:
        job.ended(reason)
    stderr = said[:_STDERR_BYTES].decode("utf-8", "replace")
    return Tried(job.stdin.decode().strip(), command, reason or "exited 0", stderr, not reason)


def _words(code: int) -> str:
    return f"exited {code}" if code > 0 else f"killed by signal {-code}"


def _pushed(job: Job) -> list[Outcome]:
    """What the child of push services says of each; it must not be killed before its own deadline."""
    try:
        done = child.run(job.argv, stdin=job.stdin, env=job.env, timeout_s=job.timeout_s)
    except OSError as error:
        return [Outcome(job.sink, "", results.FAILED, f"spawn failed: {error.strerror}")]
    lines = [line.split("\t") for line in done.out.decode("utf-8", "replace").splitlines()]
    found = [Outcome(job.sink, *map(clean, fields)) for fields in lines if len(fields) == 3]  # noqa: PLR2004
    late = Outcome(job.sink, "", results.TIMEOUT, f"timed out after {job.timeout_s}s")
    return [*found, late] if done.timed_out else found


def _own_pane() -> str:
    own = system.env("TMUX_PANE")
    return own if is_pane_id(own) else PANE
