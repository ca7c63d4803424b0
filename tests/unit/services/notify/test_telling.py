"""What every sink is given."""

import json

from rows import HOSTILE_TITLE, NOW, row
from tma.core.events import alerts
from tma.services.notify import telling


def told(*, title: bool = False, **fields: object) -> telling.Telling:
    """A notice about a row, for the sinks."""
    return telling.of_notice(alerts.notice_of(row(**fields), "blocked", NOW), title=title)  # type: ignore[arg-type]


def test_the_place_leaves_out_what_is_not_known() -> None:
    """DSK-3."""
    assert told().place == "work:1.0"
    assert told(repo="shop", branch="main").place == "shop@main work:1.0"
    assert told(repo="shop").place == "shop work:1.0"


def test_a_log_line_is_the_payload_with_its_instant_second() -> None:
    """NTF-3: and hostile text is one line that parses."""
    line = told(repo=HOSTILE_TITLE).log_line()
    assert line.count("\n") == 1
    assert list(json.loads(line))[:3] == ["schema", "at", "agent"]
    assert json.loads(line)["repo"] == HOSTILE_TITLE


def test_the_kind_of_a_push_follows_the_trigger() -> None:
    """URL-2, DSK-3."""
    assert (told().kind, told().is_urgent, told().summary) == ("warning", True, "claude blocked")
    assert told()._replace(trigger="done").kind == "success"
    assert not told()._replace(trigger="done").is_urgent
    assert told()._replace(trigger=telling.COMPLETION).kind == "info"
