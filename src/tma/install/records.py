"""Install records in the configuration directory, as small TOML files of our own (PTH-2)."""

import json
import posix
import tomllib
from pathlib import Path
from typing import Any

from tma.adapters import files, owned
from tma.core.errors import TmaError

_LIMIT = 1 << 20


def load(path: str) -> dict[str, Any]:
    """A record; one that cannot be read is empty."""
    try:
        return tomllib.loads(files.read_own(path, _LIMIT).decode())
    except (OSError, ValueError):
        return {}


def store(path: str, table: str, rows: list[dict[str, str | int]]) -> None:
    """Write a record of one table's rows; without rows it is removed.

    Raises:
        TmaError: it cannot be written.
    """
    try:
        if not rows:
            Path(path).unlink(missing_ok=True)
            return
        posix.close(owned.private_dir(str(Path(path).parent), missing=2))
        text = "".join(_row(table, row) for row in rows)
        owned.replace(path, f"# Written by tma.\n{text}".encode())
    except OSError as error:
        message = f"{path}: cannot write the install record: {error}"
        raise TmaError(message) from None


def _row(table: str, row: dict[str, str | int]) -> str:
    lines = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in row.items())
    return f"\n[[{table}]]\n{lines}"
