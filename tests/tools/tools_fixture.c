#include "tools/tools_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "tools/tools_internal.h"

void tools_fixture_init(struct tools_fixture *w)
{
	*w = (struct tools_fixture){.result_max = 65536};
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	str_copy(w->dir, sizeof(w->dir), "/tmp/myna-tools-XXXXXX");
	assert_non_null(mkdtemp(w->dir));
}

void tools_fixture_open(
    struct tools_fixture *w, const char *more, const char *settings, const struct tool *const *table)
{
	struct error err = {0};
	struct buf problems = BUF_INIT;
	char *text = xasprintf("state = \"%s/state\";\n%s\ntools: { workspace = \"%s/ws\"; %s };\n", w->dir,
	    more, w->dir, settings);

	w->cfg = config_parse("test.conf", text, &err);
	if (!w->cfg)
		fail_msg("%s", err.text);
	targets_read(&w->targets, w->cfg);
	w->tools = table ? tools_new_with(w->cfg, &w->targets, table) : tools_new(w->cfg, &w->targets);
	config_errors(w->cfg, &problems);
	assert_string_equal(problems.data, "");
	if (tools_open(w->tools, &err) < 0)
		fail_msg("%s", err.text);
	w->call.tools = w->tools;
	buf_clear(&problems);
	free(text);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st, (void)kind, (void)where;
	return remove(path);
}

void tools_fixture_clear(struct tools_fixture *w)
{
	tools_free(w->tools);
	targets_clear(&w->targets);
	config_free(w->cfg);
	nftw(w->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int tools_fixture_tear_down(void **state)
{
	tools_fixture_clear(*state);
	return 0;
}

char *tools_fixture_path(const struct tools_fixture *w, const char *path)
{
	return xasprintf("%s/%s", w->dir, path);
}

void tools_fixture_put(const struct tools_fixture *w, const char *path, const void *data, size_t len)
{
	char *whole = tools_fixture_path(w, path);

	for (char *p = whole + strlen(w->dir) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		assert_true(mkdir(whole, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	int fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
	free(whole);
}

void tools_fixture_put_text(const struct tools_fixture *w, const char *path, const char *text)
{
	tools_fixture_put(w, path, text, strlen(text));
}

void assert_holds(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, text ? text : "(nothing)");
}

void assert_str(struct json_object *o, const char *key, const char *want)
{
	const char *have = json_get_str(o, key);

	if (!have || strcmp(have, want) != 0)
		fail_msg("%s is not \"%s\": %s", key, want, json_object_to_json_string(o));
}

void assert_int(struct json_object *o, const char *key, int64_t want)
{
	if (!json_object_is_type(json_get(o, key), json_type_int) || json_get_int(o, key, 0) != want)
		fail_msg("%s is not %lld: %s", key, (long long)want, json_object_to_json_string(o));
}

void assert_json(struct json_object *o, const char *want)
{
	struct json_object *wanted = json_parse(want, strlen(want), NULL);

	assert_non_null(wanted);
	if (!json_object_equal(o, wanted))
		fail_msg("%s is not %s", json_object_to_json_string(o), want);
	json_object_put(wanted);
}

void assert_file(const struct tools_fixture *w, const char *path, const char *want)
{
	char *whole = tools_fixture_path(w, path), chunk[4096];
	int fd = open(whole, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct buf have = BUF_INIT;
	ssize_t n;

	if (fd < 0)
		fail_msg("%s: %s", path, strerror(errno));
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&have, chunk, (size_t)n);
	assert_int_equal(n, 0);
	if (have.len != strlen(want) || memcmp(have.data, want, have.len) != 0)
		fail_msg("%s is \"%s\", not \"%s\"", path, have.data, want);
	buf_clear(&have);
	close(fd);
	free(whole);
}

void assert_failure(struct json_object *o, const char *code, const char *cause)
{
	const char *have = json_get_str(json_get_object(o, "context"), "cause");

	assert_str(o, "error_code", code);
	if ((!have) != (!cause) || (have && strcmp(have, cause) != 0))
		fail_msg("cause is not %s: %s", cause ? cause : "absent", json_object_to_json_string(o));
}

static void check_result(
    const struct tools_fixture *w, const char *text, struct json_object *o, bool is_error)
{
	bool failed = json_get(o, "error_code");

	assert_true(strlen(text) <= w->result_max);
	assert_true(utf8_valid(text, strlen(text)));
	assert_int_equal(is_error, failed);
	if (!failed)
		return;
	const char *sentence = json_get_str(o, "error");
	assert_non_null(sentence);
	assert_true(strlen(sentence) > 10);
	assert_int_equal(sentence[strlen(sentence) - 1], '.');
	assert_non_null(json_get_str(json_get_object(o, "context"), "tool"));
}

struct json_object *tools_fixture_run_in(
    struct task *t, struct tools_fixture *w, const char *name, const char *arguments)
{
	struct error err = {0};
	bool is_error = false;
	char *text = tools_run(t, &w->call, name, arguments, &is_error);
	struct json_object *o = json_parse_object(text, strlen(text), &err);

	if (!o)
		fail_msg("%s: %s", err.text, text);
	check_result(w, text, o, is_error);
	free(text);
	return o;
}

/* The arguments with the alias'th alias of each parameter in place of its name; NULL when there is none. */
static char *by_alias(const struct tool *tool, const char *arguments, size_t alias)
{
	struct json_object *args = json_parse_object(arguments, strlen(arguments), NULL);
	bool renamed = false;

	assert_non_null(args);
	for (const struct tool_alias *a = tool->param_aliases; a && a->alias; a++) {
		struct json_object *value = json_get(args, a->name);
		size_t before = 0;
		for (const struct tool_alias *b = tool->param_aliases; b != a; b++)
			before += strcmp(b->name, a->name) == 0;
		if (!value || before != alias)
			continue;
		json_set(args, a->alias, json_object_get(value));
		json_object_object_del(args, a->name);
		renamed = true;
	}
	char *text = renamed ? json_text(args) : NULL;
	json_object_put(args);
	return text;
}

/* One name, and the same with '-' for '_', with every spelling of the arguments. */
static void run_by(struct tools_fixture *w, const struct tool *tool, const char *name, const char *arguments,
    void (*prepare)(void), struct json_object **first)
{
	char spelled[80];

	for (int dashes = 0; dashes < 2; dashes++) {
		str_copy(spelled, sizeof(spelled), name);
		for (char *p = spelled; dashes && *p; p++)
			*p = *p == '_' ? '-' : *p;
		char *text = xstrdup(arguments);
		for (size_t alias = 0; text; alias++) {
			prepare();
			struct json_object *o = tools_fixture_run(w, spelled, text);
			if (*first && !json_object_equal(o, *first))
				fail_msg("%s %s: %s, not %s", spelled, text, json_object_to_json_string(o),
				    json_object_to_json_string(*first));
			if (*first)
				json_object_put(o);
			else
				*first = o;
			free(text);
			text = by_alias(tool, arguments, alias);
		}
	}
}

struct json_object *tools_fixture_run_each(
    struct tools_fixture *w, const char *name, const char *arguments, void (*prepare)(void))
{
	const struct tool *tool = tools_find(w->tools, name);
	struct json_object *first = NULL;

	assert_non_null(tool);
	run_by(w, tool, tool->name, arguments, prepare, &first);
	for (const char *const *alias = tool->aliases; alias && *alias; alias++)
		run_by(w, tool, *alias, arguments, prepare, &first);
	return first;
}

struct call {
	struct tools_fixture *w;
	const char *name, *arguments;
	struct json_object *result;
};

static void call_task(struct task *t, void *arg)
{
	struct call *c = arg;

	c->result = tools_fixture_run_in(t, c->w, c->name, c->arguments);
}

struct json_object *tools_fixture_run(struct tools_fixture *w, const char *name, const char *arguments)
{
	struct call c = {.w = w, .name = name, .arguments = arguments};

	task_run("call", call_task, &c);
	return c.result;
}

void tools_fixture_refused(
    struct tools_fixture *w, const char *name, const char *arguments, const char *code, const char *cause)
{
	struct json_object *o = tools_fixture_run(w, name, arguments);

	assert_failure(o, code, cause);
	json_object_put(o);
}

char *tools_fixture_error(struct tools_fixture *w, const char *name, const char *arguments)
{
	struct json_object *o = tools_fixture_run(w, name, arguments);
	char *text = xstrdup(json_get_str(o, "error_code") ? json_get_str(o, "error") : NULL);

	if (!text)
		fail_msg("%s did not fail: %s", name, json_object_to_json_string(o));
	json_object_put(o);
	return text;
}

uint32_t any(uint64_t *seed, uint32_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33) % below;
}
