"""The short road reads what the general parser reads, or nothing."""

import compileall
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from harness import ROOT
from tma import fast
from tma.cli import args, table
from tma.core.selector import NAMES, Selection

ACCEPTED = [
    ["status"],
    ["status", "--format", "plain"],
    ["status", "--format=tmux", "--config", "c", "--socket-name=n"],
    ["status", "--socket-path", "/s", "--manifest-dir", "d"],
    ["event", "--agent", "claude", "--kind", "Stop"],
    ["event", "--kind=Stop", "--agent=claude", "--payload", "-", "--pane", "%1", "--socket-name", "n"],
    ["event", "--agent", "claude", "--kind", "context", "--pane", "x", "--payload=-x"],
    ["clear-attention", "%5"],
    ["clear-attention", ""],
    ["clear-attention", "--socket-path", "/s", "%5"],
    ["clear-attention", "#{pane_id}"],
]

LEFT = [
    [],
    ["ls"],
    ["--config", "c", "status"],
    ["status", "--help"],
    ["status", "-V"],
    ["status", "--debug-timing"],
    ["status", "-c", "x"],
    ["status", "--form", "plain"],
    ["status", "--format", "xml"],
    ["status", "--format"],
    ["status", "--format", "plain", "--format", "plain"],
    ["status", "--format", "prom"],
    ["status", "--format=json"],
    ["status", "--session", "a b"],
    ["status", "--state", "busy"],
    ["status", "--state="],
    ["status", "--repo", ""],
    ["status", "--repo", "-x"],
    ["status", "--socket-name", "a", "--socket-path", "b"],
    ["status", "surplus"],
    ["status", "--"],
    ["event", "--agent", "claude"],
    ["event", "--agent", "claude", "--kind", ""],
    ["event", "--agent", "a", "--kind", "k", "surplus"],
    ["clear-attention"],
    ["clear-attention", "%1", "%2"],
    ["clear-attention", "--", "%1"],
    ["clear-attention", "--pane", "%1"],
]


def meaning(read: object) -> dict[str, object]:
    """A parsed line's attributes; a selector that was not given, and their sum, are none."""
    values = {name: value for name, value in vars(read).items() if name not in NAMES or value is not None}
    selection = values.pop("selection", None)
    if isinstance(selection, Selection):
        assert [getattr(selection, name) for name in Selection.__slots__] == [None] * len(Selection.__slots__)
    return values


@pytest.mark.parametrize("argv", ACCEPTED, ids=" ".join)
def test_an_accepted_line_means_the_same_on_both_roads(argv: list[str]) -> None:
    """Oracle: the general parser gives the same values."""
    command = table.named(argv[0])
    assert command is not None

    read = fast.read(argv)

    assert read is not None
    assert meaning(read) == meaning(args.parse(argv, command))


@pytest.mark.parametrize("argv", LEFT, ids=" ".join)
def test_anything_unusual_is_left_to_the_general_parser(argv: list[str]) -> None:
    """CLI-3: refusals are worded in one place."""
    assert fast.read(argv) is None


class TestTakingModules:
    """Modules are taken where Python keeps them compiled, exactly as Python would take them, or not at all."""

    @pytest.fixture
    def package(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A package ``tma_taken`` of two modules, compiled."""
        place = tmp_path / "tma_taken"
        place.mkdir()
        (place / "__init__.py").write_text("")
        (place / "one.py").write_text("value = 1\n")
        (place / "two.py").write_text("from tma_taken import one\n\nvalue = one.value + 1\n")
        compileall.compile_dir(place, quiet=1)
        monkeypatch.setattr(fast, "_ROOT", str(tmp_path))
        monkeypatch.syspath_prepend(str(tmp_path))
        for name in ("tma_taken", "tma_taken.one", "tma_taken.two"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        return place

    NAMES = ("tma_taken", "tma_taken.one", "tma_taken.two")

    def test_a_taken_module_is_what_an_import_gives(self, package: Path) -> None:
        """Its names, its place, and that it is its package's attribute; what comes later is imported from there."""
        fast._take_all(self.NAMES)

        two = sys.modules["tma_taken.two"]
        assert (two.value, two.__file__, two.__package__) == (2, str(package / "two.py"), "tma_taken")
        assert sys.modules["tma_taken"].two is two
        (package / "three.py").write_text("value = 3\n")
        importlib.invalidate_caches()
        assert importlib.import_module("tma_taken.three").value == 3

    @pytest.mark.parametrize("change", ["changed source", "cut", "damaged", "foreign", "absent", "empty"])
    def test_a_doubtful_one_is_left_to_the_import(self, package: Path, change: str) -> None:
        """A source that changed, and any damage; the import then does what it always does."""
        compiled = next((package / "__pycache__").glob("two.*.pyc"))
        content = compiled.read_bytes()
        if change == "changed source":
            (package / "two.py").write_text("value = 20\n")
        elif change == "absent":
            compiled.unlink()
        else:
            kept = {"cut": content[:30], "damaged": content[:16] + b"\xff" * 40, "foreign": b"\0" * len(content)}
            compiled.write_bytes(kept.get(change, b""))

        fast._take_all(self.NAMES)

        assert "tma_taken.two" not in sys.modules
        assert sys.modules["tma_taken.one"].value == 1

    def test_a_module_that_fails_is_left_to_the_import(self, package: Path) -> None:
        """Nothing half made stays behind."""
        (package / "two.py").write_text("value = 1 / 0\n")
        compileall.compile_dir(package, quiet=1, force=True)
        fast._take_all(self.NAMES)
        assert "tma_taken.two" not in sys.modules

    @pytest.mark.parametrize("setting", [["-O"], ["-X", "pycache_prefix=/nonexistent"]])
    def test_another_way_to_compile_is_left_to_the_import(self, package: Path, setting: list[str]) -> None:
        """Python keeps those elsewhere."""
        code = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); from tma import fast; "
        code += f"fast._ROOT = {str(package.parent)!r}; fast._take_all(('tma_taken',)); "
        code += "print('tma_taken' in sys.modules)"
        argv = [sys.executable, *setting, "-c", code]
        assert subprocess.run(argv, check=True, capture_output=True, text=True).stdout == "False\n"

    @pytest.mark.parametrize("command", ["event", "status", "clear-attention"])
    def test_the_lists_are_whole_and_in_order(self, command: str) -> None:
        """Taken one after another, no module imports another of tma that stands further behind, or nowhere."""
        names = (*fast._BEFORE[command], *((*fast._MEANWHILE, *fast._LOOK) if command == "status" else ()))
        code = "import sys; from tma import fast\n"
        code += f"fast._take_all({names!r})\n"
        code += "print(*(name for name, each in sys.modules.items() if name.startswith('tma.') and each.__spec__))\n"
        code += f"print(*(name for name in {names!r} if name not in sys.modules))"
        warm = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"
        environment = {"PYTHONPATH": str(ROOT / "src")}
        subprocess.run([sys.executable, "-c", warm], check=True, env=environment)
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)
        assert done.stdout.split("\n") == ["tma.fast", "", ""]
