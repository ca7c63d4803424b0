"""The set of actions: bundled, replaced, added, broken."""

from pathlib import Path

import pytest

from tma.services import actions
from tma.services.actions import BUNDLED

KEYS = 'min_engine_version = "0.6"\nname = "{name}"\nlabel = "x"\nkind = "keys"\n[keys]\nclaude = ["9"]\n'


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Where the user's actions are."""
    made = tmp_path / "tma" / "actions"
    made.mkdir(parents=True)
    return made


def load(directory: Path) -> actions.Actions:
    """The actions of a user with that directory."""
    return actions.load({"XDG_CONFIG_HOME": str(directory.parent.parent)})


def test_the_bundled_actions_come_in_their_order() -> None:
    """ACTM-LOAD-1, ACT-BUN-1: none asks a question or leaves a mode, and both text actions keep their sigils."""
    found = actions.load({})
    assert [action.name for action in found.usable] == list(BUNDLED)
    assert found.broken == {}
    assert not any(action.confirm or action.leave_mode for action in found.usable)
    assert {action.sigils for action in found.usable if action.kind == "text"} == {("/", "!")}
    assert "cursor" not in {agent for action in found.usable for agent in action.agents}


def test_every_bundled_text_action_asserts_for_every_agent() -> None:
    """ACT-BUN-5, MAN-KEY-2: the state alone lets no line through."""
    for action in actions.load({}).usable:
        if action.kind == "text":
            assert all(action.screen[agent].present or action.screen[agent].absent for agent in action.agents)


def test_only_the_plain_permission_is_answered() -> None:
    """STO-8, SEC-A-8, ACT-BUN-2."""
    for name in ("approve", "deny"):
        action = actions.load({}).named(name)
        assert action is not None
        assert action.when is not None
        assert (action.when.state, action.when.detail) == (("blocked",), ("permission",))


def test_a_users_file_replaces_in_place_and_others_are_added(directory: Path) -> None:
    """ACTM-LOAD-1, ACTM-LOAD-2, MAN-LOAD-2: in the order of their bytes, hidden and other files left out."""
    for name in ("deny", "zz", "Aa", ".hidden"):
        (directory / f"{name}.toml").write_text(KEYS.format(name=name))
    (directory / "aa.toml").write_text(KEYS.format(name="aa"))
    (directory / "notes.txt").write_text("x")
    found = load(directory)
    assert [action.name for action in found.usable] == [*BUNDLED, "aa", "zz"]
    assert found.usable[1].keys == {"claude": ("9",)}
    assert list(found.broken) == ["Aa"]


@pytest.mark.parametrize("text", ["", "kind = ", KEYS.format(name="other"), "x" * 300_000])
def test_a_broken_file_takes_the_bundled_action_with_it(directory: Path, text: str) -> None:
    """ACTM-LOAD-4: the user may have narrowed it."""
    path = directory / "approve.toml"
    path.write_text(text)
    found = load(directory)
    assert found.named("approve") is None
    assert found.named("deny") is not None
    assert found.broken["approve"][0] == str(path)


@pytest.mark.parametrize("kind", ["writable", "open directory", "a directory"])
def test_a_file_that_others_may_change_is_broken(directory: Path, kind: str) -> None:
    """MAN-LOAD-3, SEC-F-7."""
    path = directory / "approve.toml"
    if kind == "a directory":
        path.mkdir()
    else:
        path.write_text(KEYS.format(name="approve"))
        (path if kind == "writable" else directory).chmod(0o777)
    assert load(directory).named("approve") is None


def test_files_beyond_the_limit_are_broken(directory: Path) -> None:
    """MAN-LOAD-3: reported, and never taken for the bundled action."""
    for number in range(201):
        (directory / f"a{number:03}.toml").write_text(KEYS.format(name=f"a{number:03}"))
    found = load(directory)
    assert list(found.broken) == ["a200"]


def test_a_directory_that_is_not_there_is_fine(tmp_path: Path) -> None:
    """MAN-LOAD-1."""
    assert len(actions.load({"HOME": str(tmp_path)}).usable) == len(BUNDLED)
