"""Repositories read as files, and git where it must be asked."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tma.adapters import git

HASH = "0123456789abcdef0123456789abcdef01234567"
GIT = shutil.which("git")


def repository(place: Path, head: str = "ref: refs/heads/main\n") -> Path:
    """A directory with a ``.git`` that holds no more than a ``HEAD``."""
    (place / ".git").mkdir(parents=True)
    (place / ".git" / "HEAD").write_text(head)
    return place


def worktree(main: Path, place: Path, *, common: str = "../..\n") -> Path:
    """A linked worktree of ``main``, as git lays it out."""
    own = main / ".git" / "worktrees" / place.name
    own.mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/topic/x\n")
    (own / "commondir").write_text(common)
    place.mkdir(parents=True)
    (place / ".git").write_text(f"gitdir: {own}\n")
    return place


def label(place: Path | str) -> tuple[str, str | None, bool] | None:
    """The three fields of a directory's label."""
    found = git.find(str(place))
    return (found.label.repo, found.label.branch, found.label.worktree) if found else None


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feat/ünï-☕\n", "feat/ünï-☕"),
        (f"{HASH}\n", "HEAD"),
        (f"{HASH}{HASH[:24]}", "HEAD"),
        ("ref: refs/remotes/x\n", None),
        ("ref: refs/heads/\n", None),
    ],
)
def test_head_gives_the_branch(tmp_path: Path, head: str, branch: str | None) -> None:
    """ROW-3: what follows refs/heads, HEAD for a bare hash, else nothing."""
    assert label(repository(tmp_path / "app", head)) == ("app", branch, False)


@pytest.mark.parametrize("head", ["", "nonsense\n", HASH[:-1], HASH.upper(), "ref: refs/heads/" + "x" * 4096, "\0"])
def test_a_head_that_git_would_not_take_gives_no_label(tmp_path: Path, head: str) -> None:
    """ROW-3: anything else is null, as is a file over 4 KiB."""
    assert label(repository(tmp_path, head)) is None


def test_the_nearest_repository_upwards_counts(tmp_path: Path) -> None:
    """ROW-3: from the directory itself upwards."""
    repository(tmp_path / "outer")
    inner = repository(tmp_path / "outer" / "inner", f"{HASH}\n")
    (inner / "a" / "b").mkdir(parents=True)

    assert label(inner / "a" / "b") == ("inner", "HEAD", False)
    assert label(f"{tmp_path}/outer/") == ("outer", "main", False)


def test_a_directory_without_repository_has_no_label(tmp_path: Path) -> None:
    """ROW-3: and neither has a relative or missing one."""
    assert git.find("") is None
    assert git.find("app") is None
    assert git.find(f"{tmp_path}/gone\0") is None


def test_the_walk_ends_after_its_levels(tmp_path: Path) -> None:
    """ROW-3: at most 64 levels."""
    repository(tmp_path / "app")

    assert label(f"{tmp_path}/app" + "/d" * (git.MAX_LEVELS - 1)) == ("app", "main", False)
    assert label(f"{tmp_path}/app" + "/d" * git.MAX_LEVELS) is None


def test_a_linked_worktree_has_its_origins_name(tmp_path: Path) -> None:
    """ROW-3, SEL-4: and says that it is one."""
    main = repository(tmp_path / "app")

    assert label(worktree(main, tmp_path / "elsewhere")) == ("app", "topic/x", True)
    assert label(main) == ("app", "main", False)


def test_a_common_directory_that_is_the_git_directory_makes_no_worktree(tmp_path: Path) -> None:
    """ROW-3: compared after resolving links."""
    main = repository(tmp_path / "app")
    (tmp_path / "link").symlink_to(main / ".git")
    (main / ".git" / "commondir").write_text(f"{tmp_path}/app/../link\n")

    found = git.find(str(main))

    assert found is not None
    assert found.label.worktree is False


def test_a_submodule_is_a_repository_of_its_own(tmp_path: Path) -> None:
    """ROW-3: a ``.git`` file without a common directory, with a relative path."""
    main = repository(tmp_path / "app")
    (main / ".git" / "modules" / "lib").mkdir(parents=True)
    (main / ".git" / "modules" / "lib" / "HEAD").write_text(HASH)
    (main / "lib").mkdir()
    (main / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")

    assert label(main / "lib") == ("lib", "HEAD", False)


def hostile_git(place: Path) -> None:
    """A ``.git`` that is a FIFO."""
    os.mkfifo(place / ".git")


def hostile_git_file(place: Path) -> None:
    """A ``.git`` file that names itself."""
    (place / ".git").write_text("gitdir: .git\n")


def hostile_loop(place: Path) -> None:
    """A ``.git`` that is a loop of links."""
    (place / ".git").symlink_to(place / ".git")


def hostile_head(place: Path) -> None:
    """A ``HEAD`` that is a FIFO."""
    (place / ".git").mkdir()
    os.mkfifo(place / ".git" / "HEAD")


def hostile_device(place: Path) -> None:
    """A ``HEAD`` that never ends."""
    (place / ".git").mkdir()
    (place / ".git" / "HEAD").symlink_to("/dev/zero")


def hostile_socket(place: Path) -> None:
    """A ``HEAD`` that is a socket."""
    (place / ".git").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(place / ".git")
        listener.bind("HEAD")
        os.chdir(here)


def hostile_common(place: Path) -> None:
    """A ``commondir`` that is a FIFO."""
    repository(place)
    os.mkfifo(place / ".git" / "commondir")


def hostile_common_loop(place: Path) -> None:
    """A ``commondir`` that names nothing but itself."""
    repository(place)
    (place / ".git" / "commondir").symlink_to("commondir")


@pytest.mark.parametrize(
    "make",
    [
        hostile_git,
        hostile_git_file,
        hostile_loop,
        hostile_head,
        hostile_device,
        hostile_socket,
        hostile_common,
        hostile_common_loop,
    ],
)
def test_a_hostile_repository_gives_no_label_and_does_not_hang(tmp_path: Path, make: object) -> None:
    """Threats of security.md section 10: FIFO, device, huge file, loop."""
    assert callable(make)
    place = tmp_path / "app"
    place.mkdir()
    make(place)

    assert git.find(str(place)) is None


def test_the_placeholder_of_reftables_asks_for_git(tmp_path: Path) -> None:
    """ROW-3: the name is known from files, the branch is not."""
    found = git.find(str(repository(tmp_path / "app", "ref: refs/heads/.invalid\n")))

    assert found is not None
    assert (found.label.repo, found.label.branch, found.needs_git) == ("app", None, True)


def told(answers: dict[str, git.Answer]) -> dict[str, tuple[str | None, bool]]:
    """What git said of each directory."""
    return {place: (answer.branch, answer.late) for place, answer in answers.items()}


@pytest.mark.skipif(GIT is None, reason="git is not installed")
def test_git_tells_the_branch_and_runs_nothing_of_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SEC-X-4: fsmonitor and hooks of a hostile repository stay unrun, GIT_DIR of ours is not handed on."""
    assert GIT is not None
    place, trace = tmp_path / "app", tmp_path / "ran"
    for words in (
        ["init", "-q", "-b", "topic", str(place)],
        ["-C", str(place), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
        ["-C", str(place), "config", "core.fsmonitor", f"touch {trace}"],
    ):
        subprocess.run([GIT, *words], check=True, env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]})
    monkeypatch.setenv("GIT_DIR", "/nonexistent")

    assert told(git.ask(GIT, [str(place), str(tmp_path)])) == {
        str(place): ("topic", False),
        str(tmp_path): (None, False),
    }
    assert not trace.exists()


def test_all_are_asked_at_once_with_safe_settings(tmp_path: Path) -> None:
    """ROW-3, SEC-X-4: one deadline for the batch; only rev-parse runs."""
    stand_in = tmp_path / "git"
    stand_in.write_text(
        "#!/bin/sh\n"
        f'mkdir "{tmp_path}/up-$2" && until [ -d "{tmp_path}/up-a" ] && [ -d "{tmp_path}/up-b" ]; do :; done\n'
        'echo "$GIT_OPTIONAL_LOCKS $GIT_TERMINAL_PROMPT $*"\n'
    )
    stand_in.chmod(0o755)

    answers = git.ask(str(stand_in), ["a", "b"])

    safe = "-c core.fsmonitor=false -c core.hooksPath=/dev/null rev-parse --abbrev-ref HEAD"
    assert told(answers) == {name: (f"0 0 -C {name} {safe}", False) for name in "ab"}


def test_a_program_that_cannot_start_says_nothing() -> None:
    """ROW-3: no git, no branch."""
    assert told(git.ask("/nonexistent/git", ["/"])) == {"/": (None, False)}
