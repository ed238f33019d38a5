#!/bin/sh
# Prints every system call that etc/systemd/myna.service.in allows, by the groups of the systemd that is installed.
unit=$(dirname "$0")/../etc/systemd/myna.service.in
{
	systemd-analyze syscall-filter 2>/dev/null
	echo "END"
	sed -n 's/^SystemCallFilter=//p' "$unit"
} | awk '
function walk(name, sign,   i, n, list) {
	if (name !~ /^@/) { allowed[name] = sign; return }
	n = split(members[name], list, " ")
	for (i = 1; i <= n; i++) walk(list[i], sign)
}
/^END$/ { unit = 1; next }
!unit && /^@/ { group = $1; next }
!unit && /^ +#/ { next }
!unit && NF { members[group] = members[group] " " $1; next }
unit {
	sign = 1
	if (sub(/^~/, "")) sign = 0
	for (i = 1; i <= NF; i++) walk($i, sign)
}
END {
	# Always allowed by systemd, whatever the filter says.
	walk("@default", 1)
	for (name in allowed) if (allowed[name]) print name
}'
