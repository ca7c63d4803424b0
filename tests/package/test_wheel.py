"""What a user installs: the wheel, laid out as an installer does."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

import tma

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPTS = f"tma-{tma.__version__}.data/scripts/"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    directory = tmp_path_factory.mktemp("wheel")
    return Path(next(WheelBuilder(str(ROOT)).build(directory=str(directory), versions=["standard"])))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A prefix with the wheel in it: packages below lib, scripts in bin with their interpreter filled in."""
    prefix = tmp_path_factory.mktemp("prefix")
    packages = prefix / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            place = prefix / "bin" / name.removeprefix(SCRIPTS) if name.startswith(SCRIPTS) else packages / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(archive.read(name).replace(b"#!python\n", f"#!{sys.executable}\n".encode(), 1))
            place.chmod(0o755 if name.startswith(SCRIPTS) else 0o644)
    return prefix


def test_the_wheel_names_this_version_and_needs_nothing(wheel: Path) -> None:
    """The version stands in one place, and there is no run-time dependency but an extra's (VSN-1, URL-1)."""
    with zipfile.ZipFile(wheel) as archive:
        metadata = archive.read(f"tma-{tma.__version__}.dist-info/METADATA").decode()

    assert f"Version: {tma.__version__}\n" in metadata
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [line for line in needed if "extra ==" not in line] == []


def test_both_programs_are_script_files(wheel: Path) -> None:
    """They are shipped as they are, and no entry point is generated (WRP-3)."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        hook = archive.read(f"{SCRIPTS}tma-hook")

    assert f"{SCRIPTS}tma" in names
    assert hook == (ROOT / "bin" / "tma-hook").read_bytes()
    assert not [name for name in names if name.endswith("entry_points.txt")]


def test_the_manual_page_is_where_man_looks(wheel: Path) -> None:
    """An installer puts it below its prefix, as it puts the programs."""
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read(f"tma-{tma.__version__}.data/data/share/man/man1/tma.1")

    assert page == (ROOT / "docs" / "reference" / "tma.1").read_bytes()


def test_every_data_file_is_shipped(wheel: Path) -> None:
    """Manifests, the demo's stories and the compiled document are part of the package (MAN-SET-1)."""
    data = ROOT / "src" / "tma" / "data"
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("tma/data/")}

    assert shipped == {f"tma/data/{path.relative_to(data)}" for path in data.rglob("*") if path.is_file()}


@pytest.mark.parametrize("options", [[], ["-I", "-S"]], ids=["as it is", "without site"])
def test_the_installed_program_finds_its_package(installed: Path, options: list[str]) -> None:
    """The program runs from its own place, also the way that the hook wrapper starts it (WRP-4)."""
    done = subprocess.run(
        [sys.executable, *options, str(installed / "bin" / "tma"), "version"],
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": "/usr/bin:/bin"},
    )

    assert (done.stdout, done.returncode) == (f"tma {tma.__version__}\n", 0), done.stderr
