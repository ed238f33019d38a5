/* What is wrong, and what to do about it: of a gateway that runs, and of one that does not. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/weather.h"

static struct flow f;
static struct weather *weather;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	flow_config(&f, "", "allow = [\"77\"]; admins = [\"77\"];");
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

/* Runs myna doctor: its exit status, and that it says so. NULL: the end. */
static void expect(int status, const char *const *says)
{
	char *out;
	int got = flow_myna(&f, &out, "doctor", NULL);

	if (got != status)
		fail_msg("the exit status is %d:\n%s", got, out);
	for (; *says; says++)
		if (!strstr(out, *says))
			fail_msg("\"%s\" is missing in\n%s", *says, out);
	free(out);
}

#define EXPECT(status, ...) expect(status, (const char *const[]){__VA_ARGS__, NULL})

static void all_is_looked_at_while_it_runs(void **state)
{
	(void)state;
	weather_gateway(&f, true);
	EXPECT(0, "ok       channel telegram: ready",
	    "ok       store: ", "ok       clock: ", "ok       model script: was not asked yet",
	    "ok       configuration: ", "SQLite 3.", "libcurl ");
	weather->disk_free_mib = 10;
	weather->mono_ms += 1000; /* a view is good for a second */
	EXPECT(1, "BAD      disk: Only 10 MiB");
	weather->disk_free_mib = 0;
	/* Killed: the next one knows. */
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
	weather_gateway(&f, true);
	EXPECT(0, "warning  stops: 1 time in all the");
	flow_say(&f, "77", "77", "/doctor", "private");
	flow_await(&f, "77", 1);
	char *text = flow_bot_text(&f, "77", 0);
	assert_non_null(strstr(text, "stops: 1 time in all the"));
	assert_null(strstr(text, "SQLite"));
	free(text);
}

/* As root, commands have a user of their own. */
static void instructions_that_a_command_could_write_are_named(void **state)
{
	char *path = xasprintf("%s/state/workspace/AGENTS.md", f.dir), *out;

	(void)state;
	flow_config(&f, "tools: { sandbox = \"S0\"; };", "allow = [\"77\"];");
	weather_gateway(&f, true);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("Be brief.\n", file);
	fclose(file);
	chmod(path, 0644);
	assert_int_equal(flow_myna(&f, &out, "doctor", NULL), 0);
	assert_int_equal(strstr(out, "AGENTS.md instructs the agent, and a command") != NULL, geteuid() != 0);
	free(out);
	free(path);
}

static void a_dead_letter_is_shown_with_what_to_do(void **state)
{
	(void)state;
	snprintf(weather->poison, sizeof(weather->poison), "xyzzy-of-doom");
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "say xyzzy-of-doom", "private");
	for (int i = 0; i < 3; i++) {
		if (f.gateway <= 0)
			weather_run(&f);
		assert_int_equal(flow_gateway_wait(&f), -SIGKILL);
	}
	weather_gateway(&f, true);
	flow_await(&f, "77", 1);
	EXPECT(0, "warning  dead letters: 1 given up", "myna dead retry ID");
}

static void what_the_next_start_would_meet_is_looked_at_while_it_is_down(void **state)
{
	char *path = xasprintf("%s/state", f.dir), *db = xasprintf("%s/state/myna.db", f.dir);

	(void)state;
	EXPECT(0, "warning  gateway: It does not run", "warning  state: ", "ok       configuration: ");
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	EXPECT(0,
	    "ok       state: ", "ok       disk: ", "ok       database: its check has found nothing wrong",
	    "ok       clock: ");
	assert_int_equal(chmod(path, 0755), 0);
	EXPECT(1, "BAD      state: ", "can be read by others", "fix: chmod 700");
	assert_int_equal(chmod(path, 0700), 0);
	/* It is only read: what was damaged stays as it was. */
	FILE *file = fopen(db, "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, 4096 * 3, SEEK_SET), 0);
	for (int i = 0; i < 4096 * 4; i++)
		fputc('x', file);
	fclose(file);
	EXPECT(1, "BAD      database: ", "damaged");
	free(path);
	free(db);
}

static void every_mistake_of_the_configuration_is_told(void **state)
{
	(void)state;
	flow_config(&f, "colour = 7; turns_at_once = 0;", "allow = [\"77\"];");
	EXPECT(1, "BAD      configuration: ", "colour", "turns_at_once");
}

/* option may be NULL. */
static struct json_object *check_json(int status, const char *option)
{
	char *out;

	assert_int_equal(flow_myna(&f, &out, "check", "--json", option, NULL), status);
	/* A sanitizer may have said something of its own before. */
	const char *text = strchr(out, '{');
	struct json_object *o = text ? json_parse_object(text, strlen(text), NULL) : NULL;
	if (!o)
		fail_msg("no JSON: %s", out);
	free(out);
	return o;
}

static void a_check_can_be_read_by_programs(void **state)
{
	char *file = xasprintf("%s/myna.conf", f.dir);

	(void)state;
	flow_config(&f, "colour = 7; turns_at_once = 0;", "allow = [\"77\"];");
	struct json_object *o = check_json(1, NULL), *errors = json_get_array(o, "errors");
	assert_false(json_get_bool(o, "ok", true));
	assert_int_equal(json_object_array_length(errors), 2);
	assert_int_equal(json_object_array_length(json_get_array(o, "warnings")), 0);
	for (size_t i = 0; i < 2; i++) {
		struct json_object *error = json_object_array_get_idx(errors, i);
		assert_string_equal(json_get_str(error, "file"), file);
		assert_true(json_get_int(error, "line", 0) > 0);
		assert_null(strstr(json_get_str(error, "text"), file));
	}
	json_object_put(o);
	flow_config(&f, "name = \"a;", "allow = [\"77\"];");
	o = check_json(1, NULL);
	assert_int_equal(json_object_array_length(json_get_array(o, "errors")), 1);
	json_object_put(o);
	flow_config(&f, "tools: { commands_path = \"/opt/tools\"; };", "allow = [\"77\"];");
	o = check_json(0, NULL);
	assert_true(json_get_bool(o, "ok", false));
	assert_int_equal(json_get_int(o, "channels", 0), 1);
	assert_string_equal(json_get_str(o, "file"), file);
	assert_int_equal(json_object_array_length(json_get_array(o, "warnings")), 1);
	json_object_put(o);
	flow_config(&f, "tools: { workspace = \"/dev/null/x\"; };", "allow = [\"77\"];");
	o = check_json(1, "--sandbox");
	struct json_object *why = json_object_array_get_idx(json_get_array(o, "errors"), 0);
	assert_non_null(
	    strstr(json_get_str(why, "text"), "/dev/null/x, which tools may use, cannot be opened"));
	json_object_put(o);
	free(file);
}

static void a_broken_configuration_hides_no_gateway_that_runs(void **state)
{
	static const char *const broken[] = {"colour = 7;", "name = \"a;"};
	char *out;

	(void)state;
	weather_gateway(&f, true);
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		flow_config(&f, broken[i], "allow = [\"77\"];");
		EXPECT(0, "ok       channel telegram: ready");
		assert_int_equal(flow_myna(&f, &out, "trace", "1", NULL), 0);
		free(out);
		assert_int_equal(flow_myna(&f, &out, "chat", "what is 5*5", NULL), 0);
		assert_non_null(strstr(out, "5 * 5 = 25"));
		free(out);
	}
}

static void a_state_folder_that_others_can_read_is_bad_while_it_runs(void **state)
{
	char *path = xasprintf("%s/state", f.dir);

	(void)state;
	weather_gateway(&f, true);
	EXPECT(0, "ok       state: ");
	assert_int_equal(chmod(path, 0755), 0);
	EXPECT(1, "BAD      state: ", "can be read by others", "fix: chmod 700");
	free(path);
}

static void a_port_that_is_taken_is_told(void **state)
{
	char *top = xasprintf(
	    "http: { listen = \"127.0.0.1:%s\"; token = \"0123456789abcdef\"; };", strrchr(f.url, ':') + 1);

	(void)state;
	flow_config(&f, top, "allow = [\"77\"];");
	EXPECT(1, "BAD      http.listen: ");
	free(top);
	flow_config(
	    &f, "http: { listen = \"127.0.0.1:0\"; token = \"0123456789abcdef\"; };", "allow = [\"77\"];");
	EXPECT(0, "ok       http.listen: ");
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(all_is_looked_at_while_it_runs),
	    FLOW(instructions_that_a_command_could_write_are_named),
	    FLOW(a_dead_letter_is_shown_with_what_to_do),
	    FLOW(what_the_next_start_would_meet_is_looked_at_while_it_is_down),
	    FLOW(every_mistake_of_the_configuration_is_told),
	    FLOW(a_check_can_be_read_by_programs),
	    FLOW(a_broken_configuration_hides_no_gateway_that_runs),
	    FLOW(a_state_folder_that_others_can_read_is_bad_while_it_runs),
	    FLOW(a_port_that_is_taken_is_told),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
