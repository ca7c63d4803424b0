"""The kept codes of patterns: believed only as they were written, and never in the way."""

import os
from pathlib import Path

import pytest

from tma.core.detect.regex import ENGINE, Codes
from tma.services import cache, codes
from users import IS_ROOT


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache directory of a user."""
    monkeypatch.setattr("posix.environ", {b"HOME": os.fsencode(tmp_path)})
    return tmp_path / ".cache/tma"


def learned(*patterns: str) -> Codes:
    """Codes of a process that has compiled these and kept them."""
    found = codes.opened()
    for pattern in patterns:
        found.compiled(pattern)
    codes.keep(found)
    return found


def unknown(*patterns: str) -> list[str]:
    """Which of these another process compiles anew."""
    found = codes.opened()
    for pattern in patterns:
        assert found.compiled(pattern).pattern == pattern
    return list(found.made)


def test_what_one_process_made_the_next_one_has(home: Path) -> None:
    """PTH-16: kept in a file of the user's alone, and added to."""
    assert unknown("a+", "b") == ["a+", "b"]
    assert not learned("a+").made
    assert unknown("a+", "b") == ["b"]
    learned("b")
    assert unknown("a+", "b") == []
    (file,) = home.iterdir()
    assert file.name == codes.NAME
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("cut", [0, 1, 20, -1])
def test_a_torn_file_is_none(home: Path, cut: int) -> None:
    """PTH-16: a checksum covers it; the next process makes it anew."""
    learned("a+")
    file = home / codes.NAME
    file.write_bytes(file.read_bytes()[:cut])
    assert unknown("a+") == ["a+"]
    learned("a+")
    assert unknown("a+") == []


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "{",
        "\xff",
        *(
            f'{{"engine":"{ENGINE}","patterns":{wrong}}}'
            for wrong in ("[]", '{"a+":7}', '{"a+":[32,0,1e999]}', '{"a+":"32 0 x"}', '{"a+":"32 100000000 1"}')
        ),
    ],
)
def test_a_whole_file_of_something_else_is_none(home: Path, text: str) -> None:
    """PTH-16: what it holds is checked as well, and the next process makes it anew."""
    learned("a+")
    (home / codes.NAME).write_bytes(cache.sealed(text.encode("latin-1")))
    assert unknown("a+") == ["a+"]
    learned("a+")
    assert unknown("a+") == []


def test_the_codes_of_another_engine_are_left_alone(home: Path) -> None:
    """Two versions of Python have a file each; one that stands under the wrong name is not believed."""
    learned("a+")
    file = home / codes.NAME
    document = cache.checked(file.read_bytes()).replace(ENGINE.encode(), b"cpython-39 1 4 big")
    file.write_bytes(cache.sealed(document))
    assert unknown("a+") == ["a+"]


def test_a_file_that_grew_too_large_begins_anew(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns of manifests that were changed would stay for ever."""
    learned("a" * 10)
    monkeypatch.setattr(codes, "LIMIT", (home / codes.NAME).stat().st_size + 10)
    learned("c" * 10)
    assert (home / codes.NAME).stat().st_size <= codes.LIMIT
    assert unknown("a" * 10, "c" * 10) == ["a" * 10]
    learned("d" * 200)
    assert unknown("c" * 10) == []


def test_a_file_of_another_size_is_not_read(home: Path) -> None:
    """A look must not wait for what no tma wrote."""
    learned("a+")
    file = home / codes.NAME
    file.write_bytes(cache.sealed(cache.checked(file.read_bytes()) + b" " * codes.LIMIT))
    assert unknown("a+") == ["a+"]


@pytest.mark.skipif(IS_ROOT, reason="root writes anywhere")
def test_a_directory_that_cannot_be_written_costs_time_only(home: Path) -> None:
    """PTH-16: nothing is said, nothing fails."""
    home.parent.mkdir(mode=0o500)
    assert not learned("a+").made
    assert unknown("a+") == ["a+"]


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """PTH-11: and nothing is written to where the process happens to be."""
    monkeypatch.setattr("posix.environ", {})
    monkeypatch.chdir(tmp_path)
    learned("a+")
    assert not list(tmp_path.iterdir())
    assert unknown("a+") == ["a+"]
