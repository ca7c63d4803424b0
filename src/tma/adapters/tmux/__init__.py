"""The tmux server: one client a step."""
