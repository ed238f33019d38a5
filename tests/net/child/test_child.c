#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "base/task_body.h"
#include "lib/until.h"
#include "net/child/child.h"

#define LONG_MS 60000

static unsigned refused_watches;

/* Stands before libuv's. */
int uv_signal_start(uv_signal_t *handle, uv_signal_cb cb, int signum)
{
	__typeof__(&uv_signal_start) real = (__typeof__(&uv_signal_start))dlsym(RTLD_NEXT, "uv_signal_start");

	if (refused_watches > 0) {
		refused_watches--;
		return UV_ENOMEM;
	}
	return real(handle, cb, signum);
}

struct kept {
	struct buf out[CHILD_STREAMS];
};

static void keep(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct kept *kept = arg;

	buf_add(&kept->out[stream], data, len);
}

static void kept_init(struct kept *kept)
{
	for (int i = 0; i < CHILD_STREAMS; i++)
		buf_init(&kept->out[i]);
}

static void kept_clear(struct kept *kept)
{
	for (int i = 0; i < CHILD_STREAMS; i++)
		buf_clear(&kept->out[i]);
}

static struct child *start_shell(const char *command, struct child_options *o)
{
	const char *const argv[] = {"sh", "-c", command, NULL};
	struct error err = {0};
	struct child *c;

	o->argv = argv;
	c = child_start(o, &err);
	if (!c)
		fail_msg("%s", err.text);
	return c;
}

/* Runs to the end with a sink. */
static struct child_end run_shell(
    struct task *t, const char *command, struct child_options o, struct kept *kept)
{
	struct child_end end = {0};
	struct child *c;

	kept_init(kept);
	o.sink = keep;
	o.sink_arg = kept;
	c = start_shell(command, &o);
	assert_int_equal(child_wait(t, c, &end, NULL), 0);
	child_free(t, c);
	return end;
}

/* A process that has ended, or waits to be reaped by init, is gone. */
static bool is_gone(int pid)
{
	char path[64], text[256] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return text[0] == '\0' || strstr(text, ") Z ");
}

static void assert_gone(struct task *t, int pid)
{
	assert_true(pid > 1);
	task_until(t, is_gone(pid));
}

/* The first test: the process watches its children from the first one on. */
static void a_watch_that_failed_is_tried_again(struct task *t, void *arg)
{
	static const char *const argv[] = {"true", NULL};
	struct child_end end = {.status = -1};
	struct error err = {0};
	struct child *c;

	(void)arg;
	refused_watches = 2;
	for (int i = 0; i < 2; i++) {
		assert_null(child_start(&(struct child_options){.argv = argv}, &err));
		assert_non_null(strstr(err.text, "cannot watch child processes"));
	}
	c = child_start(&(struct child_options){.argv = argv, .deadline_ms = LONG_MS}, &err);
	assert_non_null(c);
	assert_int_equal(child_wait(t, c, &end, &err), 0);
	assert_int_equal(end.status, 0);
	child_free(t, c);
}

static void both_streams_and_the_status_arrive(struct task *t, void *arg)
{
	struct kept kept;
	struct child_end end =
	    run_shell(t, "echo out; echo err >&2; exit 7", (struct child_options){0}, &kept);

	(void)arg;
	assert_int_equal(end.status, 7);
	assert_int_equal(end.signal, 0);
	assert_false(end.timed_out || end.stopped);
	assert_string_equal(kept.out[CHILD_STDOUT].data, "out\n");
	assert_string_equal(kept.out[CHILD_STDERR].data, "err\n");
	kept_clear(&kept);
}

static void merged_output_keeps_its_order(struct task *t, void *arg)
{
	struct kept kept;

	(void)arg;
	run_shell(t, "echo 1; echo 2 >&2; echo 3", (struct child_options){.merge = true}, &kept);
	assert_string_equal(kept.out[CHILD_STDOUT].data, "1\n2\n3\n");
	kept_clear(&kept);
}

static unsigned turns_of_the_loop;

static void count_turn(uv_prepare_t *prepare)
{
	(void)prepare;
	turns_of_the_loop++;
}

/* A watch of what is always ready would turn the loop thousands of times. */
static unsigned turns_while(struct task *t, const char *command, struct child_options o)
{
	static char much[256 * 1024];
	struct kept kept;
	struct child *c;
	uv_prepare_t prepare;

	signal(SIGPIPE, SIG_IGN);
	kept_init(&kept);
	o.sink = o.sink_arg ? NULL : keep;
	o.sink_arg = &kept;
	c = start_shell(command, &o);
	task_sleep(t, 50, NULL);
	/* What it does not read waits, and is given up when nobody can read it. */
	if (o.input)
		assert_int_equal(child_write(t, c, much, sizeof(much), NULL), -1);
	uv_prepare_init(uv_default_loop(), &prepare);
	uv_prepare_start(&prepare, count_turn);
	turns_of_the_loop = 0;
	task_sleep(t, 250, NULL);
	unsigned turns = turns_of_the_loop;
	uv_prepare_stop(&prepare);
	uv_close((uv_handle_t *)&prepare, NULL);
	task_sleep(t, 1, NULL);
	child_free(t, c);
	kept_clear(&kept);
	return turns;
}

static void a_dead_or_half_dead_program_does_not_turn_the_loop(struct task *t, void *arg)
{
	static int unread;
	static const struct {
		const char *command;
		struct child_options options;
	} cases[] = {
	    {"exec >&-; exec sleep 30", {.grace_ms = 10}},
	    {"exec >&- 2>&-; exec sleep 30", {.grace_ms = 10}},
	    {"exec <&-; exec sleep 30", {.grace_ms = 10, .input = true}},
	    {"kill -9 $$", {.grace_ms = 10}},
	    {"kill -9 $$", {.grace_ms = 10, .sink_arg = &unread}},
	    {"setsid sleep 1 & exit 0", {.grace_ms = 10}},
	    {"(exit 0) & exec sleep 30", {.grace_ms = 10}},
	    {"exec yes", {.grace_ms = 10, .sink_arg = &unread}},
	};

	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned turns = turns_while(t, cases[i].command, cases[i].options);
		if (turns > 100)
			fail_msg("'%s' turned the loop %u times in 250 ms", cases[i].command, turns);
	}
}

static void a_signal_is_told_as_128_and_its_number(struct task *t, void *arg)
{
	struct kept kept;
	struct child_end end = run_shell(t, "kill -INT $$", (struct child_options){0}, &kept);

	(void)arg;
	assert_int_equal(end.status, 128 + SIGINT);
	assert_int_equal(end.signal, SIGINT);
	kept_clear(&kept);
}

static void megabytes_are_drained(struct task *t, void *arg)
{
	struct kept kept;
	struct child_end end = run_shell(
	    t, "head -c 5000000 /dev/zero; head -c 1000000 /dev/zero >&2", (struct child_options){0}, &kept);

	(void)arg;
	assert_int_equal(end.status, 0);
	assert_int_equal(kept.out[CHILD_STDOUT].len, 5000000);
	assert_int_equal(kept.out[CHILD_STDERR].len, 1000000);
	kept_clear(&kept);
}

static void the_environment_is_clean_and_the_input_empty(struct task *t, void *arg)
{
	struct kept kept;

	(void)arg;
	setenv("MYNA_TEST_SECRET", "hidden", 1);
	setenv("TZ", "Europe/Rome", 1);
	run_shell(t, "cat; env | sort; ulimit -n >/dev/null; trap", (struct child_options){0}, &kept);
	assert_non_null(strstr(kept.out[CHILD_STDOUT].data, "PATH="));
	assert_non_null(strstr(kept.out[CHILD_STDOUT].data, "TZ=Europe/Rome\n"));
	assert_null(strstr(kept.out[CHILD_STDOUT].data, "hidden"));
	kept_clear(&kept);
	unsetenv("MYNA_TEST_SECRET");
	unsetenv("TZ");
}

static void additions_win_over_the_clean_environment(struct task *t, void *arg)
{
	const char *const extra[] = {"LANG=de", "X=a b", NULL};
	const char **env = child_environment(extra);
	struct kept kept;

	(void)arg;
	run_shell(t, "echo \"$LANG $X\"", (struct child_options){.env = env}, &kept);
	assert_string_equal(kept.out[CHILD_STDOUT].data, "de a b\n");
	kept_clear(&kept);
	free(env);
}

static void no_descriptor_of_ours_is_inherited(struct task *t, void *arg)
{
	int fd = open("/", O_RDONLY);
	struct kept kept;

	(void)arg;
	assert_true(fd > 2);
	run_shell(t, "ls /proc/self/fd; echo report >&3", (struct child_options){.report = true}, &kept);
	/* ls itself opens one for the folder that it reads. */
	assert_string_equal(kept.out[CHILD_STDOUT].data, "0\n1\n2\n3\n4\n");
	assert_string_equal(kept.out[CHILD_REPORT].data, "report\n");
	kept_clear(&kept);
	close(fd);
}

static void it_runs_where_it_is_told(struct task *t, void *arg)
{
	struct kept kept;

	(void)arg;
	run_shell(t, "pwd", (struct child_options){.dir = "/usr"}, &kept);
	assert_string_equal(kept.out[CHILD_STDOUT].data, "/usr\n");
	kept_clear(&kept);
}

static void what_cannot_start_says_why(struct task *t, void *arg)
{
	const char *const missing[] = {"no-such-program-at-all", NULL}, *const folder[] = {"/usr", NULL};
	struct child_options o = {.argv = missing};
	struct error err = {0};

	(void)t;
	(void)arg;
	assert_null(child_start(&o, &err));
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, "no-such-program-at-all"));
	o.argv = folder;
	assert_null(child_start(&o, &err));
	assert_int_equal(err.code, EACCES);
	o.dir = "/no/such/folder";
	assert_null(child_start(&o, &err));
	assert_int_equal(err.code, ENOTDIR);
}

static void a_conversation_over_the_pipes(struct task *t, void *arg)
{
	struct child_options o = {.input = true};
	struct child *c = start_shell("while read -r line; do echo \"<$line>\"; done; echo bye", &o);
	struct buf out = BUF_INIT;
	struct error err = {0};

	(void)arg;
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, 1, &err), 0);
	assert_int_equal(child_write(t, c, "one\n", 4, &err), 0);
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, LONG_MS, &err), 1);
	assert_string_equal(out.data, "<one>\n");
	child_close_input(c);
	child_close_input(c);
	buf_reset(&out);
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, LONG_MS, &err), 1);
	assert_string_equal(out.data, "bye\n");
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, LONG_MS, &err), -1);
	assert_int_equal(err.kind, ERROR_NETWORK);
	assert_int_equal(child_write(t, c, "x", 1, &err), -1);
	child_free(t, c);
	buf_clear(&out);
}

/* More than pipes and our own 64 KiB hold, so that both sides wait for each other. */
static void nothing_is_lost_between_a_slow_reader_and_a_full_pipe(struct task *t, void *arg)
{
	struct child_options o = {0};
	struct child *c = start_shell("head -c 900000 /dev/zero", &o);
	struct buf out = BUF_INIT;
	int rc;

	(void)arg;
	task_sleep(t, 50, NULL);
	while ((rc = child_read(t, c, CHILD_STDOUT, &out, LONG_MS, NULL)) == 1)
		task_sleep(t, 1, NULL);
	assert_int_equal(rc, -1);
	assert_int_equal(out.len, 900000);
	child_free(t, c);
	buf_clear(&out);
}

/* Time stands still from here on. */
static void a_reader_that_comes_late_gets_everything(struct task *t, void *arg)
{
	struct child_options o = {0};
	struct child *c = start_shell("head -c 100000 /dev/zero", &o);
	struct buf out = BUF_INIT;

	(void)arg;
	clock_fake(0, 1);
	assert_int_equal(child_wait(t, c, NULL, NULL), 0);
	clock_advance(1000);
	while (child_read(t, c, CHILD_STDOUT, &out, LONG_MS, NULL) == 1)
		;
	assert_int_equal(out.len, 100000);
	child_free(t, c);
	buf_clear(&out);
}

static void a_large_input_goes_through(struct task *t, void *arg)
{
	struct child_options o = {.input = true};
	struct child *c = start_shell("sleep 0.1; wc -c", &o);
	struct buf data = BUF_INIT, out = BUF_INIT;

	(void)arg;
	buf_reserve(&data, 1000000);
	memset(data.data, 'x', 1000000);
	assert_int_equal(child_write(t, c, data.data, 1000000, NULL), 0);
	child_close_input(c);
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, LONG_MS, NULL), 1);
	assert_string_equal(out.data, "1000000\n");
	child_free(t, c);
	buf_clear(&data);
	buf_clear(&out);
}

static void the_deadline_ends_it(struct task *t, void *arg)
{
	struct kept kept;
	struct child_end end =
	    run_shell(t, "echo begun; sleep 600", (struct child_options){.deadline_ms = 100}, &kept);

	(void)arg;
	assert_true(end.timed_out);
	assert_false(end.stopped);
	assert_int_equal(end.signal, SIGTERM);
	kept_clear(&kept);
}

static void who_ignores_term_is_killed_with_the_group(struct task *t, void *arg)
{
	struct child_options o = {.grace_ms = 50};
	struct child *c =
	    start_shell("trap '' TERM; (sleep 600; :) & echo $!; while :; do sleep 600; done", &o);
	struct buf out = BUF_INIT;
	struct child_end end;
	long pid;

	(void)arg;
	assert_int_equal(child_read(t, c, CHILD_STDOUT, &out, LONG_MS, NULL), 1);
	pid = strtol(out.data, NULL, 10);
	child_stop(c);
	child_stop(c);
	assert_int_equal(child_wait(t, c, &end, NULL), 0);
	assert_int_equal(end.signal, SIGKILL);
	assert_true(end.stopped);
	assert_gone(t, (int)pid);
	child_free(t, c);
	buf_clear(&out);
}

static void what_is_left_of_the_group_ends_with_its_leader(struct task *t, void *arg)
{
	struct kept kept;

	(void)arg;
	run_shell(t, "sleep 600 & echo $!", (struct child_options){0}, &kept);
	assert_gone(t, (int)strtol(kept.out[CHILD_STDOUT].data, NULL, 10));
	kept_clear(&kept);
}

static void wait_for_it(struct task *t, void *arg)
{
	struct child_options o = {.grace_ms = 50};
	struct child *c = start_shell("trap '' TERM; while :; do sleep 600; done", &o);
	struct error err = {0};
	int pid = child_pid(c), *gone = arg;

	assert_int_equal(child_wait(t, c, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_CANCELLED);
	assert_false(child_ended(c, NULL));
	child_free(t, c);
	*gone = pid;
}

static void a_cancelled_task_leaves_no_process(struct task *t, void *arg)
{
	struct task_group group;
	int pid = 0;

	(void)arg;
	task_group_init(&group);
	task_start(&group, "waiter", wait_for_it, &pid);
	task_turns(t, 3);
	task_group_finish(t, &group);
	assert_true(pid > 0);
	assert_int_equal(kill(pid, 0), -1);
}

static void helpers_are_found_beside_the_program(struct task *t, void *arg)
{
	struct error err = {0};
	char *path = helper_path("test_child", &err);

	(void)t;
	(void)arg;
	assert_non_null(path);
	assert_int_equal(access(path, X_OK), 0);
	free(path);
	helper_set_folder("/bin");
	path = helper_path("sh", &err);
	assert_string_equal(path, "/bin/sh");
	free(path);
	helper_set_folder(NULL);
	assert_null(helper_path("no-such-helper", &err));
	assert_non_null(strstr(err.text, "no-such-helper"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TASK(a_watch_that_failed_is_tried_again),
	    IN_TASK(both_streams_and_the_status_arrive),
	    IN_TASK(merged_output_keeps_its_order),
	    IN_TASK(a_dead_or_half_dead_program_does_not_turn_the_loop),
	    IN_TASK(a_signal_is_told_as_128_and_its_number),
	    IN_TASK(megabytes_are_drained),
	    IN_TASK(the_environment_is_clean_and_the_input_empty),
	    IN_TASK(additions_win_over_the_clean_environment),
	    IN_TASK(no_descriptor_of_ours_is_inherited),
	    IN_TASK(it_runs_where_it_is_told),
	    IN_TASK(what_cannot_start_says_why),
	    IN_TASK(a_conversation_over_the_pipes),
	    IN_TASK(nothing_is_lost_between_a_slow_reader_and_a_full_pipe),
	    IN_TASK(a_large_input_goes_through),
	    IN_TASK(the_deadline_ends_it),
	    IN_TASK(who_ignores_term_is_killed_with_the_group),
	    IN_TASK(what_is_left_of_the_group_ends_with_its_leader),
	    IN_TASK(a_cancelled_task_leaves_no_process),
	    IN_TASK(helpers_are_found_beside_the_program),
	    IN_TASK(a_reader_that_comes_late_gets_everything),
	};

	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
