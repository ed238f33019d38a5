#!/bin/bash
# Shows that the crash tests and the fault tests notice mistakes. One build can make each mistake of the table below: base/wrong.h
# says how, and MYNA_WRONG chooses one. Each must be seen to lose or double messages, and an ordinary build must know none.
#
#   tests/crash/wrong-builds.sh [NAME...]       all of the table, or these
#
# MYNA_WRONG_BUILDS=N tries N mistakes of the table, chosen at random, instead of all.
# Without names it tries the program without a mistake, too, unless MYNA_CONTROL=0: where the crash and fault tests run anyway,
# they are that. As many run beside each other as there are cores; the build stays in build/wrong.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/packages.sh
wrong=build/wrong ordinary=build/quickstart

# What must be seen: lost or doubled messages, wrong retries in the fault tests, or nothing. How many kills and power cuts are
# enough, and in which conversation, if not in all. Or a test that must fail, and what it says. The longest first.
table='
none                    | nothing | 200 100 |                 | the program without a mistake
offset-forgotten        | nothing | 150 100 |                 | the stored offset is not used; updates that are known are recognised
discord-place-first     | lost    | 100 0   | Discord         | the place in the session is committed before its messages
slack-ack-before-commit | lost    | 100 0   | Slack           | Slack is told that an event has arrived before it is committed
none                    | nothing | faults  |                 | the program without a mistake
doubt-taken-for-unsent  | retries | faults  |                 | a send that may have arrived is taken for one that never left
no-second-call-guard    | retries | faults  |                 | curl may send a message again by itself when a connection dies
repeat-not-marked       | doubled | 120 0   | two in a row    | what is sent once more because it may have arrived bears no mark
slack-found-for-unsent  | doubled | 60 0    | Slack           | what is found on Slack of a send that was cut off is not believed
discord-no-nonce        | doubled | 60 0    | Discord         | messages to Discord have no nonce that is enforced
answer-after-end        | lost    | 120 0   | two in a row    | a turn ends in one commit, and its answer is queued in the next
no-dedupe               | doubled | 120 0   | two in a row    | the stored offset is not used, and known updates are taken as new
call-not-journalled     | doubled | 100 0   | note            | that a call begins is not written down before it does
notices-repeated        | doubled | 100 0   | another chat    | notices that may have arrived are sent once more, as replies are
ack-before-store        | lost    | 100 0   | two in a row    | updates are confirmed to Telegram before they are stored
sending-not-committed   | doubled | 60 0    | two in a row    | that a message is being sent is not written down before
result-after-use        | lost    | 60 0    | files at once   | the result of a call is stored when the model has seen it already
synchronous-normal      | lost    | 0 50    | two in a row    | commits are not synced
no-second-call-guard    | doubled | 40 0    | connection lost | the same, in a conversation
resumed-for-all         | lost    | 60 0    | note            | a turn that goes on after a crash has the workspace of all chats
upload-named-anew       | doubled | 60 0    | file in, file out | a file that came in gets another name after a crash
move-in-two-steps       | said    | flow/tools/test_workspace_kill | is not where it was | files are moved by way of a name that no next run knows
quota-forgotten         | said    | flow/tools/test_workspace | lacks "QUOTA"      | what a chat has is not counted for its quota
copied-row-lost         | said    | store/test_copy | differs            | a row of each table is not copied to another store
no-fence                | said    | store/postgres/test_cluster | stored what came after its burial | a node that was taken for dead can still commit
no-self-stop            | said    | flow/ops/test_cluster | count_in_log(0, ends) > ended | a node that has lost its lease goes on
no-fence                | said    | cluster/test_pause | the database saw a wrong commit | the same, with three nodes
no-self-stop            | said    | cluster/test_pause | NODES_ENDS) > ended | the same, with three nodes
commit-forgotten        | said    | cluster/test_lost_answer | was never answered | a commit whose answer was lost is made again
rest-forgotten          | said    | flow/agent/test_outage_kill | requests while the model rests | after a start all that waited ask at once
'

work=$(mktemp -d /tmp/myna-wrong-XXXXXX)
trap 'rm -rf "$work"' EXIT
fail() { echo "wrong-builds: $*"; exit 1; }
# made FOLDER TARGET...
made() { make -s -C "$1" -j"$(nproc)" "${@:2}" >"$work/make.log" 2>&1 || { tail -n 30 "$work/make.log"; fail "$1 does not build"; }; }

# knows FOLDER: the names that stand in the program there.
knows() { for name in $names; do grep -qaF "$name" "$1/myna" && echo "$name"; done; }

# number NAME LOG: from the summary of the crash tests. total NAME LOG: of all lines of figures of the fault tests.
number() { grep '^# summary' "$2" | grep -o "$1 [0-9]*" | grep -o '[0-9]*$'; }
total() { grep -o "$1 [0-9]*" "$2" | awk '{ n += $NF } END { print n + 0 }'; }

# try NAME EXPECT SIZES CONVERSATION: runs the tests, and prints a row of figures.
try() {
	local name=$1 expect=$2 log=$work/$1-${3//[ \/]/-} points lost=0 doubled=0 retries=0 status seen=0 began=$SECONDS
	export MYNA_BUILD=$PWD/$wrong MYNA_WRONG=$name
	cd $wrong || exit 1
	if [ "$3" = faults ]; then
		timeout 900 tests/fault/test_send >"$log" 2>&1 </dev/null
		status=$? points=$(total faults "$log") retries=$(total 'wrong retries' "$log")
	elif [ "$expect" = said ]; then
		# What shows only in a race may need a few runs, and something else that the mistake does may show first.
		for points in 1 2 3 4 5; do
			timeout 900 "tests/$3" >"$log" 2>&1 </dev/null
			status=$?
			if [ $status -eq 124 ] || { [ $status -ne 0 ] && grep -qF "$4" "$log"; }; then break; fi
		done
	else
		MYNA_KILL_POINTS=${3% *} MYNA_POWER_CUTS=${3#* } tests/crash/crash ${4:+--scenario "$4"} >"$log" 2>&1
		status=$? points=$(number 'summary: points' "$log") lost=$(number lost "$log")
		doubled=$(($(number 'two turns' "$log") + $(number 'unmarked duplicates' "$log") + $(number 'side effects twice' "$log")))
	fi
	case $expect in
	lost) seen=${lost:-0} ;;
	doubled) seen=$doubled ;;
	retries) seen=$retries ;;
	said) [ $status -eq 0 ] || ! grep -qF "$4" "$log" || seen=1 ;;
	nothing) [ $status -ne 0 ] || seen=1 ;;
	esac
	[ "${points:-0}" -gt 0 ] || seen=0
	printf '%-24s %7d %7d %7d %7d %4d s  %s\n' "$name" "${points:-0}" "${lost:-0}" "$doubled" "$retries" $((SECONDS - began)) \
	    "$([ "$seen" -gt 0 ] && echo "ok: $expect" || echo "NOT AS EXPECTED: $expect")"
	[ "$seen" -gt 0 ] || { grep -EA 4 '^not ok|ERROR' "$log" || tail "$log"; } | head -n 20
}

rows=$(grep . <<<"$table" | sed 's/ *| */|/g')
names=$(cut -d '|' -f 1 <<<"$rows" | grep -vx none | sort -u)
for name in "$@"; do grep -qx "$name" <<<"$names" || fail "no mistake is called $name"; done
chosen=$(shuf -n "${MYNA_WRONG_BUILDS:-1000}" <<<"$names")
[ $# -eq 0 ] && [ "${MYNA_CONTROL-1}" != 0 ] && set -- none $chosen
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $chosen

{ build_configure $ordinary && build_configure $wrong --enable-wrong-builds CFLAGS=-O1; } || fail "configure failed"
made $ordinary myna
# shellcheck disable=SC2046
made $wrong myna myna-playground tests/crash/crash tests/fault/test_send $(awk -F '|' '$2 == "said" { print "tests/" $3 }' <<<"$rows")
[ -z "$(knows $ordinary)" ] || fail "an ordinary build can be told to be wrong:" $(knows $ordinary)
[ "$(knows $wrong)" = "$names" ] || fail "no code makes the mistake:" $(comm -23 <(echo "$names") <(knows $wrong))

printf '%-24s %7s %7s %7s %7s\n' mistake points lost doubled retries
while IFS='|' read -r name expect sizes conversation _; do
	case " $* " in *" $name "*) ;; *) continue ;; esac
	[ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
	try "$name" "$expect" "$sizes" "$conversation" | tee -a "$work/rows" &
done <<<"$rows"
wait
bad=$(grep -c 'NOT AS EXPECTED' "$work/rows") good=$(grep -c ' ok: ' "$work/rows")
echo "wrong builds: $((good + bad)) tried, $bad not as expected"
[ "$bad" -eq 0 ] && [ "$good" -gt 0 ]
