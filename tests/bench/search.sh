#!/bin/bash
# How long do glob and grep take over a tree of many small files, compared with find and grep -r of the system, in turns?
# Prints a figure a line: medians in milliseconds, and their ratios. A page of 10 matches is asked for, as a model would.
#   tests/bench/search.sh MYNA
# BENCH_SEARCH_FILES (100000) and BENCH_SEARCH_RUNS (7) set the size; the tree is in TMPDIR, 1 KiB a file.
set -u
myna=$(realpath "${1:?usage: tests/bench/search.sh MYNA}") || exit 64
files=${BENCH_SEARCH_FILES:-100000} runs=${BENCH_SEARCH_RUNS:-7}
export LC_ALL=C.UTF-8
dir=$(mktemp -d "${TMPDIR:-/tmp}/myna-search-XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
cat >"$dir/myna.conf" <<CONF
state = "$dir/state";
llm: { default = "none"; providers: { none: { api = "openai-chat"; base_url = "http://127.0.0.1:9/v1"; model = "none"; }; }; };
tools: { workspace = "$dir/ws"; };
CONF
chmod 600 "$dir/myna.conf"

make_tree() {
	mkdir "$dir/ws" && cd "$dir/ws" || exit 2
	for ((i = 0; i * 100 < files; i++)); do echo "$((i / 50))/$i"; done | xargs mkdir -p
	awk -v files="$files" 'BEGIN {
		for (n = 0; n < files; n++) {
			i = int(n / 100); name = int(i / 50) "/" i "/" n (n % 4 ? ".c" : ".md")
			for (line = 1; line <= 24; line++)
				printf "static int value_%d_%d = %d; /* some words */\n", n, line, line * n >name
			if (n % 500 == 7) print "here is the needle" >name
			close(name)
		}
	}'
}
# spent OUT COMMAND...: appends the milliseconds that it took; what it printed goes to a file, as to who reads it.
spent() {
	out=$1
	shift
	began=$EPOCHREALTIME
	"$@" >"$dir/out" 2>"$dir/err"
	echo "$EPOCHREALTIME $began" | awk '{ print 1000 * ($1 - $2) }' >>"$dir/$out"
}
tool() { "$myna" -c "$dir/myna.conf" tool run "$1" "$2"; }
median() { sort -n "$dir/$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# total OUTPUT: how many matches the tool counted.
total() { sed 's/.*"total_found": *\([0-9]*\).*/\1/' "$dir/out" | head -n 1; }

# compare NAME TOOL ARGUMENTS COMMAND...: in turns; both must find as many.
compare() {
	name=$1 tool=$2 arguments=$3
	shift 3
	for ((run = 0; run <= runs; run++)); do
		spent "$name.system" "$@"
		theirs=$(wc -l <"$dir/out")
		spent "$name.ours" tool "$tool" "$arguments"
		ours=$(total)
		[ "$theirs" = "$ours" ] || { echo "$name: $ours found, and $theirs by $*: $(head -c 300 "$dir/out" "$dir/err")" >&2; exit 1; }
		# The first run fills the caches.
		[ $run -gt 0 ] || rm "$dir/$name.system" "$dir/$name.ours"
	done
	printf 'search.%s_ms\t%.1f\nsearch.%s_system_ms\t%.1f\n' "$name" "$(median "$name.ours")" "$name" "$(median "$name.system")"
	printf 'search.%s_ratio\t%s\n' "$name" "$(awk "BEGIN { print $(median "$name.ours") / $(median "$name.system") }")"
}

make_tree
compare grep_text grep '{"pattern": "needle", "head_limit": 10}' grep -rn needle .
compare grep_regex grep '{"pattern": "value_\\d*77_\\d+ = \\d+9;", "head_limit": 10}' grep -rnE 'value_[0-9]*77_[0-9]+ = [0-9]+9;' .
compare grep_any_case grep '{"pattern": "NEEDLE", "case_insensitive": true, "head_limit": 10}' grep -rni NEEDLE .
compare glob glob '{"pattern": "**/*.md", "head_limit": 10}' find . -type f -name '*.md'
compare glob_newest glob '{"pattern": "**/*.md", "sort": "modified", "head_limit": 10}' find . -type f -name '*.md' -printf '%T@ %p\n'
