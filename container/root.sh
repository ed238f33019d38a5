#!/bin/sh
# root.sh DIR PACKAGE...: copies installed packages of Debian, with what they depend on, into a root folder: no package manager, no
# manuals, a user myna (10001). dpkg's database there names what was copied.
set -e
root=$1
shift
# Not for what depends on them: they only prepare what is copied below, or do what nobody does in an image.
leave_out="adduser debconf dpkg init-system-helpers libdebconfclient0 libsasl2-modules-db openssl passwd systemd systemd-standalone-sysusers"

# PACKAGE, and what it depends on.
packages=$(dpkg-query -W -f '${db:Status-Status}\t${Package}\t${Pre-Depends}, ${Depends}\n' | awk -F '\t' -v wanted="$*" -v leave_out="$leave_out" '
	$1 == "installed" { needs[$2] = $3 }
	function take(name,   n, i, list) {
		sub(/^ +/, "", name)
		sub(/[ :(].*/, "", name)
		if (!(name in needs) || name in taken) return
		taken[name] = 1
		print name
		n = split(needs[name], list, /[,|]/)
		for (i = 1; i <= n; i++) take(list[i])
	}
	END {
		n = split(leave_out, list, " ")
		for (i = 1; i <= n; i++) taken[list[i]] = 1
		n = split(wanted, list, " ")
		for (i = 1; i <= n; i++) {
			if (!(list[i] in needs)) { print list[i] " is not installed" >"/dev/stderr"; exit 1 }
			delete taken[list[i]]
			take(list[i])
		}
	}' | sort -u)

mkdir -p "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64" "$root/usr/sbin"
for dir in bin lib lib64 sbin; do ln -s usr/$dir "$root/$dir"; done
# shellcheck disable=SC2086
dpkg-query -L $packages | grep '^/' | sed -E 's,^/(bin|lib|lib64|sbin)/,/usr/\1/,' | sort -u |
    grep -Ev '^/usr/share/(bash-completion|bug|doc-base|fish|info|lintian|locale|man|menu|zsh)/' |
    grep -Ev '^/usr/lib/[^/]*/libicu(i18n|io|test|tu)\.' |
    grep -Ev '^/usr/share/zoneinfo/(posix|right)/|^/usr/lib/(systemd|sysusers.d|tmpfiles.d)/|^/usr/share/doc/.*/(changelog|NEWS|README)' |
    while read -r path; do if [ -L "$path" ] || [ -f "$path" ]; then printf '%s\n' "${path#/}"; fi; done |
    tar -C / -cf - -T - | tar -C "$root" -xf - --keep-directory-symlink

# What the scripts of these packages made.
mkdir -p "$root/etc/ssl/certs" "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root/var/lib/dpkg" "$root/root" "$root/tmp"
chmod 1777 "$root/tmp"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
ln -sf /usr/share/zoneinfo/Etc/UTC "$root/etc/localtime"
[ -e "$root/usr/bin/awk" ] || ln -s mawk "$root/usr/bin/awk"
cat >"$root/etc/passwd" <<-END
	root:x:0:0:root:/root:/usr/sbin/nologin
	myna:x:10001:10001:Myna:/var/lib/myna:/usr/sbin/nologin
	nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
END
printf 'root:x:0:\nmyna:x:10001:\nnogroup:x:65534:\n' >"$root/etc/group"
echo "hosts: files dns" >"$root/etc/nsswitch.conf"
for dir in etc/myna var/lib/myna; do install -d -m 0700 -o 10001 -g 10001 "$root/$dir"; done

# A third of all: tables by which libxml2 would read other character sets. Myna gives it UTF-8 alone. In their place ICU has a file
# without any (its "stubdata"), which is made here unless a further package needs the tables.
left_out=
# shellcheck disable=SC2086
if [ -z "$(dpkg-query -W -f '${Package} ${Depends}\n' $packages | awk '$1 != "libxml2" && / libicu[0-9]/')" ]; then
	for data in "$root"/usr/lib/*/libicudata.so.*.*; do
		version=${data##*/libicudata.so.} && version=${version%%.*} && left_out=libicu$version
		as -o /tmp/stub.o - <<-END
			.section .rodata
			.balign 16
			.globl icudt${version}_dat
			.type icudt${version}_dat, %object
			.size icudt${version}_dat, 64
			icudt${version}_dat:
			.short 32
			.byte 0xda, 0x27
			.short 20, 0
			.byte 0, 0, 2, 0, 0x54, 0x6f, 0x43, 0x50, 1, 0, 0, 0, 0, 0, 0, 0
			.zero 40
		END
		ld -shared -z noexecstack --build-id=none -soname "libicudata.so.$version" -o "$data" /tmp/stub.o
	done
fi
ldconfig -r "$root"
awk -v packages="$packages" -v left_out="$left_out" 'BEGIN { RS = ""; ORS = "\n\n"; n = split(packages, list, "\n"); for (i = 1; i <= n; i++) taken[list[i]] = 1 }
	{ name = $0; sub(/^Package: /, "", name); sub(/\n.*/, "", name) }
	name == left_out { $0 = $0 "\nX-Left-Out: the tables of libicudata" }
	name in taken' /var/lib/dpkg/status >"$root/var/lib/dpkg/status"
