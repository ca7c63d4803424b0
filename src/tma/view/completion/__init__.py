"""Shell completions: what there is to complete, and a script of it for each shell (CMP-1)."""
