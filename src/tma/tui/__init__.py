"""The terminal shell of the picker and the watcher."""
