#!/bin/sh
# check-service.sh BUILD: systemd understands the unit, its user and its folder, and the unit exposes at most 2.4.
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
build=${1:?usage: check-service.sh BUILD}
unit=$build/etc/systemd/myna.service
if ! command -v systemd-analyze >/dev/null; then
	echo "service: systemd-analyze is missing (Debian: systemd)"
	exit 1
fi
fail() { echo "service: $*"; exit 1; }
[ -f "$unit" ] || fail "there is no $unit: run make"
grep -q '@[a-z]*@' "$unit" "$build/etc/systemd/tmpfiles.d/myna.conf" && fail "a place is not filled in"

# The program itself need not be installed where it is looked at.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
sed "s#^ExecStart=[^ ]*#ExecStart=/bin/true#" "$unit" >"$dir/myna.service"
said=$(systemd-analyze verify --man=no --recursive-errors=no "$dir/myna.service" 2>&1) || fail "$said"
case $said in *myna.service:*) fail "$said" ;; esac

# 10 times the score.
found=$(systemd-analyze security --offline=true --threshold=24 --no-pager "$dir/myna.service" 2>&1) || fail "$found"
if mkdir -p "$dir/root/etc" && command -v systemd-sysusers >/dev/null; then
	systemd-sysusers --root="$dir/root" "$root/etc/systemd/sysusers.d/myna.conf" >"$dir/users" 2>&1 || fail "$(cat "$dir/users")"
	grep -q '^myna:' "$dir/root/etc/passwd" || fail "the user myna was not made"
fi
printf 'service: %s\n' "$(printf '%s\n' "$found" | sed -n 's/.*\(Overall exposure level.*: [0-9.]*\).*/\1/p')"
