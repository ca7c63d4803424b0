"""Rendering of ops to a script."""

from tma.adapters.tmux import write
from tma.core import guard, ops


def test_a_token_is_single_quoted_and_quotes_inside_are_closed_over() -> None:
    """ACT-Q-1: nothing else is escaped."""
    assert write.quote("it's") == "'it'\\''s'"
    assert write.quote("") == "''"
    assert write.quote("#(x) ; {") == "'#(x) ; {'"


def test_a_script_is_one_conditional_block() -> None:
    """WR-1: a writer that dies leaves a syntax error."""
    text = write.script("%1", [ops.put("@a", "x;"), ops.unset("@b")])
    assert text == "if-shell -F 1 {\nset-option -pq -t %1 @a 'x;'\nset-option -pqu -t %1 @b\n}\n"


def test_every_write_is_quiet() -> None:
    """WR-2: a dead pane in the chain is skipped."""
    chain = [ops.put("@a", "1"), ops.set_("@a", guard.opt("@b")), ops.unset("@a"), ops.scoped("-w", "", "@s", "x"),
             ops.scoped_put("-s", "", "@t", "1"), ops.unscoped("-w", "@2", "@s")]  # fmt: skip
    for line in write.lines("%1", chain):
        assert line.split()[1].startswith("-pq") or "-q" in line.split()[2]


def test_a_conditional_nests_its_ops_as_one_token() -> None:
    """CH-RESET: the list stands in one quoted argument."""
    (line,) = write.lines("%1", [ops.unless("1", [ops.put("@a", "it's"), ops.unset("@b")])])
    assert line == (
        "if-shell -F -t %1 '1' '' 'set-option -pq -t %1 @a '\\''it'\\''\\'\\'\\''s'\\'' ; set-option -pqu -t %1 @b'"
    )


def test_a_script_splits_only_between_panes_and_stays_under_its_bound() -> None:
    """WR-3: a pane's chain is never split; what closes the cycle rides the last part."""
    chain = [ops.put(f"@k{number}", "v" * 500) for number in range(40)]
    texts = write.scripts([(f"%{number}", chain) for number in range(10)], [ops.scoped_put("-s", "", "@p", "1")])
    assert len(texts) > 1
    assert all(len(text.encode()) <= write.MAX_SCRIPT for text in texts)
    assert "@p" in texts[-1]
    for number in range(10):
        assert sum(f" %{number} " in text for text in texts) == 1


def test_nothing_to_write_is_no_script() -> None:
    """RC-2: idle agents cost nothing."""
    assert write.scripts([]) == []
