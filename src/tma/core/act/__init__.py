"""Acting on a pane: what may be fired, when, and in which steps."""
