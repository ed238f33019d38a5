#!/bin/bash
# What does the playground cost for a message that Myna answers on Telegram? It shares the machine with what is measured, so it must be
# little. Prints a figure a line: milliseconds of CPU time, MiB, and instructions (the difference of a long and a short run
# under valgrind's callgrind; without valgrind that figure is missing). With PROFILE, the long run's profile is kept there for callgrind_annotate.
#   tests/bench/playground.sh BUILD [PROFILE]
# BENCH_PLAYGROUND_RUNS (20) sets the number of bursts of 100 messages for the CPU time; BUILD is one without sanitizers.
set -u
source=$(cd "$(dirname "$0")" && pwd)
build=$(realpath "${1:?usage: tests/bench/playground.sh BUILD [PROFILE]}") || exit 64
profile=${2-}
dir=$(mktemp -d "${TMPDIR:-/tmp}/myna-playground-XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT

# measure BUILD CHATS RUNS: bursts of a message in each chat
measure() {
	MYNA_BUILD=$1 "$build/tests/bench/bench_gateway" playground --dir "$dir/stage" --script "$source/script.json" --chats "$2" --messages "$2" --runs "$3"
}
# instructions RUNS: of a whole run of the playground.
instructions() {
	cat >"$dir/counted/myna-playground" <<SH
#!/bin/sh
exec valgrind -q --tool=callgrind --callgrind-out-file="$dir/profile" "$build/myna-playground" "\$@"
SH
	chmod +x "$dir/counted/myna-playground"
	measure "$dir/counted" 20 "$1" >/dev/null && sed -n 's/^summary: //p' "$dir/profile"
}

measure "$build" 100 "${BENCH_PLAYGROUND_RUNS:-20}" || exit
if ! command -v valgrind >/dev/null; then
	echo "instructions are not counted: there is no valgrind" >&2
	exit 0
fi
mkdir "$dir/counted"
ln -s "$build"/myna "$build"/myna-* "$dir/counted/"
rm "$dir/counted/myna-playground"
short=$(instructions 1) && long=$(instructions 11) || exit
[ -z "$profile" ] || cp "$dir/profile" "$profile"
printf 'playground.instructions\t%d\n' $(((long - short) / 200))
