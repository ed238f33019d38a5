#!/bin/bash
# Keeps a gateway running, and obeys the playground's page: supervise.sh MYNA CONFIG PIPE URL
# Orders come through the named pipe, a line each: "kill" ends it with -9, and it is started again; "kill hold" leaves it down
# until the next "restart". What becomes of it is told to the playground at URL. One that ends by itself is started again, later
# each time. SIGTERM ends both.
set -u
myna=$1 config=$2 pipe=$3 url=$4
pid= state=down held= exit_reason= started=0 wait_s=1 again_at=0

# Open for reading and writing, it never comes to its end. On 4 nothing ever comes: waiting there is a sleep without a process.
exec 3<>"$pipe" 4<> <(:) || exit 1
trap 'stop; exit 0' TERM INT

# A playground that is busy is waited for: what it is not told, its page never shows.
tell() {
	state=$1
	curl -s -o /dev/null -m 20 -X POST "$url/control/gateway/state" -H 'Content-Type: application/json' -d \
	    "{\"state\":\"$state\",\"pid\":${pid:-0},\"held\":${held:-false}${exit_reason:+,\"exit\":\"$exit_reason\"}}"
}
start() {
	held=
	"$myna" run -c "$config" 3<&- 4<&- &
	pid=$! started=$SECONDS
	tell starting
}
stop() { [ -n "$pid" ] && kill "$pid" 2>/dev/null && { wait "$pid"; } 2>/dev/null; }
is_ready() { "$myna" status --json -c "$config" 2>/dev/null | grep -q '"ready":true'; }
# It has ended: says how, and when it is started again.
ended() {
	{ wait "$pid"; } 2>/dev/null
	status=$?
	if [ "$status" -gt 128 ]; then exit_reason="killed by signal $((status - 128))"; else exit_reason="ended with status $status"; fi
	[ $((SECONDS - started)) -ge 10 ] && wait_s=1
	again_at=$((SECONDS + wait_s))
	wait_s=$((wait_s < 16 ? wait_s * 2 : 30))
	pid=
	tell down
}
obey() {
	case $1 in
	"kill hold") held=true; if [ -n "$pid" ]; then kill -9 "$pid"; else tell down; fi ;;
	kill) wait_s=1; [ -n "$pid" ] && kill -9 "$pid" ;;
	restart) [ -n "$pid" ] && kill "$pid" && ended; wait_s=1; start ;;
	esac
}

start
while :; do
	# A line is there as a whole: a read with a limit might end in the middle of it.
	if read -r -t 0 -u 3; then
		read -r -u 3 order
		obey "$order"
	elif [ -n "$pid" ] && ! kill -0 "$pid" 2>/dev/null; then
		ended
	elif [ "$state" = starting ] && is_ready; then
		tell ready
	elif [ -z "$pid" ] && [ -z "$held" ] && [ "$SECONDS" -ge "$again_at" ]; then
		start
	else
		read -r -t 0.2 -u 4
	fi
done
