"""The agents that can be wired, and nothing else."""

from tma.install.agents import claude, codex, copilot, cursor, gemini, opencode, pi, qwen

ADAPTERS = {
    adapter.name: adapter
    for adapter in (
        claude.ADAPTER,
        codex.ADAPTER,
        gemini.ADAPTER,
        cursor.ADAPTER,
        opencode.ADAPTER,
        pi.ADAPTER,
        qwen.ADAPTER,
        copilot.ADAPTER,
    )
}
