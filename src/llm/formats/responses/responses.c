#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "llm/formats/exchange.h"
#include "llm/formats/responses/answer.h"
#include "llm/formats/responses/request.h"
#include "llm/tokens.h"

static int responses_add(void *arg, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	return responses_answer_add(arg, o, class, err);
}

static bool responses_add_piece(void *arg, const struct json_flat *event, struct buf *scratch)
{
	return responses_answer_add_piece(arg, event, scratch);
}

static bool responses_is_complete(const void *arg)
{
	const struct responses_answer *a = arg;

	return a->end;
}

static bool responses_end(void *arg)
{
	return responses_is_complete(arg);
}

static int responses_finish(
    const void *arg, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	return responses_answer_finish(arg, p, out, err);
}

/* The usage arrives at the end; an earlier event says nothing about the cost. */
static bool responses_partial_usage(const void *arg, struct llm_usage *usage)
{
	const struct responses_answer *a = arg;

	*usage = a->usage;
	usage->estimated = usage->output_tokens == 0;
	if (usage->estimated)
		usage->output_tokens = (int64_t)llm_text_tokens(a->text.data);
	return a->end || a->text.len > 0 || json_object_array_length(a->items) > 0;
}

static const struct llm_reader responses_reader = {responses_add_piece, responses_add, responses_end,
    responses_is_complete, responses_finish, responses_partial_usage};

static int responses_try(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    struct buf *body, const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct responses_answer a;
	const struct llm_post post = {
	    .provider = p,
	    .bearer = true,
	    .body = body,
	    .has_fallback = req->has_fallback,
	    .reader = &responses_reader,
	    .arg = &a,
	};

	responses_answer_init(&a, sink);
	int rc = llm_exchange(t, &post, answer, err);
	responses_answer_clear(&a);
	return rc;
}

/* Leaves out what a refusal names; true when the next try differs from the last one. */
static bool leave_out(
    enum llm_error_class class, const char *refusal, struct llm_learned *learned, bool *plain)
{
	bool reasons = !learned->no_reasoning;

	/* "Encrypted content is not supported with this model." */
	if (reasons && class == LLM_ERROR_FATAL &&
	    strcasestr(refusal, "encrypted content is not supported")) {
		learned->no_reasoning = true;
		return true;
	}
	if (class != LLM_ERROR_BAD_HISTORY || *plain)
		return false;
	*plain = true;
	return true;
}

static int responses_complete(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct llm_learned unknown = {0}, *learned = p->learned ? p->learned : &unknown;
	struct buf body = BUF_INIT;
	bool plain = false;
	int rc;

	do {
		buf_reset(&body);
		responses_request(&body, p, req, plain, !learned->no_reasoning);
		rc = responses_try(t, p, req, &body, sink, answer, err);
		if (rc == 0 || !leave_out(answer->error_class, err->text, learned, &plain))
			break;
		log_info("llm", "trying once more, as the refusal asks: %s", err->text);
	} while (true);
	buf_clear(&body);
	return rc;
}

const struct llm_ops llm_openai_responses = {
    .default_base_url = "https://api.openai.com/v1",
    .path = "/responses",
    .complete = responses_complete,
};
