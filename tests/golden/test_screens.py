"""Captured and made-up screens read as the states that they show (MAN-FACT-3)."""

import pytest

from captures import (
    FIXTURES,
    ORDER,
    Fixture,
    a_few_of_each_claim,
    below_a_transcript,
    fits,
    live_tail,
    manifest,
    misread,
    of,
    one_of_each,
    plain,
    shown,
)
from tma.core.detect import rules

SCROLLBACK = 50


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_screen_at_its_height_and_title_reads_as_its_header_says(fixture: Fixture) -> None:
    """Every stored screen is classified right, with escapes and without (MAN-FACT-2, CAP-4, CAP-6)."""
    for lines in (list(fixture.lines), plain(fixture.lines)):
        claim = shown(fixture.agent, lines, fixture.height, fixture.title)
        assert fits(claim, fixture.expected), claim


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_screen_below_scrollback_reads_as_without_it(fixture: Fixture) -> None:
    """The lines above the screen that a capture brings along change nothing (CAP-1), not even dialogs."""
    for above in [*of(fixture.agent, "blocked")[:2], *of(fixture.agent, "idle")[:1]]:
        lines = [*above.lines[-SCROLLBACK:], *fixture.lines]
        claim = shown(fixture.agent, lines, fixture.height, fixture.title)
        assert fits(claim, fixture.expected), above.name


@pytest.mark.parametrize("agent", ORDER)
def test_a_dialog_quoted_above_a_composer_is_not_open(agent: str) -> None:
    """What a transcript quotes never blocks, whatever stands below it at least (MAN-FACT-2)."""
    by_tail = {live_tail(fixture): fixture for fixture in of(agent, "idle", "working")}
    assert misread(one_of_each(of(agent, "blocked")), list(by_tail.values()), list(by_tail)) == []


@pytest.mark.parametrize("agent", [name for name in ORDER if name != "opencode"])
def test_a_menu_quoted_above_a_composer_is_not_open(agent: str) -> None:
    """A quoted menu freezes nothing; opencode draws its menus anywhere over the rest (MAN-SCR-7)."""
    by_tail = {live_tail(fixture): fixture for fixture in of(agent, "idle", "working")}
    assert misread(one_of_each(of(agent, "freeze")), list(by_tail.values()), list(by_tail)) == []


@pytest.mark.parametrize("agent", ORDER)
def test_an_open_dialog_or_menu_is_told_from_the_one_quoted_above_it(agent: str) -> None:
    """A plan is no permission for what is quoted above it, nor a dialog a menu (MAN-FACT-2, STO-8)."""
    views = one_of_each(of(agent, "blocked", "freeze"))
    assert misread(a_few_of_each_claim(views), [fixture for fixture in views if below_a_transcript(fixture)]) == []


@pytest.mark.parametrize("agent", ORDER)
def test_a_composer_quoted_above_a_dialog_or_menu_does_not_hide_it(agent: str) -> None:
    """An open dialog or menu is found below a quoted composer (MAN-FACT-2)."""
    views = [fixture for fixture in one_of_each(of(agent, "blocked", "freeze")) if below_a_transcript(fixture)]
    assert misread(one_of_each(of(agent, "idle", "working"))[:12], views) == []


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda fixture: fixture.name)
def test_a_title_and_command_name_one_agent(fixture: Fixture) -> None:
    """Exactly one bundled manifest takes a capture for its own (MAN-ID-4, ID-9)."""
    if fixture.command == "bash" or not rules.title_matches(manifest(fixture.agent), fixture.title):
        pytest.skip("the agent has left, or has not set its title yet (MAN-ID-6)")
    names = [
        name
        for name in ORDER
        if fixture.command in manifest(name).process_names and rules.title_matches(manifest(name), fixture.title)
    ]
    if fixture.agent == "codex":
        assert not names or fixture.command == "codex", names  # its process is a child of the launcher (MAN-ID-5)
    else:
        assert names == [fixture.agent]


@pytest.mark.parametrize("agent", [name for name in ORDER if name != "cursor"])
def test_every_kind_of_screen_is_stored_at_two_widths(agent: str) -> None:
    """Captures of dialogs, turns and composers stand at two widths at least (MAN-FACT-3)."""
    real = [fixture for fixture in FIXTURES if fixture.agent == agent and not fixture.made]
    for state in ("blocked", "working", "idle"):
        widths = {fixture.name.rpartition("_w")[2] for fixture in real if fixture.expected.startswith(state)}
        assert len(widths) > 1, state
