#!/bin/sh
# Checks that whatever we use of libcurl is there in the oldest version that configure.ac takes: a new option that slips in would
# break the build, or each request, where the library is older. A name that the table below does not have is an error too: add it
# with the version that brought it (curl's docs/libcurl/symbols-in-versions, and the manual page of a function).
# Prints one line a violation and a summary; exit status 1 when there is one.
cd "${1:-$(dirname "$0")/..}" || exit 2

least=$(sed -n 's/.*libcurl >= \([0-9.]*\).*/\1/p' configure.ac)
in_code=$(sed -n 's/^#define HTTP_LIBRARY_MIN 0x\([0-9a-f]*\).*/\1/p' src/net/http/library.h)
[ -n "$least" ] || { echo "configure.ac demands no version of libcurl"; exit 1; }

grep -rnoE '\b(CURL[A-Z0-9]*_[A-Za-z0-9_]+|curl_(easy|formget|getdate|global|mime|multi|share|slist|url|version|ws)[a-z_]*|CURLVERSION_[A-Z]+)\b' \
	--include='*.[ch]' src channels playground | awk -F: -v least="$least" -v in_code="$in_code" '
function number(v,   p, n) { n = split(v, p, "."); return p[1] * 10000 + p[2] * 100 + (n > 2 ? p[3] : 0) }
function hex(s,   i, n) {
	n = 0
	for (i = 1; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return n
}
function in_version(s) { return hex(substr(s, 1, length(s) - 4)) * 10000 + hex(substr(s, length(s) - 3, 2)) * 100 + hex(substr(s, length(s) - 1)) }
BEGIN {
	while ((getline line < "tests/curl-names.txt") > 0)
		if (split(line, w, " ") == 2 && line !~ /^#/)
			since[w[1]] = w[2]
	if (in_version(in_code) != number(least)) {
		print "src/net/http/library.h: HTTP_LIBRARY_MIN is not the " least " of configure.ac"
		bad++
	}
}
# A function of ours that begins like one of theirs.
$3 ~ /^(curl_loop|curl_url_)$/ { next }
{
	used[$3] = 1
	if (!($3 in since)) { print $1 ":" $2 ": in which version did " $3 " come? tests/curl-names.txt does not have it"; bad++ }
	else if (number(since[$3]) > number(least)) { print $1 ":" $2 ": " $3 " came with libcurl " since[$3] ", and configure.ac takes " least; bad++ }
}
END {
	for (name in used) n++
	printf "libcurl: %d names of it are used, all there in %s\n", n, least
	exit bad > 0
}'
