#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/task.h"
#include "llm/talk.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/resolve.h"

static void hear(void *arg, const char *piece, size_t len)
{
	struct talk *talk = arg;

	buf_add(&talk->said, piece, len);
}

static void hear_restart(void *arg)
{
	struct talk *talk = arg;

	buf_addch(&talk->said, '|');
}

void talk_init(struct talk *talk, const struct raw_step *const *scripts, size_t count)
{
	*talk = (struct talk){.said = BUF_INIT};
	talk->server = raw_server_new(NULL, scripts, count);
	talk->provider.name = xstrdup("main");
	talk->provider.ops = &llm_openai_chat;
	talk->provider.settings.base_url = xasprintf("http://127.0.0.1:%u/v1", raw_server_port(talk->server));
	talk->provider.settings.model = xstrdup("m-1");
	talk->provider.settings.idle_ms = 20000;
	llm_history_init(&talk->history);
	llm_history_add(&talk->history, llm_message_new(LLM_USER, "Hi"));
	talk->req = (struct llm_request){.system = "Be kind.", .history = &talk->history};
	talk->sink = (struct llm_sink){.text = hear, .restart = hear_restart, .arg = talk};
}

void talk_clear(struct talk *talk)
{
	raw_server_free(talk->server);
	free(talk->provider.name);
	free(talk->provider.settings.base_url);
	free(talk->provider.settings.model);
	llm_history_clear(&talk->history);
	llm_answer_clear(&talk->answer);
	buf_clear(&talk->said);
}

static void talk_task(struct task *t, void *arg)
{
	struct talk *talk = arg;

	llm_answer_clear(&talk->answer);
	buf_reset(&talk->said);
	talk->rc = talk->provider.ops->complete(
	    t, &talk->provider, &talk->req, &talk->sink, &talk->answer, &talk->err);
	talk->done = true;
}

void talk_once(struct talk *talk)
{
	task_run("talk", talk_task, talk);
}

void talk_start(struct talk *talk)
{
	talk->done = false;
	talk->task = task_start(NULL, "talk", talk_task, talk);
}

int talk_tear_down(void **state)
{
	(void)state;
	http_finish();
	resolve_forget_all();
	loop_finish();
	return task_count() == 0 ? 0 : -1;
}

void assert_said(const struct talk *talk, const char *text)
{
	if (talk->rc != 0)
		print_message("%s\n", talk->err.text);
	assert_int_equal(talk->rc, 0);
	assert_int_equal(talk->answer.error_class, LLM_ERROR_NONE);
	assert_string_equal(talk->answer.message->text, text);
}

void assert_failed(const struct talk *talk, enum llm_error_class class, const char *words)
{
	assert_int_equal(talk->rc, -1);
	assert_null(talk->answer.message);
	if (talk->answer.error_class != class || !strstr(talk->err.text, words))
		print_message("%s: %s\n", llm_error_class_name(talk->answer.error_class), talk->err.text);
	assert_int_equal(talk->answer.error_class, class);
	assert_non_null(strstr(talk->err.text, words));
}
