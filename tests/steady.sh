#!/bin/bash
# Runs the test programs again and again beside busy processes: a test that fails once has a defect, or shows one.
#
#   tests/steady.sh ROUNDS [PROGRAM...]	all test programs, or those
#
# They are those of $MYNA_BUILD (build/check), where `make all` and `make tests` ran before. MYNA_BUSY processes (4) only use the
# processors; MYNA_CHECK_JOBS is how many programs run at a time, as for ./check. What failed prints a line, and keeps its log in
# $MYNA_BUILD/steady; the last line counts the runs.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/steps.sh
export MYNA_BUILD=${MYNA_BUILD:-$PWD/build/check} CMOCKA_MESSAGE_OUTPUT=TAP
rounds=${1:?how many rounds?} limit=900
shift
logs=$MYNA_BUILD/steady

# run ROUND PROGRAM
run() {
	log=$logs/$1-${2//\//-}.log
	timeout "$limit" "./$2" >"$log" 2>&1 </dev/null
	status=$?
	if [ $status -eq 0 ]; then
		echo ok
		rm "$log"
	else
		echo "round $1: $2: exit status $status: $(grep '^not ok' "$log" | head -n 3 | tr '\n' ' ')"
	fi
}
if [ "$rounds" = --run ]; then
	cd "$MYNA_BUILD" && run "$@"
	exit 0
fi
rm -rf "$logs"
mkdir -p "$logs"
programs=("$@")
[ $# -gt 0 ] || mapfile -t programs < <(make -s -C "$MYNA_BUILD" list-tests | tr ' ' '\n')
busy=()
trap 'kill "${busy[@]}" 2>/dev/null' EXIT
for ((i = 0; i < ${MYNA_BUSY-4}; i++)); do
	while :; do :; done &
	busy+=($!)
done
for ((round = 1; round <= rounds; round++)); do
	printf "$round %s\n" "${programs[@]}" | shuf
done | xargs -P "${MYNA_CHECK_JOBS:-$((6 * $(nproc)))}" -L 1 "$PWD/tests/steady.sh" --run | {
	runs=0 failed=0
	while read -r result; do
		runs=$((runs + 1))
		if [ "$result" != ok ]; then
			failed=$((failed + 1))
			echo "$result"
		fi
		if [ $((runs % ${#programs[@]})) -eq 0 ]; then
			echo "$runs runs, $failed failed, $SECONDS s"
		fi
	done
	echo "$runs runs of ${#programs[@]} programs beside ${#busy[@]} busy processes, $failed failed"
	[ $failed -eq 0 ] && [ $runs -eq $((rounds * ${#programs[@]})) ]
}
