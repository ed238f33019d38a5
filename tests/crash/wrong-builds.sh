#!/bin/bash
# Shows that the crash tests would notice: builds programs that are wrong on purpose, each by one patch, and demands
# that messages are lost or doubled in each of them. A patch says above its first file what is wrong, what must be seen
# (lost, doubled, or nothing), how many kills and power cuts are enough, and in which conversation, if not in all. With
# "Faults: yes" the fault tests must count wrong retries too, or instead when it gives no sizes.
#
#   tests/crash/wrong-builds.sh [NAME...]       all of wrong/, or these
#
# Without names it tries the program as it is, too, unless MYNA_CONTROL=0: where the crash and fault tests run anyway, they
# are that. Half of the patches are tried beside the other half.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d /tmp/myna-wrong-XXXXXX)
trap 'rm -rf "$work"' EXIT
lanes=2
bad=0 rows=0

fail() { echo "wrong-builds: $*"; exit 1; }
# complain NAME SENTENCE
complain() {
	printf '%-24s %s\n' "$1" "$2"
	bad=$((bad + 1))
}
field() { sed -n "s/^$1: //p" "$2" | head -n 1; }
# number NAME: from the summary line of the last run.
number() { grep -o "$1 [0-9]*" "$work/summary" | grep -o '[0-9]*$'; }
build() { make -s -C "$work/build" "$@" >"$work/make.log" 2>&1; }
# total NAME: of all lines of figures of the last run.
total() { grep -o "$1 [0-9]*" "$work/run.log" | awk '{ n += $NF } END { print n + 0 }'; }

# try NAME EXPECT KILLS CUTS CONVERSATION: runs the crash tests on what is built, and prints a row.
try() {
	(cd "$work/build" && MYNA_BUILD=$PWD MYNA_KILL_POINTS=$3 MYNA_POWER_CUTS=$4 \
	    tests/crash/crash ${5:+--scenario "$5"}) >"$work/run.log" 2>&1
	if ! grep '^# summary' "$work/run.log" >"$work/summary"; then
		complain "$1" "the crash tests did not come to their end: $(tail -n 1 "$work/run.log")"
		return
	fi
	lost=$(number lost)
	twice=$(($(number 'two turns') + $(number 'unmarked duplicates') + $(number 'side effects twice')))
	seen=0 verdict=ok
	case $2 in
	lost) seen=$lost ;;
	doubled) seen=$twice ;;
	nothing) grep -q '^not ok' "$work/run.log" || seen=1 ;;
	esac
	if [ "$seen" -eq 0 ]; then
		verdict="NOT AS EXPECTED: $2" bad=$((bad + 1))
		grep -A 4 '^not ok' "$work/run.log" | head -n 20
	fi
	printf '%-24s %7d %7d %7d  %s\n' "$1" "$(number 'summary: points')" "$lost" "$twice" "$verdict"
}

# try_faults NAME EXPECT: the same with the fault tests; EXPECT is wrong or nothing.
try_faults() {
	(cd "$work/build" && MYNA_BUILD=$PWD timeout 300 tests/fault/test_send) >"$work/run.log" 2>&1 </dev/null
	status=$? seen=$(total 'wrong retries') verdict=ok
	if [ "$2" = wrong ] && [ "$seen" -eq 0 ] || [ "$2" = nothing ] && [ $status -ne 0 ]; then
		verdict="NOT AS EXPECTED: $2" bad=$((bad + 1))
		tail -n 20 "$work/run.log"
	fi
	printf '%-24s %7d faults, %d wrong retries  %s\n' "$1" "$(total faults)" "$seen" "$verdict"
}

try_patch() {
	name=$(basename "$1" .patch)
	if ! patch -s -p1 -f --dry-run -d "$work/tree" <"$1" >"$work/patch.log" 2>&1; then
		complain "$name" "the patch no longer fits the source: make the same mistake there, and write it anew"
		return
	fi
	patch -s -p1 -f --no-backup-if-mismatch -d "$work/tree" <"$1"
	faults=$(field Faults "$1")
	if build myna ${faults:+tests/fault/test_send}; then
		# shellcheck disable=SC2046
		[ -z "$(field Sizes "$1")" ] ||
		    try "$name" "$(field Expect "$1")" $(field Sizes "$1") "$(field Conversation "$1")"
		[ -z "$faults" ] || try_faults "$name" wrong
	else
		complain "$name" "it does not build: $(grep -m 1 error "$work/make.log")"
	fi
	patch -s -p1 -f -R --no-backup-if-mismatch -d "$work/tree" <"$1"
}

# try_lane N PATCH...: every one that is the lane's, in a tree of its own; the last line counts.
try_lane() {
	turn=0 lane=$1
	work=$work/$lane
	shift
	[ "$lane" -ne 0 ] || [ "$control" = 0 ] || { try "as it is" nothing 200 100 ""; try_faults "as it is" nothing; rows=1; }
	for patch in "$@"; do
		[ $((turn++ % lanes)) -eq "$lane" ] || continue
		rows=$((rows + 1))
		try_patch "$patch"
	done
	echo "$rows $bad" >"$work/count"
}

mkdir -p "$work/0/tree" "$work/0/build"
tar cf - -C "$root" --exclude=./.git --exclude=./build --exclude='*.o' . | tar xf - -C "$work/0/tree" ||
    fail "cannot copy the tree"
[ -x "$work/0/tree/configure" ] || (cd "$work/0/tree" && ./autogen.sh >/dev/null 2>&1) || fail "autogen.sh failed"
(cd "$work/0/build" && ../tree/configure -q CFLAGS=-O1 >"$work/make.log" 2>&1 &&
    make -s -j2 myna myna-playground tests/crash/crash tests/fault/test_send >"$work/make.log" 2>&1) ||
    { tail -n 30 "$work/make.log"; fail "the build failed"; }
for lane in $(seq $((lanes - 1))); do cp -a "$work/0" "$work/$lane" || fail "cannot copy the build"; done

patches=()
for patch in "$here"/wrong/*.patch; do
	name=$(basename "$patch" .patch)
	case " ${*:-$name} " in *" $name "*) patches+=("$patch") ;; esac
done
[ $# -eq 0 ] && control=${MYNA_CONTROL-1} || control=0
printf '%-24s %7s %7s %7s\n' build points lost doubled
for lane in $(seq 0 $((lanes - 1))); do try_lane "$lane" "${patches[@]}" & done
wait
read -r rows bad <<<"$(cat "$work"/?/count | awk '{ rows += $1; bad += $2 } END { print rows + 0, bad + 0 }')"
echo "wrong builds: $rows tried, $bad not as expected"
[ "$bad" -eq 0 ] && [ "$rows" -ge "${#patches[@]}" ] && [ "$rows" -gt 0 ]
