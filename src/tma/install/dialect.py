"""How a text file is written: encoding mark, line ends, positions; what is no text is refused."""

from dataclasses import dataclass

from tma.core.errors import TmaError

MAX_BYTES = 8 << 20
"""The largest file that is edited (EDT-2)."""

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class FaultError(ValueError):
    """A text cannot be edited; where it is known, the line and column count from 1, else they are 0."""

    def __init__(self, reason: str, line: int = 0, column: int = 0) -> None:
        """Keep the parts."""
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column


class RefusedError(TmaError):
    """A file is left as it is, and why (EDT-1)."""

    def __init__(self, path: str, reason: str, *, line: int = 0, column: int = 0, hint: str = "") -> None:
        """Put the place before the reason, as compilers do."""
        place = "".join(f":{number}" for number in (line, column) if number)
        super().__init__(f"{path}{place}: {reason}", hint)


def refusal(path: str, fault: FaultError) -> RefusedError:
    """The refusal of a file whose text has a fault."""
    return RefusedError(path, fault.reason, line=fault.line, column=fault.column)


@dataclass(frozen=True)
class Text:
    """A file's text without its byte order mark, and what a new line in it ends with."""

    text: str
    bom: bool
    eol: str

    def encode(self, text: str) -> bytes:
        """Another text in the same form."""
        return (_BOM if self.bom else b"") + text.encode()


def decode(data: bytes) -> Text:
    """The text of a file.

    Raises:
        FaultError: it is too large, or no UTF-8 text.
    """
    if len(data) > MAX_BYTES:
        message = f"cannot read: larger than {MAX_BYTES >> 20} MiB"
        raise FaultError(message)
    if data.startswith(_UTF16) or b"\0" in data:
        message = "cannot read: no UTF-8 text" + (", it looks like UTF-16" if data.startswith(_UTF16) else "")
        raise FaultError(message)
    bom = data.startswith(_BOM)
    try:
        text = data[len(_BOM) if bom else 0 :].decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "cannot read: no UTF-8 text"
        raise FaultError(message, line) from None
    ends = text.count("\r\n")
    return Text(text, bom, "\r\n" if 2 * ends > text.count("\n") else "\n")


def position(text: str, offset: int) -> tuple[int, int]:
    """The line and column of an offset, from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def fault_at(text: str, offset: int, reason: str) -> FaultError:
    """A fault at an offset."""
    return FaultError(reason, *position(text, offset))
