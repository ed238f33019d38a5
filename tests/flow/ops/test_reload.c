/*
 * The configuration is read again while the gateway runs: what can be in force at once is, what needs a
 * restart is named, and what is broken changes nothing. MYNA_CONFIG_MUTATIONS: how many damaged files, in
 * place of 100.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "crash/random.h"
#include "flow/flow.h"

#define SEED              20261121
#define MUTATIONS_DEFAULT 100
#define IN_FORCE          "the configuration was read again and is in force"

#define assert_has(text, part)                                  \
	do {                                                    \
		if (!strstr(text, part))                        \
			fail_msg("no '%s' in: %s", part, text); \
	} while (0)

static int end(void **state)
{
	struct flow *f = *state;
	/* A leak would show here. */
	int status = flow_gateway_end(f, SIGTERM);

	if (status != 0) {
		char *log = flow_log(f);
		fprintf(stderr, "%s\n", log);
		free(log);
	}
	flow_stop(f);
	return status;
}

/* POST /v1/reload: what a person is told, malloc'd. */
static char *reload(struct flow *f, bool ok)
{
	struct json_object *o = flow_daemon(f, "/v1/reload", "{}");
	assert_non_null(o);
	char *text = xstrdup(json_get_str(o, "text"));

	if (json_get_bool(o, "ok", !ok) != ok)
		fail_msg("%s", text);
	json_object_put(o);
	return text;
}

/* Who became an admin is shown the commands of admins. */
static void await_menu_of(struct flow *f, const char *person)
{
	char *scope = xasprintf("\"chat_id\":%s", person);
	bool found = false;

	for (uint64_t due = flow_deadline(); !found; flow_look(f, due, "%s has no menu of admins", person)) {
		struct json_object *o =
		    flow_get(f, "/control/requests?platform=telegram&method=setMyCommands");
		char *text = json_text(o);
		found = strstr(text, scope);
		free(text);
		json_object_put(o);
	}
	free(scope);
}

static void lists_apply_at_once_and_who_is_removed_gets_no_answer(void **state)
{
	struct flow *f = *state;

	flow_config(f, "", "allow = [\"77\"];");
	flow_gateway(f, true);
	json_object_put(flow_control(
	    f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"kind\":\"stall\",\"seconds\":4}"));
	flow_say(f, "77", "77", "hello", "private");
	flow_until(f, flow_turn_runs(f));
	flow_config(f, "", "admins = [\"78\"]; pairing = false;");
	kill(f->gateway, SIGHUP);
	flow_await_log(f, "turn ended: stopped");
	flow_say(f, "77", "77", "again", "private");
	flow_await_log(f, "not answered: the sender is not in allow");
	flow_say(f, "78", "78", "hello", "private");
	flow_await(f, "78", 1);
	assert_int_equal(flow_bot_messages(f, "77"), 0);
	await_menu_of(f, "78");
}

static void what_needs_a_restart_is_named_with_its_line(void **state)
{
	struct flow *f = *state;
	char *want = xasprintf("%s/myna.conf:5: channels.telegram.poll_timeout\n", f->dir), *text;

	flow_config(f, "", "admins = [\"77\"];");
	flow_gateway(f, true);
	text = reload(f, true);
	assert_string_equal(text, "The configuration is in force.\n");
	free(text);
	/* In place of the rows that flow_config writes itself. */
	flow_config(f, "http: { listen = \"127.0.0.1:0\";\n token = \"a-token-of-the-flow-tests\"; };",
	    "admins = [\"77\"];");
	char *edit =
	    xasprintf("sed -i 's/poll_timeout = \"2 s\"/poll_timeout = \"3 s\"/' %s/myna.conf", f->dir);
	assert_int_equal(system(edit), 0);
	free(edit);
	text = reload(f, true);
	assert_has(text, "For these changes a restart is needed:\n");
	assert_has(text, want);
	assert_has(text, "/myna.conf:3: http.listen\n");
	free(text);
	flow_say(f, "77", "77", "/reload", "private");
	flow_await(f, "77", 1);
	text = flow_bot_text(f, "77", 0);
	assert_has(text, "The configuration is in force.");
	assert_has(text, "myna.conf:5: channels.telegram.poll_timeout");
	free(text);
	free(want);
}

static void expect_levels(struct flow *f, size_t i, const char *levels)
{
	flow_say(f, "77", "77", "/log", "private");
	flow_await(f, "77", i + 1);
	char *text = flow_bot_text(f, "77", i);
	assert_string_equal(text, levels);
	free(text);
}

/* What was changed from chat stays until the file says otherwise. */
static void levels_of_modules_change_with_the_file(void **state)
{
	struct flow *f = *state;

	flow_config(f, "log: { store = \"error\"; };", "admins = [\"77\"];");
	flow_gateway(f, true);
	flow_say(f, "77", "77", "/log bus warn", "private");
	flow_await(f, "77", 1);
	free(reload(f, true));
	expect_levels(f, 1, "All modules log debug and above, but store error, bus warn.");
	flow_config(f, "log: { http = \"info\"; };", "admins = [\"77\"];");
	free(reload(f, true));
	expect_levels(f, 2, "All modules log debug and above, but http info.");
	flow_config(f, "log: { http = \"loud\"; };", "admins = [\"77\"];");
	char *text = reload(f, false);
	assert_has(text, "/myna.conf:3: log.http must be one of \"error\", \"warn\", \"info\", \"debug\".");
	free(text);
}

static void a_broken_file_changes_nothing_and_every_mistake_is_named(void **state)
{
	struct flow *f = *state;
	char *text;

	flow_config(f, "", "allow = [\"77\"];");
	flow_gateway(f, true);
	flow_config(f, "turns_at_once = 0;\nquiet = 1;", "allow = [78];");
	text = reload(f, false);
	assert_has(text, "/myna.conf:3: turns_at_once: ");
	assert_has(text, "/myna.conf:4: unknown key 'quiet'");
	assert_has(text, "/myna.conf:5: channels.telegram.allow[0]: ");
	free(text);
	flow_await_log(f, "error config: the configuration stays as it was: ");
	assert_int_equal(flow_myna(f, &text, "reload", NULL), 1);
	assert_has(text, "/myna.conf:3: turns_at_once: ");
	free(text);
	flow_say(f, "77", "77", "hello", "private");
	flow_await(f, "77", 1);
}

/* The way out when the model does not answer. */
static void messages_that_wait_for_a_model_are_answered_by_the_new_one(void **state)
{
	struct flow *f = *state;
	char *dead =
	    xasprintf("sed -i 's#base_url = \"http://[^\"]*/v1\"; key = \"a-key-for-tests\"; model#base_url "
		      "= \"http://127.0.0.1:1/v1\"; key = \"a-key-for-tests\"; model#' %s/myna.conf",
		f->dir);

	flow_config(f, "", "allow = [\"77\"];");
	assert_int_equal(system(dead), 0);
	flow_gateway(f, true);
	flow_say(f, "77", "77", "hello", "private");
	flow_await_log(f, "the turn waits: class=transient");
	flow_await(f, "77", 1);
	flow_config(f, "", "allow = [\"77\"];");
	free(reload(f, true));
	flow_expect(f, "77", 1, "Hello!");
	free(dead);
}

static bool is_safe_mode(struct flow *f)
{
	struct json_object *o = flow_status(f);
	bool safe = json_get_bool(o, "safe_mode", false);

	json_object_put(o);
	return safe;
}

static void a_broken_file_at_start_gives_way_to_the_last_good_one(void **state)
{
	struct flow *f = *state;
	char *copy = xasprintf("%s/state/config.good", f->dir), *text;
	struct stat st;

	flow_config(f, "nosuch = 1;", "admins = [\"77\"];");
	assert_int_equal(flow_myna(f, &text, "run", NULL), 1);
	assert_has(text, "myna.conf:3: unknown key 'nosuch'");
	free(text);
	flow_config(f, "", "admins = [\"77\"];");
	flow_say(f, "77", "77", "/whoami", "private");
	flow_gateway(f, true);
	flow_await(f, "77", 1);
	for (uint64_t due = flow_deadline(); stat(copy, &st) != 0;)
		flow_look(f, due, "the configuration is not kept");
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_false(is_safe_mode(f));
	assert_int_equal(flow_gateway_end(f, SIGTERM), 0);

	flow_config(f, "", "admins = [\"77];");
	assert_int_equal(flow_myna(f, &text, "run", "--strict", NULL), 1);
	assert_has(text, "/myna.conf:4: ");
	free(text);
	for (int start = 0; start < 2; start++) {
		flow_gateway(f, true);
		assert_true(is_safe_mode(f));
		flow_await_log(f, "SAFE MODE: ");
		flow_await(f, "77", 2);
		assert_int_equal(flow_gateway_end(f, SIGTERM), 0);
	}
	flow_gateway(f, true);
	text = flow_bot_text(f, "77", 1);
	assert_has(text, "Safe mode: the configuration is broken");
	free(text);
	assert_int_equal(flow_myna(f, &text, "status", NULL), 0);
	assert_has(text, "SAFE MODE: ");
	assert_has(text, "/myna.conf:4: ");
	free(text);
	flow_say(f, "77", "77", "/whoami", "private");
	flow_await(f, "77", 3);
	free(reload(f, false));
	flow_config(f, "", "admins = [\"77\"];");
	free(reload(f, true));
	assert_false(is_safe_mode(f));
	/* Told once. */
	assert_int_equal(flow_bot_messages(f, "77"), 3);
	free(copy);
}

/* --- damaged files */

static void write_file(struct flow *f, const char *text, size_t len)
{
	char *path = xasprintf("%s/myna.conf", f->dir);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, len, out), len);
	fclose(out);
	free(path);
}

static char *whole_config(struct flow *f, unsigned number)
{
	return xasprintf(
	    "state = \"%s/state\";\nname = \"Myna\";\nturns_at_once = 20;\n"
	    "channels: {\n  telegram: {\n    type = \"telegram\";\n    token = "
	    "\"4242424242:AAEflowTestTokenOfTheFlowTests0123456\";\n"
	    "    api_base = \"%s/telegram\";\n    allow = [\"77\", \"78\"];\n    admins = [\"77\"];\n    "
	    "group = \"all\";\n"
	    "    quiet_hours = \"22:00-07:00\";\n    groups: { ops: { chat = \"-1001\"; allow = [\"79\"]; }; "
	    "};\n  };\n};\n"
	    "llm: {\n  default = \"script\";\n  providers: {\n    script: { api = \"openai-chat\"; base_url "
	    "= \"%s/v1\"; key = \"a-key-for-tests\"; model = \"scripted\"; };\n  };\n};\n"
	    "files: { at_once = 3; };\ntools: { rounds = 7; deadline = \"30 s\"; };\n"
	    "targets: { marker = [\"telegram:%u\"]; };\nquiet_hours: { marker = \"01:00-02:00\"; };\n",
	    f->dir, f->url, f->url, number);
}

static void replace(struct buf *text, size_t at, size_t len, const char *with)
{
	struct buf out = BUF_INIT;

	buf_add(&out, text->data, at);
	buf_addstr(&out, with);
	buf_add(&out, text->data + at + len, text->len - at - len);
	buf_clear(text);
	*text = out;
}

static void mutate(struct buf *text, uint64_t *seed)
{
	static const char *const pieces[] = {"\"", "{", "}", "};", "[", "]", "(", ";", "=", ":", ",", "\n",
	    "#", "/*", "\\", "0", "-1", "99999999999", "true", "nosuch = 1;", "\"x\"",
	    "@include \"gone.conf\"\n", "\xff", "token", "allow = [];", "  "};
	size_t at = random_below(seed, text->len), len = random_below(seed, 6), line = at;

	if (len > text->len - at)
		len = text->len - at;
	while (line > 0 && text->data[line - 1] != '\n')
		line--;
	switch (random_below(seed, 4)) {
	case 0:
		replace(text, at, len, "");
		break;
	case 1:
		replace(text, at, 0, pieces[random_below(seed, ARRAY_LEN(pieces))]);
		break;
	case 2:
		replace(text, at, len, pieces[random_below(seed, ARRAY_LEN(pieces))]);
		break;
	default: {
		/* The line twice. */
		char *copy = xstrndup(text->data + line, strcspn(text->data + line, "\n") + 1);
		replace(text, line, 0, copy);
		free(copy);
	}
	}
}

/* What of the configuration in force can be seen: where the target leads. "" when there is none. */
static void see(struct flow *f, char out[100])
{
	struct json_object *o =
	    flow_daemon(f, "/v1/messages", "{\"to\":[\"marker\"],\"text\":\"x\",\"dry_run\":true}");
	assert_non_null(o);
	struct json_object *results = json_get_array(o, "results");

	str_copy(out, 100, results ? json_get_str(json_object_array_get_idx(results, 0), "address") : "");
	json_object_put(o);
}

static void check_lines(struct flow *f, const char *text)
{
	char *file = xasprintf("%s/myna.conf:", f->dir);
	const char *line = strchr(text, '\n');

	assert_non_null(line);
	while (*++line) {
		if (strncmp(line, file, strlen(file)) != 0 || strtoul(line + strlen(file), NULL, 10) == 0)
			fail_msg("no FILE:LINE in: %s", line);
		line = strchr(line, '\n');
	}
	free(file);
}

static void damaged_files_never_end_it_and_the_old_one_stays(void **state)
{
	struct flow *f = *state;
	const char *env = getenv("MYNA_CONFIG_MUTATIONS");
	unsigned count = env ? (unsigned)strtoul(env, NULL, 10) : MUTATIONS_DEFAULT, broken = 0;
	uint64_t seed = SEED;
	char *first = whole_config(f, 1), before[100], after[100];

	write_file(f, first, strlen(first));
	free(first);
	flow_gateway(f, true);
	for (unsigned i = 0; i < count; i++) {
		char *whole = whole_config(f, i + 100);
		struct buf text = BUF_INIT;
		buf_addstr(&text, whole);
		for (uint64_t n = 1 + random_below(&seed, 3); n > 0; n--)
			mutate(&text, &seed);
		write_file(f, text.data, text.len);
		see(f, before);
		struct json_object *o = flow_daemon(f, "/v1/reload", "{}");
		assert_non_null(o);
		see(f, after);
		if (!json_get_bool(o, "ok", true)) {
			broken++;
			assert_string_equal(before, after);
			check_lines(f, json_get_str(o, "text"));
		}
		json_object_put(o);
		buf_clear(&text);
		free(whole);
		assert_int_equal(waitpid(f->gateway, NULL, WNOHANG), 0);
	}
	assert_true(broken > count / 4);
	first = whole_config(f, 2);
	write_file(f, first, strlen(first));
	free(first);
	free(reload(f, true));
	see(f, after);
	assert_string_equal(after, "telegram:2");
	flow_say(f, "77", "77", "hello", "private");
	flow_await(f, "77", 1);
}

#define RELOAD(test) cmocka_unit_test_prestate_setup_teardown(test, flow_begin, end, &f)

int main(void)
{
	static struct flow f;
	const struct CMUnitTest tests[] = {
	    RELOAD(lists_apply_at_once_and_who_is_removed_gets_no_answer),
	    RELOAD(what_needs_a_restart_is_named_with_its_line),
	    RELOAD(levels_of_modules_change_with_the_file),
	    RELOAD(a_broken_file_changes_nothing_and_every_mistake_is_named),
	    RELOAD(messages_that_wait_for_a_model_are_answered_by_the_new_one),
	    RELOAD(a_broken_file_at_start_gives_way_to_the_last_good_one),
	    RELOAD(damaged_files_never_end_it_and_the_old_one_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
