"""A model server on loopback whose answers are written in the prompts that it gets."""
