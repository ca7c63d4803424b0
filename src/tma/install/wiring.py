"""One agent's wiring: planned as a whole before a byte is written, then carried out or undone as a whole (ADP-8)."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from tma.core.errors import TmaError
from tma.install.apply import apply
from tma.install.backups import Backups
from tma.install.channel import ABSENT, CURRENT, STALE, Channel, Inspection
from tma.install.console import Console
from tma.install.dialect import FaultError, RefusedError, refusal
from tma.install.plan import Change
from tma.install.target import Target, read, refuse_unwritable, unnamed
from tma.install.wrapper import Reference

UNREADABLE = "cannot read"

WIRED, INCOMPLETE, NOT_INSTALLED = "wired", "incomplete", "not_installed"


@dataclass(frozen=True)
class Status:
    """One agent's wiring over all its channels, and a reason for each finding (CHK-1, CHK-2).

    ``carried`` says that something of ours is there: seen, or recorded in a file that cannot be
    read. ``vanished`` has a line for each file that lost what was installed there (CHK-5).
    """

    state: str
    reasons: list[str]
    carried: bool = False
    vanished: tuple[str, ...] = ()


def plan_install(channels: Sequence[Channel], reference: Reference) -> list[Change]:
    """The changes that wire an agent.

    Raises:
        RefusedError: one of the files cannot be edited.
    """
    return [_planned(channel, reference) for channel in channels]


def plan_uninstall(channels: Sequence[Channel], reference: Reference, backups: Backups) -> list[Change]:
    """The changes that take an agent's wiring out, to the byte where nobody else wrote since (EDT-12).

    The last file goes first, so that a directory made for the first one is empty in the end.

    Raises:
        RefusedError: one of the files cannot be edited.
    """
    return [change for channel in reversed(channels) if (change := _removal(channel, reference, backups))]


def status(channels: Sequence[Channel], reference: Reference, backups: Backups) -> Status:
    """What is wired, without writing anything."""
    found = [_inspected(channel, reference) for channel in channels]
    reasons = [reason for each in found for reason in each.reasons]
    states = {each.state for each in found}
    absent = [channel for channel, each in zip(channels, found, strict=True) if each.state == ABSENT]
    vanished = tuple(_vanished(channel) for channel in absent if _was_wired(channel, backups))
    if states == {ABSENT}:
        return Status(NOT_INSTALLED, reasons, vanished=vanished)
    if states == {CURRENT}:
        return Status(WIRED, reasons, carried=True)
    missing = [
        f"{channel.path}: no tma entries"
        for channel, each in zip(channels, found, strict=True)
        if each.state == ABSENT and not each.reasons and _vanished(channel) not in vanished
    ]
    unread = (channel for channel, each in zip(channels, found, strict=True) if each.state == UNREADABLE)
    carried = bool(states & {CURRENT, STALE}) or any(_was_wired(channel, backups) for channel in unread)
    return Status(INCOMPLETE, [*reasons, *vanished, *missing], carried, vanished)


def confirmed(changes: Sequence[Change], console: Console, question: str, *, enter_is_yes: bool | None = None) -> bool:
    """Show every change and ask once; nothing is asked where nothing is to be done (EDT-7)."""
    for change in changes:
        console.note(change.target.path + ("" if change.needed else ": already up to date"))
        if change.needed:
            console.show(change.diff(color=console.color))
    if not any(change.needed for change in changes) or console.ask(question, enter_is_yes=enter_is_yes):
        return True
    console.note("nothing was written")
    return False


def make(changes: Sequence[Change], backups: Backups, console: Console) -> None:
    """Make all changes or none.

    Raises:
        TmaError: one could not be made; those before it are undone.
    """
    done: list[Change] = []
    for change in changes:
        if not change.needed:
            continue
        try:
            outcome = apply(change, backups)
        except TmaError:
            _undo(done, backups)
            raise
        done.append(change)
        for remark in (f"the former file is kept in {outcome.backup}" if outcome.backup else "", *outcome.remarks):
            if remark:
                console.note(remark)


def forget(channels: Sequence[Channel], backups: Backups) -> None:
    """After an agent was unwired: what is gone from its files is no longer missed (CHK-5)."""
    for channel in channels:
        if _was_wired(channel, backups):
            with backups.locked(channel.path):
                backups.forget(read(channel.path).real)


def _undo(done: list[Change], backups: Backups) -> None:
    for change in reversed(done):
        target = read(change.target.path)
        if target.data != change.new:
            continue
        records = backups.records(target.real)
        made = records[-1].made if records else ()
        with suppress(TmaError):
            apply(Change(target, change.target.data, emptied=made, undoes=len(records) == 1), backups)


def _planned(channel: Channel, reference: Reference) -> Change:
    target = _target(channel)
    try:
        change = Change(target, channel.install(target.data or b"", reference))
    except FaultError as fault:
        raise refusal(target.path, fault) from None
    if change.needed:
        refuse_unwritable(target, change.diff())
    return change


def _removal(channel: Channel, reference: Reference, backups: Backups) -> Change | None:
    """None where nothing of ours is there."""
    target = _target(channel)
    if target.data is None:
        return None
    try:
        if channel.inspect(target.data, reference).state == ABSENT:
            return None
        change = _restored(channel, target, target.data, reference, backups)
    except FaultError as fault:
        raise refusal(target.path, fault) from None
    refuse_unwritable(target)
    return change


def _restored(
    channel: Channel, target: Target, data: bytes, reference: Reference, backups: Backups
) -> Change:  # one file's whole story
    exact = backups.original(target.real, data)
    if exact is not None:
        original, _ = exact
        if original is None or channel.inspect(original, reference).state == ABSENT:
            return Change(target, original, emptied=backups.made(target.real), undoes=True)
    first = next(iter(backups.records(target.real)), None)
    created = first is not None and not first.backup
    former = backups.at_first(target.real)
    if former and channel.inspect(former, reference).state != ABSENT:
        former = None
    new = channel.uninstall(data, former)
    if created and new is not None and not new.strip(b"{} \t\r\n"):
        new = None
    return Change(target, new, emptied=backups.made(target.real), undoes=True)


def _was_wired(channel: Channel, backups: Backups) -> bool:
    """Whether the record of a file still tells of an edit: taking the wiring out forgets it (EDT-8)."""
    try:
        real = read(channel.path).real if channel.path else ""
    except RefusedError:
        real = os.path.realpath(channel.path)
    return bool(real) and bool(backups.records(real))


def _vanished(channel: Channel) -> str:
    return f"{channel.path}: vanished: tma's entries were installed and somebody took them out, as a running agent may"


def _inspected(channel: Channel, reference: Reference) -> Inspection:
    try:
        target = _target(channel)
        return channel.inspect(target.data or b"", reference)
    except FaultError as fault:
        message = str(refusal(channel.path, fault))
    except RefusedError as error:
        message = str(error)
    return Inspection(UNREADABLE, [message if UNREADABLE in message else f"{UNREADABLE}: {message}"])


def _target(channel: Channel) -> Target:
    if not channel.path:
        raise unnamed()
    return read(channel.path)
