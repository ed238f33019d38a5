#!/bin/bash
# Builds what is committed in a Debian 13, shows the quickstart there, plays the flows of bots on its versions of Python's libraries, and
# runs the unit tests. The root is made from the mirror of this machine and kept for the next runs with the objects that ccache has there,
# in $MYNA_CACHE or ~/.cache/myna. Status 77: there is none and none can be made, as the last line says.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
. tests/report.sh
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD	# of whomever the clone is
root=$kept/debian13
packages="$PACKAGES_BUILD $PACKAGES_SHOW $PACKAGES_TEST $PACKAGES_THIRD"

skip() { echo "debian13 skipped: $*"; exit 77; }
is_usable() { [ "$(cat "$root/packages" 2>/dev/null)" = "$packages" ] && [ -c "$root/dev/null" ] && chroot "$root" gcc --version >/dev/null 2>&1; }

# The files of a root, made beside it first.
make_root() {
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$') || skip "apt knows no mirror of Debian"
	rm -rf --one-file-system "$root.new"
	apt-config dump | grep -E '^Acquire::(http|https|Retries)' >"$root.apt"
	# shellcheck disable=SC2086
	timeout 600 mmdebstrap --mode=root --variant=apt --aptopt="$root.apt" --aptopt='APT::Install-Recommends "false"' \
	    --include="$(echo $packages | tr ' ' ,)" trixie "$root.new" "$mirror" 2>&1 || {
		is_usable || skip "no trixie could be made from $mirror"
		echo "no trixie could be made from $mirror: the kept one is used, which is older than a month"
		return
	}
	printf '127.0.0.1 localhost\n::1 localhost\n' >"$root.new/etc/hosts"
	echo "$packages" >"$root.new/packages"
	rm -rf --one-file-system "$root"
	mv "$root.new" "$root"
}

# run_test PROGRAM: its log, and what failed.
run_test() {
	log=logs/$(basename "$1")
	CMOCKA_MESSAGE_OUTPUT=TAP MYNA_BUILD=$PWD timeout -k 5 600 "./$1" >"$log" 2>&1 && return
	echo "--- $1: exit status $?"
	log_heart "$log"
	return 1
}

# In the root, as its first process.
inside() {
	build_configure build/quickstart --enable-werror CFLAGS='-O1 -g0' || exit 1
	cd build/quickstart || exit 1
	programs=$(make -s list-tests | tr ' ' '\n' | grep -Ev '^tests/(cluster|crash|fault|flow|fuzz|helpers)/')
	# shellcheck disable=SC2086
	{ make -j"$(nproc)" all && make -j"$(nproc)" test-helpers $programs; } >make.log 2>&1 || { log_heart make.log; exit 1; }
	echo "built in $SECONDS s"
	(cd ../.. && ./quickstart --once) || exit 1
	echo "shown after $SECONDS s"
	for flow in examples/discord_py libraries/discord_py_interactions libraries/python_telegram_bot_async; do
		(cd "../../tests/third-party/${flow%/*}" && "$OLDPWD/myna-playground" --flow "${flow#*/}.flow" --strict-answers) || exit 1
	done
	echo "played after $SECONDS s"
	mkdir logs
	export -f run_test log_heart
	echo "$programs" | xargs -P $((2 * $(nproc))) -I {} bash -c 'run_test {}'
	status=$?
	cat logs/* >cases.log
	skipped_cases cases.log
	echo "debian13: $(grep -a '^ok ' cases.log | grep -vc '# SKIP') tests passed in $SECONDS s"
	exit $status
}

case ${1-} in
"")
	[ "$(id -u)" -eq 0 ] || skip "it needs root"
	packages_install $PACKAGES_ROOT || skip "mmdebstrap could not be installed"
	unshare --mount --pid --fork true || skip "this machine allows no namespaces"
	git rev-parse -q --verify HEAD >/dev/null || skip "it needs a clone"
	mkdir -p "$kept" || exit 1
	# One run at a time has the root. What is mounted and started in there ends with it.
	exec flock -F "$root.lock" timeout -k 10 2400 unshare --mount --pid --fork --kill-child --mount-proc "tests/${0##*/}" apart
	;;
apart)
	is_fresh "$root/packages" && is_usable || make_root
	rm -rf "$root/work"
	mkdir "$root/work"
	git archive HEAD | tar -x -C "$root/work" || exit 1
	# Not a chroot, in which nobody may make a namespace.
	mount --bind "$root" "$root" && cd "$root" && mount -t proc proc proc && mount -t devpts devpts dev/pts && mkdir -p old &&
	    pivot_root . old && umount -l /old && cd /work && exec env -i PATH="$PATH" HOME=/root LANG=C.UTF-8 "tests/${0##*/}" inside
	;;
inside) inside ;;
esac
