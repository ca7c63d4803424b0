"""A small program to complete, as tests of the completion scripts use it."""

from tma.view.completion import tree
from tma.view.completion.tree import Node, Option, Program

HELP = Option(("-h", "--help"), "", "show: [it's] help", tree.NOTHING)
CONFIG = Option(("--config",), "PATH", "a file", tree.FILES)
PANE = Option(("--pane",), "ID", "a pane", tree.PANES)
STATE = Option(("--state",), "LIST", "states", tree.STATES, ("idle", "done"))
FORMAT = Option(("--format",), "plain|json", "a format", tree.CHOICES, ("plain", "json"))
TEXT = Option(("-t", "--text"), "S", "a text", tree.ANYTHING)
NAME = Option((), "NAME", "an action", tree.ACTIONS)
WHERE = Option((), "PANE", "a pane", tree.PANES)

LOOK = Node("look", "Look at a pane.", "x debug look %1", (HELP,), (CONFIG,), (WHERE,), ())
PROGRAM = Program(
    (HELP, CONFIG),
    (
        Node("ls", "List: all.", "x ls", (HELP, PANE, STATE, FORMAT), (CONFIG,), (), ()),
        Node("act", "Act.", "x act", (HELP, TEXT), (CONFIG,), (NAME,), ()),
        Node("debug", "Look closer.", "x debug", (HELP,), (CONFIG,), (), (LOOK,)),
    ),
)
