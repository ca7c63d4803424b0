"""Where our handlers stand in a ``hooks`` object: by groups, or right below their event (``flat``)."""

from collections.abc import Iterator
from dataclasses import dataclass

from tma.install.dialect import FaultError
from tma.install.jsonedit import Json
from tma.install.jsontree import ARRAY, OBJECT, Node, Tree
from tma.install.ours import reference_in

HOOKS = "hooks"


@dataclass(frozen=True)
class Layout:
    """How an agent writes hooks: flat or in groups, and the document's other members that it needs."""

    flat: bool = False
    head: tuple[tuple[str, Json], ...] = ()

    def entry(self, command: str) -> Json:
        """One element of an event's list."""
        if self.flat:
            return {"command": command}
        return {"hooks": [{"type": "command", "command": command}]}


IN_GROUPS = Layout()


@dataclass(frozen=True)
class Handler:
    """One of our handlers: its event, where it stands, and the wrapper as it names it."""

    event: str
    lists: tuple[Node, ...]
    indexes: tuple[int, ...]
    command: Node
    reference: str


def found(tree: Tree, agent: str, layout: Layout) -> Iterator[Handler]:
    """Every handler of ours, in the order of the text."""
    hooks = hooks_of(tree)
    for place, entry in enumerate(hooks.entries if hooks else ()):
        if hooks is None or entry.node.kind != ARRAY:
            continue
        event = entry.key or ""
        for index, element in enumerate(entry.node.elements()):
            if layout.flat:
                yield from _handler(event, agent, element, ((hooks, place), (entry.node, index)))
                continue
            inner = _list_in(element)
            for position, handler in enumerate(inner.elements() if inner else ()):
                if inner:
                    way = ((hooks, place), (entry.node, index), (inner, position))
                    yield from _handler(event, agent, handler, way)


def _handler(event: str, agent: str, node: Node, way: tuple[tuple[Node, int], ...]) -> Iterator[Handler]:
    for member in node.keyed("command") if node.kind == OBJECT else ():
        reference = reference_in(member.node.scalar, agent, event)
        if reference:
            lists, indexes = zip(*way, strict=True)
            yield Handler(event, lists, indexes, member.node, reference)


def _list_in(group: Node) -> Node | None:
    inner = [entry.node for entry in group.keyed(HOOKS)] if group.kind == OBJECT else []
    return inner[0] if len(inner) == 1 and inner[0].kind == ARRAY else None


def root_of(tree: Tree) -> Node:
    """The document's object.

    Raises:
        FaultError: it is none.
    """
    if tree.root is None:
        message = "there is nothing but comments"
        raise FaultError(message)
    if tree.root.kind != OBJECT:
        raise tree.fault(tree.root, f"an object is expected here, and this is {tree.root.words}")
    return tree.root


def hooks_of(tree: Tree) -> Node | None:
    """The object of hooks, None where there is none.

    Raises:
        FaultError: it is no object, or holds an event twice.
    """
    if tree.root is None:
        return None
    entry = tree.member(root_of(tree), HOOKS)
    if entry and entry.node.kind != OBJECT:
        raise tree.fault(entry.node, f'"hooks" must be an object, and this is {entry.node.words}')
    if entry:
        tree.refuse_doubles(entry.node)
    return entry.node if entry else None


def event_of(tree: Tree, hooks: Node, event: str) -> Node | None:
    """An event's list, None where there is none.

    Raises:
        FaultError: it is no list.
    """
    entry = tree.member(hooks, event)
    if entry and entry.node.kind != ARRAY:
        raise tree.fault(entry.node, f'"hooks.{event}" must be an array, and this is {entry.node.words}')
    return entry.node if entry else None
