#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/coroutine.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/task_body.h"

/* Goes bytes deep, lets the others run down there, and adds up what its frames hold. */
static unsigned dig(struct task *t, volatile char *above, size_t bytes)
{
	volatile char room[1024];
	unsigned below = 0;

	room[0] = above ? (char)(above[0] + 1) : 1;
	if (bytes < 2 * sizeof(room))
		rest(t, 2);
	else
		below = dig(t, room, bytes - sizeof(room));
	return below + (unsigned char)room[0];
}

static void dig_half_way(struct task *t, void *arg)
{
	unsigned *sum = arg;

	*sum = dig(t, NULL, TASK_STACK / 2);
}

static void tasks_have_deep_stacks_of_their_own(struct task *t, void *arg)
{
	unsigned sums[40] = {0};
	struct task_group group;

	(void)arg;
	task_group_init(&group);
	for (size_t i = 0; i < ARRAY_LEN(sums); i++)
		task_start(&group, "digger", dig_half_way, &sums[i]);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	/* 1 + 2 + ... + 128 */
	for (size_t i = 0; i < ARRAY_LEN(sums); i++)
		assert_int_equal(sums[i], 128 * 129 / 2);
}

static size_t resident_bytes(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long total, resident;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu %lu", &total, &resident), 2);
	fclose(f);
	return resident * (size_t)sysconf(_SC_PAGESIZE);
}

enum { MANY = 10000 };

static void ten_thousand_waiting_tasks_are_cheap(struct task *t, void *arg)
{
	struct trace *traces = xcalloc(MANY, sizeof(*traces));
	struct task_group group;
	size_t before, each;

	(void)arg;
	task_group_init(&group);
	before = resident_bytes();
	for (size_t i = 0; i < MANY; i++)
		task_start(&group, "one of many", sleep_an_hour, &traces[i]);
	assert_int_equal(task_sleep(t, 10, NULL), 0);
	rest(t, MANY / 64);
	assert_int_equal(task_count(), MANY + 1);
	each = (resident_bytes() - before) / MANY;
	print_message("a waiting task: %zu bytes\n", each);
	if (coroutine_stack_size() == TASK_STACK)
		assert_true(each <= 12 * 1024);
	task_group_finish(t, &group);
	for (size_t i = 0; i < MANY; i++)
		assert_true(traces[i].done && traces[i].kind == ERROR_CANCELLED);
	free(traces);
}

static void dig_too_deep(struct task *t, void *arg)
{
	(void)arg;
	rest(t, 2);
	dig(t, NULL, SIZE_MAX);
}

static void an_overflowed_stack_ends_the_process_with_a_sentence(void **state)
{
	char out[4096], expected[100];
	int status = run_child(dig_too_deep, out, sizeof(out));

	(void)state;
	snprintf(expected, sizeof(expected), "myna: task diver overflowed its stack of %zu KiB\n",
	    coroutine_stack_size() / 1024);
	assert_non_null(strstr(out, expected));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void touch_forbidden_page(struct task *t, void *arg)
{
	volatile char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	rest(t, 1);
	page[0] = 1;
}

static void send_itself_a_fault(struct task *t, void *arg)
{
	(void)arg;
	rest(t, 1);
	raise(SIGBUS);
}

static void other_faults_do_what_they_did_before(void **state)
{
	char out[4096];
	int status = run_child(touch_forbidden_page, out, sizeof(out));

	(void)state;
	assert_null(strstr(out, "overflowed"));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSEGV);
	status = run_child(send_itself_a_fault, out, sizeof(out));
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGBUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(tasks_have_deep_stacks_of_their_own),
	    IN_TASK(ten_thousand_waiting_tasks_are_cheap),
	    cmocka_unit_test(an_overflowed_stack_ends_the_process_with_a_sentence),
	    cmocka_unit_test(other_faults_do_what_they_did_before),
	};

	return cmocka_run_group_tests_name("coroutine", tests, NULL, NULL);
}
