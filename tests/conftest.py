"""Fixtures that hand out real tmux servers on private sockets."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from harness import TmuxServer, private_server, tmux_binaries, version_of

# The gate tries the same examples each time, so that what it says is about the change; scripts/fuzz
# searches for new ones.
settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("fuzz", derandomize=False, max_examples=20_000, deadline=None)
settings.load_profile("gate")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``any_server`` once on every tmux there is."""
    if "any_server" in metafunc.fixturenames:
        binaries = tmux_binaries()
        metafunc.parametrize("any_server", binaries, indirect=True, ids=[version_of(path) for path in binaries])


@pytest.fixture
def server() -> Iterator[TmuxServer]:
    """A server of the system's tmux; call ``start`` first."""
    with private_server(_system()) as started:
        yield started


@pytest.fixture
def any_server(request: pytest.FixtureRequest) -> Iterator[TmuxServer]:
    """A server of each tmux in turn; call ``start`` first."""
    with private_server(request.param) as started:
        yield started


def _system() -> str:
    binaries = tmux_binaries()
    if not binaries:
        pytest.fail("no tmux on PATH; scripts/test installs it")
    return binaries[0]
