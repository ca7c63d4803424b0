"""The child that tells a hook's notice."""

import json
import os
from pathlib import Path

import pytest

from acting import fake_runtime
from tma.services.notify import errand

NOTICE = {
    "trigger": "blocked", "agent": "claude", "pane": "%5", "at": 7, "detail": None, "session": None, "locator": "s:1.0",
    "title": "t", "repo": "", "branch": "", "since_ms": 0, "episode_ms": 7, "context_pct": None,
}  # fmt: skip


def test_it_looks_the_repository_up_and_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CMD-4, NOT-5: the hook does not wait for files; everything is told when it ends."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    runtime, _ = fake_runtime(lambda _: "")
    runtime.settings.notify |= {"log": str(tmp_path / "log"), "command": f"sleep 0.2; cat > {tmp_path}/told"}
    errand.serve(runtime, {"notice": NOTICE, "path": str(tmp_path / "shop")})
    told = json.loads((tmp_path / "told").read_text())
    assert (told["repo"], told["branch"], told["episode_ms"], "title" in told) == ("shop", "main", 7, False)
    assert json.loads((tmp_path / "log").read_text()) == {**told, "at": 7}


def test_the_order_is_all_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """CMD-4: in as many pieces as it comes."""
    read, write = os.pipe()
    os.write(write, b'{"path":')
    os.write(write, b'"x"}')
    os.close(write)
    monkeypatch.setattr(errand.posix, "read", lambda _, size: os.read(read, min(size, 5)))
    assert errand.read_order() == {"path": "x"}
    os.close(read)
