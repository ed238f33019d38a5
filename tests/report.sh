# What ./check and .ci/run tell of a failure; sourced by both. Each is named again in $failures, which is shown at the end.
failures=

# failure WHAT...: for the end.
failure() { failures+="FAILED: $*"$'\n'; }
# failed_cases LOG: the names of the cases that failed, as TAP or cmocka has them.
failed_cases() {
	sed -n -e '/# [Ss][Kk][Ii][Pp]/d' -e '/ listed below:$/d' -e 's/^not ok [0-9]* *-* *//p' -e 's/^\[  FAILED  \] //p' \
	    -e '/NOT AS EXPECTED/p' "$1" | sort -u
}
# skipped_cases LOG
skipped_cases() { sed -n 's/^\(not \)\{0,1\}ok [0-9]* *-* *\(.*# [Ss][Kk][Ii][Pp]\)/\2/p' "$1"; }
# log_heart LOG: why it failed, in 40 lines at most: each case that failed with what it says, what make and the compilers complain
# of, or else the end of it.
log_heart() {
	awk '/^not ok .*# [Ss][Kk][Ii][Pp]/ { next }
		/^not ok |^\[  (ERROR|FAILED)  / { if (left < 1) printf "%s", said; said = ""; left = 9 }
		/^ok |^\[ RUN|^\[       OK|^\[=/ { left = 0; said = "" }
		/(:[0-9]+: |^)(fatal )?error: |: undefined reference|\*\*\* \[|NOT AS EXPECTED|ERROR: [A-Za-z]*Sanitizer|^SUMMARY: / && left < 1 { left = 1 }
		left-- > 0 { print substr($0, 1, 400); next }
		/^\[ RUN/ { next }
		{ said = substr(said substr($0, 1, 400) "\n", length(said) > 1200 ? length(said) - 800 : 1) }' "$1" | head -n 40 >"$1.heart"
	[ -s "$1.heart" ] || tail -n 15 "$1" | cut -c 1-400 >"$1.heart"
	cat "$1.heart"
	rm -f "$1.heart"
}
# failure_of WHAT LOG: shows the heart of the log, and keeps the names of its failed cases.
failure_of() {
	log_heart "$2"
	cases=$(failed_cases "$2" | head -n 12)
	[ -n "$cases" ] || cases=$(grep -m 1 -E ':[0-9]+: (fatal )?error: ' "$2" || tail -n 1 "$2")
	while read -r case; do failure "$1: ${case:0:200}"; done <<<"${cases:-it said nothing}"
}
