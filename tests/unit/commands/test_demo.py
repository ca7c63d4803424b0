"""The options of `tma demo`."""

import argparse

import pytest

from tma.commands import demo


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    """A parser with the command's options."""
    made = argparse.ArgumentParser(exit_on_error=False)
    demo.declare(made)
    return made


@pytest.mark.parametrize("text", ["0.1", "1", "20"])
def test_a_pace_within_bounds_is_taken(parser: argparse.ArgumentParser, text: str) -> None:
    """The bounds themselves are allowed (DEM-2)."""
    assert parser.parse_args(["--speed", text]).speed == float(text)


@pytest.mark.parametrize("text", ["0", "0.09", "20.1", "-1", "nan", "inf", "fast"])
def test_a_pace_out_of_bounds_is_refused(parser: argparse.ArgumentParser, text: str) -> None:
    """Anything but a number from 0.1 to 20 is a usage error (DEM-2, CLI-3)."""
    with pytest.raises(argparse.ArgumentError, match="no number from"):
        parser.parse_args(["--speed", text])


def test_nothing_given_means_the_normal_pace_and_attaching(parser: argparse.ArgumentParser) -> None:
    """The plain command shows the demo at speed 1 (DEM-1, DEM-4)."""
    args = parser.parse_args([])

    assert (args.speed, args.no_attach, args.stop) == (1.0, False, False)
