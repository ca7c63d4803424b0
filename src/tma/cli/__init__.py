"""The command line: which command, with what arguments, and how it ends."""
