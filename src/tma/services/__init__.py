"""One use case each: ask the core, do the I/O."""
