"""Menu commands, without a server."""

import shlex

from tma.core.act import menu


def test_the_words_carry_what_the_menu_was_built_on() -> None:
    """ACT-MENU-3: episode and call; no call, no flag."""
    words = menu.fire_words(["/bin/tma"], ["--socket-name", "x"], "approve", "%5", episode=7, call="toolu_1")
    assert words == [
        "/bin/tma",
        "--socket-name",
        "x",
        "act",
        "approve",
        "--pane",
        "%5",
        "--from-menu",
        "--expect-episode-ms",
        "7",
        "--expect-pending-call",
        "toolu_1",
    ]
    assert "--expect-pending-call" not in menu.fire_words(["tma"], [], "approve", "%5", episode=7, call="")


def test_a_shell_reads_back_the_words() -> None:
    """SEC-X-2: quotes and blanks stay inside their word."""
    words = ["it's", 'a "b"', "$HOME", "a;b", ""]
    assert shlex.split(" ".join(map(menu.shell_quote, words))) == words


def test_hashes_are_doubled_for_each_expansion() -> None:
    """ACT-MENU-3: the menu expands once, run-shell once more."""
    assert "####{pane_id}" in menu.run_command(["#{pane_id}"])


def test_a_question_puts_no_first() -> None:
    """ACT-MENU-4, SEC-P-2: Enter fires nothing, and the confirmed words say yes."""
    asked = menu.confirmed_command(["tma", "act"], name="report", pane="%5", client="/dev/pts/3")
    assert asked.index("'No' n ''") < asked.index("'Yes' y ")
    assert "--yes" in asked
    assert "fire report on %5?" in asked
