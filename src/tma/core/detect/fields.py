"""Strict reading of a manifest's tables: types, unknown keys, and errors that name file and key."""

from tma.core.errors import ManifestError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import NoReturn

LONGEST_STRING = 1000


class Table:
    """One table of a manifest with its place in the file (MAN-LOAD-4)."""

    __slots__ = ("_data", "_file", "_path")

    def __init__(self, file: str, path: str, data: object, known: "Collection[str] | None") -> None:
        """Check that it is a table and holds no key but the known ones; None allows any."""
        self._file = file
        self._path = path
        if not isinstance(data, dict):
            self.refuse("", f"is {kind_of(data)}, not a table")
        self._data: dict[str, object] = data
        for key in data:
            if known is not None and key not in known:
                self.refuse(key, f"unknown key (known: {', '.join(sorted(known))})")

    def __contains__(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._data

    def refuse(self, key: str, reason: str) -> "NoReturn":
        """Raise the error for a key of this table, or for the table itself."""
        line = ": ".join(part for part in (self._file, self._place(key), reason) if part)
        # A key may hold anything; the line goes to a terminal.
        raise ManifestError("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line))

    def names(self) -> list[str]:
        """Every key, in file order."""
        return list(self._data)

    def table(self, key: str, known: "Collection[str] | None" = None) -> "Table":
        """A table inside this one; it must be there."""
        return self.inner(key, self._required(key), known)

    def inner(self, key: str, value: object, known: "Collection[str] | None") -> "Table":
        """A value of this table, or of an array in it, as a table."""
        return Table(self._file, self._place(key), value, known)

    def tables(self, key: str, known: "Collection[str]") -> "list[Table]":
        """An array of tables, empty when it is not there."""
        items = self._data.get(key, [])
        if not isinstance(items, list):
            self.refuse(key, f"is {kind_of(items)}, not an array of tables")
        return [self.inner(f"{key}[{index}]", item, known) for index, item in enumerate(items)]

    def raw(self, key: str) -> object:
        """A value of any type; it must be there."""
        return self._required(key)

    def text(self, key: str, default: str | None = None) -> str:
        """A string within the limit; without a default it must be there."""
        if default is not None and key not in self._data:
            return default
        return self.checked_text(key, self._required(key))

    def checked_text(self, key: str, value: object) -> str:
        """The value as a string within the limit."""
        if not isinstance(value, str):
            self.refuse(key, f"is {kind_of(value)}, not a string")
        if len(value) > LONGEST_STRING:
            self.refuse(key, f"is longer than {LONGEST_STRING} characters")
        return value

    def texts(self, key: str) -> list[str]:
        """An array of strings, empty when it is not there."""
        values = self._data.get(key, [])
        if not isinstance(values, list):
            self.refuse(key, f"is {kind_of(values)}, not an array of strings")
        return [self.checked_text(f"{key}[{index}]", value) for index, value in enumerate(values)]

    def flag(self, key: str) -> bool:
        """A boolean, false when it is not there."""
        value = self._data.get(key, False)
        if not isinstance(value, bool):
            self.refuse(key, f"is {kind_of(value)}, not true or false")
        return value

    def integer(self, key: str, default: int) -> int:
        """An integer; a boolean is none."""
        value = self._data.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool):
            self.refuse(key, f"is {kind_of(value)}, not an integer")
        return value

    def one_of(self, key: str, offered: "Collection[str]") -> str:
        """A string out of a closed set; it must be there."""
        value = self.text(key)
        if value not in offered:
            self.refuse(key, f"{value!r} is none of {', '.join(sorted(offered))}")
        return value

    def all_of(self, key: str, offered: "Collection[str]") -> list[str]:
        """An array of strings out of a closed set."""
        values = self.texts(key)
        for index, value in enumerate(values):
            if value not in offered:
                self.refuse(f"{key}[{index}]", f"{value!r} is none of {', '.join(sorted(offered))}")
        return values

    def _place(self, key: str) -> str:
        return ".".join(part for part in (self._path, key) if part)

    def _required(self, key: str) -> object:
        if key not in self._data:
            self.refuse(key, "is missing")
        return self._data[key]


def kind_of(value: object) -> str:
    """The name of a value's type in the words of TOML."""
    names = {bool: "a boolean", int: "an integer", float: "a float", str: "a string", list: "an array", dict: "a table"}
    return names.get(type(value), "a date or time")
