"""The status line: how many agents are in each class, for tmux, as plain text, as JSON and for Prometheus."""

from tma.core import stamp
from tma.core.state import BLOCKED, CLASSES, DONE, IDLE, UNKNOWN, WORKING, class_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tma.core.row import AgentRow

TMUX = "tmux"
PLAIN = "plain"
JSON = "json"
PROM = "prom"
FORMATS = (TMUX, PLAIN, JSON, PROM)

REPORTED = (WORKING, BLOCKED, IDLE, UNKNOWN, DONE)
"""The classes in the order of the JSON document and the samples (SJ-1, SJ-2)."""

ASCII_GLYPHS = {BLOCKED: "!", WORKING: "*", DONE: "+", IDLE: "-", UNKNOWN: "?"}
"""What stands for a glyph where the locale has no UTF-8 (A11Y-4)."""


def counts_of(classes: "Iterable[str]") -> dict[str, int]:
    """How many of each disjoint class there are (STA-1)."""
    counts = dict.fromkeys(CLASSES, 0)
    for name in classes:
        counts[name] += 1
    return counts


def counted(
    form: str, shown: "Iterable[tuple[str, bool]]", styles: "Mapping[str, tuple[str, str]]", *, ascii_only: bool
) -> str:
    """The counts of stored states and marks in one of the formats but that of samples (STA-2 to STA-4)."""
    counts = counts_of(class_of(state, marked=marked) for state, marked in shown)
    if form == JSON:
        return json_text(counts)
    styles = ascii_styles(styles) if ascii_only else styles
    return tmux_line(counts, styles) if form == TMUX else plain_line(counts, styles)


def ascii_styles(styles: "Mapping[str, tuple[str, str]]") -> dict[str, tuple[str, str]]:
    """Glyphs and colors with every glyph that is not ASCII replaced (A11Y-4)."""
    return {name: (glyph if glyph.isascii() else ASCII_GLYPHS[name], color) for name, (glyph, color) in styles.items()}


def tmux_line(counts: "Mapping[str, int]", styles: "Mapping[str, tuple[str, str]]") -> str:
    """Segments with a color and a range to click on, for ``status-right`` (STA-2).

    A ``#`` in a glyph is doubled: tmux expands what it is given.
    """
    segments = []
    for name in CLASSES:
        glyph, color = styles[name]
        if counts[name]:
            text = glyph.replace("#", "##") + str(counts[name])
            segments.append(f"#[range=user|tma:{name}]#[fg={color}]{text}#[norange]")
    return " ".join(segments)


def counting_line(styles: "Mapping[str, tuple[str, str]]") -> str:
    """A format that turns the letters which ``@tma_status`` holds into the same segments, for tmux itself to count.

    It is expanded here and once more where the option is shown, so a ``#`` of a glyph is doubled twice.
    """
    segments = []
    for name in CLASSES:
        glyph, color = styles[name]
        letter = stamp.class_letter(name)
        shown = _inside(glyph.replace("#", "####")) + stamp.times(letter, stamp.STATUS_LINE)
        segment = f" #[range=user|tma:{name}]#[fg={_inside(color)}]{shown}#[norange]"
        segments.append(f"#{{?#{{m:*{letter}*,#{{{stamp.STATUS_LINE}}}}},{segment},}}")
    return f"#{{s/^ //:{''.join(segments)}}}"


def _inside(text: str) -> str:
    """A text as a branch of a condition holds it."""
    return text.replace(",", "#,").replace("}", "#}")


def plain_line(counts: "Mapping[str, int]", styles: "Mapping[str, tuple[str, str]]") -> str:
    """The same glyphs and counts without any markup (STA-3)."""
    return " ".join(f"{styles[name][0]}{counts[name]}" for name in CLASSES if counts[name])


def json_text(counts: "Mapping[str, int]") -> str:
    """All five counts as a document (SJ-1)."""
    from tma.view import jsonline

    return jsonline.document([("counts", {name: counts[name] for name in REPORTED})])


def prom_text(rows: "Iterable[AgentRow]", now: int) -> str:
    """Prometheus text exposition: five counts and the age of every row's state (SJ-2, SJ-3)."""
    chosen = list(rows)
    counts = counts_of(row.shown_class for row in chosen)
    lines = ["# HELP tma_agents Agent panes by state.", "# TYPE tma_agents gauge"]
    lines += [f'tma_agents{{state="{name}"}} {counts[name]}' for name in REPORTED]
    lines += [
        "# HELP tma_agent_state_seconds Seconds since an agent pane entered its state.",
        "# TYPE tma_agent_state_seconds gauge",
    ]
    lines += [_age_sample(row, now) for row in chosen]
    return "".join(f"{line}\n" for line in lines)


def _age_sample(row: "AgentRow", now: int) -> str:
    age_ms = max(0, now - row.since) if row.since else 0
    labels = {"pane": row.pane, "agent": row.agent, "state": row.shown_class}
    inside = ",".join(f'{name}="{_label(value)}"' for name, value in labels.items())
    return f"tma_agent_state_seconds{{{inside}}} {age_ms // 1000}.{age_ms % 1000:03d}"


def _label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
