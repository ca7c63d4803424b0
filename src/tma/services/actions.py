"""The actions: those that tma brings and the user's own, which replace them by name (ACTM-LOAD-1 to ACTM-LOAD-4)."""

import posix
from typing import NamedTuple

from tma.adapters import files
from tma.core.act import schema
from tma.core.errors import ManifestError
from tma.services.loading import MANIFEST_LIMIT, MOST_FILES, reason_of, toml_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from tma.core.act.schema import Action

BUNDLED = ("approve", "deny", "interrupt", "compact", "steer", "steer_now")
"""The actions that tma brings, in the order that lists show (ACTM-LOAD-1)."""

_BUNDLED_DIR = f"{__file__.rpartition('/services/')[0]}/data/actions"


class Actions(NamedTuple):
    """The usable actions in order, and by name the file and the error of each that is not."""

    usable: "list[Action]"
    broken: dict[str, tuple[str, str]]

    def named(self, name: str) -> "Action | None":
        """The usable action of exactly that name."""
        return next((action for action in self.usable if action.name == name), None)


def load(env: "Mapping[str, str]") -> Actions:
    """Every action.

    A broken user file takes the bundled action of its name with it, because the user may have
    narrowed it (ACTM-LOAD-4).

    Raises:
        ManifestError: a bundled one is broken.
    """
    actions: dict[str, Action] = {name: _bundled(name) for name in BUNDLED}
    broken: dict[str, tuple[str, str]] = {}
    directory = files.config_dir(env)
    for name, path in _user_files(f"{directory}/actions" if directory else "", broken):
        try:
            actions[name] = schema.parse(name, toml_of(files.read_trusted(path, MANIFEST_LIMIT)), "")
        except (OSError, ManifestError, ValueError) as error:
            broken[name] = (path, reason_of(error))
            actions.pop(name, None)
    return Actions(list(actions.values()), broken)


def _bundled(name: str) -> "Action":
    shown = f"<bundled>/{name}.toml"
    return schema.parse(name, toml_of(files.read_whole(f"{_BUNDLED_DIR}/{name}.toml", MANIFEST_LIMIT)), shown)


def _user_files(directory: str, broken: dict[str, tuple[str, str]]) -> list[tuple[str, str]]:
    """Stem and path of the user's files in load order; what is wrong with the directory is told of it.

    A directory that cannot be listed may hold a narrowed action, so it takes every bundled one with it.
    """
    if not directory or files.is_absent(files.signature(directory)):
        return []
    try:
        names = [name for name in posix.listdir(directory) if name.endswith(".toml") and not name.startswith(".")]
    except OSError as error:
        broken.update(dict.fromkeys(BUNDLED, (directory, reason_of(error))))
        return []
    names.sort(key=lambda name: name.encode("utf-8", "surrogateescape"))
    for name in names[MOST_FILES:]:
        broken[name.removesuffix(".toml")] = (f"{directory}/{name}", f"is beyond the first {MOST_FILES} files")
    return [(name.removesuffix(".toml"), f"{directory}/{name}") for name in names[:MOST_FILES]]
