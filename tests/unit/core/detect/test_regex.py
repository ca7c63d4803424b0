"""Compiling a pattern in silence, and from what was made of it before."""

import _sre  # type: ignore[import-not-found]
import re
import subprocess
import sys

import pytest

from harness import ROOT
from tma.core.detect import regex
from tma.core.detect.regex import Code, Codes, compiled

ODD = ["[[(]y", "[^[]y", "[a&&b]y", "[a||b]y", "[a~~b]y"]


@pytest.mark.parametrize("pattern", ODD)
def test_a_set_that_python_warns_about_compiles_in_silence(pattern: str) -> None:
    """HOOK-1: a hook prints nothing, a warning included (warnings are errors in this suite)."""
    assert compiled(pattern).search("z") is None
    codes = Codes()
    assert codes.compiled(pattern).search("z") is None
    assert not codes.made


@pytest.mark.parametrize("pattern", ["", "x+y", r"^\s*[❯>]\s1\. (?:Yes|(N)o)", "(?im)^ÄB$", "(?P<n>a){2,3}", "[✢✳✶]…"])
def test_a_pattern_from_its_code_is_the_one_that_python_compiles(pattern: str) -> None:
    """MAN-RX-7: it finds the same, without the compiler."""
    first, wanted = Codes(), re.compile(pattern)
    first.compiled(pattern)
    again = Codes(lambda: first.made)
    found = again.compiled(pattern)
    assert not again.made
    assert (found.pattern, found.flags, found.groups) == (wanted.pattern, wanted.flags, wanted.groups)
    for text in ("", "xxy", "  ❯ 1. No", "z\näb\n", "aaa", "✳… x"):
        match, other = found.search(text), wanted.search(text)
        assert (match and match.span()) == (other and other.span())


@pytest.mark.parametrize(
    "code",
    ["", "0", "0 -2 1", f"0 0 {2**40}", f"0 0 {1 << 20} 7", "x", f"32 {1 << 60} 1", "32 101 1", "9" * 5000, "32 0 -1"],
)
def test_a_code_that_is_none_is_made_anew(code: Code) -> None:
    """MAN-RX-7: what cannot be one is seen; for the rest the file's checksum and owner stand."""
    codes = Codes(lambda: {"x+y": code})
    assert codes.compiled("x+y").search("axxy")
    assert list(codes.made) == ["x+y"]


def test_a_python_with_another_compiler_compiles_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The codes are CPython's own; without them everything is only slower."""
    re.compile("x+y")  # its own cache has it then, and asks the compiler no more
    monkeypatch.setattr("re._compiler._code", None)
    codes = Codes()
    assert codes.compiled("x+y").search("axxy")
    assert not codes.made


def test_a_broken_pattern_is_refused_as_by_python() -> None:
    """MAN-RX-3: errors are those of ``re.compile``."""
    with pytest.raises(re.error):
        Codes().compiled("(")


def test_a_code_is_of_one_release_of_python() -> None:
    """Another release may compile otherwise, although its engine understands the code."""
    assert {f"{sys.hexversion:x}", str(_sre.MAGIC), str(_sre.CODESIZE), sys.byteorder} < set(regex.ENGINE.split())


def test_a_known_code_needs_no_compiler() -> None:
    """Section 4 of the architecture: the compiler is most of what a look would load."""
    codes = Codes()
    codes.compiled("x+y")
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n"
        f"from {regex.__name__} import Codes\n"
        f"assert Codes(lambda: {codes.made!r}).compiled('x+y').search('axxy')\n"
        "print('re' in sys.modules)"
    )
    argv = [sys.executable, "-I", "-S", "-c", program]
    assert subprocess.run(argv, check=True, capture_output=True, text=True).stdout == "False\n"
