"""Edits to other people's files: shown before done, proved before written, undone to the byte."""
