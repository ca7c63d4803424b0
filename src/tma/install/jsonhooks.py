"""Our handlers in a ``hooks`` object: found, added, brought up to date and taken out.

Two layouts: an event's groups with handlers inside, or handlers right below the event (``flat``).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tma.install.dialect import Text, decode
from tma.install.handlers import HOOKS, IN_GROUPS, Handler, Layout, event_of, found, hooks_of, root_of
from tma.install.jsonedit import Block, Edit, Json
from tma.install.jsontree import ARRAY, OBJECT, Node, Tree, Value, parse, plain
from tma.install.ours import command_of


@dataclass(frozen=True)
class Wiring:
    """What is to be written: for which agent, which events, by which reference.

    ``is_current`` judges a reference that is there already (REF-5).
    """

    agent: str
    events: Sequence[str]
    reference: str
    is_current: Callable[[str], bool]


def handlers(data: bytes, agent: str, layout: Layout) -> list[Handler]:
    """Every handler of ours in a file.

    Raises:
        FaultError: the file cannot be read.
    """
    tree = _tree(decode(data))
    return list(found(tree, agent, layout))


def install(data: bytes, wiring: Wiring, layout: Layout) -> bytes:
    """The file with exactly one current handler for each event (EDT-10).

    Raises:
        FaultError: it cannot be edited.
    """
    source = decode(data)
    cleaned = _brought_up_to_date(source, wiring, layout)
    return source.encode(_completed(Text(cleaned, source.bom, source.eol), wiring, layout))


def uninstall(data: bytes, agent: str, layout: Layout, *, added_head: bool = False) -> bytes:
    """The file without our handlers, and without what they leave empty (EDT-11).

    ``added_head`` says that the document's other members were added by us.

    Raises:
        FaultError: it cannot be edited.
    """
    source = decode(data)
    tree = _tree(source)
    edit = Edit(tree, source.eol)
    _take_out(tree, edit, list(found(tree, agent, layout)))
    text = edit.text() if edit.changes else source.text
    text = _without_empty(text, source.eol, layout if added_head else IN_GROUPS)
    return source.encode(text)


def say_the_same(one: bytes, other: bytes) -> bool:
    """Whether two documents hold the same values, but for events and hooks without any entry."""
    return _value(one) == _value(other)


def _brought_up_to_date(source: Text, wiring: Wiring, layout: Layout) -> str:
    """Stale handlers rewritten in place; second ones and those of other events taken out."""
    tree = _tree(source)
    edit = Edit(tree, source.eol)
    superfluous: list[Handler] = []
    seen: set[str] = set()
    for handler in found(tree, wiring.agent, layout):
        if handler.event in seen or handler.event not in wiring.events:
            superfluous.append(handler)
            continue
        seen.add(handler.event)
        wanted = command_of(wiring.agent, handler.event, wiring.reference)
        if not wiring.is_current(handler.reference):
            edit.swap(handler.command, wanted)
    _take_out(tree, edit, superfluous)
    return edit.text() if edit.changes else source.text


def _completed(source: Text, wiring: Wiring, layout: Layout) -> str:
    """Handlers added where there is none."""
    if not source.text.strip(" \t\r\n"):
        source = Text(f"{source.text}{{}}{source.eol}", source.bom, source.eol)
    tree = _tree(source)
    edit = Edit(tree, source.eol)
    present = {handler.event for handler in found(tree, wiring.agent, layout)}
    missing = [event for event in wiring.events if event not in present]
    root = root_of(tree)
    for key, value in layout.head:
        if tree.member(root, key) is None and missing:
            edit.append(root, value, key)
    _add(tree, edit, missing, wiring, layout)
    return edit.text() if edit.changes else source.text


def _add(tree: Tree, edit: Edit, missing: list[str], wiring: Wiring, layout: Layout) -> None:
    def entry(event: str) -> Json:
        return layout.entry(command_of(wiring.agent, event, wiring.reference))

    root = root_of(tree)
    hooks = hooks_of(tree)
    if hooks is None:
        if missing:
            edit.append(root, Block({event: [entry(event)] for event in missing}), HOOKS)
        return
    for event in missing:
        there = event_of(tree, hooks, event)
        if there is None:
            edit.append(hooks, [entry(event)], event)
        else:
            edit.append(there, entry(event))


def _take_out(tree: Tree, edit: Edit, handlers_to_go: list[Handler]) -> None:
    """Drop handlers, then groups and events that they leave empty; comments keep their container."""
    going = {handler.command.start for handler in handlers_to_go}
    dropped: set[tuple[int, int]] = set()
    for handler in handlers_to_go:
        for container, index in zip(handler.lists, handler.indexes, strict=True):
            element = container.entries[index].node
            if not _goes(tree, element, going):
                continue
            if (container.start, index) not in dropped:
                dropped.add((container.start, index))
                edit.drop(container, index)
            break


def _goes(tree: Tree, node: Node, going: set[int]) -> bool:
    """Whether nothing but handlers that go is in a value: then it goes as a whole."""
    commands = [entry.node.start for entry in node.keyed("command")] if node.kind == OBJECT else []
    if commands:
        return set(commands) <= going
    if tree.has_comment(node):
        return False
    if node.kind == ARRAY:
        return bool(node.entries) and all(_goes(tree, each, going) for each in node.elements())
    if node.kind != OBJECT:
        return False
    inner = [entry.node for entry in node.keyed(HOOKS)]
    return len(inner) == 1 and _goes(tree, inner[0], going)


def _without_empty(text: str, eol: str, layout: Layout) -> str:
    """Without a ``hooks`` that holds nothing, and without the members of the layout that still say what it says."""
    tree = parse(text)
    if tree.root is None or tree.root.kind != OBJECT:
        return text
    edit = Edit(tree, eol)
    heads = {key: json.dumps(value) for key, value in layout.head}
    for index, entry in enumerate(tree.root.entries):
        node = entry.node
        is_empty = entry.key == HOOKS and node.kind == OBJECT and not node.entries and not tree.has_comment(node)
        if is_empty or (entry.key in heads and text[node.start : node.end] == heads[entry.key]):
            edit.drop(tree.root, index)
    return edit.text() if edit.changes else text


def _tree(source: Text) -> Tree:
    return parse(source.text)


def _value(data: bytes) -> Value:
    root = parse(decode(data).text).root
    if root is None or root.kind != OBJECT:
        return plain(root) if root else (OBJECT, ())
    members: list[tuple[str | None, Value]] = []
    for entry in root.entries:
        value = plain(entry.node)
        if entry.key == HOOKS and entry.node.kind == OBJECT:
            events = [each for each in entry.node.entries if each.node.kind != ARRAY or each.node.entries]
            value = OBJECT, tuple((each.key, plain(each.node)) for each in events)
            if not events:
                continue
        members.append((entry.key, value))
    return OBJECT, tuple(members)
