"""The texts of the key bindings."""

import os
from pathlib import Path

import pytest

from tma.install.dialect import decode
from tma.install.keys import (
    BANNER,
    KEYS,
    LAUNCHER,
    MOUSE,
    conflicts,
    conflicts_in_file,
    findings,
    is_managed,
    left_out,
    marked,
    rendered,
    source_line,
    with_line,
    without_line,
)

LINE = source_line("/h/.config/tma", pinned=False)


def test_the_managed_file_holds_bindings_comments_and_the_launcher() -> None:
    """IKY-1, KEY-1, KEY-2: nothing else, so sourcing it twice is harmless."""
    lines = rendered(mouse=True, launcher=True, without=["h"]).splitlines()

    assert (lines[0], lines[1], lines[-1]) == (BANNER, "# left out: h", LAUNCHER)
    assert [line.split()[1] for line in lines if line.startswith("bind-key ")] == [
        *(key for key in KEYS if key != "h"),
        *["-n"] * len(MOUSE),
    ]
    assert left_out("\n".join(lines)) == ["h"]


def test_four_renderings_are_current() -> None:
    """IKY-5: less the keys that the comment names; without launcher or mouse only where they are wanted."""
    plain = rendered(mouse=False, launcher=False)

    assert findings(rendered(mouse=False, launcher=True, without=["h"]), mouse=False, launcher=True) == []
    assert findings(rendered(mouse=True, launcher=True), mouse=False, launcher=True) == []
    assert findings(plain, mouse=False, launcher=False) == []
    assert len(findings(plain, mouse=True, launcher=True)) == 2
    assert findings(plain + "bind-key z x\n", mouse=False, launcher=False) != []


def test_a_file_without_the_banner_is_not_ours() -> None:
    """IKY-2."""
    assert is_managed("")
    assert is_managed(rendered(mouse=False, launcher=True))
    assert not is_managed("set -g mouse on\n")


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("", f"{LINE}\n"),
        ("a\n", f"a\n{LINE}\n"),
        ("a", f"a\n{LINE}\n"),
        ("a\r\nb\r\n", f"a\r\nb\r\n{LINE}\r\n"),
        ("a \\\n", f"a \\\n\n{LINE}\n"),
        ("a \\", f"a \\\n\n{LINE}\n"),
        (f"a\n  {LINE}\nb\n{LINE}\n", f"a\n  {LINE}\nb\n"),
        ('source-file "/old/tmux.conf" # tma keys\nb\n', f"{LINE}\nb\n"),
        ("# source-file x # tma keys\n", f"# source-file x # tma keys\n{LINE}\n"),
    ],
)
def test_the_configuration_gets_exactly_one_line(text: str, new: str) -> None:
    """IKY-3, KYS-1: in the file's own line ends, never behind a backslash, duplicates reduced to one."""
    assert with_line(decode(text.encode()), LINE) == new
    assert marked(new) == [LINE]
    assert marked(without_line(decode(new.encode()))) == []


def test_a_pinned_directory_is_named() -> None:
    """IKY-3."""
    assert source_line("/d", pinned=True) == 'source-file "/d/tmux.conf" # tma keys'


def test_keys_that_somebody_uses_are_found() -> None:
    """KYS-2: in a server's list and in the lines of a configuration; our own are none."""
    listed = "bind-key    -T prefix h select-pane -L\nbind-key -r -T prefix j resize-pane\n"
    listed += "bind-key -T prefix a display-popup -E 'tma'\nbind-key -T copy-mode h x\n"

    assert conflicts(listed) == {"h": "select-pane -L", "j": "resize-pane"}


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("select-window -t =", False),
        ("switch-client -t =", False),
        ('display-menu -T "#[align=centre]#{window_index}:#{window_name}" -t = -x W', False),
        ("if-shell -F '#{m:tma:*,#{mouse_status_range}}' ''", False),
        ("run-shell my-click", True),
    ],
)
def test_clicks_that_tmux_itself_binds_are_free(command: str, taken: bool) -> None:  # noqa: FBT001
    """KYS-2: on every release; a person's own binding in the root table is not."""
    listed = f"bind-key  -T root MouseDown3Status     {command}\nbind-key -T copy-mode MouseDown3Status x\n"

    assert bool(conflicts(listed)) is taken


def test_a_click_can_be_left_out() -> None:
    """KYS-2: named in the comment like any key."""
    text = rendered(mouse=True, launcher=False, without=["h", "MouseDown3Status"])

    assert left_out(text) == ["h", "MouseDown3Status"]
    assert findings(text, mouse=True, launcher=False) == []
    assert "bind-key -n MouseDown3Status " not in text


def test_keys_are_found_in_files_once(tmp_path: Path) -> None:
    """KYS-2: ``bind``, ``bind-key``, ``-r``, quotes; included files once, tables of their own not."""
    conf, included = tmp_path / "tmux.conf", tmp_path / "more.conf"
    conf.write_text(
        f"bind -T prefix h select-pane -L\nbind -n j x\nbind-key -rT other g x\nsource-file {included}\n"
        "bind -n MouseDown1Status x\nbind -T root MouseDown3Status select-window -t =\nbind MouseDown3Status x\n"
    )
    included.write_text(f"bind-key -r 'b' resize-pane\nbind a run 'tma jump'\nsource {conf}\n")

    assert conflicts_in_file(conf) == {"h": "select-pane -L", "b": "resize-pane", "MouseDown1Status": "x"}


def test_an_included_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    """KYS-2: a FIFO that nobody writes to, a device without an end, the home of nobody."""
    conf, fifo = tmp_path / "tmux.conf", tmp_path / "fifo"
    os.mkfifo(fifo)
    conf.write_text(f"source-file {fifo}\nsource-file /dev/zero\nsource-file ~nobody-at-all/x\nbind h x\n")

    assert conflicts_in_file(conf) == {"h": "x"}
