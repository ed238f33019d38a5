#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "llm/formats/exchange.h"
#include "llm/formats/openai/answer.h"
#include "llm/formats/openai/request.h"
#include "llm/tokens.h"

static int chat_add(void *arg, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	struct openai_answer *a = arg;

	if (openai_answer_add(a, o, err) == 0)
		return 0;
	*class = a->error_class;
	return -1;
}

static bool chat_add_piece(void *arg, const struct json_flat *event, struct buf *scratch)
{
	return openai_answer_add_piece(arg, event, scratch);
}

/* An object without choices is not an answer. */
static bool chat_end(void *arg)
{
	struct openai_answer *a = arg;

	a->done = true;
	return a->begun;
}

static bool chat_is_complete(const void *arg)
{
	return openai_answer_is_complete(arg);
}

static int chat_finish(
    const void *arg, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	return openai_answer_finish(arg, p, out, err);
}

/* The counts come at the end. */
static bool chat_partial_usage(const void *arg, struct llm_usage *usage)
{
	const struct openai_answer *a = arg;
	int64_t written = (int64_t)llm_text_tokens(a->text.data);

	for (size_t i = 0; i < a->calls.count; i++)
		written += (int64_t)llm_text_tokens(a->calls.items[i].arguments.data);
	*usage = a->usage;
	usage->estimated = usage->output_tokens == 0;
	if (usage->estimated)
		usage->output_tokens = written;
	return a->begun;
}

static const struct llm_reader chat_reader = {
    chat_add_piece, chat_add, chat_end, chat_is_complete, chat_finish, chat_partial_usage};

static int chat_try(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    struct buf *body, const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct openai_answer a;
	const struct llm_post post = {
	    .provider = p,
	    .bearer = true,
	    .body = body,
	    .has_fallback = req->has_fallback,
	    .reader = &chat_reader,
	    .arg = &a,
	};

	openai_answer_init(&a, sink);
	int rc = llm_exchange(t, &post, answer, err);
	openai_answer_clear(&a);
	return rc;
}

static int chat_complete(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct buf body = BUF_INIT, repaired = BUF_INIT;

	openai_request(&body, p, req, OPENAI_AS_IS);
	int rc = chat_try(t, p, req, &body, sink, answer, err);
	if (rc != 0 && answer->error_class == LLM_ERROR_BAD_HISTORY) {
		openai_request(&repaired, p, req, openai_repair_for(err->text));
		buf_reset(&body);
		openai_request(&body, p, req, OPENAI_AS_IS);
		/* The same bytes would be refused again. */
		if (strcmp(repaired.data, body.data) != 0) {
			log_info("llm", "history not accepted, trying once more with a plainer one: %s",
			    err->text);
			rc = chat_try(t, p, req, &repaired, sink, answer, err);
		}
	}
	buf_clear(&body);
	buf_clear(&repaired);
	return rc;
}

const struct llm_ops llm_openai_chat = {
    .default_base_url = "https://api.openai.com/v1",
    .path = "/chat/completions",
    .complete = chat_complete,
};
