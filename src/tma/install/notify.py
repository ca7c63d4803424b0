"""Codex's ``notify``: one root key of its TOML configuration, which may be somebody else's program (ADP-4)."""

import json
from dataclasses import dataclass
from typing import Any

from tma.install.channel import Inspection, summed_up
from tma.install.dialect import FaultError, Text, decode, position
from tma.install.ours import reference_in_words
from tma.install.tomledit import load, root_statements, with_root_key, without_root_key
from tma.install.wrapper import Reference

KEY = "notify"
_TAIL = ["codex", "notify"]


@dataclass(frozen=True)
class Notify:
    """The root key ``notify`` of ``config.toml``."""

    path: str
    agent: str = "codex"

    def install(self, data: bytes, reference: Reference) -> bytes:
        """With ``notify`` at the root; a foreign program is never replaced."""
        source = decode(data)
        value = load(source.text).get(KEY)
        if _is_ours(value):
            if reference.is_current(reference_in_words(value)):
                return data
        elif value is not None:
            raise _foreign(source, value)
        return source.encode(with_root_key(source, KEY, json.dumps([reference.word, *_TAIL], ensure_ascii=False)))

    def uninstall(self, data: bytes, original: bytes | None) -> bytes:  # noqa: ARG002  # the key says enough
        """Without our ``notify``."""
        source = decode(data)
        if not _is_ours(load(source.text).get(KEY)):
            return data
        return source.encode(without_root_key(source, KEY))

    def inspect(self, data: bytes, reference: Reference) -> Inspection:
        """Only a root key counts."""
        value = load(decode(data).text).get(KEY)
        ours = _is_ours(value)
        word = reference_in_words(value)
        reasons = []
        if ours and not reference.is_current(word):
            reasons = [f"codex notify: the command names {word}, which is not the wrapper"]
        elif value is not None and not ours:
            reasons = [f"codex notify: {self.path} runs another program"]
        return summed_up(int(ours), 1, reasons)


def _is_ours(value: Any) -> bool:  # noqa: ANN401  # any TOML value
    return bool(reference_in_words(value)) and value[1:] == _TAIL


def _foreign(source: Text, value: Any) -> FaultError:  # noqa: ANN401  # any TOML value
    place = next((each.start for each in root_statements(source.text) if each.key == KEY), 0)
    start = place + len(source.text[place:]) - len(source.text[place:].lstrip())
    shown = json.dumps(value, ensure_ascii=False, default=str)
    reason = f"notify runs another program already: {shown}; let that program run `tma-hook codex notify` too"
    return FaultError(reason, *position(source.text, start))
