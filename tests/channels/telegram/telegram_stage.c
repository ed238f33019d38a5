#include "tests/channels/telegram/telegram_stage.h"

#include <stdlib.h>
#include <string.h>

#include "base/secret/secret.h"
#include "net/http/http.h"
#include "net/loop.h"

/* Real time passes: limits of fractions of a second. */
static const struct telegram_limits quick = {
    .connect_ms = 2000,
    .call_ms = 2000,
    .send_ms = 800,
    .upload_ms = 1500,
    .poll_grace_ms = 300,
    .confirm_ms = 300,
    .watchdog_ms = 60000,
    .retry_ms = 20,
    .retry_max_ms = 40,
    .empty_ms = 20,
    .empty_max_ms = 40,
    .conflict_ms = 30,
    .conflict_max_ms = 120,
    .limited_extra_ms = 500,
    .long_pause_ms = 30000,
    .batch = 100,
    .batch_max = 65536,
    .answer_max = 65536,
    .presses = 2,
    .typing_errors = 3,
};

struct bot_server *server;
struct telegram_settings settings;
struct telegram_limits limits;

static void (*begin)(void);

void telegram_stage_start_only(void)
{
	assert_int_equal(telegram_start_with(&the_double.ch, &settings, &limits, NULL), 0);
}

void telegram_stage_start(struct task *t)
{
	bot_server_result(server, "getUpdates", "[]");
	telegram_stage_start_only();
	assert_true(double_has_status(t, CHANNEL_READY, 30000));
}

void telegram_stage_stop(struct task *t)
{
	telegram_ops.stop(t, &the_double.ch);
	assert_null(the_double.ch.state);
}

struct wanted {
	const char *method;
	size_t calls;
};

static bool has_calls(void *arg)
{
	const struct wanted *w = arg;

	return bot_server_calls(server, w->method) >= w->calls;
}

void telegram_stage_await_calls(struct task *t, const char *method, size_t calls)
{
	struct wanted w = {method, calls};

	assert_true(double_wait(t, has_calls, &w, 30000));
}

struct json_object *telegram_stage_params(const char *method, size_t n)
{
	char *text = bot_server_body(server, method, n);
	struct json_object *o = json_parse_object(text, strlen(text), NULL);

	assert_non_null(o);
	free(text);
	return o;
}

typedef void test_fn(struct task *t);

static void test_task(struct task *t, void *arg)
{
	((test_fn *)(uintptr_t)arg)(t);
}

static void started_task(struct task *t, void *arg)
{
	telegram_stage_start(t);
	test_task(t, arg);
	telegram_stage_stop(t);
}

static void run(task_fn *task, void *test)
{
	server = bot_server_new();
	settings = (struct telegram_settings){.token = (char[]){"999:secret-token-of-the-test"},
	    .api_base = (char *)(uintptr_t)bot_server_base(server),
	    .poll_timeout_ms = 1000};
	limits = quick;
	if (begin)
		begin();
	double_begin(&telegram_ops, &settings);
	task_run("test", task, test);
	assert_null(strstr(the_double.log->data, "secret-token"));
	assert_null(strstr(the_double.statuses->data, "secret-token"));
	assert_null(strstr(the_double.why.text, "secret-token"));
	double_end();
	http_finish();
	bot_server_free(server);
	assert_int_equal(task_count(), 0);
}

void telegram_stage_run_test(void **state)
{
	run(test_task, *state);
}

void telegram_stage_run_started(void **state)
{
	run(started_task, *state);
}

static int set_up(void **state)
{
	(void)state;
	loop_init();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	loop_finish();
	secret_forget_all();
	return 0;
}

int telegram_stage_run_tests(const struct CMUnitTest *tests, size_t count, void (*own)(void))
{
	begin = own;
	return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}
