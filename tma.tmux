#!/bin/sh
# The plugin entry: TPM, or `run-shell` in a tmux configuration, executes this file when tmux loads
# its configuration. It finds tma and lets it set up the running server; no file is written.

program=$(tmux show-options -gqv @tma_bin)
case $program in
/*) [ -x "$program" ] || program= ;;
*) program= ;;
esac
if [ -z "$program" ]; then
	set -f
	IFS=:
	for directory in $PATH "$HOME/.local/bin"; do
		case $directory in
		/*) [ -f "$directory/tma" ] && [ -x "$directory/tma" ] && program=$directory/tma && break ;;
		esac
	done
fi
if [ -z "$program" ]; then
	tmux display-message "tma is not installed: see its README, or set @tma_bin"
	exit 0
fi
"$program" plugin >/dev/null 2>&1
exit 0
