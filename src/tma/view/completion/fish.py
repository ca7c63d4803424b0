"""The completion script for fish, 3.4 or newer; what a command prints there is completed as it is, a line each."""

from tma.view.completion import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from tma.view.completion.tree import Node, Option, Program

_HEAD = """\
# tma completions for fish. In ~/.config/fish/completions/tma.fish: tma completions fish | source
function __tma_path
    set -l skip 0
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case {valued}
                set skip 1
            case '-*'
            case '*'
                echo $word
        end
    end
end
function __tma_at
    test "$(__tma_path)" = "$(string split ' ' -- $argv[1])"
end
function __tma_in
    set -l path (__tma_path)
    test "$path[1..2]" = "$argv[1]"; or test "$path[1]" = "$argv[1]"
end
complete -c tma -f
"""


def script(program: "Program") -> str:
    """The script."""
    lines = list(_options("", program.options))
    lines += [_verb("", node) for node in program.commands]
    for path, node in program.nodes:
        lines += [_verb(path, verb) for verb in node.verbs]
        lines += _arguments(path, node)
        lines += _options(path, tuple(each for each in node.all_options if each not in program.options))
    return _HEAD.format(valued=" ".join(program.valued)) + "".join(f"{line}\n" for line in lines)


def _verb(path: str, node: "Node") -> str:
    return f"complete -c tma -n {_quote(f'__tma_at {_quote(path)}')} -a {node.name} -d {_quote(node.summary)}"


def _arguments(path: str, node: "Node") -> "Iterator[str]":
    for argument in node.arguments:
        source = _source(argument)
        if source:
            yield f"complete -c tma -n {_quote(f'__tma_at {_quote(path)}')} {source}"


def _options(path: str, options: "tuple[Option, ...]") -> "Iterator[str]":
    where = f" -n {_quote(f'__tma_in {_quote(path)}')}" if path else ""
    for option in options:
        names = " ".join(_spelling(name) for name in option.names)
        value = f" -{'r' if option.kind == tree.FILES else 'x'} {_source(option)}".rstrip() if option.kind else ""
        yield f"complete -c tma{where} {names}{value} -d {_quote(option.help)}"


def _spelling(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _source(option: "Option") -> str:
    if option.kind in tree.LIVE:
        return f"-a {_quote(f'(tma completions --values {option.kind} 2>/dev/null)')}"
    words = " ".join(option.choices)
    if option.kind == tree.STATES:
        return f"-a {_quote(f'(__fish_append , {words})')}"
    if option.kind == tree.CHOICES:
        return f"-a {_quote(words)}"
    if option.kind == tree.FILES:
        return "-F"
    return f"-a {_quote('(__fish_complete_directories)')}" if option.kind == tree.DIRECTORIES else ""


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
