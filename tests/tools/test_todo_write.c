#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "tools/services.h"
#include "tools/tools_fixture.h"

static struct tools_fixture w;
static struct buf shown; /* "STATE content (active)" of the last plan, a line each */
static size_t plans;
static enum error_kind fails;

static int show(struct task *t, void *turn_owner, const struct tool_call *call, const struct tool_plan *plan,
    struct error *err)
{
	(void)t, (void)turn_owner, (void)call;
	if (fails != ERROR_NONE)
		return fails == ERROR_CANCELLED ? error_cancelled(err) :
						  error_set(err, fails, "the disk is full");
	plans++;
	buf_reset(&shown);
	for (size_t i = 0; i < plan->count; i++)
		buf_addf(&shown, "%d %s (%s)\n", (int)plan->steps[i].state, plan->steps[i].content,
		    plan->steps[i].active);
	return 0;
}

static const struct tool_services services = {.show_plan = show};

static int set_up(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	w.call.services = &services;
	buf_init(&shown);
	plans = 0;
	fails = ERROR_NONE;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	buf_clear(&shown);
	return 0;
}

static void forget(void)
{
	buf_reset(&shown);
}

#define READ(state)                                                                      \
	"{\"content\":\"Read the existing code\",\"activeForm\":\"Reading the existing " \
	"code\",\"status\":\"" state "\"}"
#define WRITE(state) \
	"{\"content\":\"Write unit tests\",\"activeForm\":\"Writing unit tests\",\"status\":\"" state "\"}"
#define BUILD(state)                                                                \
	"{\"content\":\"Implement the feature\",\"activeForm\":\"Implementing the " \
	"feature\",\"status\":\"" state "\"}"

static const struct {
	const char *arguments, *shown, *result;
} good[] = {
    {"{\"todos\":[" READ("in_progress") "," WRITE("pending") "," BUILD("pending") "]}",
	"1 Read the existing code (Reading the existing code)\n0 Write unit tests (Writing unit tests)\n"
	"0 Implement the feature (Implementing the feature)\n",
	"{\"success\":true,\"count\":3}"},
    {"{\"todos\":[" READ("completed") "," WRITE("in_progress") "," BUILD("pending") "]}",
	"2 Read the existing code (Reading the existing code)\n1 Write unit tests (Writing unit tests)\n"
	"0 Implement the feature (Implementing the feature)\n",
	"{\"success\":true,\"count\":3}"},
    {"{\"todos\":[" READ("completed") "," WRITE("completed") "," BUILD("completed") "]}",
	"2 Read the existing code (Reading the existing code)\n2 Write unit tests (Writing unit tests)\n"
	"2 Implement the feature (Implementing the feature)\n",
	"{\"success\":true,\"count\":3}"},
    {"{\"todos\":[]}", "", "{\"success\":true,\"count\":0}"},
    {"{\"todos\":[{\"content\":\"\\u00fc\",\"active_form\":\"\\u00e4\",\"status\":\"pending\"}]}",
	"0 \xc3\xbc (\xc3\xa4)\n", "{\"success\":true,\"count\":1}"},
    {"{\"todos\":[{\"content\":\"a\",\"active_form\":\"b\",\"activeForm\":\"b\",\"status\":\"pending\"}]}",
	"0 a (b)\n", "{\"success\":true,\"count\":1}"},
};

static void a_plan_is_handed_on_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct json_object *o = tools_fixture_run_each(&w, "todo_write", good[i].arguments, forget);
		assert_json(o, good[i].result);
		json_object_put(o);
		assert_string_equal(shown.data, good[i].shown);
	}
}

#define LINES(x) x x x x x x x x x x
#define LONG     LINES(LINES("xx"))

static const struct {
	const char *arguments, *cause, *names;
} bad[] = {
    {"{}", "MISSING", "todos"},
    {"{\"todos\":\"read\"}", "TYPE", "todos"},
    {"{\"todos\":[\"read\"]}", "TYPE", "todos"},
    {"{\"todos\":[" READ("pending") ",{\"activeForm\":\"b\",\"status\":\"pending\"}]}", "MISSING",
	"todos[1].content"},
    {"{\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}", "MISSING", "todos[0].activeForm"},
    {"{\"todos\":[{\"content\":\"a\",\"activeForm\":\"b\"}]}", "MISSING", "todos[0].status"},
    {"{\"todos\":[" READ("done") "]}", "RANGE", "todos[0].status"},
    {"{\"todos\":[{\"content\":\" \",\"activeForm\":\"b\",\"status\":\"pending\"}]}", "RANGE",
	"todos[0].content"},
    {"{\"todos\":[{\"content\":5,\"activeForm\":\"b\",\"status\":\"pending\"}]}", "RANGE",
	"todos[0].content"},
    {"{\"todos\":[{\"content\":\"x" LONG "\",\"activeForm\":\"b\",\"status\":\"pending\"}]}", "RANGE",
	"todos[0].content"},
    {"{\"todos\":[{\"content\":\"a\",\"activeForm\":\"b\",\"active_form\":\"c\",\"status\":\"pending\"}]}",
	"UNKNOWN", "active_form"},
    {"{\"todos\":[{\"content\":\"a\",\"activeForm\":\"b\",\"status\":\"pending\",\"due\":\"now\"}]}",
	"UNKNOWN", "todos[0].due"},
};

static void what_is_no_plan_changes_nothing_and_names_its_field(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		tools_fixture_refused(&w, "todo_write", bad[i].arguments, "INVALID_ARGUMENT", bad[i].cause);
		char *error = tools_fixture_error(&w, "todo_write", bad[i].arguments);
		assert_holds(error, bad[i].names);
		free(error);
	}
	assert_int_equal(plans, 0);
}

static void fifty_steps_are_the_most(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t n = 50; n <= 51; n++) {
		buf_reset(&text);
		for (size_t i = 0; i < n; i++)
			buf_addf(&text, "%s" READ("pending"), i == 0 ? "{\"todos\":[" : ",");
		buf_addstr(&text, "]}");
		if (n == 50)
			json_object_put(tools_fixture_run(&w, "todo_write", text.data));
		else
			tools_fixture_refused(&w, "todo_write", text.data, "INVALID_ARGUMENT", "RANGE");
	}
	assert_int_equal(plans, 1);
	buf_clear(&text);
	json_object_put(tools_fixture_run(&w, "todo_write",
	    "{\"todos\":[{\"content\":\"" LONG "\",\"activeForm\":\"b\",\"status\":\"pending\"}]}"));
	assert_int_equal(plans, 2);
}

static void where_nobody_sees_it_the_model_is_told(void **state)
{
	(void)state;
	fails = ERROR_CANCELLED;
	tools_fixture_refused(&w, "todo_write", good[0].arguments, "INTERRUPTED", "STOPPED");
	fails = ERROR_OURS;
	tools_fixture_refused(&w, "todo_write", good[0].arguments, "UNAVAILABLE", NULL);
	w.call.services = NULL;
	tools_fixture_refused(&w, "todo_write", good[0].arguments, "UNAVAILABLE", "NO_CHAT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_plan_is_handed_on_whole, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		what_is_no_plan_changes_nothing_and_names_its_field, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(fifty_steps_are_the_most, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(where_nobody_sees_it_the_model_is_told, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("todo_write", tests, NULL, NULL);
}
