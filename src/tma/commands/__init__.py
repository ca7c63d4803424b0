"""One verb each: its options, and what running it does."""
