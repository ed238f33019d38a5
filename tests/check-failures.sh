#!/bin/sh
# Checks the page of known failures: its rows are numbered from 1 to the last without a gap, and each names tests that exist and
# are run. A test is `PROGRAM.c: FUNCTION`, of a program that ./check runs, or the script of a step of ./check.
# Prints one line a violation and a summary; exit status 1 when there is one.
cd "$(dirname "$0")/.." || exit 2

page=${1:-tests/failures.md}
cases=54

# A function that is in the list of its program, in whatever macro.
is_run() {
	program=${1#tests/}
	[ -f "$1" ] && grep -qE "[[:space:]]%D%/${program%.c}( |\$)" tests/local.mk && tr -s '\n\t' ' ' <"$1" | grep -qE "[A-Za-z_]+\( ?$2[,)]"
}

is_step() {
	[ -x "$1" ] && grep -qE "^step_[a-z]+\(\) \{ $1( |;)" tests/steps.sh
}

# A line "row NUMBER" for each row, then one for each of its tests: "PATH FUNCTION", for a script "PATH -"; and "again" where a
# row above names it too.
rows() {
	awk -F' *[|] *' '/^\|.*`/ || /^\| *[0-9]/ {
		print "row", $2
		if (NF != 6 || $3 == "" || $4 == "")
			next
		n = split($5, part, "`")
		for (i = 2; i <= n; i += 2) { sub(":", "", part[i]); print part[i] (part[i] ~ / / ? "" : " -") (part[i] in seen ? " again" : ""); seen[part[i]] }
	}' "$page"
}

violation() {
	echo "$page: row $count: $1"
	missing=$((missing + 1))
}

rows | {
	count=0 tests=0 missing=0 named=1
	while read -r path function again; do
		if [ "$path" = row ]; then
			[ $named -gt 0 ] || violation "it is not whole, or names no test"
			count=$((count + 1)) named=0
			[ "$function" = $count ] || violation "it has the number $function"
			continue
		fi
		named=$((named + 1))
		[ -n "$again" ] || tests=$((tests + 1))
		if [ "$function" = - ]; then is_step "$path"; else is_run "$path" "$function"; fi ||
			violation "$path: $function is not there, or is not run"
	done
	[ $named -gt 0 ] || violation "it is not whole, or names no test"
	[ $count -eq $cases ] || violation "it is the last, and $cases are known"
	echo "failures: $count cases, $tests tests, $missing missing"
	[ $missing -eq 0 ]
}
