"""JSON without the library: what is read, what is refused, and that nothing else is loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

from tma.core import jsontext

SRC = Path(__file__).resolve().parents[3] / "src"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, null, true, "\\u00e9\\n"]}', {"a": [1, 2.5, None, True, "é\n"]}),
        (" \t\r\n[1] \n", [1]),
        ('"\\ud83d\\ude00"', "😀"),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ("-0", 0),
    ],
)
def test_json_is_read_as_its_value(text: str, value: object) -> None:
    """A JSON text of any shape gives its value."""
    assert jsontext.parse(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "x", "-", "{", '{"a"', '{"a":1,}', "[1 2]", '"abc', '"\x01"', '["\\u12"]', "nulll", "1 x", "01",
        "NaN", "[Infinity]", "-Infinity", "\ufeff1", "1\u00a0", "[" * 200_000, "1" * 5000,
    ],
)  # fmt: skip
def test_what_is_not_json_is_a_value_error(text: str) -> None:
    """Broken, cut, doubled, too deep or non-standard texts are one kind of error (SEC-R-1)."""
    with pytest.raises(ValueError, match=r"."):
        jsontext.parse(text)


def test_values_are_written_on_one_line_with_text_as_it_is() -> None:
    """No blanks, keys in order or sorted, non-ASCII kept, control characters escaped."""
    value = {"b": "é\n😀", "a": [1, None, {"d": True, "c": 2.5}]}

    assert jsontext.compact(value) == '{"b":"é\\n😀","a":[1,null,{"d":true,"c":2.5}]}'
    assert jsontext.compact_sorted(value) == '{"a":[1,null,{"c":2.5,"d":true}],"b":"é\\n😀"}'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_numbers_without_a_json_form_are_refused(value: float) -> None:
    """What JSON has no number for is not written."""
    with pytest.raises(ValueError, match="JSON"):
        jsontext.compact(value)


def test_what_json_cannot_hold_is_refused() -> None:
    """Other types and endless values are errors, not guesses."""
    endless: list[object] = []
    endless.append(endless)

    with pytest.raises(TypeError, match="set is not JSON"):
        jsontext.compact({"a": {1}})
    with pytest.raises(ValueError, match="deeply"):
        jsontext.compact(endless)


def test_an_error_quotes_nothing_of_the_text() -> None:
    """A message gives the position, so that a log of it holds no payload (SEC-L-3)."""
    with pytest.raises(ValueError, match="at character 11") as caught:
        _alone("jsontext.parse('{\"secret\": }')")

    assert "secret" not in str(caught.value)


def test_neither_success_nor_failure_loads_the_json_library() -> None:
    """The hot path pays for neither ``json`` nor ``re``, whatever a payload holds."""
    loaded = _alone(
        """
        for text in ('{"a": 1}', '{"a": }', '"\\\\u12"', "x", "[" * 100000):
            try:
                jsontext.parse(text)
            except ValueError:
                pass
        jsontext.compact_sorted({"a": [1]})
        print(sorted({"json", "json.decoder", "re", "enum"} & set(sys.modules)))
        import json
        print(json.loads("[1]"), jsontext.parse("[1]"))
        """
    )

    assert loaded == "[]\n[1] [1]\n"


def _alone(code: str) -> str:
    """What a bare interpreter prints; its last line of error becomes a ValueError here."""
    lines = [line.removeprefix("        ") for line in code.strip("\n").splitlines()]
    program = "\n".join(["import sys", f"sys.path.insert(0, {str(SRC)!r})", "from tma.core import jsontext", *lines])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.splitlines()[-1])
    return done.stdout
