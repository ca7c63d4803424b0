"""The document built from files: shadowing, refusals, and the one line for a broken configuration."""

import os
from pathlib import Path
from typing import Any

import pytest

from tma.core import config, jsontext
from tma.core.errors import ManifestError
from tma.services import loading
from users import IS_ROOT, NOBODY, plain_user

MANIFEST = 'min_engine_version = "0.6"\n[identity]\nprocess_names = ["{name}"]\n[capture]\n'


class Place:
    """A configuration file and a directory of manifests on disk."""

    def __init__(self, base: Path) -> None:
        self.config = base / "config.toml"
        self.agents = base / "agents"
        base.chmod(0o700)

    def manifest(self, name: str, text: str = MANIFEST) -> Path:
        """Write a manifest; ``{name}`` in the text is its name."""
        self.agents.mkdir(exist_ok=True)
        path = self.agents / f"{name}.toml"
        path.write_text(text.replace("{name}", name))
        return path

    def build(self, *, only: bool = False, bundled: tuple[str, ...] = ("claude", "pi")) -> loading.Built:
        """Build with bundled agents of these names."""
        agents = [_plain(name) for name in bundled]
        return loading.build([str(self.config), str(self.agents)], only=only, bundled=agents)

    def error(self) -> str:
        """The line for the broken configuration."""
        line = self.build().document["config_error"]
        assert isinstance(line, str)
        return line


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty place."""
    return Place(tmp_path)


class TestConfiguration:
    """The configuration file."""

    def test_no_file_and_the_empty_file_mean_the_defaults(self, place: Place) -> None:
        """They behave alike (CFG-2)."""
        absent = place.build().document
        place.config.touch()

        assert absent["settings"] == config.parse({})
        assert place.build().document == absent
        assert absent["config_error"] == ""

    def test_a_file_sets_what_it_names(self, place: Place) -> None:
        """The rest keeps its defaults (CFG-2)."""
        place.config.write_text("[fold]\ndwell_secs = 9\n")

        assert place.build().document["settings"]["fold"]["dwell_secs"] == 9

    @pytest.mark.parametrize(
        ("content", "reason"),
        [
            (b"[fold]\ndwell_secs = \n", "line 2, column 14: Invalid value"),
            (b"[fold", "end of document: Expected ']' at the end of a table declaration"),
            (b"a = 1\na = 2\n", "line 2, column 6: Cannot overwrite a value"),
            ("[fold]\n# é".encode() + b"\xff\n", "line 2, column 4: not UTF-8"),
            (b"\xef\xbb\xbf[fold]", "line 1, column 1: Invalid statement"),
            (b"a = " + b"[" * 5000, "nested too deeply"),
            (b"[notifyy]", "notifyy: unknown key; did you mean notify?"),
            (b"[fold]\ndwell_secs = " + b"9" * 5000, "Exceeds the limit (4300 digits) for integer string conversion"),
        ],
    )
    def test_a_broken_file_is_one_line_with_its_place(self, place: Place, content: bytes, reason: str) -> None:
        """Path, line and column when known, reason; the defaults stand behind it (CFG-4, CFG-5)."""
        place.config.write_bytes(content)
        built = place.build()

        assert built.document["config_error"].startswith(f"config {place.config}: {reason}")
        assert "\n" not in built.document["config_error"]
        assert built.document["settings"] == config.parse({})
        assert built.lasting

    def test_a_directory_cannot_be_read(self, place: Place) -> None:
        """It is no absent file (CFG-4)."""
        place.config.mkdir()

        assert place.error() == f"cannot read config {place.config}: is a directory"

    def test_a_file_over_a_mebibyte_cannot_be_read(self, place: Place) -> None:
        """The bound is said (SEC-R-1)."""
        place.config.write_bytes(b"#" * (2**20 + 1))

        assert place.error() == f"cannot read config {place.config}: is larger than 1024 KiB"

    def test_a_fifo_cannot_be_read_and_does_not_hang(self, place: Place) -> None:
        """Nobody needs to write to it (SEC-F-7)."""
        os.mkfifo(place.config)

        assert place.error() == f"cannot read config {place.config}: is a FIFO"

    def test_a_world_writable_file_cannot_be_read(self, place: Place) -> None:
        """It holds commands; and the refusal lasts no longer than the mode does (SEC-F-7)."""
        place.config.touch()
        place.config.chmod(0o666)
        built = place.build()

        assert built.document["config_error"] == f"cannot read config {place.config}: is writable for everyone"
        assert not built.lasting

    def test_a_dangling_symlink_is_an_absent_file(self, place: Place) -> None:
        """Nothing is there to read (CFG-2)."""
        place.config.symlink_to("gone")

        assert place.error() == ""

    def test_a_symlink_to_itself_cannot_be_read(self, place: Place) -> None:
        """Nobody can tell what it should be (CFG-4)."""
        place.config.symlink_to(place.config)

        assert place.error().startswith(f"cannot read config {place.config}: Too many levels of symbolic links")

    def test_a_closed_directory_is_not_an_absent_file(self) -> None:
        """Permission denied is said (CFG-4)."""
        with plain_user() as home:
            (home / "closed").mkdir(0o000)
            place = Place(home)
            place.config = home / "closed" / "config.toml"

            assert place.error() == f"cannot read config {place.config}: Permission denied"


class TestManifests:
    """The user's agent manifests."""

    def test_a_bundled_name_is_replaced_in_place_and_others_follow(self, place: Place) -> None:
        """Shadows keep their rank, new agents come in the order of their names' bytes (MAN-SET-2, MAN-LOAD-2)."""
        for name in ("zeta", "claude", "a_b", "a-b"):
            place.manifest(name)
        agents = place.build().document["agents"]

        assert [agent["name"] for agent in agents] == ["claude", "pi", "a-b", "a_b", "zeta"]
        assert agents[0]["file"] == f"{place.agents}/claude.toml"
        assert agents[1]["file"] == "<bundled>/pi.toml"

    def test_only_visible_toml_files_of_the_directory_itself_count(self, place: Place) -> None:
        """Hidden files, other endings and subdirectories are left out without a word (MAN-LOAD-2)."""
        place.manifest(".hidden")
        (place.agents / "x.toml.bak").write_text("broken")
        (place.agents / "y.TOML").write_text("broken")
        (place.agents / "sub").mkdir()
        (place.agents / "sub" / "z.toml").write_text("broken")
        document = place.build().document

        assert [agent["name"] for agent in document["agents"]] == ["claude", "pi"]
        assert document["skipped"] == []

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("[identity", "end of document: Expected ']' at the end of a table declaration"),
            ('min_engine_version = "99"', "min_engine_version"),
            (MANIFEST + "[nonsense]", "nonsense"),
        ],
    )
    def test_a_broken_file_is_skipped_and_the_bundled_one_stays(self, place: Place, text: str, reason: str) -> None:
        """Everything else loads; the reason does not repeat the path (MAN-SET-3, MAN-VER-2)."""
        broken = place.manifest("claude", text)
        place.manifest("other")
        document = place.build().document

        assert [agent["file"] for agent in document["agents"]] == [
            "<bundled>/claude.toml",
            "<bundled>/pi.toml",
            f"{place.agents}/other.toml",
        ]
        [[path, said]] = document["skipped"]
        assert path == str(broken)
        assert reason in said
        assert str(broken) not in said

    def test_a_link_to_nothing_is_skipped_and_said(self, place: Place) -> None:
        """MAN-SET-3: a file that its owner sees in the directory is never left out in silence."""
        place.agents.mkdir()
        (place.agents / "mine.toml").symlink_to("/nowhere.toml")

        assert place.build().document["skipped"] == [[f"{place.agents}/mine.toml", "is a link to nothing"]]

    def test_a_name_that_is_no_token_is_skipped(self, place: Place) -> None:
        """The stem is the agent's name (MAN-LOAD-5)."""
        broken = place.manifest("Not A Token")

        [[path, reason]] = place.build().document["skipped"]
        assert path == str(broken)
        assert "Not A Token" in reason

    def test_files_that_break_a_rule_of_trust_are_skipped(self, place: Place) -> None:
        """Each with its reason; the other files load (MAN-LOAD-3)."""
        place.manifest("good")
        place.manifest("exposed").chmod(0o666)
        (place.agents / "dir.toml").mkdir()
        os.mkfifo(place.agents / "fifo.toml")
        place.manifest("large", "#" * (2**18 + 1))
        built = place.build()

        assert [agent["name"] for agent in built.document["agents"]] == ["claude", "pi", "good"]
        assert [[path.rpartition("/")[2], reason] for path, reason in built.document["skipped"]] == [
            ["dir.toml", "is a directory"],
            ["exposed.toml", "is writable for everyone"],
            ["fifo.toml", "is a FIFO"],
            ["large.toml", "is larger than 256 KiB"],
        ]
        assert not built.lasting

    @pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
    def test_a_file_of_another_user_is_skipped(self, place: Place) -> None:
        """Root's own or the user's, nobody else's (MAN-LOAD-3)."""
        os.chown(place.manifest("x"), NOBODY, NOBODY)

        assert place.build().document["skipped"] == [[f"{place.agents}/x.toml", "belongs to another user"]]

    def test_nothing_is_loaded_from_a_world_writable_directory(self, place: Place) -> None:
        """One line names the directory (MAN-LOAD-3)."""
        place.manifest("claude")
        place.manifest("x")
        place.agents.chmod(0o777)
        built = place.build()

        assert [agent["file"] for agent in built.document["agents"]] == ["<bundled>/claude.toml", "<bundled>/pi.toml"]
        assert built.document["skipped"] == [[str(place.agents), "the directory is writable for everyone"]]
        assert not built.lasting

    def test_files_beyond_two_hundred_are_reported_in_one_line(self, place: Place) -> None:
        """The first by name are loaded (MAN-LOAD-3)."""
        for number in range(203):
            place.manifest(f"a{number:03}")
        document = place.build().document

        assert len(document["agents"]) == 202
        assert document["skipped"] == [
            [str(place.agents), "holds over 200 manifests; 3 are left out, from a200.toml"],
        ]

    def test_a_file_in_place_of_the_directory_is_reported(self, place: Place) -> None:
        """It is not the same as no directory."""
        place.agents.touch()

        assert place.build().document["skipped"] == [[str(place.agents), "Not a directory"]]

    def test_the_only_directory_leaves_out_everything_else(self, place: Place) -> None:
        """No bundled agents; broken files are skipped as ever (MAN-SET-4)."""
        place.manifest("mine")
        place.manifest("broken", "x")
        document = place.build(only=True).document

        assert [agent["name"] for agent in document["agents"]] == ["mine"]
        assert [path for path, _ in document["skipped"]] == [f"{place.agents}/broken.toml"]

    def test_an_only_directory_that_cannot_be_read_is_fatal(self, place: Place) -> None:
        """Its path and the reason are said (MAN-SET-4)."""
        with pytest.raises(ManifestError) as caught:
            place.build(only=True)

        assert str(caught.value) == f"cannot read manifest directory {place.agents}: No such file or directory"


class TestEntries:
    """The ``[[agent]]`` entries of the configuration."""

    def test_entries_of_one_name_combine(self, place: Place) -> None:
        """Any disabled entry drops the manifest; process names add up without repeats (MAN-SET-5)."""
        place.manifest("x")
        place.config.write_text(
            """
            [[agent]]
            name = "pi"
            enabled = false
            [[agent]]
            name = "pi"
            enabled = true
            [[agent]]
            name = "x"
            process_names = ["b", "x"]
            [[agent]]
            name = "x"
            process_names = ["c", "b"]
            [[agent]]
            name = "nobody"
            enabled = false
            """
        )
        agents = place.build().document["agents"]

        assert [(agent["name"], agent["process_names"]) for agent in agents] == [
            ("claude", ["claude"]),
            ("x", ["x", "b", "c"]),
        ]

    def test_entries_of_a_broken_configuration_change_nothing(self, place: Place) -> None:
        """A hook then works on with the defaults, all of them (CFG-5)."""
        place.config.write_text('[[agent]]\nname = "pi"\nenabled = false\n[fold]\nx = 1')

        assert [agent["name"] for agent in place.build().document["agents"]] == ["claude", "pi"]

    def test_the_bundled_agents_given_are_not_changed(self, place: Place) -> None:
        """The caller's list may serve again."""
        bundled = [_plain("pi")]
        place.config.write_text('[[agent]]\nname = "pi"\nprocess_names = ["more"]')
        loading.build([str(place.config), str(place.agents)], only=False, bundled=bundled)

        assert bundled == [_plain("pi")]


class TestBundled:
    """The agents that tma brings."""

    def test_they_load_from_their_files_in_their_order(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The order decides identity (MAN-SET-1)."""
        place = Place(tmp_path)
        for name in sorted(loading.BUNDLED):
            place.manifest(name)
        monkeypatch.setattr(loading, "_BUNDLED_DIR", str(place.agents))

        assert [agent["name"] for agent in loading.bundled_agents()] == [
            "claude", "opencode", "codex", "gemini", "cursor", "pi", "qwen", "copilot",
        ]  # fmt: skip
        assert loading.build(["", ""], only=False).document["agents"] == loading.bundled_agents()

    @pytest.mark.parametrize("text", ["x", MANIFEST + "[nonsense]", None])
    def test_a_broken_one_is_fatal(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None) -> None:
        """Nothing works without it; the file is named (MAN-SET-1)."""
        place = Place(tmp_path)
        for name in loading.BUNDLED:
            place.manifest(name)
        broken = place.manifest("gemini", text or "")
        if text is None:
            broken.unlink()
        monkeypatch.setattr(loading, "_BUNDLED_DIR", str(place.agents))

        with pytest.raises(ManifestError, match=r"^<bundled>/gemini\.toml: "):
            loading.bundled_agents()


class TestProof:
    """What a document rests on."""

    def test_every_file_and_directory_is_signed_absent_ones_too(self, place: Place) -> None:
        """The roots first, then the manifests in order (PTH-16)."""
        place.manifest("b")
        place.manifest("a")
        built = place.build()

        assert [source[0] for source in built.sources] == [
            str(place.config),
            str(place.agents),
            f"{place.agents}/a.toml",
            f"{place.agents}/b.toml",
        ]
        assert built.homes == [str(place.agents)]
        assert built.sources[0][1] == -1

    def test_a_file_changed_just_now_is_waited_for(self, place: Place) -> None:
        """Its next change within the same tick of the file system would bear the same time (PTH-16)."""
        place.config.write_text("[fold]\n")

        assert place.build().lasting

    @pytest.mark.parametrize(
        ("changed_ns", "is_moving"),
        [
            (99 * 10**9, True),
            (97 * 10**9, False),
            (99 * 10**9 + 1, False),
            (100 * 10**9 - 19_000_000, True),
            (100 * 10**9 + 500_000, True),
            (0, False),
        ],
    )
    def test_a_change_is_too_fresh_by_the_clock_of_its_file_system(
        self, monkeypatch: pytest.MonkeyPatch, changed_ns: int, *, is_moving: bool
    ) -> None:
        """Times without a fraction count in seconds, so two seconds must pass; else a kernel tick (PTH-16)."""
        monkeypatch.setattr(loading.system, "now_ms", lambda: 100_000)
        found = loading._Found()
        found.sources.append(["f", 0, 0, 0, changed_ns])

        assert found.is_moving() is is_moving

    def test_the_document_is_json(self, place: Place) -> None:
        """What is kept is what was built, to the order of keys (PTH-16)."""
        place.manifest("x")
        document = place.build().document
        text = jsontext.compact(document)

        assert jsontext.parse(text) == document
        assert jsontext.compact(jsontext.parse(text)) == text


def _plain(name: str) -> dict[str, Any]:
    return {"name": name, "file": f"<bundled>/{name}.toml", "process_names": [name]}
