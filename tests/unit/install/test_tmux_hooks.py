"""The texts of the server hooks, and how installed ones are judged."""

from tma.install.tmux_hooks import FOCUS, SELECT_PANE, SELECT_WINDOW, Entry, states, wanted


def test_each_hook_clears_the_pane_arrived_at_and_the_one_left() -> None:
    """TMH-1, TMH-2: the focus hook only where it is asked for; a path that needs quoting is not written."""
    texts = wanted("/opt/tma/bin/tma", focus=True)

    assert list(texts) == [SELECT_PANE, SELECT_WINDOW, FOCUS]
    assert all(text.startswith("set-option -pqu @agent_attention ; ") for text in texts.values())
    assert '":.{last}"' in texts[SELECT_PANE]
    assert "window_last_flag" in texts[SELECT_WINDOW]
    assert "[ -x /opt/tma/bin/tma ]" in texts[FOCUS]
    assert FOCUS not in wanted("", focus=False)
    assert "/opt" not in wanted("/opt/a b/tma", focus=False)[SELECT_PANE]


def test_a_hook_is_present_drifted_wiped_or_missing() -> None:
    """TMH-4, TMH-5: quotes and blanks do not count; a foreign entry is none of ours."""
    texts = wanted("", focus=False)
    respelled = texts[SELECT_PANE].replace('"', "").replace(" ; ", "   \\; ")
    foreign = Entry(SELECT_WINDOW, 0, "display-message hello")

    def judged(*entries: Entry, recorded: str = "") -> list[str]:
        return list(states(list(entries), texts, {recorded}).values())

    assert judged(Entry(SELECT_PANE, 0, respelled), foreign, recorded=SELECT_WINDOW) == ["present", "wiped"]
    assert judged(Entry(SELECT_PANE, 0, "set-option -pu @agent_attention"), foreign) == ["drifted", "missing"]
