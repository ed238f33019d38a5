# The steps of ./check: each is a function, and one test, or many where it prints TAP. Sourced from the root.

# The builds have most objects in common.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
[ ! -d /usr/lib/ccache ] || case $PATH in /usr/lib/ccache:*) ;; *) export PATH=/usr/lib/ccache:$PATH ;; esac

# What every run of ./check looks at.
STEPS_STATIC="layers sizes format libcurl failures install service settings tables manual exit-status completions docs clients"
# What .ci/run adds, the longest first: other compilers and systems, strangers' programs, campaigns. Sizes come from the environment.
STEPS_MORE="debian13 chaos distcheck package fuzzing wrong-builds arm64 clang crash cuts cluster browser third-party bench soak helm quickstart"
# Those that other load disturbs.
STEPS_ALONE=cost

# Hundreds of programs start with AddressSanitizer: what each of them keeps of what it freed, and fills of what it gets, is pages that the
# kernel must find first.
export ASAN_OPTIONS=${ASAN_OPTIONS-quarantine_size_mb=4:max_malloc_fill_size=64}

# The build with sanitizers. Hundreds of programs are linked: optimisation for speed and all of the debugging information cost more
# than they give.
configure_check() {
	build_configure build/check --enable-sanitizers --enable-werror CC="${CC:-gcc}" CFLAGS="-O1 -g1" LDFLAGS=-fuse-ld=gold
}
# make_check TARGET...: what tests start is always built. Not in one call: it would compile some objects twice at a time.
make_check() {
	make -C build/check -j"$(nproc)" all || return
	[ $# -eq 0 ] || make -C build/check -j"$(nproc)" test-helpers "$@"
}
# Of what these try, ./check takes a sample (tests/lib/sample.h); the step cuts takes every second, or all with MYNA_FAULT_STEP=1.
CUTS="tests/fault/test_model tests/fault/test_receive tests/fault/test_send tests/store/test_copy tests/store/sqlite/test_damage
	tests/store/postgres/test_lost_connection"
# The program as it is installed: for crashes and measurements, where speed is what finds things. With its manual, a distribution can be
# made of it, and nothing of it is built again while other steps use it.
make_plain() {
	# shellcheck disable=SC2086
	build_configure build/quickstart &&
	    make -C build/quickstart -j"$(nproc)" myna myna-playground myna-image myna-reader myna-sandbox tests/crash/crash \
		tests/crash/shim.so $CUTS \
		tests/bench/bench_gateway tests/bench/bench_http tests/bench/bench_models tests/bench/libraries \
		tests/bench/floor tests/bench/slowclock.so tests/bench/slowsync.so tests/bench/soak tests/flow/weather_shim.so \
		docs/man/myna.1 docs/man/myna.conf.5
}
in_plain() { (cd build/quickstart && MYNA_BUILD=$PWD timeout "$1" "./$2"); }

step_layers() { tests/check-layers.sh; }
step_sizes() { tests/check-sizes.sh; }
step_libcurl() { tests/check-curl.sh; }
step_failures() { tests/check-failures.sh; }
step_install() { tests/check-install.sh build/check; }
step_service() { tests/check-service.sh build/check; }
step_settings() { tests/check-settings.sh build/check/myna; }
step_tables() { tests/check-tables.sh; }
step_completions() { tests/check-completions.sh build/check; }
step_exit_status() { tests/check-exit-status.py build/check; }
step_manual() { tests/check-manual.sh build/check; }
step_clients() { tests/playground/clients.sh build/check; }
step_docs() { MYNA_BUILD=$PWD/build/check tests/docs/run; }
# One dialect. The formatter's versions differ: Debian 12's is the measure.
step_format() {
	case $(clang-format --version 2>/dev/null) in
	*" 14."*) find src channels playground tests -name '*.[ch]' -print0 | xargs -0 -P "$(nproc)" -n 64 clang-format --dry-run -Werror ;;
	*) echo "format skipped: clang-format 14 is not there"; return 77 ;;
	esac
}
# What the gateways asked the playground's model in all of it is judged once more.
step_model_journal() { tests/model-journal.sh "$MYNA_MODEL_JOURNAL"; }

step_arm64() { tests/check-arm64.sh; }
step_bench() { tests/bench/smoke.sh build/quickstart; }
step_browser() { MYNA_BUILD=$PWD/build/quickstart tests/browser/run; }
step_chaos() { MYNA_CHAOS_S=${MYNA_CHAOS_S-240} MYNA_BUILD=$PWD/build/quickstart tests/chaos/run; }
step_clang() { tests/check-clang.sh; }
# More kills than ./check has, and a small installation under load.
step_cluster() {
	(cd build/check && MYNA_CLUSTER_POINTS=${MYNA_CLUSTER_POINTS-72} MYNA_BUILD=$PWD timeout 900 tests/cluster/test_kill) &&
	    MYNA_BUILD=$PWD/build/quickstart timeout 900 tests/bench/installation
}
step_container() { tests/container/run; }
# The other platforms take minutes: tests/bench/cost has them.
step_cost() { MYNA_BUILD=$PWD/build/quickstart tests/bench/cost --check telegram floor; }
step_crash() { in_plain 1800 tests/crash/crash; }
step_debian13() { tests/check-debian13.sh; }
step_cuts() {
	for name in $CUTS; do
		MYNA_FAULT_STEP=${MYNA_FAULT_STEP-2} in_plain 900 "$name" || return
	done
}
step_fuzzing() { MYNA_FUZZ_S=${MYNA_FUZZ_S-2} tests/fuzz/run; }
# And the image of what was built.
step_package() { tests/package/run && MYNA_PACKAGES=build/package tests/container/run; }
step_quickstart() {
	./quickstart --once && echo "ok 1 - one gateway" || return
	tests/lib/postgres-cluster.sh find || { echo "ok 2 - three nodes # SKIP PostgreSQL's server is not installed (Debian: postgresql)"; return; }
	./quickstart --cluster --once && echo "ok 2 - three nodes"
}
step_soak() { MYNA_SOAK_S=${MYNA_SOAK_S-8} in_plain $((${MYNA_SOAK_S-8} + 300)) tests/bench/soak; }
step_third_party() { MYNA_BUILD=$PWD/build/check tests/third-party/run; }
step_helm() { MYNA_BUILD=$PWD/build/quickstart tests/helm/run; }
# Its control, the program as it is, is the step crash.
step_wrong_builds() { MYNA_CONTROL=0 MYNA_WRONG_BUILDS=${MYNA_WRONG_BUILDS-6} tests/crash/wrong-builds.sh; }
# The tarball has all of the tree; it builds, installs and removes itself. Of its tests those run that need nothing else. The flags are
# those of the plain build, so that ccache knows its objects.
step_distcheck() {
	tests="tests/base/test_buf tests/net/http/test_http tests/store/test_store tests/tools/test_tools tests/flow/telegram/test_conversation"
	build_configure build/dist && make -C build/dist -j"$(nproc)" distcheck LOG_COMPILER=timeout LOG_FLAGS=600 TESTS="$tests" \
		check_PROGRAMS="\$(test_helpers) $tests" || return
	missing=$(git ls-files | grep -Ev '(^|/)\.(ci/|gitignore$)' | grep -vxFf <(tar -tf build/dist/myna-*.tar.xz | sed 's,^[^/]*/,,'))
	[ -z "$missing" ] || { echo "the tarball lacks:"; echo "$missing"; return 1; }
}
