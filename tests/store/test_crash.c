#include "store/store_fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "bus/message.h"

#define EVENTS 100000

/* The child: tasks that put messages for ever, and say each one that the store has confirmed. */
static unsigned next_event;
static struct fixture child_place;
static unsigned stop_after; /* 0: never */

static void write_for_ever(struct task *t, void *arg)
{
	struct journal j = store_journal(child_place.store);
	struct message *m;
	char event[16], line[16];
	struct error err;

	(void)arg;
	for (;;) {
		unsigned number = next_event++;

		snprintf(event, sizeof(event), "%u", number);
		m = fixture_message(event, "telegram:1", "hello");
		if (j.ops->put_inbound(t, j.self, &m, 1, NULL, &err) != 0 || m->id == 0)
			_exit(1);
		message_free(m);
		if (write(STDOUT_FILENO, line, (size_t)snprintf(line, sizeof(line), "%u\n", number)) < 0)
			_exit(1);
		if (number == stop_after && stop_after != 0)
			_exit(0);
	}
}

static void child(struct task *t, void *arg)
{
	struct task_group group;

	(void)arg;
	fixture_open(t, &child_place);
	task_group_init(&group);
	for (int i = 0; i < 8; i++)
		task_start(&group, "writer", write_for_ever, NULL);
	task_group_wait(t, &group, NULL);
}

static int child_main(char **argv)
{
	str_copy(child_place.dir, sizeof(child_place.dir), argv[2]);
	buf_init(&child_place.notices);
	child_place.engine.url = getenv("MYNA_TEST_URL");
	child_place.engine.engine = child_place.engine.url ? STORE_POSTGRES : STORE_SQLITE;
	next_event = (unsigned)strtoul(argv[3], NULL, 10);
	stop_after = (unsigned)strtoul(argv[4], NULL, 10);
	task_run("child", child, NULL);
	return 1;
}

static pid_t spawn(const struct fixture *p, unsigned first, unsigned last, int *out)
{
	char from[16], to[16];
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	snprintf(from, sizeof(from), "%u", first);
	snprintf(to, sizeof(to), "%u", last);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		if (p->engine.url)
			setenv("MYNA_TEST_URL", p->engine.url, 1);
		execl("/proc/self/exe", "test_crash", "child", p->dir, from, to, (char *)NULL);
		_exit(127);
	}
	assert_true(pid > 0);
	close(ends[1]);
	*out = ends[0];
	return pid;
}

/* What was confirmed, over all children. */
static bool confirmed[EVENTS];

static unsigned read_confirmed(int in)
{
	FILE *f = fdopen(in, "r");
	unsigned number, most = 0;
	char line[32];

	/* A line that the kill cut off says nothing. */
	while (fgets(line, sizeof(line), f))
		if (strchr(line, '\n') && (number = (unsigned)strtoul(line, NULL, 10)) < EVENTS) {
			confirmed[number] = true;
			most = number > most ? number : most;
		}
	fclose(f);
	return most;
}

/* From its first confirmation on. */
static void let_run(int out, unsigned ms)
{
	struct pollfd first = {.fd = out, .events = POLLIN};

	assert_int_equal(poll(&first, 1, 60000), 1);
	nanosleep(&(struct timespec){.tv_nsec = (long)ms * 1000000}, NULL);
}

static size_t check_confirmed(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct message **found = xcalloc(EVENTS, sizeof(*found));
	struct address from = fixture_address("telegram:1");
	bool *there = xcalloc(EVENTS, sizeof(*there));
	size_t known = 0;
	struct error err;
	int count;

	count = j.ops->list_inbound(t, j.self, &from, 0, found, EVENTS, &err);
	assert_ok(count, err);
	for (int i = 0; i < count; i++) {
		there[strtoul(found[i]->event_id, NULL, 10)] = true;
		message_free(found[i]);
	}
	for (unsigned n = 0; n < EVENTS; n++) {
		if (confirmed[n] && !there[n])
			fail_msg("message %u was confirmed, and is lost", n);
		known += confirmed[n];
	}
	free(there);
	free(found);
	return known;
}

static void nothing_confirmed_is_lost_by_a_kill(struct task *t, struct fixture *p)
{
	unsigned first = 0, seed = 7;
	size_t known = 0;
	int in, status;
	pid_t pid;

	memset(confirmed, 0, sizeof(confirmed));
	fixture_close(t, p);
	for (int round = 0; round < 30; round++) {
		pid = spawn(p, first, 0, &in);
		seed = seed * 1664525u + 1013904223u;
		let_run(in, seed % 150);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		/* Far enough that no number of the killed child comes again. */
		first = read_confirmed(in) + 50;
		fixture_open(t, p);
		known = check_confirmed(t, p);
		fixture_close(t, p);
	}
	print_message("           %zu messages were confirmed before 30 kills, all are there\n", known);
	assert_true(known > 100);
	assert_string_equal(p->notices.data, "");
	fixture_open(t, p);
}

static void an_exit_without_a_close_loses_nothing(struct task *t, struct fixture *p)
{
	int in, status;
	pid_t pid;

	memset(confirmed, 0, sizeof(confirmed));
	fixture_close(t, p);
	pid = spawn(p, 1, 300, &in);
	assert_int_equal(read_confirmed(in), 300);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(fixture_files(p, "myna.db-wal"), p->engine.engine == STORE_SQLITE);
	fixture_open(t, p);
	assert_true(check_confirmed(t, p) >= 293);
	assert_string_equal(p->notices.data, "");
}

static void another_process_keeps_the_directory_until_it_ends(struct task *t, struct fixture *p)
{
	struct timespec began, ended;
	struct error err;
	char line[16], owner[40];
	int in, status;
	pid_t pid;

	fixture_close(t, p);
	pid = spawn(p, 1, 0, &in);
	assert_true(read(in, line, 1) == 1);
	clock_gettime(CLOCK_MONOTONIC, &began);
	assert_int_equal(fixture_try(t, p, &err), -1);
	clock_gettime(CLOCK_MONOTONIC, &ended);
	assert_true(ended.tv_sec - began.tv_sec <= 1);
	assert_int_equal(err.kind, ERROR_OURS);
	snprintf(owner, sizeof(owner), "the process %ld uses", (long)pid);
	assert_non_null(strstr(err.text, owner));
	assert_non_null(strstr(err.text, p->dir));
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(in);
	fixture_open(t, p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(nothing_confirmed_is_lost_by_a_kill),
	    IN_PLACE(an_exit_without_a_close_loses_nothing),
	    IN_PLACE(another_process_keeps_the_directory_until_it_ends),
	};

	if (argc == 5 && strcmp(argv[1], "child") == 0)
		return child_main(argv);
	fixture_durable = true;
	return fixture_run_tests("crash", tests, ARRAY_LEN(tests));
}
