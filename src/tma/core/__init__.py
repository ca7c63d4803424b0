"""What things mean, as pure functions and records."""
