"""The channel of agents that read a directory of programs or hook files: one file there is ours alone."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from tma.install.channel import ABSENT, CURRENT, STALE, Inspection
from tma.install.dialect import FaultError
from tma.install.wrapper import Reference


@dataclass(frozen=True)
class OwnFile:
    """A whole file: how it is written for a reference, and which reference one of ours holds, "" for a foreign file."""

    agent: str
    path: str
    written: Callable[[str], str]
    reference_in: Callable[[str], str]

    def install(self, data: bytes, reference: Reference) -> bytes:
        """Our file as this release writes it; a foreign one is never overwritten (ADP-7)."""
        text = self._ours(data) if data.strip() else ""
        if text and self._is_current(text, reference):
            return data
        return self.written(reference.word).encode()

    def uninstall(self, data: bytes, original: bytes | None) -> bytes | None:
        """No file, where it is ours; an empty one that was there before comes back."""
        self._ours(data)
        return original or None

    def inspect(self, data: bytes, reference: Reference) -> Inspection:
        """Whether the file is ours, of this release, and leads to the wrapper."""
        text = _text(data)
        if not text.strip():
            return Inspection(ABSENT)
        word = self.reference_in(text)
        if not word:
            return Inspection(ABSENT, [f"{self.agent}: {self.path} is not tma's file"])
        if self._is_current(text, reference):
            return Inspection(CURRENT)
        if text == self.written(word):
            return Inspection(STALE, [f"{self.agent}: {self.path} names {word}, which is not the wrapper"])
        return Inspection(STALE, [f"{self.agent}: {self.path} is of another release of tma"])

    def _is_current(self, text: str, reference: Reference) -> bool:
        word = self.reference_in(text)
        return reference.is_current(word) and text == self.written(word)

    def _ours(self, data: bytes) -> str:
        text = _text(data)
        if not self.reference_in(text):
            message = "this file is not tma's; it is left alone"
            raise FaultError(message, 1)
        return text


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def literal(word: str) -> str:
    """A text as a JavaScript or JSON string."""
    return json.dumps(word, ensure_ascii=False)
