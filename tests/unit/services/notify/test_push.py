"""Push services: secrets stay secret, and one that fails stops no other."""

import sys
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from tma.core.events import alerts
from tma.services.cache import Options
from tma.services.notify import push, telling
from tma.services.notify.results import Outcome, Records


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ntfy://ntfy.sh/secret-topic", "ntfy://ntfy.sh/…"),
        ("mailto://user:pass@mail.example:587?to=x", "mailto://mail.example:587/…"),
        ("tgram://123456:TOKEN/42", "tgram://…"),
        ("pover://user@token", "pover://…"),
        ("no url at all", "…"),
    ],
)
def test_a_url_shows_its_scheme_and_a_hosts_name(url: str, shown: str) -> None:
    """URL-3: some services put a token where others have a host."""
    assert push.shown(url) == shown


def test_an_entry_is_a_url_a_variable_or_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """URL-3."""
    monkeypatch.setenv("MINE", "ntfy://h.example/t")
    secret = tmp_path / "url"
    secret.write_text("ntfy://f.example/t\nmore\n")
    secret.chmod(0o600)
    assert push.resolved("u://x") == "u://x"
    assert push.resolved("env:MINE") == "ntfy://h.example/t"
    assert push.resolved("env:NONE") == push.resolved(f"file:{tmp_path}/gone") == ""
    assert push.resolved(f"file:{secret}") == "ntfy://f.example/t"
    secret.chmod(0o644)
    assert push.resolved(f"file:{secret}") == ""


class Apprise:
    """A stand-in for the library: what each service was told."""

    told: ClassVar[list[tuple[str, str, str, str]]] = []

    def __init__(self) -> None:
        self.url = ""

    def add(self, url: str) -> bool:
        """Take a URL that has a scheme."""
        self.url = url
        return "://" in url

    def notify(self, *, title: str, body: str, notify_type: str) -> bool:
        """Tell it."""
        if "boom" in self.url:
            raise RuntimeError(self.url)
        self.told.append((self.url, title, body, notify_type))
        return "no" not in self.url


def test_each_service_has_its_own_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """URL-2, URL-4, URL-5: no result holds a URL."""
    library = ModuleType("apprise")
    library.Apprise = Apprise  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "apprise", library)
    monkeypatch.setattr(Apprise, "told", [])
    urls = ["u://boom.example/s", "bad", "u://a.example/s", "u://no.example/s"]
    order = {"urls": urls, "title": "t", "body": "b", "type": "warning"}
    records = Records({"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: 5)
    outcomes = list(push.serve(order, records))
    assert outcomes == [
        Outcome("urls", "u://boom.example/…", "failed", "RuntimeError"),
        Outcome("urls", "…", "bad-url", "urls[1]"),
        Outcome("urls", "u://a.example/…", "ok"),
        Outcome("urls", "u://no.example/…", "failed", "not accepted"),
    ]
    assert Apprise.told[0] == ("u://a.example/s", "t", "b", "warning")
    assert "/s" not in str(outcomes) + (tmp_path / "tma" / "notify-results.json").read_text()


def test_without_the_library_the_cure_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """URL-4."""
    monkeypatch.setitem(sys.modules, "apprise", None)
    order = {"urls": ["u://a.example/s"], "title": "t", "body": "b", "type": "info"}
    (outcome,) = push.serve(order, Records({"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: 5))
    assert (outcome.result, outcome.detail) == ("missing-extra", "pip install 'tma[notify]'")


def test_a_url_is_in_no_argument_list_and_the_title_only_if_opted() -> None:
    """URL-2, URL-3."""
    notice = alerts.Notice("blocked", "claude", "%5", at=1)
    notice.locator, notice.title = "s:1.0", "secret plan"
    plain = push.job(telling.of_notice(notice, title=False), Options(), ("u://t/s",), {})
    opted = push.job(telling.of_notice(notice, title=True), Options(), ("u://t/s",), {})
    assert "u://t/s" not in " ".join(plain.argv)
    assert (b"u://t/s" in plain.stdin, b"secret plan" in plain.stdin) == (True, False)
    assert b"s:1.0\\nsecret plan" in opted.stdin


def test_secrets_that_others_can_read_are_told_of(tmp_path: Path) -> None:
    """URL-3."""
    config = tmp_path / "config.toml"
    config.write_text("")
    config.chmod(0o644)
    assert any("others can read" in line for line in push.remarks(("u://a/s",), str(config)))
    assert not any("others can read" in line for line in push.remarks(("env:A",), str(config)))
    config.chmod(0o600)
    assert not any("others can read" in line for line in push.remarks(("u://a/s",), str(config)))
    assert push.remarks((), str(config)) == []
