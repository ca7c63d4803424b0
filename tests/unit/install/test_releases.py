"""Which release of an agent is installed."""

from pathlib import Path

import pytest

from tma.install.agents import ADAPTERS
from tma.install.releases import installed, is_newer

DATA = Path(__file__).resolve().parents[3] / "src" / "tma" / "data" / "agents"


def program(path: Path) -> Path:
    """A program at a path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    return path


def test_an_npm_package_says_its_release_above_the_program(tmp_path: Path) -> None:
    """DOC-2: through the link on PATH; a package.json without a release is passed by."""
    real = program(tmp_path / "node_modules" / "@x" / "agent" / "dist" / "bundle" / "cli.js")
    (real.parent / "package.json").write_text('{"type": "module"}')
    (real.parents[2] / "package.json").write_text('{"name": "@x/agent", "version": "1.7.0-beta.1"}')
    link = tmp_path / "bin" / "agent"
    link.parent.mkdir()
    link.symlink_to(real)

    assert installed(str(link)) == "1.7.0-beta.1"


@pytest.mark.parametrize("path", ["share/claude/versions/2.1.400", "Cellar/agent/2.1.400/bin/agent"])
def test_a_path_may_carry_the_release(tmp_path: Path, path: str) -> None:
    """DOC-2: native programs and package managers."""
    assert installed(str(program(tmp_path / path))) == "2.1.400"


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, "[1]", '{"version": 3}', '{"version": "nightly"}'])
def test_what_nothing_tells_is_not_guessed(tmp_path: Path, text: str) -> None:
    """DOC-1: also of a program that is not there."""
    (tmp_path / "package.json").write_text(text)

    assert installed(str(program(tmp_path / "agent"))) == ""
    assert installed("") == ""


@pytest.mark.parametrize(
    ("release", "newer"),
    [
        ("2.1.333", True),
        ("2.1.332", False),
        ("2.1.200", False),
        ("10.0.0", True),
        ("2.1.332-beta.2", False),
        ("", False),
    ],
)
def test_a_release_is_newer_than_all_that_were_checked(release: str, newer: bool) -> None:  # noqa: FBT001
    """DOC-2: numbers are compared as numbers."""
    assert is_newer(release, ("2.1.197", "2.1.332")) is newer


def test_nothing_is_newer_than_rules_that_were_never_checked() -> None:
    """Cursor's rules were not checked on any release."""
    assert not is_newer("9.0.0", ())


@pytest.mark.parametrize("agent", ADAPTERS)
def test_the_manifests_say_the_same_releases(agent: str) -> None:
    """The head of each manifest names what its rules were checked on."""
    head = (DATA / f"{agent}.toml").read_text("utf-8").partition("\n")[0]

    assert all(release in head for release in ADAPTERS[agent].checked)
    assert bool(ADAPTERS[agent].checked) is ("Checked on" in head)


@pytest.mark.parametrize("agent", ADAPTERS)
def test_the_manifests_map_the_events_of_a_turn(agent: str) -> None:
    """WTR-1: an event that is waited for is one that is wired."""
    text = (DATA / f"{agent}.toml").read_text("utf-8")

    assert len(ADAPTERS[agent].turn) == 3
    assert all(f'event = "{event}"' in text for event in (*ADAPTERS[agent].turn, ADAPTERS[agent].asks) if event)
