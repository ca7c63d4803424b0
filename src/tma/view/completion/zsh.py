"""The completion script for zsh, 5 or newer; live values are added as they are, and zsh quotes them."""

from tma.view.completion import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tma.view.completion.tree import Node, Option, Program

_HEAD = """\
#compdef tma
# tma completions for zsh: save as _tma in a directory of $fpath, or in ~/.zshrc behind compinit:
# source <(tma completions zsh)
_tma_live() {
    local -a values
    values=("${(@f)$(tma completions --values $1 2>/dev/null)}")
    values=(${values:#})
    compadd -a values
}
"""
_TAIL = """\
if [[ ${funcstack[1]} == _tma ]]; then _tma "$@"; else compdef _tma tma; fi
"""


def script(program: "Program") -> str:
    """The script."""
    functions = [_function(path, node) for path, node in program.nodes]
    root = _dispatch("_tma", list(program.options), program.commands, "")
    return "".join([_HEAD, *functions, root, _TAIL])


def _function(path: str, node: "Node") -> str:
    name = _name(path)
    if node.verbs:
        return _dispatch(name, list(node.all_options), node.verbs, path)
    specs = [_option(option) for option in node.all_options] + [_argument(each) for each in node.arguments]
    return f"{name}() {{\n    _arguments -S \\\n{_lines(specs)}}}\n"


def _dispatch(name: str, options: "list[Option]", nodes: "tuple[Node, ...]", path: str) -> str:
    """A function that completes a command's name, and hands what follows it to that command's own."""
    described = "".join(f"        {_quote(_escaped(node.name) + ':' + node.summary)}\n" for node in nodes)
    known = "".join(f"    {node.name}) {_name(f'{path} {node.name}'.strip())} ;;\n" for node in nodes)
    specs = [*(_option(option) for option in options), _quote("1: :->command"), _quote("*:: :->rest")]
    return (
        f"{name}() {{\n    local state line context\n    local -A opt_args\n    local -a commands\n"
        f"    commands=(\n{described}    )\n"
        f"    _arguments -C -S \\\n{_lines(specs)}"
        "    case $state in\n    command) _describe command commands ;;\n"
        f"    rest) case $line[1] in\n{known}    esac ;;\n    esac\n}}\n"
    )


def _option(option: "Option") -> str:
    """One spec; several spellings exclude one another, as the parser takes one of them only."""
    shut = f"({' '.join(option.names)})"
    names = [f"{name}=" if option.kind and name.startswith("--") else name for name in option.names]
    spelled = "{" + ",".join(names) + "}" if len(names) > 1 else names[0]
    value = f":{_escaped(option.metavar)}:{_source(option)}" if option.kind else ""
    return f"{_quote(shut)}{spelled}{_quote(f'[{_escaped(option.help)}]{value}')}"


def _argument(option: "Option") -> str:
    return _quote(f"1:{_escaped(option.metavar)}:{_source(option)}")


def _source(option: "Option") -> str:
    """An action; one that begins with a blank is run with just its own words."""
    if option.kind in tree.LIVE:
        return f" _tma_live {option.kind}"
    if option.kind == tree.STATES:
        return f" _values -s , state {' '.join(option.choices)}"
    if option.kind == tree.CHOICES:
        return f"({' '.join(option.choices)})"
    return {tree.FILES: "_files", tree.DIRECTORIES: "_files -/"}.get(option.kind, "")


def _name(path: str) -> str:
    return "_tma_" + path.replace(" ", "_").replace("-", "_")


def _lines(specs: list[str]) -> str:
    return " \\\n".join(f"        {spec}" for spec in specs) + "\n"


def _escaped(text: str) -> str:
    for char in "\\:[]":
        text = text.replace(char, f"\\{char}")
    return text


def _quote(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
