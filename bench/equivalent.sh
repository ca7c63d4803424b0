#!/bin/sh
# What people write instead: each case does by hand what a command of tma does, without its guarantees.
# No guard, no detection, no lock, no rollups: what stands in the pane options is taken as it is.
#
# Usage: bench/equivalent.sh event | status | clear-attention | ls | send PANE KEY
set -eu
tmux="${TMA_TMUX_BIN:-tmux} -S ${TMUX%%,*}"

case $1 in
event)
	payload=$(cat)
	session=$(printf '%s' "$payload" | sed -n 's/.*"session_id":"\([^"]*\)".*/\1/p')
	now=$(date +%s)
	$tmux set-option -p -t "$TMUX_PANE" @hand_state working \; set-option -p -t "$TMUX_PANE" @hand_since "$now" \; \
		set-option -p -t "$TMUX_PANE" @hand_session "$session" \; refresh-client -S 2>/dev/null || :
	;;
status)
	$tmux list-panes -a -F '#{@agent_state}' | sort | uniq -c | while read -r count state; do
		case $state in
		blocked) printf '#[fg=red]⚑%s ' "$count" ;;
		working) printf '#[fg=yellow]●%s ' "$count" ;;
		idle) printf '#[fg=green]○%s ' "$count" ;;
		esac
	done
	;;
clear-attention) $tmux set-option -pu -t "$TMUX_PANE" @agent_attention ;;
ls)
	$tmux list-panes -a -F '#{@agent_state} #{@agent_name} #{session_name}:#{window_index}.#{pane_index} #{pane_current_path}' |
		grep '^[a-z]' | sort
	;;
send) $tmux send-keys -t "$2" "$3" ;;
esac
