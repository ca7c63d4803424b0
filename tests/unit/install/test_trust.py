"""Gates, read from the agents' own files."""

import json
from pathlib import Path

import pytest

from installs import Home
from tma.install import trust
from tma.install.places import Places
from tma.install.trust import CHANGED, OFF, TRUSTED, UNKNOWN, UNTRUSTED, codex_hash, gate, shared_daemon


def test_codex_trusts_by_a_hash_of_each_handler(tmp_path: Path) -> None:
    """§9: fresh install, trusted, respelled, switched off, of a form that is not known."""
    home = Home(tmp_path)
    home.install("codex")
    hooks, config = tmp_path / ".codex" / "hooks.json", tmp_path / ".codex" / "config.toml"

    def now() -> str | None:
        return gate("codex", Places(home.env), "/x")

    assert now() == UNTRUSTED
    events = {"SessionStart": "session_start", "UserPromptSubmit": "user_prompt_submit", "Notification": "notification"}
    events |= {"Stop": "stop", "SubagentStart": "subagent_start", "SubagentStop": "subagent_stop"}
    document = json.loads(hooks.read_text())["hooks"]
    states = "".join(
        f'[hooks.state."{hooks}:{snake}:0:0"]\ntrusted_hash = "{codex_hash(snake, document[event][0]["hooks"][0])}"\n'
        for event, snake in events.items()
    )
    config.write_text(states)
    assert now() == TRUSTED
    config.write_text(states.replace("sha256:", "md5:"))
    assert now() == UNKNOWN
    config.write_text(states)
    hooks.write_text(hooks.read_text().replace(str(home.wrapper), "tma-hook"))
    assert now() == CHANGED
    config.write_text("[features]\nhooks = false\n")
    assert now() == OFF
    assert shared_daemon(Places(home.env))
    config.write_text("[features]\ndaemon_auto_start = false\n")
    assert not shared_daemon(Places(home.env))


def test_the_hash_is_codexs_own_form() -> None:
    """§9: compact, keys sorted; a short default for two events."""
    handler = {"type": "command", "command": "x"}

    assert codex_hash("stop", handler) == codex_hash("stop", handler | {"timeout": 600})
    assert codex_hash("interrupt", handler) == codex_hash("interrupt", handler | {"timeout": 1})


@pytest.mark.parametrize(
    ("settings", "folders", "state"),
    [
        ("{}", "{}", UNTRUSTED),
        ("{}", '{"/home/dev": "TRUST_FOLDER"}', TRUSTED),
        ("{}", '{"/home/dev": "TRUST_FOLDER", "/home/dev/x": "DO_NOT_TRUST"}', UNTRUSTED),
        ('{"security": {"folderTrust": {"enabled": false}}}', "{}", TRUSTED),
        ('{"hooksConfig": {"enabled": false}}', '{"/home/dev": "TRUST_FOLDER"}', OFF),
        ("[", "{}", UNKNOWN),
    ],
)
def test_gemini_trusts_folders(tmp_path: Path, settings: str, folders: str, state: str) -> None:
    """§9: the nearest ancestor of the pane's directory decides."""
    home = Home(tmp_path)
    home.write(".gemini/settings.json", settings.encode())
    home.write(".gemini/trustedFolders.json", folders.encode())

    assert gate("gemini", Places(home.env), "/home/dev/x/y") == state


def test_a_switch_turns_claudes_hooks_off(tmp_path: Path) -> None:
    """§9: no question of trust there."""
    home = Home(tmp_path)

    assert gate("claude", Places(home.env), "/x") == TRUSTED
    home.write(".claude/settings.json", b'{"disableAllHooks": true}')
    assert gate("claude", Places(home.env), "/x") == OFF
    assert gate("pi", Places(home.env), "/x") is None


@pytest.mark.parametrize("part", ["managed-settings.json", "managed-settings.d/10-hooks.json"])
@pytest.mark.parametrize("key", ["allowManagedHooksOnly", "disableAllHooks"])
def test_an_administrator_may_keep_claude_from_the_users_hooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, key: str
) -> None:
    """§9: the managed policy counts as off, and it is told apart from the user's own switch."""
    managed = tmp_path / "etc"
    monkeypatch.setattr(trust, "MANAGED", (str(managed),))
    home = Home(tmp_path)
    assert (gate("claude", Places(home.env), "/x"), trust.is_managed("claude")) == (TRUSTED, False)

    home.write(f"etc/{part}", json.dumps({key: True}).encode())

    assert (gate("claude", Places(home.env), "/x"), trust.is_managed("claude")) == (OFF, True)
    assert gate("qwen", Places(home.env), "/x") == TRUSTED
    assert not trust.is_managed("qwen")


@pytest.mark.parametrize(
    ("agent", "path"),
    [
        ("claude", ".claude/settings.json"),
        ("qwen", ".qwen/settings.json"),
        ("copilot", ".copilot/config.json"),
        ("copilot", ".copilot/settings.json"),
    ],
)
def test_a_person_may_switch_hooks_off(tmp_path: Path, agent: str, path: str) -> None:
    """§9: the agent's own settings."""
    home = Home(tmp_path)
    home.write(path, b'{"disableAllHooks": true}')

    assert gate(agent, Places(home.env), "/x") == OFF


def test_a_timeout_that_a_person_wrote_is_hashed_as_a_number(tmp_path: Path) -> None:
    """§9: as Codex reads it; one that no number is for is of a form that is not known."""
    home = Home(tmp_path)
    hooks, config = tmp_path / ".codex" / "hooks.json", tmp_path / ".codex" / "config.toml"
    hooks.parent.mkdir()
    handler = {"type": "command", "command": "tma-hook codex Stop", "timeout": 30}
    hooks.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [handler]}]}}))
    config.write_text(f'[hooks.state."{hooks}:stop:0:0"]\ntrusted_hash = "{codex_hash("stop", handler)}"\n')

    assert gate("codex", Places(home.env), "/x") == TRUSTED
    hooks.write_text(hooks.read_text().replace("30", "9" * 5000))
    assert gate("codex", Places(home.env), "/x") == UNKNOWN
