"""What became of notices: a record for each sink, and the last failure of a command; all of it best effort (DLV-1).

The files lie in the runtime directory, are ours alone, and are replaced whole (PTH-6).
"""

import json
import posix
from typing import NamedTuple, TypeVar

from tma.adapters import files, owned
from tma.core.events.routes import NO_FAULT
from tma.core.text import clean
from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

T = TypeVar("T")

OK, FAILED, TIMEOUT, DROPPED, NESTED, NO_CLIENT = "ok", "failed", "timeout", "dropped", "nested", "no-client"

FINE = frozenset((OK, NESTED))
"""The results that are no trouble (NTT-4)."""

ERROR_FILE, RESULTS_FILE = "notify-error", "notify-results.json"
_LIMIT = 1 << 20
_MOST = 64
_FIELDS = ("at", "reason", "command")


class Outcome(NamedTuple):
    """How one sink took one notice; ``ok`` means accepted, not seen."""

    sink: str
    target: str
    result: str
    detail: str = ""


class Failure(NamedTuple):
    """The last failure of a notify command, at epoch ms (DLV-2)."""

    at: int
    reason: str
    command: str


class Records:
    """The two files of one user."""

    def __init__(self, env: "Mapping[str, str]", now_ms: "Callable[[], int]") -> None:
        """Find them by the environment; nothing is opened yet."""
        self.directory = files.runtime_dir(env)
        self._now_ms = now_ms

    def note(self, outcomes: "Iterable[Outcome]") -> None:
        """Keep the last success and the last trouble of each sink; what cannot be kept is lost (DLV-3, DLV-5)."""
        told = list(outcomes)

        def add(directory: int) -> None:
            kept = _kept(directory)
            for outcome in told:
                _note(kept, outcome, self._now_ms())
            _store(directory, kept)

        if told:
            self._inside(add)

    def confirm(self, termtype: str, forms: "Iterable[str]") -> None:
        """Keep which terminal sequences a person saw on a kind of terminal (NTT-3)."""

        def add(directory: int) -> None:
            kept = _kept(directory)
            kept["confirmed"][clean(termtype)] = sorted(forms)
            _store(directory, kept)

        self._inside(add)

    def command_ended(self, command: str, reason: str) -> None:
        """Keep why a command failed, or with no reason forget the failure before (DLV-2)."""
        values = zip(_FIELDS, (str(self._now_ms()), reason, command), strict=True)
        text = "".join(f"{name}={_one_line(value)}\n" for name, value in values)

        def keep(directory: int) -> None:
            if reason:
                owned.replace(ERROR_FILE, text.encode("utf-8", "replace"), dir_fd=directory)
            else:
                posix.unlink(ERROR_FILE, dir_fd=directory)

        self._inside(keep, make=bool(reason))

    def failure(self) -> Failure | None:
        """The last failure of a command, None where its last run was clean or nothing is known."""

        def read(directory: int) -> Failure | None:
            text = files.read_own(ERROR_FILE, _LIMIT, dir_fd=directory).decode("utf-8", "replace")
            values = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
            told = set(_FIELDS) <= values.keys() and values["at"].isdecimal()
            return Failure(int(values["at"]), values["reason"], values["command"]) if told else None

        return self._inside(read, make=False)

    def sinks(self) -> "list[dict[str, Any]]":
        """The records by sink and target, the one that changed last at the end (DLV-3)."""
        kept: list[dict[str, Any]] = self._read()["sinks"]
        return kept

    def confirmed(self) -> "dict[str, list[str]]":
        """The forms that a person has seen, by kind of terminal (NTT-3)."""
        kept: dict[str, list[str]] = self._read()["confirmed"]
        return kept

    def _read(self) -> "dict[str, Any]":
        return self._inside(_kept, make=False) or _empty()

    def _inside(self, work: "Callable[[int], T]", *, make: bool = True) -> "T | None":
        """Work in the runtime directory; what cannot be done there is left undone (DLV-5)."""
        try:
            directory = owned.private_dir(self.directory) if make else files.open_private(self.directory)
        except OSError:
            return None
        try:
            return work(directory)
        except (OSError, ValueError):
            return None
        finally:
            posix.close(directory)


def _empty() -> "dict[str, Any]":
    return {"sinks": [], "confirmed": {}}


def _kept(descriptor: int) -> "dict[str, Any]":
    """What the file says; damage and strangers' shapes count as nothing."""
    try:
        value = json.loads(files.read_own(RESULTS_FILE, _LIMIT, dir_fd=descriptor))
        sinks = [entry for entry in value["sinks"] if _is_entry(entry)]
        confirmed = {str(name): [str(form) for form in forms] for name, forms in value["confirmed"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return _empty()
    return {"sinks": sinks, "confirmed": confirmed}


def _is_entry(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("sink"), str):
        return False
    failure, times = entry.get("last_failure"), (entry.get("last_ok_at"), entry.get("failing_since"))
    told = failure is None or (isinstance(failure, dict) and isinstance(failure.get("at"), int))
    return told and all(at is None or isinstance(at, int) for at in times)


def _note(kept: "dict[str, Any]", outcome: Outcome, now: int) -> None:
    """The entry of a sink and its target, newest last; the oldest go where there are too many."""
    target = clean(outcome.target) or None
    entries = kept["sinks"]
    same = [entry for entry in entries if (entry["sink"], entry.get("target")) == (outcome.sink, target)]
    entry = same[0] if same else {"sink": outcome.sink, "target": target}
    for key in ("last_ok_at", "failing_since", "last_failure"):
        entry.setdefault(key, None)
    if outcome.result == OK:
        entry |= {"last_ok_at": now, "failing_since": None}
    else:
        told = {"at": now, "result": outcome.result, "detail": clean(outcome.detail)}
        began = entry["failing_since"]
        entry |= {"failing_since": began if outcome.result in NO_FAULT else began or now, "last_failure": told}
    kept["sinks"] = [*(other for other in entries if other is not entry), entry][-_MOST:]


def _store(descriptor: int, kept: "dict[str, Any]") -> None:
    owned.replace(RESULTS_FILE, jsonline.document(kept.items()).encode(), dir_fd=descriptor)


def _one_line(text: str) -> str:
    return clean(text) or " "
