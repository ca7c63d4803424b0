"""The quickest safe way to search."""

from manifests import manifest, rule
from tma.core.detect.cost import cost_of
from tma.core.detect.search import Search, found


def test_a_linear_pattern_always_takes_pythons_search() -> None:
    """MAN-RX-5: no limit but the text's own."""
    search = Search("^x+y", cost_of("^x+y"))

    assert search.found("x" * 4096 + "y")
    assert search._automaton is None


def test_a_costly_pattern_takes_pythons_search_while_the_text_is_short() -> None:
    """MAN-RX-6: the way is chosen by the steps that the text could cost."""
    search = Search("a.*b.*c", cost_of("a.*b.*c"))

    assert search.found("a" * 50 + "bc")
    assert search._automaton is None
    assert not search.found("c" + "ab" * 2000)
    assert search._automaton is not None
    assert search.found("ab" * 2000 + "c")


def test_a_text_without_what_every_match_holds_is_not_searched() -> None:
    """MAN-RX-6: most rules miss most screens, and looking for a text is all it takes to know."""
    search = Search("a.*b.*c", cost_of("a.*b.*c"))

    assert not search.found("ab" * 2000)
    assert (search._automaton, search._compiled) == (None, None)


def test_the_lines_of_a_text_count_each_for_itself() -> None:
    """MAN-RX-6: a repeat that takes no newline reaches as far as a line."""
    search = Search("a.*b.*c", cost_of("a.*b.*c"))

    assert not search.found("c" + "ab\n" * 2000)
    assert search._automaton is None


def test_a_pattern_without_plan_never_takes_pythons_search() -> None:
    """MAN-RX-6: sixty characters are enough for a hang."""
    assert not Search("(a|a){40}b", cost_of("(a|a){40}b")).found("b" + "a" * 60)


def test_a_pattern_is_compiled_once_and_kept_with_its_manifest() -> None:
    """MAN-RX-7: first use compiles."""
    agent = manifest(rule("idle", "visible", "{ regex = 'a.*b.*c' }"))

    assert agent.searches == {}
    assert found(agent, "a.*b.*c", "a-b-c")
    kept = agent.searches["a.*b.*c"]
    assert not found(agent, "a.*b.*c", "c" + "ab" * 2000)
    assert agent.searches["a.*b.*c"] is kept
    assert kept._automaton is not None
