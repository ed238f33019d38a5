#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "llm/formats/anthropic/answer.h"
#include "llm/formats/anthropic/request.h"
#include "llm/formats/exchange.h"
#include "llm/profile.h"
#include "llm/tokens.h"
#include "net/http/http.h"

/* Our bodies are valid in both versions; other hosts support the older one. */
#define VERSION_OWN   "2026-10-21"
#define VERSION_OTHER "2023-06-01"

static int messages_add(void *arg, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	return anthropic_answer_add(arg, o, class, err);
}

static bool messages_add_piece(void *arg, const struct json_flat *event, struct buf *scratch)
{
	return anthropic_answer_add_piece(arg, event, scratch);
}

/* The API has no "[DONE]"; a single complete object is an answer, too. */
static bool messages_end(void *arg)
{
	const struct anthropic_answer *a = arg;

	return a->done;
}

static bool messages_is_complete(const void *arg)
{
	const struct anthropic_answer *a = arg;

	return a->done;
}

static int messages_finish(
    const void *arg, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	return anthropic_answer_finish(arg, p, out, err);
}

/* Input tokens are reported at the beginning, output tokens at the end. */
static bool messages_partial_usage(const void *arg, struct llm_usage *usage)
{
	const struct anthropic_answer *a = arg;
	int64_t written = 0;

	for (size_t i = 0; i < a->blocks.count; i++)
		written += (int64_t)llm_text_tokens(a->blocks.items[i].text.data);
	*usage = a->usage;
	usage->estimated = !*a->stop_reason;
	if (usage->estimated && usage->output_tokens < written)
		usage->output_tokens = written;
	return a->begun;
}

static const struct llm_reader messages_reader = {messages_add_piece, messages_add, messages_end,
    messages_is_complete, messages_finish, messages_partial_usage};

static int messages_try(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    struct buf *body, const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	const struct http_header headers[] = {
	    {"anthropic-version", llm_profile_of(p)->defines_format ? VERSION_OWN : VERSION_OTHER},
	    {"x-api-key", p->settings.key},
	};
	struct anthropic_answer a;
	const struct llm_post post = {
	    .provider = p,
	    .headers = headers,
	    .header_count = p->settings.key ? 2 : 1,
	    .body = body,
	    .has_fallback = req->has_fallback,
	    .reader = &messages_reader,
	    .arg = &a,
	};

	anthropic_answer_init(&a, sink);
	int rc = llm_exchange(t, &post, answer, err);
	anthropic_answer_clear(&a);
	return rc;
}

static int messages_complete(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct buf body = BUF_INIT, plain = BUF_INIT;

	anthropic_request(&body, p, req, false);
	int rc = messages_try(t, p, req, &body, sink, answer, err);
	if (rc != 0 && answer->error_class == LLM_ERROR_BAD_HISTORY) {
		anthropic_request(&plain, p, req, true);
		buf_reset(&body);
		anthropic_request(&body, p, req, false);
		/* The same bytes would be refused again. */
		if (strcmp(plain.data, body.data) != 0) {
			log_info(
			    "llm", "history not accepted, trying once more without thinking: %s", err->text);
			rc = messages_try(t, p, req, &plain, sink, answer, err);
		}
	}
	buf_clear(&body);
	buf_clear(&plain);
	return rc;
}

const struct llm_ops llm_anthropic = {
    .default_base_url = "https://api.anthropic.com",
    .path = "/v1/messages",
    .complete = messages_complete,
};
