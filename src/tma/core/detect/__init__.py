"""Which agent a pane holds and what it is doing."""
