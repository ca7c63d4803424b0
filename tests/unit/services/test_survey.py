"""What a survey starts with; what it finds is tested on real servers."""

from tma.services.survey import Survey


def test_a_survey_starts_empty() -> None:
    """DOC-1."""
    survey = Survey(5)

    assert (survey.now, survey.plans, survey.facts, survey.walk_error) == (5, [], None, "")
