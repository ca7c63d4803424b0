"""The test tree has the shape of the source tree."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ROOT / "src" / "tma"
BENCH = ROOT / "agents-bench"
RUN_BY_EVERY_START = {Path("__main__.py")}


def holds_code(module: Path) -> bool:
    """Whether a module is more than a docstring."""
    body = ast.parse(module.read_text(encoding="utf-8")).body
    return any(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in body)


def expected_test(module: Path) -> Path:
    """Where the tests of a module belong; those of a package lie beside its directory."""
    if module.name != "__init__.py":
        return ROOT / "tests" / "unit" / module.with_name(f"test_{module.name}")
    package = module.parent.name or "tma"
    return ROOT / "tests" / "unit" / module.parent.parent / f"test_{package}.py"


def module_word(path: Path) -> str:
    """The word that names a module, or its package for an ``__init__``."""
    return path.parent.name if path.name == "__init__.py" else path.stem


def test_every_module_has_a_test_file_of_its_own() -> None:
    """A module without a unit test file at the mirrored place is named."""
    modules = [path.relative_to(SOURCES) for path in SOURCES.rglob("*.py") if holds_code(path)]

    missing = [str(module) for module in sorted(modules) if not expected_test(module).is_file()]

    assert set(missing) - set(map(str, RUN_BY_EVERY_START)) == set()


def test_every_unit_test_file_has_its_module() -> None:
    """A test file whose module is gone is named."""
    modules = {expected_test(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py")}
    scripts = {ROOT / "tests" / "unit" / "scripts" / f"test_{path.stem}.py" for path in (ROOT / "scripts").glob("*.py")}
    own = ROOT / "tests" / "unit" / "agents_bench"
    bench = {own / f"test_{path.stem}.py" for path in BENCH.rglob("*.py")}
    here = Path(__file__).resolve()
    known = modules | scripts | bench | {here, here.with_name("test_threats.py")}

    stray = [path for path in (ROOT / "tests" / "unit").rglob("test_*.py") if path not in known]

    assert stray == []


def test_the_architecture_page_names_every_module() -> None:
    """The picture of the code is kept true: a module that it lacks is named."""
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", page))

    assert [
        str(path) for path in sorted(SOURCES.rglob("*.py")) if holds_code(path) and module_word(path) not in words
    ] == []
