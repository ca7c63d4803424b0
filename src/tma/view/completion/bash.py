"""The completion script for bash, 3.2 or newer.

Live values go word by word through ``printf %q`` and never through ``compgen -W``, which would
run a ``$(…)`` in a session's name.
"""

from tma.view.completion import tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from tma.view.completion.tree import Node, Option, Program

_HEAD = """\
# tma completions for bash. In ~/.bashrc: source <(tma completions bash)
_tma_offer() {
    local value quoted
    while IFS= read -r value; do
        [[ $value == "$cur"* ]] || continue
        printf -v quoted %q "$value"
        COMPREPLY+=("$quoted")
    done
}
_tma_list() {
    local value
    for value in "$@"; do [[ $value == "$cur"* ]] && COMPREPLY+=("$value"); done
}
_tma_states() {
    local done_part= value
    [[ $cur == *,* ]] && done_part=${cur%,*},
    for value in "$@"; do [[ $done_part$value == "$cur"* ]] && COMPREPLY+=("$done_part$value"); done
}
_tma() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word path= i
    COMPREPLY=()
    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
    [[ $cur == = ]] && cur=
"""
_PATH = """\
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        case $word in
        {valued})
            [[ ${{COMP_WORDS[i+1]}} == = ]] && ((i++))
            ((i++)) ;;
        -*) ;;
        *) path+=" $word" ;;
        esac
    done
"""
_TAIL = """\
}
complete -F _tma tma
"""


def script(program: "Program") -> str:
    """The script."""
    # A verb stands before its command, whose pattern takes every path that begins like it.
    nodes = sorted(program.nodes, key=lambda pair: not pair[0].count(" "))
    values = [_values(path, node.all_options) for path, node in nodes]
    words = [_words(path, node) for path, node in nodes]
    commands = " ".join(node.name for node in program.commands)
    plain = " ".join(_names(program.options))
    return "".join(
        [
            _HEAD,
            _PATH.format(valued="|".join(program.valued)),
            "    case $path in\n",
            _values("", program.options),
            *values,
            "    esac\n    case $path in\n",
            f'    "") if [[ $cur == -* ]]; then _tma_list {plain}; else _tma_list {commands}; fi ;;\n',
            *words,
            "    esac\n",
            _TAIL,
        ]
    )


def _values(path: str, options: "Iterable[Option]") -> str:
    """What follows an option that takes a value."""
    cases = "".join(
        f"        {'|'.join(option.names)}) {_source(option)}; return ;;\n" for option in options if option.kind
    )
    return f"    {_pattern(path)})\n        case $prev in\n{cases}        esac ;;\n"


def _words(path: str, node: "Node") -> str:
    """What else may follow a command: its options, and its verbs or the values of its argument."""
    options = f"_tma_list {' '.join(_names(node.all_options))}"
    others = f"_tma_list {' '.join(verb.name for verb in node.verbs)}" if node.verbs else ""
    others = others or "; ".join(map(_source, node.arguments)) or options
    test = f'[[ $cur == -* || $path != " {path}" ]]'
    return f"    {_pattern(path)}) if {test}; then {options}; else {others}; fi ;;\n"


def _source(option: "Option") -> str:
    if option.kind in tree.LIVE:
        return f"_tma_offer < <(tma completions --values {option.kind} 2>/dev/null)"
    if option.kind == tree.STATES:
        return f"_tma_states {' '.join(option.choices)}"
    if option.kind == tree.CHOICES:
        return f"_tma_list {' '.join(option.choices)}"
    if option.kind in (tree.FILES, tree.DIRECTORIES):
        flag = "-f" if option.kind == tree.FILES else "-d"
        return f'_tma_offer < <(compgen {flag} -- "$cur")'
    return ":"


def _pattern(path: str) -> str:
    return f'" {path}"|" {path} "*' if path else '""'


def _names(options: "Iterable[Option]") -> list[str]:
    return [name for option in options for name in option.names]
