#include "config.h"
#include "tools/shell/shell_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "tools/background.h"
#include "tools/sandbox/sandbox.h"

#define AWAIT_MS 30000
#define HELPER   "myna-sandbox"
#define NAP      "NAP"

/* A number of seconds that no other process sleeps. */
static char nap[16];

void shell_fixture_begin(struct tools_fixture *w, const char *settings)
{
	static const struct address chat = {.channel = "telegram", .chat = "77"};

	helper_set_folder(BUILD_DIR);
	snprintf(nap, sizeof(nap), "9%07d", (int)getpid());
	/* Commands run as somebody else when we are root. */
	assert_int_equal(chmod(w->dir, 0755), 0);
	tools_fixture_open(w, "", settings, NULL);
	w->call.chat = &chat;
	w->call.background = background_new();
}

static struct background *ending;

static void end_task(struct task *t)
{
	background_free(t, ending);
}

void shell_fixture_end(struct tools_fixture *w)
{
	ending = w->call.background;
	shell_fixture_in_task(end_task);
	tools_fixture_clear(w);
}

static void call_fn(struct task *t, void *arg)
{
	void (*const *fn)(struct task * t) = arg;

	(*fn)(t);
}

void shell_fixture_in_task(void (*fn)(struct task *t))
{
	task_run("test", call_fn, &fn);
}

static struct tools_fixture *needy;
static bool can_run;

static void need_task(struct task *t)
{
	struct error err = {0};

	can_run = sandbox_prove(t, tools_sandbox(needy->tools), &err) == 0;
	if (!can_run)
		print_message("nothing can run here: %s\n", err.text);
}

void shell_fixture_need(struct tools_fixture *w)
{
	needy = w;
	shell_fixture_in_task(need_task);
	if (!can_run)
		skip();
}

char *shell_fixture_args(const char *command, const char *more)
{
	struct buf text = BUF_INIT, out = BUF_INIT;

	buf_addstr(&text, "{\"command\":");
	json_quote(&text, command, strlen(command));
	buf_addf(&text, "%s}", more);
	for (const char *at = text.data; *at;) {
		bool found = strncmp(at, NAP, strlen(NAP)) == 0;
		buf_add(&out, found ? nap : at, found ? strlen(nap) : 1);
		at += found ? strlen(NAP) : 1;
	}
	buf_clear(&text);
	return buf_take(&out);
}

struct json_object *shell_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *tool, const char *command, const char *more)
{
	char *args = shell_fixture_args(command, more);
	struct json_object *o = tools_fixture_run_in(t, w, tool, args);

	free(args);
	return o;
}

struct json_object *shell_fixture_run(
    struct tools_fixture *w, const char *tool, const char *command, const char *more)
{
	char *args = shell_fixture_args(command, more);
	struct json_object *o = tools_fixture_run(w, tool, args);

	free(args);
	return o;
}

struct json_object *shell_fixture_task(
    struct task *t, struct tools_fixture *w, const char *tool, const char *id, const char *more)
{
	char *args = xasprintf("{\"task_id\":\"%s\"%s}", id, more);
	struct json_object *o = tools_fixture_run_in(t, w, tool, args);

	free(args);
	return o;
}

/* Its command line, the words with a blank between; false when it has none any more. */
static bool read_words(const char *pid, char *out, size_t size)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, out, size - 1);
	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	for (ssize_t i = 0; i < n; i++)
		if (out[i] == '\0')
			out[i] = ' ';
	out[n] = '\0';
	return true;
}

static unsigned count(bool tell)
{
	DIR *dir = opendir("/proc");
	char line[8192];
	unsigned n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		if (*e->d_name < '1' || *e->d_name > '9' || !read_words(e->d_name, line, sizeof(line)))
			continue;
		if (!strstr(line, nap) || strstr(line, HELPER))
			continue;
		n++;
		if (tell)
			print_message("%s: %s\n", e->d_name, line);
	}
	closedir(dir);
	return n;
}

void shell_fixture_none(void)
{
	if (count(true) > 0)
		fail_msg("sleep %s still runs", nap);
}

void shell_fixture_await(struct task *t, unsigned wanted)
{
	for (int i = 0; i < AWAIT_MS / 20; i++) {
		unsigned now = count(false);
		if (wanted > 0 ? now >= wanted : now == 0)
			return;
		task_sleep(t, 20, NULL);
	}
	fail_msg("%u processes sleep %s, not %u", count(true), nap, wanted);
}
