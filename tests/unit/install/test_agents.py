"""The list of adapters."""

from tma.install.agents import ADAPTERS


def test_every_adapter_goes_by_its_name() -> None:
    """The table of adapters: eight agents."""
    assert sorted(ADAPTERS) == ["claude", "codex", "copilot", "cursor", "gemini", "opencode", "pi", "qwen"]
    assert all(name == adapter.name for name, adapter in ADAPTERS.items())
