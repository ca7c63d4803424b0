"""One outside thing each, without decisions."""
