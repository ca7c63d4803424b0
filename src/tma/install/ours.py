"""Which entry of an agent's configuration is ours: by its shape, never by its path (EDT-9)."""

WRAPPER = "tma-hook"


def command_of(agent: str, event: str, reference: str) -> str:
    """The command that reports an event."""
    return f"{reference} {agent} {event}"


def reference_in(command: object, agent: str, event: str = "") -> str:
    """The wrapper as one of our commands names it, "" for a command that is not ours.

    Without an event any event's command is ours.
    """
    if not isinstance(command, str):
        return ""
    head, _, last = command.rstrip().rpartition(" ")
    reference, _, name = head.rstrip().rpartition(" ")
    if name != agent or (event and last != event):
        return ""
    reference = unquoted(reference.strip())
    return reference if is_wrapper(reference) else ""


def reference_in_words(words: object) -> str:
    """The wrapper in an argument list of ours, else ""."""
    if isinstance(words, list) and words and isinstance(words[0], str) and is_wrapper(words[0]):
        return words[0]
    return ""


def is_wrapper(path: str) -> bool:
    """Whether a path names the wrapper."""
    return path.rpartition("/")[2] == WRAPPER


def unquoted(word: str) -> str:
    """A shell word without its quotes; one without quotes may hold blanks."""
    if len(word) > 1 and word[0] == word[-1] == '"':
        return word[1:-1]
    if len(word) > 1 and word[0] == word[-1] == "'":
        return word[1:-1].replace("'\\''", "'")
    return word
