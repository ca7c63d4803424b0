"""Telling a person: which notices are due, who may ring, and through which sinks."""
