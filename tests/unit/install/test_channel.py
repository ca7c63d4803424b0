"""What a channel says of itself."""

from tma.install.channel import ABSENT, CURRENT, STALE, summed_up


def test_a_channel_is_absent_current_or_stale() -> None:
    """CHK-1."""
    assert [summed_up(*each).state for each in ((0, 3, []), (3, 3, []), (2, 3, []), (3, 3, ["x"]))] == [
        ABSENT,
        CURRENT,
        STALE,
        STALE,
    ]
