"""What command lines say to the general parser, and what it refuses."""

import pytest

from tma.cli import args, table
from tma.core.errors import UsageError

NAMES = [command.name for command in table.COMMANDS]
VISIBLE = [command.name for command in table.visible()]


def parsed(*words: str) -> dict[str, object]:
    """The attributes of a parsed line; its first known command name is the command."""
    command = next(found for word in words if (found := table.named(word)))
    return vars(args.parse(list(words), command))


def refused(*words: str) -> str:
    """Why a line is refused."""
    with pytest.raises(UsageError) as refusal:
        parsed(*words)
    assert refusal.value.exit_code == 2
    return str(refusal.value)


def help_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a help option prints."""
    with pytest.raises(SystemExit) as end:
        parsed(*words)
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ("--config", "c", "--socket-name=n", "--debug-timing", "ls"),
        ("ls", "--config", "c", "--socket-name=n", "--debug-timing"),
        ("--config=c", "ls", "--debug-timing", "--socket-name", "n"),
    ],
)
def test_global_options_mean_the_same_before_and_after_the_command(words: tuple[str, ...]) -> None:
    """CLI-2, section 2 of cli.md."""
    found = parsed(*words)

    assert (found["config"], found["socket_name"], found["debug_timing"]) == ("c", "n", True)
    assert not {"socket_path", "manifest_dir", "client"} & found.keys()


def test_global_options_reach_a_verb_from_three_places() -> None:
    """CLI-2: before the command, after it, and after its verb."""
    for words in (
        ("--config", "c", "debug", "explain", "%1"),
        ("debug", "--config", "c", "explain", "%1"),
        ("debug", "explain", "%1", "--config", "c"),
    ):
        assert parsed(*words)["config"] == "c"


@pytest.mark.parametrize(
    "words",
    [
        ("ls", "--pane", "%1", "--pane", "%1"),
        ("--config", "a", "ls", "--config=a"),
        ("ls", "--state", "idle", "--state", "done"),
        ("debug", "--config", "a", "explain", "%1", "--config", "b"),
        ("ls", "-c", "x", "--client", "y"),
    ],
)
def test_a_single_value_option_given_twice_is_refused(words: tuple[str, ...]) -> None:
    """CLI-2."""
    assert "was given twice" in refused(*words)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("ls", "--jso"), "--jso"),
        (("ls", "surplus"), "surplus"),
        (("ls", "--", "--json"), "--json"),
        (("--json", "ls"), "--json"),
        (("ls", "--pane", "5"), "'5'"),
        (("ls", "--pane", "%"), "'%'"),
        (("ls", "--pane", "#{pane_id}"), "'#{pane_id}'"),
        (("ls", "--pane", "%1234567890"), "'%1234567890'"),
        (("ls", "--pane", "%١"), "'%١'"),
        (("status", "--format", "xml"), "'xml'"),
        (("ls", "--state", "busy"), "'busy'"),
        (("ls", "--state"), "--state"),
        (("ls", "--agent", ""), "--agent"),
        (("ls", "--socket-name="), "--socket-name"),
        (("ls", "--socket-name", "a", "--socket-path", "b"), "--socket-path"),
        (("--socket-name", "a", "ls", "--socket-path", "b"), "--socket-name"),
        (("debug", "explain"), "PANE"),
        (("debug",), "VERB"),
        (("debug", "notify"), "'notify'"),
    ],
)
def test_a_refusal_names_the_option_or_value(words: tuple[str, ...], shown: str) -> None:
    """CLI-2, CLI-3, CLI-5, CLI-6, SEL-2: exit code 2 and the offending word."""
    assert shown in refused(*words)


@pytest.mark.parametrize("text", ["", "  ", "#{client_name}", "x#{y}"])
def test_an_unexpanded_client_counts_as_absent(text: str) -> None:
    """GLO-3."""
    assert parsed("ls", f"--client={text}")["client"] == ""
    assert parsed("ls", "-c", "/dev/pts/1")["client"] == "/dev/pts/1"


def test_selectors_become_a_selection() -> None:
    """SEL-1, SEL-2: on the commands that select."""
    selection = parsed(
        "ls", "--session", "a b", "--repo=r", "--branch", "HEAD", "--agent", "claude", "--state", "idle, done"
    )["selection"]

    assert isinstance(selection, args.Selection)
    assert (selection.session, selection.repo, selection.branch, selection.agent) == ("a b", "r", "HEAD", "claude")
    assert selection.states == {"idle", "done"}
    assert "selection" not in parsed("version")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str], name: str, flag: str) -> None:
    """CLI-4: on standard output, exit 0."""
    text = help_of(capsys, name, flag)

    assert text.startswith(f"usage: tma {name} [options]")
    assert f"example:\n  tma {name}" in text
    assert "--socket-path" in text


@pytest.mark.parametrize("verb", ["capture", "explain", "redact"])
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    """CLI-4."""
    assert f"example:\n  tma debug {verb}" in help_of(capsys, "debug", verb, "-h")


@pytest.mark.parametrize("words", [("-V", "ls"), ("ls", "--version"), ("debug", "explain", "-V")])
def test_the_version_is_told_anywhere(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """CLI-4, VSN-1."""
    assert help_of(capsys, *words) == "tma 0.1.0\n"


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_help_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """Help is read in narrow panes too: nothing but one long example passes the edge."""
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = args.Program().format_help().splitlines()
    for name in VISIBLE:
        lines += help_of(capsys, name, "--help").partition("\nexample:")[0].splitlines()

    assert [line for line in lines if len(line) > columns] == []


def test_the_programs_help_lists_the_visible_commands() -> None:
    """CLI-7: from the table alone."""
    text = args.Program().format_help()

    assert all(f"\n  {name} " in text for name in VISIBLE)
    assert not any(f"\n  {name} " in text for name in set(NAMES) - set(VISIBLE))


@pytest.mark.parametrize(
    "argv", [["--", "ls"], ["ls", "--"], ["--config", "c", "--", "ls"], ["ls", "--config", "c", "--"]]
)
def test_a_mark_that_ends_the_options_may_stand_anywhere(argv: list[str]) -> None:
    """CLI-2: also where nothing, or the command, follows it."""
    command = table.named("ls")
    assert command is not None
    assert args.parse(argv, command).json is False
