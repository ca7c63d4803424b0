"""The command line of ``tma install-hooks``."""

from argparse import Namespace
from unittest.mock import sentinel

import pytest

from tma.commands import install_hooks
from tma.core.errors import UsageError


@pytest.mark.parametrize(
    "chosen",
    [
        {"all": True, "agent": "claude"},
        {"check": True, "uninstall": True},
        {},
        {"uninstall": True},
        {"agent": "claude", "statusline": True, "no_statusline": True},
    ],
)
def test_contradictions_touch_nothing(chosen: dict[str, object]) -> None:
    """IHK-2: an agent or --all or --check, and not two of them."""
    args = Namespace(
        **(
            {"all": False, "agent": None, "check": False, "uninstall": False, "yes": True}
            | {"statusline": False, "no_statusline": False}
            | chosen
        )
    )

    with pytest.raises(UsageError):
        install_hooks.run(args, sentinel.runtime)
