# Debian packages that Myna needs, by purpose; sourced by the scripts that build and test.
# Nothing is asked: what is missing is installed, as root or with sudo.

PACKAGES_BUILD="gcc make autoconf automake libtool pkg-config libc6-dev libuv1-dev libcurl4-openssl-dev
libwebsockets-dev libwebsockets-evlib-uv libjson-c-dev libsqlite3-dev libssl-dev libconfig-dev libedit-dev libmd4c-dev
libpcre2-dev libpq-dev libseccomp-dev libwslay-dev libxml2-dev libgif-dev libjpeg62-turbo-dev libpng-dev libwebp-dev
libzstd-dev ca-certificates tzdata"
PACKAGES_SHOW="curl jq"
PACKAGES_CLUSTER="postgresql"
PACKAGES_TEST="libcmocka-dev postgresql python3 systemd clang-format ccache fish zsh"
PACKAGES_BROWSER="chromium fonts-noto-color-emoji pandoc"
PACKAGES_FUZZ="clang libclang-rt-dev"
PACKAGES_PACKAGE="build-essential debhelper dpkg-dev lintian xz-utils"
PACKAGES_BOOT="iproute2 systemd-container"
PACKAGES_ROOT="mmdebstrap debian-archive-keyring"
PACKAGES_ARM64="gcc-aarch64-linux-gnu qemu-system-arm qemu-user"
PACKAGES_CONTAINER="podman buildah crun"
PACKAGES_HELM="golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev python3-yaml"
PACKAGES_THIRD="python3-discord python3-python-telegram-bot"
PACKAGES_BENCH="binutils openssl strace valgrind"
# What ./check --all needs beside.
PACKAGES_ALL="$PACKAGES_ARM64 $PACKAGES_BENCH $PACKAGES_BOOT $PACKAGES_CONTAINER $PACKAGES_FUZZ $PACKAGES_HELM $PACKAGES_PACKAGE $PACKAGES_ROOT $PACKAGES_BROWSER $PACKAGES_THIRD"

# Roots of other systems, made of Debian's packages, are kept here for the next runs, and made anew after a month.
kept=${MYNA_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/myna}
# is_fresh FILE: is it there, and younger than a month?
is_fresh() { [ -n "$(find "$1" -mtime -30 2>/dev/null)" ]; }

# packages_install PACKAGE...: installs those that are not there.
packages_install() {
	missing=
	for package in "$@"; do
		case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
		*"install ok installed"*) ;;
		*) missing="$missing $package" ;;
		esac
	done
	[ -n "$missing" ] || return 0
	echo "installing:$missing"
	as_root=
	if [ "$(id -u)" -ne 0 ]; then
		if ! command -v sudo >/dev/null; then
			echo "These packages are missing, and there is no sudo to install them:$missing" >&2
			return 1
		fi
		# Nobody can give a password where there is no terminal.
		if [ -t 0 ] && [ -t 1 ]; then as_root=sudo; else as_root="sudo -n"; fi
	fi
	# shellcheck disable=SC2086
	$as_root apt-get -q update >/dev/null 2>&1 &&
	    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
	        -o Dpkg::Options::=--force-confold install $missing </dev/null >/tmp/myna-packages.$$ 2>&1
	status=$?
	[ $status -eq 0 ] || tail -n 20 /tmp/myna-packages.$$ >&2
	rm -f /tmp/myna-packages.$$
	return $status
}

# build_configure DIR CONFIGURE-ARGUMENTS...: an out-of-tree build folder, configured when it is new or out of date.
build_configure() {
	dir=$1
	shift
	if [ ! -x configure ] || [ configure.ac -nt configure ] || [ -n "$(find . -path ./build -prune -o \( -name local.mk -o -name Makefile.am \) -newer configure -print -quit)" ]; then
		./autogen.sh >build-autogen.log 2>&1 || { cat build-autogen.log >&2; return 1; }
		rm -f build-autogen.log
	fi
	mkdir -p "$dir"
	if [ ! -f "$dir/Makefile" ] || [ configure -nt "$dir/Makefile" ]; then
		(cd "$dir" && "$OLDPWD/configure" -q "$@" >configure.log 2>&1) || { tail -n 30 "$dir/configure.log" >&2; return 1; }
	fi
}
