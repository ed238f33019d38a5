#!/bin/bash
# check-clang.sh: clang reads all sources and has nothing to say. It compiles nothing: that is done for the fuzzers. One process reads
# many files, since its start takes as long as reading one.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/packages.sh
fail() { echo "clang: $*"; exit 1; }
preloads="tests/bench/slowclock tests/bench/slowsync tests/crash/shim tests/flow/weather_shim"

# shellcheck disable=SC2086
build_configure build/clang --enable-werror CC=clang && make -s -C build/clang playground/embedded.c playground/methods.c $(printf '%s.so ' $preloads) || fail "no build"
cd build/clang || exit 1
command=$(make -s --eval 'command: ; @echo $(COMPILE) $(EDIT_CFLAGS) $(IMAGE_CFLAGS) $(POSTGRES_CFLAGS) $(SECCOMP_CFLAGS) $(XML_CFLAGS)' command)
# What the driver would start for one file, without that file.
read_only=$($command -DSYSCONFDIR='"/etc"' -DPKGLIBEXECDIR='"/usr"' -fsyntax-only -fno-color-diagnostics -### ../../src/main.c 2>&1 |
    sed -n 's/^ *\(".*" "-cc1".*\) "-main-file-name" "main.c"\(.*\) "-x" "c" "[^"]*main.c"$/\1\2/p')
[ -n "$read_only" ] || fail "the driver does not say what it would start"
sources=$(find ../../src ../../channels ../../playground ../../tests -name '*.c' | grep -vxF "$(printf '../../%s.c\n' $preloads)")
xargs -n 50 -P "$(nproc)" sh -c "$read_only -x c \"\$@\"" clang <<<"$sources playground/embedded.c playground/methods.c" || exit 1
echo "clang: read $(wc -w <<<"$sources") files"
