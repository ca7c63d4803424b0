"""Each row of the threat tables has a test (SEC-TEST-1); the list is ``tests/threats.toml``."""

import ast
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "tests"
LIST = tomllib.loads((TESTS / "threats.toml").read_text(encoding="utf-8"))
INPUT_PATHS = 16
THREATS = 39
UNBUILT = {"people 14"}
PARTLY: set[str] = set()


def covered() -> dict[str, list[str]]:
    """The tests of each row that has some."""
    return {f"people {number}": tests for number, tests in LIST["people"].items()} | LIST["threats"]


def functions(path: Path) -> set[str]:
    """The test functions of a file, those of its classes included."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def exists(test: str) -> bool:
    """Whether a ``path::function`` is there."""
    name, _, function = test.partition("::")
    path = TESTS / name
    return path.is_file() and function in functions(path)


def test_every_row_has_a_test_or_is_not_built() -> None:
    """SEC-TEST-1: no row of either table is missing, and none has an empty list."""
    rows = covered()

    assert [row for row, tests in rows.items() if not tests] == []
    assert not set(rows) & set(LIST["unbuilt"])
    listed = set(rows) | set(LIST["unbuilt"])
    people = {f"people {number}" for number in range(1, INPUT_PATHS + 1)}
    assert {row for row in listed if row.startswith("people ")} == people
    assert len(listed - people) == THREATS


def test_every_named_test_exists() -> None:
    """SEC-TEST-1: a test that was renamed or removed leaves its row bare."""
    assert [test for tests in covered().values() for test in tests if not exists(test)] == []


def test_what_is_not_built_is_exactly_what_is_known() -> None:
    """A row leaves this list with its feature, and none enters it unseen; each has its reason."""
    assert set(LIST["unbuilt"]) == UNBUILT
    assert set(LIST["partly"]) == PARTLY
    assert set(covered()) >= PARTLY
    assert all([*LIST["unbuilt"].values(), *LIST["partly"].values()])


def test_a_forwarded_socket_is_documented() -> None:
    """SEC-B-4: whoever holds a forwarded socket is the account, and the page says so."""
    page = (ROOT / "docs" / "explanation" / "security.md").read_text(encoding="utf-8")

    assert "Forwarding or mounting the tmux socket" in page
