#!/bin/sh
# Reports the sizes of files and functions, and fails on what is over the limits: a .c file of more than 600 lines, a
# header of more than 200, a function of more than 100. Functions are found by their layout: '{' and '}' in column one.
cd "$(dirname "$0")/.." || exit 2

awk '
function median(list, n,   i, sorted) {
	if (n == 0) return 0
	for (i in list) sorted[i] = list[i]
	asort_n(sorted, n)
	return sorted[int((n + 1) / 2)]
}
# An insertion sort by counting: the values are small whole numbers.
function asort_n(a, n,   i, v, k, count, most) {
	for (i = 1; i <= n; i++) { count[a[i]]++; if (a[i] > most) most = a[i] }
	k = 0
	for (v = 0; v <= most; v++) while (count[v]-- > 0) a[++k] = v
}
function file_done() {
	if (last == "") return
	if (last ~ /\.h$/) { h[++hn] = lines; if (lines > 200) { print last ": " lines " lines, more than 200"; bad++ } }
	else { c[++cn] = lines; if (lines > 600) { print last ": " lines " lines, more than 600"; bad++ } }
}
FNR == 1 { file_done(); last = FILENAME; inside = 0 }
{ lines = FNR }
/^\{/ { start = FNR; inside = 1 }
/^\}/ {
	if (inside && FILENAME ~ /\.c$/) {
		n = FNR - start + 1
		f[++fn] = n
		if (n > 50) over50++
		if (n > 100) { print FILENAME ":" start ": a function of " n " lines, more than 100"; bad++ }
	}
	inside = 0
}
/^#[ \t]*if/ && FILENAME ~ /\.c$/ { ifs++ }
{ total++ }
END {
	file_done()
	asort_n(f, fn)
	printf "sizes: %d lines; .c %d median %d; .h %d median %d; functions %d median %d p99 %d max %d, %.1f %% over 50; #if %.1f per 1,000 lines\n",
	    total, cn, median(c, cn), hn, median(h, hn), fn, f[int((fn + 1) / 2)], f[int(fn * 0.99)], f[fn],
	    100 * over50 / fn, 1000 * ifs / total
	exit bad > 0
}' $(find src channels playground -name '*.[ch]' | sort)
