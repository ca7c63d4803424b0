"""The compiled configuration: when it is believed, when it is built anew, and that it never fails."""

import binascii
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tma import services
from tma.adapters import files, owned
from tma.core import config
from tma.core.detect import manifest
from tma.core.errors import ConfigError, ManifestError
from tma.services import cache, loading
from users import IS_ROOT, NOBODY, plain_user

SRC = Path(__file__).resolve().parents[3] / "src"
MANIFEST = 'min_engine_version = "0.6"\n[identity]\nprocess_names = ["{name}"]\n[capture]\n'
BUNDLED = [{"name": "claude", "file": "<bundled>/claude.toml", "process_names": ["claude"]}]
PREBUILT: dict[str, Any] = {"settings": config.parse({}), "agents": BUNDLED, "skipped": [], "config_error": ""}


class Home:
    """A user's home with configuration, manifests and cache."""

    def __init__(self, base: Path) -> None:
        self.env = {"HOME": str(base)}
        self.base = base
        self.config = base / ".config/tma/config.toml"
        self.agents = base / ".config/tma/agents"
        self.cache = base / ".cache/tma"

    def write(self, text: str) -> None:
        """Write the configuration."""
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.config.write_text(text)

    def manifest(self, name: str) -> Path:
        """Write a least manifest."""
        self.agents.mkdir(parents=True, exist_ok=True)
        path = self.agents / f"{name}.toml"
        path.write_text(MANIFEST.replace("{name}", name))
        return path

    def load(self, *, config_path: str = "", manifest_dir: str = "", hook: bool = False) -> cache.Document:
        """Load under this home."""
        return cache.load(config_path=config_path, manifest_dir=manifest_dir, hook=hook, env=self.env)

    def dwell(self) -> int:
        """One setting, to see which configuration is in force."""
        return self.load().settings.dwell_ms

    def kept(self) -> Path:
        """The one cache file."""
        [path] = self.cache.iterdir()
        return path


@pytest.fixture(autouse=True)
def prebuilt(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings one agent."""
    path = tmp_path_factory.mktemp("package") / "prebuilt.py"
    path.write_text("1")
    monkeypatch.setattr(cache, "PREBUILT", str(path))
    brings(monkeypatch, PREBUILT)
    return path


def brings(monkeypatch: pytest.MonkeyPatch, document: dict[str, Any], made_by: object = cache.MADE_BY) -> None:
    """Let the package bring a document."""
    module = ModuleType("prebuilt")
    vars(module).update(DOCUMENT=document, MADE_BY=made_by)
    monkeypatch.setitem(sys.modules, "tma.services.prebuilt", module)
    monkeypatch.setattr(services, "prebuilt", module, raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """An empty home."""
    return Home(tmp_path)


@pytest.fixture
def never_build(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From its call on, building anew fails the test."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("built anew")

    return lambda: monkeypatch.setattr(loading, "build", refuse)


def test_the_engine_version_is_that_of_the_manifests() -> None:
    """A file made by another engine is not believed (PTH-16)."""
    assert tuple(cache.ENGINE_VERSION) == manifest.ENGINE_VERSION


class TestNothingConfigured:
    """Neither a configuration nor a directory of manifests."""

    def test_the_prebuilt_document_serves_and_no_directory_is_touched(
        self, home: Home, never_build: Callable[[], None]
    ) -> None:
        """Bundled data ship prebuilt (PTH-16)."""
        never_build()
        document = home.load()

        assert (document.agents, document.skipped) == (BUNDLED, [])
        assert document.settings.dwell_ms == 3000
        assert list(home.base.iterdir()) == []

    def test_no_home_at_all_is_enough(self, never_build: Callable[[], None]) -> None:
        """With nothing resolvable the defaults apply (CFG-1, PTH-11)."""
        never_build()

        assert cache.load(env={}).agents == BUNDLED

    @pytest.mark.parametrize("damage", ["", "x", "1 +", 'MADE_BY = [[0, 6, 0], "0.0.1", 1]\nDOCUMENT = {}', None])
    def test_a_damaged_prebuilt_document_is_built_from_the_files(
        self, home: Home, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, damage: str | None
    ) -> None:
        """Any damage costs time only, and another version's document is not believed (PTH-16)."""
        agents = [{**BUNDLED[0], "name": "built"}]
        monkeypatch.setattr(loading, "bundled_agents", lambda: agents)
        monkeypatch.delitem(sys.modules, "tma.services.prebuilt")
        monkeypatch.delattr(services, "prebuilt", raising=False)
        package = tmp_path_factory.mktemp("damaged")
        monkeypatch.setattr(services, "__path__", [str(package)])
        if damage is not None:
            (package / "prebuilt.py").write_text(damage)

        assert home.load().agents == agents


class TestConfigured:
    """A configuration or manifests exist."""

    def test_the_second_load_builds_nothing(self, home: Home, never_build: Callable[[], None]) -> None:
        """The kept document gives what was built, the home's expansion included (PTH-16, CFG-7)."""
        home.write("[act]\nlog = '~/a'\n[fold]\ndwell_secs = 9")
        home.manifest("x")
        home.agents.joinpath("broken.toml").write_text("x")
        first = home.load()
        never_build()
        second = home.load()

        assert (first.settings.dwell_ms, first.settings.act_log) == (9000, f"{home.base}/a")
        assert (second.settings.dwell_ms, second.settings.act_log) == (9000, f"{home.base}/a")
        assert [agent["name"] for agent in first.agents] == ["claude", "x"]
        assert second.agents == first.agents
        assert second.skipped == first.skipped != []

    def test_the_file_is_named_by_hash_and_private(self, home: Home) -> None:
        """16 hex digits, 0600 in 0700 (PTH-16)."""
        home.write("")
        home.load()

        assert home.kept().name == files.short_hash(f"{cache.PREBUILT}\0{home.config}\0{home.agents}") + ".json"
        assert stat.S_IMODE(home.kept().stat().st_mode) == 0o600
        assert stat.S_IMODE(home.cache.stat().st_mode) == 0o700

    def test_every_change_of_the_sources_is_seen(self, home: Home) -> None:
        """Edits, new, changed and removed manifests, and removal of everything (PTH-16)."""
        home.write("[fold]\ndwell_secs = 1")
        assert home.dwell() == 1000
        home.write("[fold]\ndwell_secs = 2")
        assert home.dwell() == 2000
        path = home.manifest("x")
        assert [agent["name"] for agent in home.load().agents] == ["claude", "x"]
        path.write_text(path.read_text().replace('["x"]', '["y"]'))
        assert home.load().agents[1]["process_names"] == ["y"]
        path.unlink()
        assert home.load().agents == BUNDLED
        home.config.unlink()
        assert home.dwell() == 3000
        home.agents.rmdir()
        assert home.dwell() == 3000

    def test_an_edit_that_keeps_size_and_time_is_seen(self, home: Home) -> None:
        """Tools that restore times cannot restore the time of that (PTH-16)."""
        home.write("[fold]\ndwell_secs = 1")
        home.dwell()
        times = home.config.stat()
        home.write("[fold]\ndwell_secs = 2")
        os.utime(home.config, ns=(times.st_atime_ns, times.st_mtime_ns))

        assert home.dwell() == 2000

    def test_a_document_of_another_package_is_not_believed(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        """Engine, package and cache version must be this one's (PTH-16)."""
        home.write("")
        home.load()
        monkeypatch.setattr(cache, "MADE_BY", [[0, 6, 0], "0.0.1", 1])
        [content] = [path.read_bytes() for path in home.cache.iterdir()]

        assert cache.proved(content, [cache.PREBUILT, str(home.config), str(home.agents)]) is None

    def test_a_changed_package_is_seen(self, home: Home, prebuilt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The bundled document is a source like the others (PTH-16)."""
        home.write("")
        home.load()
        prebuilt.write_text("another")
        brings(monkeypatch, {**PREBUILT, "agents": []})

        assert home.load().agents == []

    def test_each_choice_has_a_document_of_its_own(self, home: Home, tmp_path: Path) -> None:
        """The same directory as the only one and as an additional one give different agents (MAN-SET-4)."""
        home.manifest("x")
        other = tmp_path / "other.toml"
        other.write_text("[fold]\ndwell_secs = 5")
        for _ in range(2):
            assert [agent["name"] for agent in home.load().agents] == ["claude", "x"]
            assert [agent["name"] for agent in home.load(manifest_dir=str(home.agents)).agents] == ["x"]
            assert home.load(config_path=str(other)).settings.dwell_ms == 5000

        assert len(list(home.cache.iterdir())) == 3

    def test_a_kept_document_under_the_name_of_another_is_not_believed(self, home: Home) -> None:
        """The roots are part of the proof, not only of the name (PTH-16)."""
        home.write("")
        home.load()
        content = home.kept().read_bytes()

        assert cache.proved(content, [cache.PREBUILT, "/elsewhere", str(home.agents)]) is None
        assert cache.proved(content, [cache.PREBUILT, str(home.config), str(home.agents)]) is not None

    def test_two_environments_share_a_document(self, home: Home, never_build: Callable[[], None]) -> None:
        """Overrides and home are applied after the cache (CFG-8)."""
        home.write("[notify]\nlog = '~/n'")
        home.load()
        never_build()
        env = {**home.env, "TMA_NOTIFY_CMD": "mine", "TMA_CONFIG": str(home.config)}

        assert cache.load(env=env).settings.notify["command"] == "mine"
        assert home.load().settings.notify["command"] is None

    def test_a_variable_names_the_configuration(self, home: Home, tmp_path: Path) -> None:
        """``TMA_CONFIG`` wins over the usual path and yields to the option (CFG-1, CFG-8)."""
        home.write("[fold]\ndwell_secs = 1")
        for seconds in (2, 4):
            (tmp_path / f"{seconds}.toml").write_text(f"[fold]\ndwell_secs = {seconds}")
        env = {**home.env, "TMA_CONFIG": f"{tmp_path}/2.toml"}

        assert cache.load(env=env).settings.dwell_ms == 2000
        assert cache.load(env=env, config_path=f"{tmp_path}/4.toml").settings.dwell_ms == 4000
        assert cache.load(env=env, config_path=f"{tmp_path}/gone.toml").settings.dwell_ms == 3000


class TestBroken:
    """Configurations and directories that cannot be used."""

    def test_a_broken_configuration_is_an_error_again_and_again(self, home: Home) -> None:
        """The one line is the same from the sources and from the cache (CFG-4)."""
        home.write("[notifyy]")
        for _ in range(2):
            with pytest.raises(ConfigError) as caught:
                home.load()
            assert str(caught.value) == f"config {home.config}: notifyy: unknown key; did you mean notify?"

    def test_a_hook_works_on_with_the_defaults(self, home: Home, never_build: Callable[[], None]) -> None:
        """Silently, with the user's manifests, and without building at every event (CFG-5)."""
        home.write("[fold]\ndwell_secs = 9\nx = 1")
        home.manifest("x")
        home.load(hook=True)
        never_build()
        document = home.load(hook=True)

        assert document.settings.dwell_ms == 3000
        assert [agent["name"] for agent in document.agents] == ["claude", "x"]

    def test_a_refusal_ends_with_the_mode_that_caused_it(self, home: Home) -> None:
        """Modes are no part of a signature, so refusals are not kept (SEC-F-7)."""
        home.write("[fold]\ndwell_secs = 9")
        home.config.parent.chmod(0o777)
        with pytest.raises(ConfigError, match="writable for everyone"):
            home.load()
        home.config.parent.chmod(0o755)

        assert home.dwell() == 9000

    def test_trust_is_asked_for_at_every_load(self, home: Home) -> None:
        """A kept document does not outlive the trust in its sources (MAN-LOAD-3, SEC-F-7)."""
        path = home.manifest("x")
        home.write("")
        assert len(home.load().agents) == 2

        path.chmod(0o666)
        assert home.load().skipped == [[str(path), "is writable for everyone"]]
        path.chmod(0o644)
        assert home.load().skipped == []
        home.agents.chmod(0o777)
        assert home.load().skipped == [[str(home.agents), "the directory is writable for everyone"]]
        home.agents.chmod(0o755)
        assert home.load().skipped == []
        home.config.parent.chmod(0o777)
        with pytest.raises(ConfigError, match="writable for everyone"):
            home.load()

    def test_an_only_directory_that_is_missing_is_fatal(self, home: Home) -> None:
        """And nothing is kept of it (MAN-SET-4)."""
        with pytest.raises(ManifestError, match="cannot read manifest directory /nonexistent"):
            home.load(manifest_dir="/nonexistent")

        assert not home.cache.exists()


class TestDamage:
    """Cache files and directories that are not as they should be."""

    @pytest.mark.parametrize("content", [b"", b"\n", b"00000000 0 ", b"\x00" * 100, b"{}", b"0 0 {}\n{}\n"])
    def test_a_damaged_file_is_replaced(self, home: Home, content: bytes) -> None:
        """The result is right, and the next load finds a whole file (PTH-16)."""
        home.write("[fold]\ndwell_secs = 9")
        home.dwell()
        whole = home.kept().read_bytes()
        home.kept().write_bytes(content)

        assert home.dwell() == 9000
        assert home.kept().read_bytes() == whole

    def test_valid_json_of_another_shape_is_not_believed(self) -> None:
        """A right checksum is not enough (PTH-16)."""
        for text in ("[]", "{}", '{"made_by":1}', "1"):
            rest = f"{text}\n{text}\n".encode()
            checksum = binascii.crc32(rest)

            assert cache.proved(b"%08x %d %s" % (checksum, len(rest), rest), ["a"]) is None

    def test_a_symlink_in_the_files_place_is_neither_followed_nor_removed(self, home: Home, tmp_path: Path) -> None:
        """It is refused, and the document built at every load (PTH-6)."""
        home.write("[fold]\ndwell_secs = 9")
        home.dwell()
        name = home.kept().name
        home.kept().rename(tmp_path / "elsewhere")
        link = home.cache / name
        link.symlink_to(tmp_path / "elsewhere")
        home.write("[fold]\ndwell_secs = 7")

        assert home.dwell() == 7000
        assert link.is_symlink()
        assert b'"dwell_secs":9' in (tmp_path / "elsewhere").read_bytes()

    def test_a_symlink_in_the_directorys_place_is_not_used(self, home: Home, tmp_path: Path) -> None:
        """The directory must be real (PTH-5)."""
        (tmp_path / "real").mkdir(0o700)
        home.cache.parent.mkdir()
        home.cache.symlink_to(tmp_path / "real")
        home.write("[fold]\ndwell_secs = 9")

        assert home.dwell() == 9000
        assert list((tmp_path / "real").iterdir()) == []

    def test_a_loose_directory_is_tightened_before_it_is_believed(self, home: Home) -> None:
        """Others may have written there; the mode is repaired and the file replaced (SEC-F-1)."""
        home.write("[fold]\ndwell_secs = 9")
        home.dwell()
        home.cache.chmod(0o777)
        stamp = home.kept().stat().st_ino

        assert home.dwell() == 9000
        assert stat.S_IMODE(home.cache.stat().st_mode) == 0o700
        assert home.kept().stat().st_ino != stamp

    @pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
    def test_another_users_cache_is_neither_read_nor_written(self, home: Home) -> None:
        """A root shell in a user's home leaves that user's cache alone (PTH-6)."""
        home.write("[fold]\ndwell_secs = 9")
        home.dwell()
        os.chown(home.cache, NOBODY, NOBODY)
        before = home.kept().read_bytes()
        home.write("[fold]\ndwell_secs = 7")

        assert home.dwell() == 7000
        assert home.kept().read_bytes() == before

    def test_a_file_in_the_directorys_place_costs_time_only(self, home: Home) -> None:
        """A cache that cannot be written is no error (PTH-16)."""
        home.write("[fold]\ndwell_secs = 9")
        home.cache.parent.touch()

        assert home.dwell() == 9000
        assert home.dwell() == 9000

    def test_a_read_only_home_costs_time_only(self, prebuilt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A cache that cannot be written is no error (PTH-16)."""
        content = prebuilt.read_bytes()
        with plain_user() as base:
            monkeypatch.setattr(cache, "PREBUILT", f"{base}/prebuilt.py")
            (base / "prebuilt.py").write_bytes(content)
            home = Home(base)
            home.write("[fold]\ndwell_secs = 9")
            base.chmod(0o500)
            try:
                assert [home.dwell(), home.dwell()] == [9000, 9000]
                assert not (base / ".cache").exists()
            finally:
                base.chmod(0o700)

    def test_without_a_home_nothing_is_kept(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """The configuration still counts, and nothing appears in the current directory (PTH-11)."""
        path = tmp_path / "c.toml"
        path.write_text("[fold]\ndwell_secs = 9")
        monkeypatch.chdir(tmp_path)

        assert cache.load(env={"TMA_CONFIG": str(path), "HOME": ""}).settings.dwell_ms == 9000
        assert [entry.name for entry in tmp_path.iterdir()] == ["c.toml"]

    def test_a_full_disk_costs_time_only(self, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nothing half-written stays (PTH-16, SEC-F-3)."""

        def full(_descriptor: int, _data: bytes) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(owned, "_write", full)
        home.write("[fold]\ndwell_secs = 9")

        assert home.dwell() == 9000
        assert list(home.cache.iterdir()) == []


def test_builders_at_once_all_get_the_right_document(home: Home) -> None:
    """Each writes beside and renames; the last one's file is whole (PTH-16)."""
    home.write("[fold]\ndwell_secs = 9")
    home.manifest("x")
    code = (
        f"import sys; sys.path.insert(0, {str(SRC)!r})\n"
        "from tma.services import cache\n"
        f"cache.PREBUILT = {cache.PREBUILT!r}\n"
        f"cache.bundled = lambda: {PREBUILT!r}\n"
        f"document = cache.load(env={home.env!r})\n"
        "print(document.settings.dwell_ms, [agent['name'] for agent in document.agents])\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    builders = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]

    assert {builder.communicate()[0] for builder in builders} == {"9000 ['claude', 'x']\n"}
    assert cache.proved(home.kept().read_bytes(), [cache.PREBUILT, str(home.config), str(home.agents)]) is not None
