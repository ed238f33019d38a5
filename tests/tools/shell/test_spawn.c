/* Programs with their words, and tasks in the background. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/mem.h"
#include "tools/background.h"
#include "tools/shell/shell_fixture.h"

static struct tools_fixture w;

static int begin(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	shell_fixture_begin(&w, "");
	return 0;
}

static int end(void **state)
{
	(void)state;
	shell_fixture_end(&w);
	return 0;
}

static void words_are_handed_over_as_they_are(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	struct json_object *o = shell_fixture_run(
	    &w, "spawn", "echo", ",\"args\":[\"hello world\"],\"description\":\"test echo\"");
	assert_int(o, "exit_code", 0);
	assert_str(o, "stdout", "hello world\n");
	assert_str(o, "command", "echo");
	assert_str(o, "description", "test echo");
	json_object_put(o);
	o = shell_fixture_run(&w, "spawn", "printf", ",\"args\":[\"%s|\",\"a;b\",\"$HOME\",\"> x\",\"\"]");
	assert_str(o, "stdout", "a;b|$HOME|> x||");
	assert_str(o, "description", "(no description)");
	json_object_put(o);
	o = shell_fixture_run(&w, "spawn", "echo", ",\"timeout\":900,\"args\":[]");
	assert_json(json_get(o, "clamped"), "{\"timeout\": 300}");
	json_object_put(o);
}

/* Linux passes a word of 128 KiB with its NUL, and none that is longer. */
static void what_no_program_can_get_is_refused(void **state)
{
	char *word = xcalloc(1, 128 * 1024 + 1), *more, *args;
	struct buf many = BUF_INIT;

	(void)state;
	shell_fixture_need(&w);
	memset(word, 'a', 128 * 1024 - 1);
	more = xasprintf(",\"args\":[\"%%.3s\",\"%s\"]", word);
	struct json_object *o = shell_fixture_run(&w, "spawn", "printf", more);
	assert_str(o, "stdout", "aaa");
	json_object_put(o);
	free(more);
	word[128 * 1024 - 1] = 'a';
	more = xasprintf(",\"args\":[\"%%.3s\",\"%s\"]", word);
	args = shell_fixture_args("printf", more);
	char *why = tools_fixture_error(&w, "spawn", args);
	assert_holds(why, "An argument is longer than 128 KiB");
	tools_fixture_refused(&w, "spawn", args, "INVALID_ARGUMENT", "RANGE");
	free(why);
	free(args);
	free(more);
	free(word);
	buf_addstr(&many, ",\"args\":[\"a\"");
	for (int i = 0; i < 4096; i++)
		buf_addstr(&many, ",\"a\"");
	buf_addch(&many, ']');
	args = shell_fixture_args("printf", many.data);
	tools_fixture_refused(&w, "spawn", args, "INVALID_ARGUMENT", "RANGE");
	free(args);
	buf_clear(&many);
}

static void a_program_that_is_not_there_is_told(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	tools_fixture_refused(
	    &w, "spawn", "{\"command\":\"no-such-program\"}", "NOT_FOUND", "PROGRAM_NOT_FOUND");
	tools_fixture_refused(&w, "spawn", "{\"command\":\"./none\"}", "NOT_FOUND", "PROGRAM_NOT_FOUND");
	tools_fixture_put_text(&w, "ws/noexec", "#!/bin/sh\n");
	char *why = tools_fixture_error(&w, "spawn", "{\"command\":\"./noexec\"}");
	assert_holds(why, "./noexec is not an executable program. Make it one with chmod +x");
	free(why);
	why = tools_fixture_error(&w, "spawn", "{\"command\":\"cargo test\"}");
	assert_holds(why, "put the arguments into args, or use exec_shell");
	free(why);
	tools_fixture_refused(&w, "spawn", "{\"command\":\"\"}", "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&w, "spawn", "{\"command\":\"echo\",\"args\":[1]}", "INVALID_ARGUMENT", "TYPE");
	tools_fixture_refused(
	    &w, "spawn", "{\"command\":\"rm\",\"args\":[\"-rf\",\"/\"]}", "BLOCKED", "RULE");
	tools_fixture_refused(&w, "spawn", "{\"command\":\"echo\",\"working_directory\":\"/\"}",
	    "ACCESS_DENIED", "OUTSIDE_ROOTS");
}

/* Begins one, and gives its id: malloc'd. */
static char *start(struct task *t, const char *command)
{
	struct json_object *o =
	    shell_fixture_run_in(t, &w, "exec_shell", command, ",\"run_in_background\":true");

	assert_str(o, "status", "running");
	char *id = xstrdup(json_get_str(o, "task_id"));
	if (!id)
		fail_msg("no id: %s", json_object_to_json_string(o));
	json_object_put(o);
	return id;
}

static void expect_status(
    struct task *t, const char *id, const char *more, const char *status, const char *out)
{
	struct json_object *o = shell_fixture_task(t, &w, "task_output", id, more);

	assert_str(o, "task_id", id);
	assert_str(o, "status", status);
	if (out)
		assert_str(o, "stdout", out);
	assert_true(json_get_int(o, "duration_ms", -1) >= 0);
	assert_int_equal(json_get(o, "exit_code") != NULL,
	    strcmp(status, "completed") == 0 || strcmp(status, "timed_out") == 0);
	json_object_put(o);
}

static void expect_kill(struct task *t, const char *id, const char *status)
{
	struct json_object *o = shell_fixture_task(t, &w, "kill_shell", id, "");
	char *want = xasprintf("{\"task_id\": \"%s\", \"status\": \"%s\", \"success\": true}", id, status);

	assert_json(o, want);
	free(want);
	json_object_put(o);
}

static void check_background(struct task *t)
{
	char *id = start(t, "echo first; until [ -e go ]; do sleep 0.05; done; echo second");

	/* Its output so far, while it runs. */
	for (int i = 0; i < 3000; i++) {
		struct json_object *o = shell_fixture_task(t, &w, "task_output", id, "");
		bool there = *json_get_str(o, "stdout") != '\0';
		json_object_put(o);
		if (there)
			break;
		task_sleep(t, 20, NULL);
	}
	expect_status(t, id, "", "running", "first\n");
	expect_status(t, id, ",\"wait\":true,\"timeout\":0.2", "running", "first\n");
	tools_fixture_put_text(&w, "ws/go", "");
	expect_status(t, id, ",\"wait\":true", "completed", "first\nsecond\n");
	expect_status(t, id, "", "completed", "first\nsecond\n");
	expect_kill(t, id, "already_completed");
	free(id);
}

static void a_background_task_runs_on_and_is_asked_for(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_background);
}

static void check_kill(struct task *t)
{
	char *id = start(t, "trap '' TERM; (setsid sleep NAP &); sleep NAP; sleep NAP");

	shell_fixture_await(t, 3);
	expect_kill(t, id, "killed");
	shell_fixture_none();
	expect_status(t, id, "", "killed", "");
	expect_kill(t, id, "already_completed");
	free(id);
}

static void a_killed_task_is_gone_with_all_of_it(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_kill);
}

static void check_life(struct task *t)
{
	struct json_object *o = shell_fixture_run_in(
	    t, &w, "spawn", "sleep", ",\"args\":[\"NAP\"],\"run_in_background\":true,\"timeout\":0.3");

	assert_str(o, "command", "sleep");
	assert_str(o, "status", "running");
	expect_status(t, json_get_str(o, "task_id"), ",\"wait\":true", "timed_out", "");
	shell_fixture_none();
	json_object_put(o);
	o = shell_fixture_run_in(
	    t, &w, "exec_shell", "true", ",\"run_in_background\":true,\"timeout\":99999");
	assert_json(json_get(o, "clamped"), "{\"timeout\": 3600}");
	json_object_put(o);
}

static void its_life_ends_by_its_time(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_life);
}

static void check_six(struct task *t)
{
	char *ids[5];

	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		ids[i] = start(t, "sleep NAP");
	struct json_object *o = shell_fixture_run_in(t, &w, "spawn", "true", "");
	assert_failure(o, "LIMIT_REACHED", "TOO_MANY_PROCESSES");
	assert_holds(json_get_str(o, "error"),
	    "5 commands run already in this conversation (tools.commands_in_chat). Its background tasks: "
	    "bg-");
	json_object_put(o);
	o = shell_fixture_run_in(t, &w, "exec_shell", "true", ",\"run_in_background\":true");
	assert_failure(o, "LIMIT_REACHED", "TOO_MANY_PROCESSES");
	json_object_put(o);
	expect_kill(t, ids[2], "killed");
	o = shell_fixture_run_in(t, &w, "spawn", "true", "");
	assert_int(o, "exit_code", 0);
	json_object_put(o);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		free(ids[i]);
}

static void a_sixth_at_once_is_refused(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_six);
}

static void check_foreign(struct task *t)
{
	static const struct address other = {.channel = "telegram", .chat = "78"};
	const struct address *own = w.call.chat;
	char *id = start(t, "sleep NAP"), *args = xasprintf("{\"task_id\":\"%s\"}", id);

	w.call.chat = &other;
	struct json_object *o = tools_fixture_run_in(t, &w, "kill_shell", args);
	assert_failure(o, "NOT_FOUND", "TASK_NOT_FOUND");
	assert_holds(json_get_str(o, "error"), "Running here: none.");
	json_object_put(o);
	w.call.chat = own;
	o = tools_fixture_run_in(t, &w, "task_output", "{\"task_id\":\"nonexistent\"}");
	assert_failure(o, "NOT_FOUND", "TASK_NOT_FOUND");
	assert_true(
	    strncmp(json_get_str(o, "error"), "Task not found: nonexistent. Running here: bg-", 46) == 0);
	json_object_put(o);
	o = tools_fixture_run_in(t, &w, "task_output", "{\"task_id\":\"bg-00000-3\"}");
	assert_str(o, "status", "lost");
	json_object_put(o);
	/* The conversation ends. */
	assert_int_equal(background_stop(w.call.background, &other, NULL), 0);
	assert_int_equal(background_stop(w.call.background, own, NULL), 1);
	shell_fixture_await(t, 0);
	free(args);
	free(id);
}

static void check_threads(struct task *t)
{
	static const struct background_limits limits = {.in_chat = 5, .in_all = 20};
	struct address thread = {.channel = "slack", .chat = "C1"},
		       other = {.channel = "slack", .chat = "C2"};
	struct background_slot slots[20];
	struct background *b = background_new();
	size_t taken = 0;

	for (int i = 0; i < 20; i++) {
		snprintf(thread.thread, sizeof(thread.thread), "%d", i);
		taken += background_slot_take(b, &thread, &limits, &slots[taken]);
	}
	assert_int_equal(taken, 10);
	assert_true(background_slot_take(b, &other, &limits, &slots[taken++]));
	while (taken > 0)
		background_slot_release(&slots[--taken]);
	background_free(t, b);
}

static void threads_of_one_chat_leave_half_to_others(void **state)
{
	(void)state;
	shell_fixture_in_task(check_threads);
}

static void tasks_belong_to_their_conversation(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_foreign);
}

static void without_a_conversation_there_is_no_background(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	w.call.chat = NULL;
	tools_fixture_refused(
	    &w, "exec_shell", "{\"command\":\"ls\",\"run_in_background\":true}", "UNAVAILABLE", "NO_CHAT");
	tools_fixture_refused(&w, "task_output", "{\"task_id\":\"x\"}", "NOT_FOUND", "TASK_NOT_FOUND");
	json_object_put(shell_fixture_run(&w, "exec_shell", "true", ""));
}

static void check_end(struct task *t)
{
	for (int i = 0; i < 3; i++)
		free(start(t, "trap '' TERM; sleep NAP; sleep NAP"));
	shell_fixture_await(t, 6);
	background_free(t, w.call.background);
	w.call.background = NULL;
	shell_fixture_none();
}

static void with_the_process_all_tasks_end(void **state)
{
	(void)state;
	shell_fixture_need(&w);
	shell_fixture_in_task(check_end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(words_are_handed_over_as_they_are, begin, end),
	    cmocka_unit_test_setup_teardown(what_no_program_can_get_is_refused, begin, end),
	    cmocka_unit_test_setup_teardown(a_program_that_is_not_there_is_told, begin, end),
	    cmocka_unit_test_setup_teardown(a_background_task_runs_on_and_is_asked_for, begin, end),
	    cmocka_unit_test_setup_teardown(a_killed_task_is_gone_with_all_of_it, begin, end),
	    cmocka_unit_test_setup_teardown(its_life_ends_by_its_time, begin, end),
	    cmocka_unit_test_setup_teardown(a_sixth_at_once_is_refused, begin, end),
	    cmocka_unit_test_setup_teardown(threads_of_one_chat_leave_half_to_others, begin, end),
	    cmocka_unit_test_setup_teardown(tasks_belong_to_their_conversation, begin, end),
	    cmocka_unit_test_setup_teardown(without_a_conversation_there_is_no_background, begin, end),
	    cmocka_unit_test_setup_teardown(with_the_process_all_tasks_end, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
