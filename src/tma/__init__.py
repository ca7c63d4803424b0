"""tma: find the coding agents in tmux, show their state, answer their prompts."""

__version__ = "0.1.0"
