#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"

static void a_copy_that_does_not_fit_is_cut_and_said(void **state)
{
	char small[4];

	(void)state;
	assert_int_equal(str_copy(small, sizeof(small), "abc"), 0);
	assert_string_equal(small, "abc");
	assert_int_equal(str_copy(small, sizeof(small), "abcd"), -1);
	assert_string_equal(small, "abc");
	assert_int_equal(str_copy(small, 1, ""), 0);
	assert_int_equal(str_copy(small, 1, "x"), -1);
	assert_string_equal(small, "");
}

static void a_text_of_blanks_is_blank(void **state)
{
	(void)state;
	assert_true(str_is_blank(""));
	assert_true(str_is_blank(" \t\r\n "));
	assert_false(str_is_blank(" \n."));
	assert_false(str_is_blank("\v"));
}

static void duplicates_pass_null_through(void **state)
{
	char *s;

	(void)state;
	assert_null(xstrdup(NULL));
	assert_null(xstrndup(NULL, 3));
	s = xstrndup("hello", 3);
	assert_string_equal(s, "hel");
	free(s);
	s = xstrndup("hi", 30);
	assert_string_equal(s, "hi");
	free(s);
}

static void nothing_is_a_pointer_too(void **state)
{
	void *p[] = {xmalloc(0), xcalloc(0, 8), xrealloc(NULL, 0), xmemdup(NULL, 0)};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(p); i++) {
		assert_non_null(p[i]);
		free(p[i]);
	}
}

static void formatted_text_is_allocated(void **state)
{
	char *s = xasprintf("%s-%d", "a", 7);

	(void)state;
	assert_string_equal(s, "a-7");
	free(s);
}

static void running_out_of_memory_aborts_with_a_sentence(void **state)
{
	char text[128] = "";
	int fds[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(fds[1], STDERR_FILENO);
		mem_exhausted(12345);
	}
	close(fds[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
	assert_true(read(fds[0], text, sizeof(text) - 1) > 0);
	assert_non_null(strstr(text, "out of memory (12345 bytes wanted)"));
	close(fds[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_copy_that_does_not_fit_is_cut_and_said),
	    cmocka_unit_test(a_text_of_blanks_is_blank),
	    cmocka_unit_test(duplicates_pass_null_through),
	    cmocka_unit_test(nothing_is_a_pointer_too),
	    cmocka_unit_test(formatted_text_is_allocated),
	    cmocka_unit_test(running_out_of_memory_aborts_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
