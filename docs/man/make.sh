#!/bin/sh
# Writes a manual page: what does not change from FILE.in, settings and commands from what the program says of itself.
# make.sh COMMAND-THAT-RUNS-MYNA FILE.in
set -e
command=$1 page=$2
# shellcheck disable=SC2086
myna() { $command "$@"; }
version=$(myna --version)

# Text of Markdown as roff.
escape='
function escape(s,    out, n, parts, i) {
	gsub(/\\\|/, "|", s)
	gsub(/\\/, "\\e", s)
	gsub(/-/, "\\-", s)
	gsub(/\*\*/, "", s)
	n = split(s, parts, "`")
	for (i = 1; i <= n; i++)
		out = out (i % 2 == 0 ? "\\fB" parts[i] "\\fR" : parts[i])
	return out ~ /^[.\047]/ ? "\\&" out : out
}
'
settings() {
	myna settings | awk "$escape"'
	/^## / { sub(/^## /, ""); print ".SS " escape($0); begun = 1; next }
	!begun || /^\| (Key|---)/ || /^$/ { next }
	/^\| / {
		gsub(/\\\|/, "\001")
		split(substr($0, 3, length($0) - 4), cell, / \| /)
		for (i = 1; i <= 4; i++)
			gsub(/\001/, "|", cell[i])
		print ".TP\n" escape(cell[1]) " (" escape(cell[2]) (cell[3] == "required" ? "; required" : cell[3] == "none" ? "" : "; default " escape(cell[3])) ")"
		print escape(cell[4])
		next
	}
	{ print ".PP\n" escape($0) }'
}
# "  USAGE" and "      what it does", as myna help prints them.
usages() {
	awk "$escape"'
	/^      / { sub(/^ */, ""); print escape($0); next }
	/^  / { sub(/^ */, ""); print ".TP\n\\fB" escape($0) "\\fR" }'
}

# Where it was configured to be.
config=$(myna help | sed -n 's/^FILE is .*, then \(.*\)\.$/\1/p')

while IFS= read -r line; do
	case $line in
	@SETTINGS@) settings ;;
	@COMMANDS@) myna help | sed -n '/^  myna .*/,$p' | usages ;;
	@CHAT@) myna help chat | usages ;;
	@VERSION@*) printf '.TH %s "" "%s" "Myna"\n' "${line#@VERSION@ }" "$version" ;;
	*@CONFIG@*) printf '%s%s%s\n' "${line%%@CONFIG@*}" "$config" "${line#*@CONFIG@}" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$page"
