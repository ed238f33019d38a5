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
/* The person: what they are asked, "question|option|…", and what they do. */
static struct buf asked;
static struct tool_reply reply;
static uint64_t asked_ms;
static int rc;

static int person(struct task *t, void *turn_owner, const struct tool_call *call,
    const struct tool_question *q, struct tool_reply *out, struct error *err)
{
	(void)t, (void)call;
	assert_ptr_equal(turn_owner, &w);
	buf_reset(&asked);
	buf_addstr(&asked, q->text);
	for (size_t i = 0; i < q->option_count; i++)
		buf_addf(&asked, "|%s", q->options[i]);
	asked_ms = q->ms;
	*out = (struct tool_reply){.kind = reply.kind, .text = xstrdup(reply.text)};
	return rc < 0 ? error_cancelled(err) : 0;
}

static const struct tool_services services = {.turn_owner = &w, .ask_person = person};
static const struct tool_services nobody = {0};

static int set_up(void **state)
{
	(void)state;
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "", NULL);
	w.call.services = &services;
	buf_init(&asked);
	reply = (struct tool_reply){.kind = TOOL_REPLY_GIVEN, .text = (char *)(uintptr_t) "yes"};
	rc = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	buf_clear(&asked);
	return 0;
}

static const struct {
	const char *arguments, *says, *asked, *result;
} answers[] = {
    {"{\"question\":\"What testing framework do you prefer?\"}", "pytest",
	"What testing framework do you prefer?", "{\"answer\":\"pytest\"}"},
    {"{\"question\":\"Which database should we use?\",\"options\":[\"PostgreSQL\",\"MySQL\",\"SQLite\"]}",
	"PostgreSQL", "Which database should we use?|PostgreSQL|MySQL|SQLite", "{\"answer\":\"PostgreSQL\"}"},
    {"{\"question\":\"Should I proceed with the refactoring?\",\"options\":[\"Yes\",\"No\"]}", "Yes",
	"Should I proceed with the refactoring?|Yes|No", "{\"answer\":\"Yes\"}"},
    {"{\"question\":\"Which port?\",\"options\":[\"3000\",\"8080\"]}", "9000", "Which port?|3000|8080",
	"{\"answer\":\"9000\"}"},
    {"{\"question\":\"\\u00bfQu\\u00e9?\",\"options\":[]}", "\xc3\xa9", "\xc2\xbfQu\xc3\xa9?",
	"{\"answer\":\"\xc3\xa9\"}"},
};

static void forget(void)
{
	buf_reset(&asked);
}

static void the_person_is_asked_and_the_answer_is_theirs(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		reply.text = (char *)(uintptr_t)answers[i].says;
		struct json_object *o = tools_fixture_run_each(&w, "ask_user", answers[i].arguments, forget);
		assert_json(o, answers[i].result);
		json_object_put(o);
		assert_string_equal(asked.data, answers[i].asked);
		assert_int_equal(asked_ms, 600 * 1000);
	}
}

static void the_time_is_a_setting(void **state)
{
	(void)state;
	tools_fixture_clear(&w);
	tools_fixture_init(&w);
	tools_fixture_open(&w, "", "question_timeout = \"2 min\";", NULL);
	w.call.services = &services;
	json_object_put(tools_fixture_run(&w, "ask_user", "{\"question\":\"Well?\"}"));
	assert_int_equal(asked_ms, 120 * 1000);
}

static const struct {
	enum tool_reply_kind kind;
	const char *code, *cause;
} failures[] = {
    {TOOL_REPLY_TIMED_OUT, "TIMEOUT", NULL},
    {TOOL_REPLY_NOBODY, "UNAVAILABLE", "NO_CHAT"},
    {TOOL_REPLY_WITHDRAWN, "INTERRUPTED", "STOPPED"},
};

static void without_an_answer_the_model_is_told_why(void **state)
{
	(void)state;
	reply.text = NULL;
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		reply.kind = failures[i].kind;
		tools_fixture_refused(
		    &w, "ask_user", "{\"question\":\"Well?\"}", failures[i].code, failures[i].cause);
	}
	reply.kind = TOOL_REPLY_TIMED_OUT;
	char *error = tools_fixture_error(&w, "ask_user", "{\"question\":\"Well?\"}");
	assert_string_equal(error, "Nobody answered. Take the safe course or end the turn.");
	free(error);
	rc = -1;
	tools_fixture_refused(&w, "ask_user", "{\"question\":\"Well?\"}", "INTERRUPTED", "STOPPED");
}

static void where_nobody_is_there_nobody_is_asked(void **state)
{
	(void)state;
	w.call.services = NULL;
	tools_fixture_refused(&w, "ask_user", "{\"question\":\"Well?\"}", "UNAVAILABLE", "NO_CHAT");
	w.call.services = &nobody;
	tools_fixture_refused(&w, "ask_user", "{\"question\":\"Well?\"}", "UNAVAILABLE", "NO_CHAT");
	w.call.services = &services;
	w.call.guest = true;
	tools_fixture_refused(&w, "ask_user", "{\"question\":\"Well?\"}", "ACCESS_DENIED", "ROLE");
	assert_string_equal(asked.data, "");
}

static char *question_of(size_t len)
{
	char *fill = xmalloc(len + 1), *text;

	memset(fill, 'x', len);
	fill[len] = '\0';
	text = xasprintf("{\"question\":\"%s\"}", fill);
	free(fill);
	return text;
}

static char *options_of(size_t count, size_t len)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"question\":\"Which?\",\"options\":[");
	for (size_t i = 0; i < count; i++) {
		buf_addstr(&out, i > 0 ? ",\"" : "\"");
		for (size_t k = 0; k < len; k++)
			buf_addstr(&out, "\xc3\xa4");
		buf_addch(&out, '"');
	}
	buf_addstr(&out, "]}");
	return buf_take(&out);
}

static void what_cannot_be_asked_is_refused_with_its_field(void **state)
{
	static const char *const bad[] = {"{}", "{\"question\":\"\"}", "{\"question\":7.5,\"what\":1}",
	    "{\"question\":\"a\",\"options\":\"b\"}", "{\"question\":\"a\",\"options\":[1]}",
	    "{\"question\":\"a\",\"options\":[\" \"]}", "{\"question\":\"a\",\"options\":[\"\"]}"};
	char *just = question_of(2000), *over = question_of(2001), *many = options_of(21, 1),
	     *wide = options_of(2, 501), *most = options_of(20, 500);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *error = tools_fixture_error(&w, "ask_user", bad[i]);
		assert_true(strstr(error, "question") || strstr(error, "options"));
		free(error);
	}
	assert_string_equal(asked.data, "");
	tools_fixture_refused(&w, "ask_user", over, "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&w, "ask_user", many, "INVALID_ARGUMENT", "RANGE");
	tools_fixture_refused(&w, "ask_user", wide, "INVALID_ARGUMENT", "RANGE");
	assert_string_equal(asked.data, "");
	json_object_put(tools_fixture_run(&w, "ask_user", just));
	assert_int_equal(asked.len, 2000);
	json_object_put(tools_fixture_run(&w, "ask_user", most));
	assert_int_equal(asked.len, strlen("Which?") + 20 * (1 + 1000));
	free(just);
	free(over);
	free(many);
	free(wide);
	free(most);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_person_is_asked_and_the_answer_is_theirs, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(the_time_is_a_setting, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(without_an_answer_the_model_is_told_why, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(where_nobody_is_there_nobody_is_asked, set_up, tear_down),
	    cmocka_unit_test_setup_teardown(
		what_cannot_be_asked_is_refused_with_its_field, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("ask_user", tests, NULL, NULL);
}
