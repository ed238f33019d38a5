#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/library.h"
#include "base/mem.h"

static __typeof__(&getpid) get_pid;
static void (*missing)(void);

static void functions_are_found_by_their_names(void **state)
{
	static const struct library_function functions[] = {{"getpid", &get_pid}};
	static const struct library library = {"libc.so.6", "the C library", "libc6", functions, 1};
	struct error err = {0};

	(void)state;
	assert_int_equal(library_load(&library, &err), 0);
	assert_int_equal(get_pid(), getpid());
	assert_int_equal(library_load(&library, &err), 0);
}

static void what_is_missing_is_named_with_its_package(void **state)
{
	static const struct library_function functions[] = {
	    {"getpid", &get_pid}, {"there_is_no_such_function", &missing}};
	static const struct library old = {"libc.so.6", "the C library", "libc6", functions,
					ARRAY_LEN(functions)},
				    absent = {"libabsent.so.0", "a library", "libabsent0", functions, 1};
	struct error err = {0};

	(void)state;
	assert_int_equal(library_load(&old, &err), -1);
	assert_string_equal(
	    err.text, "the C library libc.so.6 has no there_is_no_such_function: install a newer one");
	assert_int_equal(err.kind, ERROR_OURS);
	assert_int_equal(library_load(&absent, &err), -1);
	assert_string_equal(err.text,
	    "cannot load a library (libabsent.so.0: cannot open shared object file: No such file or "
	    "directory): install it (Debian: libabsent0)");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(functions_are_found_by_their_names),
	    cmocka_unit_test(what_is_missing_is_named_with_its_package),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
