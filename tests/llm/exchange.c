#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/task.h"
#include "llm/exchange.h"
#include "llm/formats/formats.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "net/resolve.h"

static void hear(void *arg, const char *piece, size_t len)
{
	struct exchange *exchange = arg;

	buf_add(&exchange->said, piece, len);
}

static void hear_restart(void *arg)
{
	struct exchange *exchange = arg;

	buf_addch(&exchange->said, '|');
}

void exchange_init(struct exchange *exchange, const struct raw_step *const *scripts, size_t count)
{
	*exchange = (struct exchange){.said = BUF_INIT};
	exchange->server = raw_server_new(NULL, scripts, count);
	exchange->provider.name = xstrdup("main");
	exchange->provider.ops = llm_format_find("openai-chat");
	exchange->provider.settings.base_url =
	    xasprintf("http://127.0.0.1:%u/v1", raw_server_port(exchange->server));
	exchange->provider.settings.model = xstrdup("m-1");
	exchange->provider.settings.idle_ms = 20000;
	llm_history_init(&exchange->history);
	llm_history_add(&exchange->history, llm_message_new(LLM_USER, "Hi"));
	exchange->req = (struct llm_request){.system = "Be kind.", .history = &exchange->history};
	exchange->sink = (struct llm_sink){.text = hear, .restart = hear_restart, .arg = exchange};
}

void exchange_clear(struct exchange *exchange)
{
	raw_server_free(exchange->server);
	free(exchange->provider.name);
	free(exchange->provider.settings.base_url);
	free(exchange->provider.settings.model);
	llm_history_clear(&exchange->history);
	llm_answer_clear(&exchange->answer);
	buf_clear(&exchange->said);
}

static void exchange_task(struct task *t, void *arg)
{
	struct exchange *exchange = arg;

	llm_answer_clear(&exchange->answer);
	buf_reset(&exchange->said);
	exchange->rc = exchange->provider.ops->complete(
	    t, &exchange->provider, &exchange->req, &exchange->sink, &exchange->answer, &exchange->err);
	exchange->done = true;
}

void exchange_once(struct exchange *exchange)
{
	task_run("exchange", exchange_task, exchange);
}

void exchange_start(struct exchange *exchange)
{
	exchange->done = false;
	exchange->task = task_start(NULL, "exchange", exchange_task, exchange);
}

int exchange_tear_down(void **state)
{
	(void)state;
	http_finish();
	resolve_forget_all();
	loop_finish();
	return task_count() == 0 ? 0 : -1;
}

void assert_said(const struct exchange *exchange, const char *text)
{
	if (exchange->rc != 0)
		print_message("%s\n", exchange->err.text);
	assert_int_equal(exchange->rc, 0);
	assert_int_equal(exchange->answer.error_class, LLM_ERROR_NONE);
	assert_string_equal(exchange->answer.message->text, text);
}

void assert_failed(const struct exchange *exchange, enum llm_error_class class, const char *words)
{
	assert_int_equal(exchange->rc, -1);
	assert_null(exchange->answer.message);
	if (exchange->answer.error_class != class || !strstr(exchange->err.text, words))
		print_message(
		    "%s: %s\n", llm_error_class_name(exchange->answer.error_class), exchange->err.text);
	assert_int_equal(exchange->answer.error_class, class);
	assert_non_null(strstr(exchange->err.text, words));
}
