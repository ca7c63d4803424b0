"""The addresses of agents' HTTP interfaces that tma may talk to (ACT-API-3)."""

import ipaddress
from typing import NamedTuple

_NAME_CHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_")
_PORTS = {"http": 80, "https": 443}


class Endpoint(NamedTuple):
    """A checked address; ``host`` keeps the brackets of an IPv6 address, ``prefix`` its leading slash."""

    scheme: str
    host: str
    port: int
    prefix: str

    @property
    def is_loopback(self) -> bool:
        """Whether the host can only be this machine: 127.0.0.0/8, ``[::1]`` or ``localhost``."""
        if self.host in ("localhost", "[::1]"):
            return True
        try:
            return ipaddress.IPv4Address(self.host).is_loopback
        except ValueError:
            return False


def parse(url: str) -> Endpoint | None:
    """The parts of ``http[s]://HOST[:PORT][/PREFIX]``, or None where it is anything else.

    User parts, queries, fragments, blanks and characters beyond visible ASCII make it something else.
    """
    scheme, mark, rest = url.partition("://")
    if not mark or scheme not in _PORTS or any(not "!" <= char <= "~" or char in "@?#\\" for char in rest):
        return None
    authority, slash, prefix = rest.partition("/")
    host, port = _host_and_port(authority.lower())
    number = _port(port, _PORTS[scheme])
    if not number or not _is_host(host):
        return None
    return Endpoint(scheme, host, number, slash + prefix if prefix else "")


def _host_and_port(authority: str) -> tuple[str, str]:
    if authority.startswith("["):
        host, mark, port = authority.partition("]")
        return host + mark, port
    host, mark, port = authority.partition(":")
    return host, mark + port


def _port(text: str, usual: int) -> int:
    """The number of ``:PORT``, the usual one for an empty text, 0 for no port number."""
    if not text:
        return usual
    digits = text[1:]
    if text[0] != ":" or not digits.isdecimal() or len(digits) > 5:  # noqa: PLR2004
        return 0
    number = int(digits)
    return number if number < 2**16 else 0


def _is_host(host: str) -> bool:
    if not host.startswith("["):
        return bool(host) and _NAME_CHARS.issuperset(host)
    try:
        ipaddress.IPv6Address(host[1:-1])
    except ValueError:
        return False
    return host.endswith("]")
