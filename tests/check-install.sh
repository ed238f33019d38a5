#!/bin/sh
# check-install.sh BUILD: make install puts everything in its place, with the right modes; systemd makes the user and the folders
# of it; make uninstall leaves nothing.
build=$(cd "${1:?usage: check-install.sh BUILD}" && pwd) || exit 2
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
fail() { echo "install: $*"; exit 1; }
# MAKEFLAGS of a make that runs this are not for the one below.
unset MAKEFLAGS MFLAGS MAKELEVEL

root=$dir/root
make -s -C "$build" install DESTDIR="$root" >"$dir/log" 2>&1 || fail "$(tail -n 20 "$dir/log")"
names="bindir pkglibexecdir pkglibexec_PROGRAMS man1dir man5dir exampledir bashcompletiondir zshcompletiondir fishcompletiondir
    systemdsystemunitdir sysusersdir tmpfilesdir sysconfdir"
make -s -C "$build" --eval 'show: ; @$(foreach name,$(NAMES),echo "$(name)=$($(name))";)' show NAMES="$(echo $names)" >"$dir/variables"
variable() { sed -n "s/^$1=//p" "$dir/variables"; }
at() {
	file=$root$(variable "$1")/$2
	[ -f "$file" ] || fail "there is no $file"
	[ "$(stat -c %a "$file")" = "$3" ] || fail "$file has mode $(stat -c %a "$file"), not $3"
}
at bindir myna 755
at bindir myna-playground 755
for program in $(variable pkglibexec_PROGRAMS); do at pkglibexecdir "$program" 755; done
at man1dir myna.1 644
at man1dir myna-playground.1 644
at man5dir myna.conf.5 644
at exampledir myna.conf.example 644
at exampledir slack-manifest.json 644
at bashcompletiondir myna 644
at zshcompletiondir _myna 644
at fishcompletiondir myna.fish 644
at systemdsystemunitdir myna.service 644
at sysusersdir myna.conf 644
at tmpfilesdir myna.conf 644
grep -q "^ExecStart=$(variable bindir)/myna " "$root$(variable systemdsystemunitdir)/myna.service" || fail "the unit starts something else"
[ -e "$root$(variable sysconfdir)/myna/myna.conf" ] && fail "a configuration was made"

# The folders belong to users, which only root can arrange.
if [ "$(id -u)" -eq 0 ] && command -v systemd-tmpfiles >/dev/null; then
	mkdir -p "$root/etc"
	systemd-sysusers --root="$root" "$root$(variable sysusersdir)/myna.conf" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
	systemd-tmpfiles --root="$root" --create "$root$(variable tmpfilesdir)/myna.conf" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
	group=$(sed -n 's/^myna:[^:]*:\([0-9]*\):.*/\1/p' "$root/etc/group") user=$(sed -n 's/^myna:[^:]*:\([0-9]*\):.*/\1/p' "$root/etc/passwd")
	folder() { [ "$(stat -c '%u %g %a' "$root$1")" = "$2" ] || fail "$1 is $(stat -c '%u %g %a' "$root$1"), not $2"; }
	folder "$(variable sysconfdir)/myna" "0 $group 2750"
	folder /var/lib/myna "$user $group 700"
	rm -rf "$root/etc" "$root/var" "$root$(variable sysconfdir)"
fi

make -s -C "$build" uninstall DESTDIR="$root" >"$dir/log" 2>&1 || fail "$(tail -n 20 "$dir/log")"
left=$(find "$root" ! -type d)
[ -z "$left" ] || fail "uninstall leaves $left"
left=$(find "$root" -type d -name 'myna*')
[ -z "$left" ] || fail "uninstall leaves the folder $left"
echo "install: in its place, and gone again"
