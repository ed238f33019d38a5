#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "base/trace.h"

static struct trace_reader r;

static void open_body(struct task *t, void *arg)
{
	*(int *)arg = trace_open(&r, t);
	r.task = NULL;
	list_remove(&r.link); /* nobody is to be woken here */
}

static void open_reader(void)
{
	int rc = -1;

	task_run("trace_step", open_body, &rc);
	assert_int_equal(rc, 0);
}

static struct json_object *take(void)
{
	uint64_t lost = 0;
	const char *line = trace_next(&r, &lost);

	assert_non_null(line);
	assert_int_equal(lost, 0);
	return json_parse_object(line, strlen(line), NULL);
}

static void nothing_is_told_while_nobody_watches(void **state)
{
	uint64_t lost = 0;

	(void)state;
	assert_false(trace_on);
	trace_step(.step = "sent", .row = 1);
	open_reader();
	assert_true(trace_on);
	assert_null(trace_next(&r, &lost));
	trace_close(&r);
	assert_false(trace_on);
}

static void an_event_has_what_it_was_given_and_no_more(void **state)
{
	struct json_object *o;

	(void)state;
	open_reader();
	trace_step(.step = "sent", .row = 7, .message = "5\"6", .chat = "", .ms = 12);
	o = take();
	assert_string_equal(json_get_str(o, "step"), "sent");
	assert_int_equal(json_get_int(o, "row", 0), 7);
	assert_int_equal(json_get_int(o, "ms", 0), 12);
	assert_string_equal(json_get_str(o, "message"), "5\"6");
	assert_int_equal(json_object_object_length(o), 6); /* n and at_ms besides */
	json_object_put(o);
	trace_close(&r);
}

static void secrets_are_left_out_and_long_reasons_cut(void **state)
{
	struct json_object *o;
	char reason[1000];

	(void)state;
	open_reader();
	secret_register("very-secret-value");
	memset(reason, 'x', sizeof(reason) - 1);
	reason[sizeof(reason) - 1] = '\0';
	memcpy(reason, "very-secret-value", 17);
	trace_step(.step = "failed", .reason = reason);
	o = take();
	assert_null(strstr(json_get_str(o, "reason"), "very-secret-value"));
	assert_true(strlen(json_get_str(o, "reason")) <= 200);
	json_object_put(o);
	secret_forget_all();
	trace_close(&r);
}

static void a_slow_reader_learns_how_many_it_missed(void **state)
{
	uint64_t lost = 0;
	const char *line;

	(void)state;
	open_reader();
	for (int i = 0; i < TRACE_LINES + 3; i++)
		trace_step(.step = "sent", .row = i + 1);
	line = trace_next(&r, &lost);
	assert_int_equal(lost, 3);
	assert_non_null(strstr(line, "\"row\":4"));
	for (int i = 1; i < TRACE_LINES; i++)
		assert_non_null(trace_next(&r, &lost));
	assert_null(trace_next(&r, &lost));
	assert_int_equal(lost, 3);
	trace_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_told_while_nobody_watches),
	    cmocka_unit_test(an_event_has_what_it_was_given_and_no_more),
	    cmocka_unit_test(secrets_are_left_out_and_long_reasons_cut),
	    cmocka_unit_test(a_slow_reader_learns_how_many_it_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
