#!/bin/bash
# Builds everything for arm64 with the cross compiler of this machine, runs unit tests under qemu-user, and has a conversation on an
# emulated machine with Debian's kernel (tests/arm64/init). Debian's arm64 packages are unpacked, not installed, and kept for the
# next runs, in $MYNA_CACHE or ~/.cache/myna. Status 77: they cannot be had, as the last line says.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
. tests/report.sh
packages="$(for package in $PACKAGES_BUILD; do case $package in lib*) echo "$package" ;; esac; done) libcmocka-dev
busybox-static linux-image-cloud-arm64"
root=$kept/arm64
build=$PWD/build/arm64 left_out=
# The processor has everything that qemu knows, and signs pointers in a way that is quick to emulate.
export QEMU_LD_PREFIX=$root QEMU_CPU=max,pauth-impdef=on

skip() { echo "arm64 skipped: $*"; exit 77; }
fail() { echo "arm64: $*" >&2; exit 1; }
is_usable() { [ "$(cat "$root/packages" 2>/dev/null)" = "$packages" ] && [ -x "$root/bin/busybox" ]; }

# Of the same Debian as the cross compiler. None of its programs runs, so that dpkg need not know of arm64.
unpack_root() {
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$') || skip "apt knows no mirror of Debian"
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	rm -rf "$root.new"
	apt-config dump | grep -E '^Acquire::(http|https|Retries)' >"$root.apt"
	# shellcheck disable=SC2086
	timeout 600 mmdebstrap --mode=root --variant=extract --architectures=arm64 --aptopt="$root.apt" --aptopt='APT::Install-Recommends "false"' \
	    --include="$(echo $packages | tr ' ' ,)" "$suite" "$root.new" "$mirror" 2>&1 || {
		is_usable || skip "no $suite for arm64 could be unpacked from $mirror"
		echo "no $suite for arm64 could be unpacked from $mirror: the kept one is used, which is older than a month"
		return
	}
	echo "$packages" >"$root.new/packages"
	rm -rf "$root"
	mv "$root.new" "$root"
}

configure_cross() {
	export PKG_CONFIG=pkg-config PKG_CONFIG_SYSROOT_DIR=$root
	export PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig:$root/usr/share/pkgconfig
	[ ! "$root/packages" -nt "$build/Makefile" ] && grep -sqF -e "--sysroot=$root" "$build/config.status" || rm -rf "$build"
	build_configure build/arm64 --host=aarch64-linux-gnu --prefix=/usr --sysconfdir=/etc --enable-werror CFLAGS="-O2 -g0" \
	    CC="$(command -v ccache) aarch64-linux-gnu-gcc --sysroot=$root" || exit 1
}
# make_all PROGRAMS: with the tests of these names.
make_all() {
	# shellcheck disable=SC2086
	{ make -C "$build" -j"$(nproc)" all && make -C "$build" -j"$(nproc)" $1; } >"$build/make.log" 2>&1 ||
	    { log_heart "$build/make.log"; exit 1; }
}

# What the emulated machine has: Myna as it is installed, the libraries that it loads, and busybox.
pack_machine() {
	guest=$build/guest
	rm -rf "$guest"
	mkdir -p "$guest"/{bin,dev,etc,home/myna,lib,mnt,proc,sys,tmp,usr/bin}
	make -s -C "$build" install-strip DESTDIR="$guest" >"$build/install.log" 2>&1 || { tail -n 20 "$build/install.log"; exit 1; }
	rm -rf "$guest"/usr/share
	for program in "$guest"/usr/bin/myna* "$guest"/usr/libexec/myna/* "$root"/usr/lib/aarch64-linux-gnu/libwebsockets-evlib_uv.so; do
		qemu-aarch64 "$root/lib/ld-linux-aarch64.so.1" --list "$program" || fail "${program##*/} cannot be loaded"
	done | sed -n "\#ld-linux#d; s#.* => \(/[^ ]*\) .*#\1#p" | sort -u >"$build/libraries"
	echo /lib/ld-linux-aarch64.so.1 >>"$build/libraries"
	# What is loaded when it is needed is in no list.
	printf '/usr/lib/aarch64-linux-gnu/%s\n' libwebsockets-evlib_uv.so libpcre2-8.so.0 >>"$build/libraries"
	(cd "$root" && sed 's,^/,,' "$build/libraries" | xargs cp -L --parents -t "$guest") || exit 1
	cp "$root/bin/busybox" "$guest/bin" && cp tests/arm64/init "$guest/init" || exit 1
	qemu-aarch64 "$root/bin/busybox" --list | grep -vx busybox | xargs -I {} ln -s busybox "$guest/bin/{}"
	printf 'root:x:0:0::/:/bin/sh\nmyna:x:1000:1000::/home/myna:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n' >"$guest/etc/passwd"
	printf 'root:x:0:\nmyna:x:1000:\nnogroup:x:65534:\n' >"$guest/etc/group"
	echo '127.0.0.1 localhost' >"$guest/etc/hosts"
	chmod 1777 "$guest/tmp"
	(cd "$guest" && find . | qemu-aarch64 "$root/bin/busybox" cpio -o -H newc) >"$build/machine.cpio" 2>/dev/null
	rm -rf "$guest"
}

run_machine() {
	timeout -k 5 1200 qemu-system-aarch64 -machine virt -cpu "$QEMU_CPU" -smp 2 -m 1024 -nodefaults -display none -serial stdio -no-reboot \
	    -kernel "$root"/boot/vmlinuz-* -initrd "$build/machine.cpio" -append "console=ttyAMA0 quiet panic=-1" </dev/null >"$build/machine.log" 2>&1
	tr -d '\r' <"$build/machine.log" | grep -q '^machine: passed$'
}

# Why a program is not run under qemu-user; fails for those that are. The emulated machine has processes and the kernel's rules.
not_run() {
	case $1 in
	tests/base/time/test_clock | tests/channels/telegram/test_render) echo "measures time, and emulation is slow" ;;
	tests/base/* | tests/bus/* | tests/chat/* | tests/llm/* | tests/channels/*/test_render | tests/channels/markdown/*) return 1 ;;
	tests/flow/* | tests/fault/* | tests/playground/* | tests/helpers/* | tests/net/child/* | tests/tools/*)
		echo "starts arm64 programs, which this kernel does not run" ;;
	*) echo "needs several threads, connections or processes; under qemu-user some of its kind hang" ;;
	esac
}

# run_test PROGRAM: its log, and what failed.
run_test() {
	log=logs/${1//\//-}
	CMOCKA_MESSAGE_OUTPUT=TAP MYNA_BUILD=$PWD timeout -k 5 600 qemu-aarch64 "./$1" >"$log" 2>&1 && return
	echo "--- $1: exit status $?"
	log_heart "$log"
	return 1
}

run_tests() {
	rm -rf "$build/logs"
	mkdir "$build/logs"
	export -f run_test log_heart
	(cd "$build" && echo "$programs" | xargs -P "$(nproc)" -I {} bash -c 'run_test {}') || return 1
	cat "$build"/logs/* >"$build/cases.log"
	skipped_cases "$build/cases.log"
	grep -aq '^ok .* tasks_have_deep_stacks_of_their_own$' "$build/cases.log" || fail "the switch of stacks was not tried"
	echo "arm64: $(grep -a '^ok ' "$build/cases.log" | grep -vc '# SKIP') tests passed under qemu-user after $SECONDS s"
}

case ${1-} in
"")
	# shellcheck disable=SC2086
	packages_install $PACKAGES_ROOT $PACKAGES_ARM64 || skip "the cross compiler or qemu could not be installed"
	if [ "$(id -u)" -eq 0 ]; then
		mkdir -p "$kept" && flock -o "$root.lock" "tests/${0##*/}" unpack || exit
	else
		is_usable || skip "unpacking Debian's packages needs root"
	fi
	# Nobody unpacks others meanwhile.
	exec flock -o -s "$root.lock" "tests/${0##*/}" unpacked
	;;
unpack)
	is_fresh "$root/packages" && is_usable || unpack_root
	exit 0
	;;
esac
configure_cross
programs=
for program in $(make -s -C "$build" list-tests); do
	if why=$(not_run "$program"); then left_out+="$program $why"$'\n'; else programs+=${programs:+$'\n'}$program; fi
done
make_all "$programs"
echo "arm64: built after $SECONDS s"
pack_machine
run_machine &
machine=$!
run_tests
tests=$?
wait "$machine" || { tail -n 60 "$build/machine.log"; fail "the emulated machine failed: $(grep -a -m 1 FAILED "$build/machine.log" | tr -d '\r')"; }
sed -n 's/\r$//; /^machine: /p' "$build/machine.log"
printf %s "$left_out" | sed 's/^/arm64: not under qemu-user: /'
echo "arm64: all of it took $SECONDS s"
exit $tests
