"""The records of what became of notices."""

from pathlib import Path

from tma.services.notify.results import Failure, Outcome, Records


def records(home: Path, now: int = 1000) -> Records:
    """Records in a directory, at an instant."""
    return Records({"XDG_RUNTIME_DIR": str(home)}, lambda: now)


def test_the_last_success_and_the_last_trouble_are_kept(tmp_path: Path) -> None:
    """DLV-3: for each sink and target; since when it fails is kept too."""
    records(tmp_path, 1).note([Outcome("osc", "a", "ok"), Outcome("osc", "b", "bad-tty", "x\ny")])
    records(tmp_path, 2).note([Outcome("osc", "a", "client-busy"), Outcome("osc", "b", "bad-tty")])
    records(tmp_path, 3).note([Outcome("osc", "a", "client-busy"), Outcome("osc", "b", "ok")])
    assert records(tmp_path).sinks() == [
        {
            "sink": "osc", "target": "a", "last_ok_at": 1, "failing_since": 2,
            "last_failure": {"at": 3, "result": "client-busy", "detail": ""},
        },
        {
            "sink": "osc", "target": "b", "last_ok_at": 3, "failing_since": None,
            "last_failure": {"at": 2, "result": "bad-tty", "detail": ""},
        },
    ]  # fmt: skip
    assert (tmp_path / "tma" / "notify-results.json").stat().st_mode & 0o777 == 0o600


def test_a_failure_of_the_command_stands_until_a_clean_run(tmp_path: Path) -> None:
    """DLV-2: three lines; line breaks in values are blanks."""
    records(tmp_path).command_ended("a\nb", "exited 7")
    assert (tmp_path / "tma" / "notify-error").read_text() == "at=1000\nreason=exited 7\ncommand=a b\n"
    assert records(tmp_path).failure() == Failure(1000, "exited 7", "a b")
    records(tmp_path).command_ended("a", "")
    assert records(tmp_path).failure() is None
    records(tmp_path).command_ended("a", "")


def test_a_record_that_lacks_a_line_is_none(tmp_path: Path) -> None:
    """DLV-2."""
    records(tmp_path).command_ended("a", "exited 7")
    for text in ("at=1\nreason=x\n", "at=x\nreason=x\ncommand=y\n", "", "\xff"):
        (tmp_path / "tma" / "notify-error").write_text(text)
        assert records(tmp_path).failure() is None


def test_damage_and_links_are_no_records(tmp_path: Path) -> None:
    """DLV-5, PTH-6: and nothing is written through a link."""
    kept = records(tmp_path)
    kept.note([Outcome("osc", "a", "ok")])
    file = tmp_path / "tma" / "notify-results.json"
    for text in ("{", "[]", '{"sinks":[{"sink":1}],"confirmed":{}}', '{"sinks":3,"confirmed":{}}'):
        file.write_text(text)
        assert kept.sinks() == []
    other = tmp_path / "other"
    other.write_text("mine")
    file.unlink()
    file.symlink_to(other)
    kept.note([Outcome("osc", "a", "ok")])
    assert other.read_text() == "mine"
    assert kept.sinks() == []


def test_an_unusable_directory_loses_the_record_and_nothing_else(tmp_path: Path) -> None:
    """DLV-5."""
    (tmp_path / "tma").symlink_to("/nonexistent")
    kept = records(tmp_path)
    kept.note([Outcome("osc", "a", "ok")])
    kept.command_ended("a", "exited 7")
    assert (kept.sinks(), kept.failure(), kept.confirmed()) == ([], None, {})


def test_targets_that_come_and_go_do_not_pile_up(tmp_path: Path) -> None:
    """DLV-3: the oldest go."""
    kept = records(tmp_path)
    kept.note(Outcome("osc", str(number), "ok") for number in range(200))
    assert [each["target"] for each in kept.sinks()] == [str(number) for number in range(136, 200)]


def test_what_a_person_saw_is_kept_by_terminal(tmp_path: Path) -> None:
    """NTT-3."""
    kept = records(tmp_path)
    kept.confirm("kitty", {"99", "9"})
    kept.note([Outcome("osc", "a", "ok")])
    assert kept.confirmed() == {"kitty": ["9", "99"]}
    assert [path.name for path in (tmp_path / "tma").iterdir()] == ["notify-results.json"]


def test_a_place_is_no_trouble_that_lasts(tmp_path: Path) -> None:
    """DLV-4: a nested terminal for a day and one busy moment are not a day of failure."""
    records(tmp_path, 1).note([Outcome("osc", "a", "nested")])
    assert records(tmp_path).sinks()[0]["failing_since"] is None
    records(tmp_path, 5).note([Outcome("osc", "a", "client-busy")])
    assert records(tmp_path).sinks()[0]["failing_since"] == 5
