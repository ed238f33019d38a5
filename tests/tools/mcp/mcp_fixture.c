#include "config.h"
#include "tools/mcp/mcp_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/child/child.h"
#include "net/loop.h"
#include "tools/mcp/settings.h"

#define PATIENCE_MS 30000

struct tools_fixture w;
struct mcp_settings settings;
struct mcp *servers;
struct buf logged;
static const char stub[] = BUILD_DIR "/tests/lib/mcp_stub";

static void on_log(const char *line, void *arg)
{
	(void)arg;
	buf_addf(&logged, "%s\n", line);
}

int mcp_fixture_begin(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	helper_set_folder(BUILD_DIR);
	/* Servers of root's tests run as nobody. */
	assert_int_equal(chmod(w.dir, 0755), 0);
	tools_fixture_put_text(&w, "state/mark", "");
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	log_capture(on_log, NULL);
	return 0;
}

int mcp_fixture_end(void **state)
{
	(void)state;
	mcp_settings_clear(&settings);
	tools_fixture_clear(&w);
	log_capture(NULL, NULL);
	buf_clear(&logged);
	return 0;
}

void read_servers(const char *fmt, const char *more, struct buf *problems)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s mcp_servers: { ", more);
	for (const char *at = fmt, *next; at; at = next) {
		next = strstr(at, "%s");
		buf_add(&text, at, next ? (size_t)(next - at) : strlen(at));
		if (next) {
			buf_addstr(&text, stub);
			next += 2;
		}
	}
	buf_addstr(&text, " };");
	tools_fixture_open(&w, "", text.data, NULL);
	mcp_settings_read(&settings, w.cfg, w.tools, NULL);
	config_errors(w.cfg, problems);
	config_warnings(w.cfg, problems);
	w.call.admin = true;
	buf_clear(&text);
}

static void run_body(struct task *t, void *arg)
{
	body_fn *const *body = arg;
	char *state = tools_fixture_path(&w, "state");

	servers = mcp_new(w.tools, &settings, state);
	free(state);
	(*body)(t);
	mcp_free(t, servers);
	servers = NULL;
}

void with_servers_and(const char *list, const char *more, body_fn *body)
{
	struct buf problems = BUF_INIT;

	read_servers(list, more, &problems);
	if (config_error_count(w.cfg) > 0)
		fail_msg("%s", problems.data);
	buf_clear(&problems);
	task_run("test", run_body, &body);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
}

void with_servers(const char *list, body_fn *body)
{
	with_servers_and(list, "sandbox = \"S0\";", body);
}

struct json_object *state_of(size_t i, struct json_object **all)
{
	*all = mcp_status(servers);
	return json_object_array_get_idx(*all, i);
}

void await_state(struct task *t, const char *state)
{
	uint64_t due = clock_now() + PATIENCE_MS;

	for (bool there = false; !there;) {
		struct json_object *all, *s = state_of(0, &all);
		there = strcmp(json_get_str(s, "state"), state) == 0;
		if (!there && clock_now() > due)
			fail_msg("not %s but %s\n%s", state, json_object_to_json_string(s), logged.data);
		json_object_put(all);
		task_sleep(t, 5, NULL);
	}
}

void await_log(struct task *t, const char *text)
{
	uint64_t due = clock_now() + PATIENCE_MS;

	while (!strstr(logged.data, text)) {
		if (clock_now() > due)
			fail_msg("\"%s\" is not in the log:\n%s", text, logged.data);
		task_sleep(t, 5, NULL);
	}
}

struct json_object *call_tool(struct task *t, const char *name, const char *message)
{
	char *arguments = xasprintf("{\"message\":\"%s\"}", message);
	struct json_object *o = tools_fixture_run_in(t, &w, name, arguments);

	free(arguments);
	return o;
}
