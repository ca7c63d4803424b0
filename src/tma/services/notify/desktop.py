"""The desktop's own notifications: a helper, its words as arguments, and what it needs to work (DSK-1 to DSK-5)."""

import sys
from pathlib import Path
from typing import NamedTuple

from tma.adapters import child
from tma.adapters.tmux.client import find_binary
from tma.services import program
from tma.services.notify.jobs import Job
from tma.services.notify.results import Outcome
from tma.view import shellword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tma.services.cache import Options
    from tma.services.notify.telling import Telling

SINK = "desktop"
TIMEOUT_S = 10
_LOGIN_S = 2.0

OSASCRIPT = (
    "-e", "on run argv",
    "-e", "display notification (item 1 of argv) with title (item 2 of argv)",
    "-e", "end run",
)  # fmt: skip
"""A constant program: the words are its arguments, and no text of anybody becomes AppleScript."""

POWERSHELL = (
    "[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime];"
    "$m=[Windows.UI.Notifications.ToastNotificationManager];"
    "$x=$m::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02);"
    "$t=$x.GetElementsByTagName('text');"
    "[void]$t.Item(0).AppendChild($x.CreateTextNode($env:TMA_SUMMARY));"
    "[void]$t.Item(1).AppendChild($x.CreateTextNode($env:TMA_BODY));"
    "$m::CreateToastNotifier('tma').Show([Windows.UI.Notifications.ToastNotification]::new($x))"
)


class Words(NamedTuple):
    """What a helper says, and what a click runs, "" for nothing."""

    summary: str
    body: str
    urgent: bool
    click: str


def job(
    telling: "Telling", options: "Options", env: "Mapping[str, str]", *, click: bool, platform: str = sys.platform
) -> Job | Outcome:
    """The helper to run, or why there is none; the helper itself is not asked (DSK-4)."""
    names = _names(env, platform)
    found = {name: path for name in names if (path := find_binary(name, env.get("PATH", "")))}
    if not found:
        return Outcome(SINK, "", "no-helper", f"none of {', '.join(names)} is on PATH")
    name, path = next(iter(found.items()))
    trouble = _trouble(name, env, platform)
    if trouble:
        return Outcome(SINK, name, trouble)
    words = Words(_word(telling.summary), _word(telling.place), telling.is_urgent, _click(telling, options, on=click))
    more = {}
    if name == "powershell.exe":
        shared = ":".join(filter(None, (env.get("WSLENV", ""), "TMA_SUMMARY:TMA_BODY")))
        more = {"TMA_SUMMARY": words.summary, "TMA_BODY": words.body, "WSLENV": shared}
    return Job(SINK, name, [path, *_HELPERS[name](words)], b"", {**env, **more}, TIMEOUT_S)


def _names(env: "Mapping[str, str]", platform: str) -> tuple[str, ...]:
    if platform == "darwin":
        return ("terminal-notifier", "osascript")
    return ("wsl-notify-send.exe", "powershell.exe") if env.get("WSL_DISTRO_NAME") else ("notify-send",)


def _trouble(name: str, env: "Mapping[str, str]", platform: str) -> str:
    """What a helper lacks, so that a bare ssh login fails at once and waits for no bus."""
    if name == "notify-send":
        runtime = env.get("XDG_RUNTIME_DIR", "")
        bus = env.get("DBUS_SESSION_BUS_ADDRESS") or (runtime.startswith("/") and Path(runtime, "bus").is_socket())
        return "" if bus else "no-session-bus"
    if platform == "darwin" and not _has_desktop(env):
        return "no-gui-session"
    return ""


def _has_desktop(env: "Mapping[str, str]") -> bool:
    launchctl = find_binary("launchctl", env.get("PATH", "")) or "/bin/launchctl"
    try:
        return child.run([launchctl, "managername"], timeout_s=_LOGIN_S).out.strip() == b"Aqua"
    except OSError:
        return False


def _word(text: str) -> str:
    """A value that no helper takes for an option or a list (DSK-2)."""
    return f" {text}" if text[:1] in {"-", "["} else text


def _click(telling: "Telling", options: "Options", *, on: bool) -> str:
    """The command of a click: it goes to the pane, and answers nothing (DSK-5, NOT-1)."""
    if not on:
        return ""
    chosen = program.own_options(options)
    if "--client" in chosen:
        at = chosen.index("--client")
        del chosen[at : at + 2]
    return shellword.line([*program.own_words(), *chosen, "jump", "--pane", telling.pane]).strip()


def _notify_send(words: Words) -> list[str]:
    body = words.body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return ["--app-name=tma", "-u", "critical" if words.urgent else "normal", "--", words.summary, body]


def _terminal_notifier(words: Words) -> list[str]:
    execute = ["-execute", words.click] if words.click else []
    return ["-title", words.summary, "-message", words.body or " ", *execute]


_HELPERS: "dict[str, Callable[[Words], list[str]]]" = {
    "notify-send": _notify_send,
    "terminal-notifier": _terminal_notifier,
    "osascript": lambda words: [*OSASCRIPT, words.body, words.summary],
    "wsl-notify-send.exe": lambda words: ["--appId", "tma", "-c", words.summary, words.body],
    "powershell.exe": lambda _: ["-NoProfile", "-NonInteractive", "-Command", POWERSHELL],
}
