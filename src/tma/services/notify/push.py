"""Push services: their URLs go to a short-lived child of our own, the only process that loads Apprise (URL-1 to URL-5).

A URL is a secret: it is in no argument list, and what is shown of it is its scheme and host.
"""

import posix
import re
from importlib.util import find_spec

from tma.adapters import files, system
from tma.core.settings import expanded
from tma.services import program
from tma.services.notify import results
from tma.services.notify.jobs import Job
from tma.services.notify.results import Outcome
from tma.view import jsonline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from tma.services.cache import Options
    from tma.services.notify.results import Records
    from tma.services.notify.telling import Telling

SINK = "urls"
TIMEOUT_S = 15
MISSING_EXTRA, BAD_URL = "missing-extra", "bad-url"
HINT = "pip install 'tma[notify]'"

_FILE_LIMIT = 1 << 16
_OTHERS_READABLE = 0o077
_HOST = re.compile(r"^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?$|^localhost(:\d+)?$", re.IGNORECASE)


def job(telling: "Telling", options: "Options", urls: tuple[str, ...], env: "Mapping[str, str]") -> Job:
    """The child that hands a notice on, each URL for itself."""
    body = "\n".join(filter(None, (telling.place, telling.title if telling.opted else "")))
    order = {"urls": list(urls), "title": telling.summary, "body": body or telling.pane, "type": telling.kind}
    argv = [*program.own_words(), *program.own_options(options), "notify", "push"]
    return Job(SINK, "", argv, f"{jsonline.encode(order)}\n".encode(), dict(env), TIMEOUT_S)


def serve(order: "dict[str, Any]", records: "Records") -> "Iterator[Outcome]":
    """Be that child: hand the notice to each service, and keep what became of it."""
    for index, entry in enumerate(order["urls"]):
        outcome = _sent(order, str(entry), index)
        records.note([outcome])
        yield outcome


def shown(url: str) -> str:
    """What may be shown of a URL: its scheme, and its host where that is a host's name and no token (URL-3)."""
    scheme, colon, rest = url.partition("://")
    if not colon:
        return "…"
    host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    return f"{scheme}://{host}/…" if _HOST.match(host) else f"{scheme}://…"


def resolved(entry: str) -> str:
    """The URL that an entry means: itself, a variable's, or the first line of a private file; "" for none (URL-3)."""
    kind, _, rest = entry.partition(":")
    if kind == "env":
        return system.env(rest).strip()
    if kind != "file":
        return entry
    path = expanded(rest.removeprefix("//") if rest.startswith("///") else rest, system.environment())
    try:
        if posix.stat(path, follow_symlinks=False).st_mode & _OTHERS_READABLE:
            return ""
        lines = files.read_own(path, _FILE_LIMIT).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return ""
    return lines[0].strip() if lines else ""


def _sent(order: "dict[str, Any]", entry: str, index: int) -> Outcome:
    url = resolved(entry)
    target = entry if entry.startswith(("env:", "file:")) else shown(url)
    try:
        import apprise  # type: ignore[import-not-found]
    except ImportError:
        return Outcome(SINK, target, MISSING_EXTRA, HINT)
    try:
        service = apprise.Apprise()
        if not url or not service.add(url):
            return Outcome(SINK, target, BAD_URL, f"urls[{index}]")
        taken = service.notify(title=order["title"], body=order["body"], notify_type=order["type"])
    except Exception as error:  # noqa: BLE001  # one service's fault stops no other; its text may hold the URL
        return Outcome(SINK, target, results.FAILED, type(error).__name__)
    return Outcome(SINK, target, results.OK if taken else results.FAILED, "" if taken else "not accepted")


def remarks(urls: tuple[str, ...], config: str) -> list[str]:
    """What is wrong with the push services before any is used: the library, secrets that others can read (URL-3)."""
    found = []
    if urls and find_spec("apprise") is None:
        found.append(f"✗ urls: {MISSING_EXTRA}: {HINT}")
    if any(not entry.startswith(("env:", "file:")) for entry in urls) and _is_readable_by_others(config):
        found.append(f"✗ urls: others can read their secrets in {config}: chmod 600, or use file:PATH")
    return found


def _is_readable_by_others(path: str) -> bool:
    try:
        return bool(posix.stat(path).st_mode & _OTHERS_READABLE)
    except (OSError, ValueError):
        return False
