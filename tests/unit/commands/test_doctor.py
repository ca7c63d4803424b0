"""The command line of ``tma doctor``."""

from argparse import ArgumentParser

from tma.commands import doctor


def test_its_options_are_flags() -> None:
    """CDO-1, CDO-2."""
    parser = ArgumentParser()
    doctor.declare(parser)

    assert vars(parser.parse_args(["--json", "--exit-code"])) == {"json": True, "exit_code": True}
