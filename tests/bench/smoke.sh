#!/bin/bash
# Do the measurements still work? Each with the smallest sizes, in a build folder; what they measure is not judged, but for one
# figure that does not depend on the machine.
#   tests/bench/smoke.sh BUILD
set -u
source=$(cd "$(dirname "$0")" && pwd)
cd "${1:?usage: tests/bench/smoke.sh BUILD}" || exit 64
export MYNA_BUILD=$PWD
failed=0

# measure FIGURES COMMAND...: it ends well and gives so many figures.
measure() {
	wanted=$1
	shift
	figures=$("$@" | grep -c -E '^[a-z0-9_.]+	-?[0-9.]+$')
	[ "$figures" -eq "$wanted" ] && return
	echo "$figures figures instead of $wanted: $*"
	failed=$((failed + 1))
}
gateway() {
	wanted=$1
	shift
	measure "$wanted" tests/bench/bench_gateway "$@" --dir bench-smoke --script "$source/script.json"
}
gateway 5 acks --chats 10 --messages 100 --text "Please wait 60000 ms with the answer."
gateway 37 burst --chats 20 --messages 20 --runs 2 --peer "floor=$PWD/tests/bench/floor"
gateway 17 burst --chats 5 --messages 5 --preload "$PWD/tests/bench/slowsync.so" --text "Please wait 500 ms with the answer."
gateway 2 disk
gateway 10 idle --seconds 2 --poll 1 --everywhere
gateway 6 latency --messages 5
gateway 6 latency --messages 5 --platform slack
gateway 6 latency --messages 5 --platform discord
gateway 4 limits --chats 5 --messages 10
gateway 4 playground --chats 5 --messages 10 --runs 2
gateway 4 start --runs 2
gateway 4 first --messages 2 --text "Please stream for a second."
gateway 4 streams --chats 20 --text "Please stream for minutes."
gateway 20 growth --messages 2000 --chats 20 --runs 1 --text "Please wait 60000 ms with the answer."
measure 4 tests/bench/bench_http plain 100
measure 15 tests/bench/bench_models requests 64 2
measure 6 tests/bench/bench_models streams 1 2
BENCH_SEARCH_FILES=1000 BENCH_SEARCH_RUNS=1 measure 15 "$source/search.sh" "$PWD/myna"
# The playground may not hide what is measured. Other load does not change this figure.
most=700000
instructions=$(BENCH_PLAYGROUND_RUNS=1 "$source/playground.sh" "$PWD" | sed -n 's/^playground.instructions	//p')
if [ "${instructions:-0}" -eq 0 ] || [ "$instructions" -gt $most ]; then
	echo "a message takes ${instructions:-no} instructions of the playground, at most $most: tests/bench/playground.sh finds where"
	failed=$((failed + 1))
fi
rm -rf bench-smoke bench-smoke.disk
[ $failed -eq 0 ] && echo "the measurements work"
exit $((failed > 0))
