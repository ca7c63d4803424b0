"""How long repository labels are kept."""

from pathlib import Path

import pytest

from tma.adapters import git
from tma.services.repos import KEPT_MS, Labels


class Clock:
    """A clock that stands where it is put."""

    def __init__(self) -> None:
        """Start at an ordinary instant."""
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        """The instant."""
        return self.now


def switch(place: Path, branch: str) -> None:
    """Put a repository on a branch."""
    (place / ".git").mkdir(exist_ok=True)
    (place / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")


def test_labels_come_for_every_directory_asked(tmp_path: Path) -> None:
    """ROW-3: once per distinct directory, None for no repository."""
    app, bare = tmp_path / "app", tmp_path / "bare"
    app.mkdir()
    bare.mkdir()
    switch(app, "main")

    found = Labels().of([str(app), str(bare), str(app)])

    label = found[str(app)]
    assert label is not None
    assert (label.repo, label.branch) == ("app", "main")
    assert found == {str(app): label, str(bare): None}


def test_answers_are_kept_for_five_seconds(tmp_path: Path) -> None:
    """ROW-3: negative ones too; a clock that went back makes them old."""
    clock = Clock()
    labels = Labels(clock)
    assert labels.of([str(tmp_path)]) == {str(tmp_path): None}
    switch(tmp_path, "main")

    clock.now += KEPT_MS - 1
    assert labels.of([str(tmp_path)]) == {str(tmp_path): None}
    clock.now += 1
    found = labels.of([str(tmp_path)])[str(tmp_path)]
    assert found is not None
    switch(tmp_path, "other")
    clock.now -= KEPT_MS
    again = labels.of([str(tmp_path)])[str(tmp_path)]
    assert again is not None

    assert (found.branch, again.branch) == ("main", "other")


def test_without_git_a_reftable_repository_has_a_name_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """ROW-3: no git, no branch."""
    switch(tmp_path, ".invalid")
    monkeypatch.setenv("PATH", str(tmp_path))

    label = Labels().of([str(tmp_path)])[str(tmp_path)]

    assert label is not None
    assert (label.repo, label.branch) == (tmp_path.name, None)


def test_git_is_asked_for_a_reftable_repository_and_a_late_answer_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ROW-3: a timeout is not remembered."""
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    switch(tmp_path, ".invalid")
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    monkeypatch.setattr(git, "TIMEOUT_S", 0.05)
    labels = Labels(Clock())

    late = labels.of([str(tmp_path)])[str(tmp_path)]
    program.write_text("#!/bin/sh\necho topic\n")
    monkeypatch.setattr(git, "TIMEOUT_S", 3.0)
    told = labels.of([str(tmp_path)])[str(tmp_path)]

    assert late is not None
    assert told is not None
    assert (late.branch, told.branch) == (None, "topic")
