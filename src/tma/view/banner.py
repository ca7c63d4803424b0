"""What a notice looks like: one line for tmux, and the byte sequences of terminals (MSG-1, OSC-4 to OSC-7)."""

from tma.core.text import clean, cut_bytes
from tma.view.text import cut

LINE_CELLS = 200
MAX_TEXT = 200
"""Bytes of the texts of one sequence together (OSC-4)."""

MAX_SEQUENCE = 400
"""Bytes of one sequence (OSC-3)."""

BEL = b"\a"
TERMINATOR = b"\a\x1b\\"
"""Ends any sequence that was cut short (OSC-3)."""

PROGRESS_ON, PROGRESS_OFF, PROGRESS_HELD = b"\x1b]9;4;3\a", b"\x1b]9;4;0\a", b"\x1b]9;4;4;100\a"
"""An agent works, none does, one waits for a person (PRG-1, PRG-4)."""

_PREFERRED = (
    ("kitty", ("99", "9")),
    ("ghostty", ("777", "9")),
    ("wezterm", ("777", "9")),
    ("iterm2", ("9",)),
    ("foot", ("99", "777")),
)
_MULTIPLEXERS = ("tmux", "screen")


def line(agent: str, state: str, *, title: str, pane: str) -> str:
    """The line that a client shows; its title stays on this host (MSG-1)."""
    where = f" \N{EM DASH} {title}" if clean(title).strip() else f" in {pane}"
    return cut(clean(f"tma: {agent} {state}{where}"), LINE_CELLS)


def forms_for(termtype: str, termname: str, enabled: tuple[str, ...]) -> tuple[str, ...]:
    """Which of the enabled forms a terminal gets: one that it knows, each where nobody knows it (OSC-5)."""
    named = (termtype or termname).lower()
    for word, known in _PREFERRED:
        if word in named:
            return next(((form,) for form in known if form in enabled), ())
    return enabled


def is_multiplexer(termtype: str, termname: str) -> bool:
    """Whether a client is itself shown inside tmux or screen (OSC-6)."""
    return termtype.lower().startswith(_MULTIPLEXERS) or termname.startswith(_MULTIPLEXERS)


def sequence(form: str, agent: str, state: str, *, key: str, pane: str) -> bytes:
    """One sequence of a form; a newer one of the same server and pane replaces an older where terminals can."""
    agent, state = _plain(agent, MAX_TEXT // 2), _plain(state, MAX_TEXT // 2)
    if form == "777":
        return f"\x1b]777;notify;{agent};{state}\a".encode()
    if form == "99":
        name = f"i=tma-{key}-{pane.removeprefix('%')}"
        return f"\x1b]99;{name}:d=0:p=title;{agent}\x1b\\\x1b]99;{name}:d=1:p=body;{state}\x1b\\".encode()
    return f"\x1b]9;{agent} {state}\a".encode()


def wrapped(data: bytes) -> bytes:
    """A sequence for the terminal outside of a multiplexer, if that lets it through (OSC-6)."""
    return b"\x1bPtmux;" + data.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"


def _plain(text: str, limit: int) -> str:
    """A text that cannot end its sequence or its field."""
    kept = "".join(char for char in clean(text) if char.isprintable()).replace(";", ",")
    return cut_bytes(kept, limit)
