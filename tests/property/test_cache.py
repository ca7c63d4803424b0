"""A damaged cache file never changes what is loaded."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tma.core import config
from tma.services import cache

ROOTS = ["", "/nonexistent/config.toml"]
DOCUMENT = {
    "settings": config.parse({}),
    "agents": [{"name": "claude", "rules": [{"regex": "[é😀]"}]}],
    "skipped": [["/x", "\udcff"]],
    "config_error": "",
}


@pytest.fixture(scope="module")
def sealed() -> Iterator[bytes]:
    """A cache file with two absent roots, a present file and its directory."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "m.toml"
        path.touch()
        sources = [*map(cache.files.signature, ROOTS), cache.files.signature(str(path))]
        yield cache.seal(DOCUMENT, sources, [name])


def test_a_whole_file_gives_its_document(sealed: bytes) -> None:
    """Undecodable bytes of a path included (PTH-16)."""
    assert cache.proved(sealed, ROOTS) == DOCUMENT


@pytest.mark.parametrize("bits", [0x01, 0x20, 0x80])
def test_each_byte_counts(sealed: bytes, bits: int) -> None:
    """One bit of every byte in turn (PTH-16)."""
    for at in range(len(sealed)):
        damaged = sealed[:at] + bytes([sealed[at] ^ bits]) + sealed[at + 1 :]
        assert cache.proved(damaged, ROOTS) in (None, DOCUMENT)


@given(at=st.integers(min_value=0), bits=st.integers(min_value=1, max_value=255))
def test_a_changed_byte_is_refused_or_changes_nothing(sealed: bytes, at: int, bits: int) -> None:
    """At any place, in any bit (PTH-16)."""
    damaged = bytearray(sealed)
    damaged[at % len(sealed)] ^= bits

    assert cache.proved(bytes(damaged), ROOTS) in (None, DOCUMENT)


@given(at=st.integers(min_value=0))
def test_a_cut_file_is_refused(sealed: bytes, at: int) -> None:
    """At any length but the whole (PTH-16)."""
    assert cache.proved(sealed[: at % len(sealed)], ROOTS) is None


@given(st.binary())
def test_any_bytes_are_refused(content: bytes) -> None:
    """No exception leaves the proof (PTH-16)."""
    assert cache.proved(content, ROOTS) is None


@given(at=st.integers(min_value=0), content=st.binary(min_size=1, max_size=40))
def test_bytes_that_are_put_in_are_refused(sealed: bytes, at: int, content: bytes) -> None:
    """Two writers' bytes in one file are no document (PTH-16)."""
    place = at % (len(sealed) + 1)

    assert cache.proved(sealed[:place] + content + sealed[place:], ROOTS) in (None, DOCUMENT)
