"""Which addresses count as an agent's HTTP interface."""

import pytest

from tma.core import endpoint


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://127.0.0.1:4096", ("http", "127.0.0.1", 4096, "")),
        ("http://LOCALHOST/api/v1", ("http", "localhost", 80, "/api/v1")),
        ("http://[::1]:80/", ("http", "[::1]", 80, "")),
        ("https://box.example", ("https", "box.example", 443, "")),
    ],
)
def test_an_address_is_read_into_its_parts(url: str, parts: tuple[object, ...]) -> None:
    """Host and port stand alone, the prefix without a bare slash (ACT-API-3)."""
    assert endpoint.parse(url) == parts


@pytest.mark.parametrize(
    "url",
    [
        "", "box:4096", "ftp://127.0.0.1", "http://", "http://user@127.0.0.1", "http://127.0.0.1?x=1",
        "http://127.0.0.1#x", "http://127.0.0.1/a b", "http://127.0.0.1\r\n", "http://bücher", "http://127.0.0.1:",
        "http://127.0.0.1:0", "http://127.0.0.1:65536", "http://127.0.0.1:8x", "http://127.0.0.1:999999999999999999",
        "http://[::1", "http://[::1]x", "http://[box]", "http://::1", "http://a\\b", "HTTP//x", "http://[::1]80",
    ],
)  # fmt: skip
def test_anything_else_is_no_address(url: str) -> None:
    """User parts, queries, fragments, blanks and broken hosts or ports are refused (ACT-API-3, FZ-15)."""
    assert endpoint.parse(url) is None


@pytest.mark.parametrize(
    ("host", "is_loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.8.7", True),
        ("localhost", True),
        ("[::1]", True),
        ("128.0.0.1", False),
        ("127.1", False),
        ("127.0.0.1.example", False),
        ("localhost.example", False),
        ("[::2]", False),
        ("1.127.0.0", False),
    ],
)
def test_only_this_machine_is_loopback(host: str, *, is_loopback: bool) -> None:
    """127.0.0.0/8, ``[::1]`` and ``localhost`` are this machine; what only looks like them is not (ACT-API-3)."""
    address = endpoint.parse(f"http://{host}")

    assert address is not None
    assert address.is_loopback is is_loopback
