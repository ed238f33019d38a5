#!/bin/sh
# apart.sh OUT ARCHIVE OTHER...: copies ARCHIVE, with those of its names changed that an OTHER defines as well, so
# that both can be linked into one program.
out=$1 archive=$2
shift 2
defined() {
	nm -g --defined-only "$@" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u
}
defined "$archive" >"$out.names" &&
    defined "$@" | comm -12 - "$out.names" | sed 's/.*/& apart_&/' >"$out.renamed" &&
    objcopy --redefine-syms="$out.renamed" "$archive" "$out"
status=$?
rm -f "$out.names" "$out.renamed"
exit $status
