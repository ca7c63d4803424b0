"""What agents report about themselves."""
