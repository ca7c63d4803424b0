"""The closed set of effects."""

import typing

from tma.core.act import effects


def test_every_effect_is_described_with_its_answer() -> None:
    """ACT-SEQ-1: the table in the module is the contract between the machine and its runner."""
    union = eval(effects.Effect, vars(effects)) if isinstance(effects.Effect, str) else effects.Effect  # noqa: S307
    named = {each.__name__ for each in typing.get_args(union)}
    described = {line.split("``")[1] for line in (effects.__doc__ or "").splitlines() if line.startswith("| ``")}
    assert named == described
