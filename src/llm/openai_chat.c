#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "llm/classify.h"
#include "llm/openai_answer.h"
#include "llm/openai_request.h"
#include "llm/sse.h"
#include "llm/surrogate.h"
#include "net/http.h"

/* The whole answer, however steadily it trickles. */
#define CHAT_TOTAL_MS	 (10 * 60 * 1000)
#define CHAT_ANSWER_MOST (32 * 1024 * 1024)
#define CHAT_WHOLE_MOST	 (8 * 1024 * 1024) /* json-c needs 24 times as much */

/* What an answer is, is told from its first character: its Content-Type is often wrong. */
enum chat_form { CHAT_NOTHING, CHAT_EVENTS, CHAT_WHOLE };

/* One request on its way. */
struct chat {
	const struct llm_provider *provider;
	struct openai_answer answer;
	enum chat_form form;
	struct sse sse;
	struct surrogate half;
	struct buf whole;
	uint64_t last_event; /* when the last piece of an answer came; comments are none */
	enum llm_error_class class; /* why we gave it up, with err */
	struct error err;
};

static int chat_fail(struct chat *c, enum llm_error_class class)
{
	c->class = class;
	return -1;
}

/* The JSON text of a chunk or of a whole answer. Raw control characters and bad UTF-8 are forgiven. */
static int chat_json(struct chat *c, const char *data, size_t len)
{
	struct buf clean = BUF_INIT;
	struct json_object *o = json_parse(data, len, NULL);
	int rc = -1;

	if (!o) {
		utf8_clean(&clean, data, len);
		o = json_parse(clean.data, clean.len, &c->err);
		buf_clear(&clean);
	}
	if (!o) {
		error_prefix(&c->err, "the answer cannot be read");
		c->err.kind = ERROR_NETWORK;
		return chat_fail(c, LLM_ERROR_TRANSIENT);
	}
	rc = openai_answer_add(&c->answer, o, &c->err);
	json_object_put(o);
	return rc == 0 ? 0 : chat_fail(c, c->answer.error_class);
}

static bool is_done(const char *data, size_t len)
{
	size_t blank = strspn(data, " ");

	return len - blank >= 6 && memcmp(data + blank, "[DONE]", 6) == 0;
}

static int chat_event(const char *name, const char *data, size_t len, void *arg)
{
	struct chat *c = arg;
	struct buf joined = BUF_INIT;

	c->last_event = clock_now();
	if (c->answer.done || is_done(data, len)) {
		c->answer.done = true;
		return 0;
	}
	if (strcmp(name, "error") == 0)
		return chat_fail(c, llm_classify_body(200, 0, data, len, &c->err));
	surrogate_join(&c->half, data, len, &joined);
	int rc = chat_json(c, joined.data, joined.len);
	buf_clear(&joined);
	return rc;
}

static void chat_status(int status, const char *content_type, void *arg)
{
	struct chat *c = arg;

	(void)status;
	(void)content_type;
	c->last_event = clock_now();
}

static int chat_add_whole(struct chat *c, const char *data, size_t len)
{
	c->last_event = clock_now();
	buf_add(&c->whole, data, len);
	if (c->whole.len <= CHAT_WHOLE_MOST)
		return 0;
	error_set(&c->err, ERROR_REFUSED, "the answer is larger than %d bytes", CHAT_WHOLE_MOST);
	return chat_fail(c, LLM_ERROR_MODEL_OUTPUT);
}

/* Any beginning but that of a JSON value can be one of an event stream. */
static int chat_begin(struct chat *c, char first)
{
	c->form = first == '{' || first == '[' ? CHAT_WHOLE : CHAT_EVENTS;
	if (first != '<')
		return 0;
	error_set(&c->err, ERROR_NETWORK, "the answer is a web page. Check base_url");
	return chat_fail(c, LLM_ERROR_TRANSIENT);
}

/* Unless an event has said why: one was larger than the limit. */
static int chat_events_failed(struct chat *c)
{
	return chat_fail(c, c->class != LLM_ERROR_NONE ? c->class : LLM_ERROR_MODEL_OUTPUT);
}

static int chat_feed(struct chat *c, const char *data, size_t len)
{
	size_t blank = 0;

	while (c->form == CHAT_NOTHING && blank < len && memchr(" \t\r\n", data[blank], 4))
		blank++;
	if (blank == len)
		return 0;
	if (c->form == CHAT_NOTHING && chat_begin(c, data[blank]) != 0)
		return -1;
	if (c->form == CHAT_WHOLE)
		return chat_add_whole(c, data + blank, len - blank);
	return sse_feed(&c->sse, data + blank, len - blank, &c->err) == 0 ? 0 : chat_events_failed(c);
}

/* The HTTP client sees silence; here is seen what sends nothing but keep-alives, when the next one comes: at the
 * latest after twice the idle time. */
static int chat_data(const char *data, size_t len, void *arg)
{
	struct chat *c = arg;
	uint64_t idle_ms = (uint64_t)c->provider->settings.idle_ms;

	if (chat_feed(c, data, len) != 0)
		return -1;
	if (clock_now() - c->last_event <= idle_ms || openai_answer_is_complete(&c->answer))
		return 0;
	error_set(&c->err, ERROR_NETWORK, "nothing but keep-alives for %llu s", (unsigned long long)(idle_ms / 1000));
	return chat_fail(c, LLM_ERROR_TRANSIENT);
}

/* The end of an event stream. A last event that was cut off takes nothing from an answer that is complete. */
static int chat_end_events(struct chat *c)
{
	bool complete = openai_answer_is_complete(&c->answer);

	if (sse_end(&c->sse, &c->err) == 0)
		return 0;
	if (!complete || c->class != LLM_ERROR_TRANSIENT)
		return chat_events_failed(c);
	c->class = LLM_ERROR_NONE;
	return 0;
}

static int chat_end_whole(struct chat *c)
{
	if (chat_json(c, c->whole.data, c->whole.len) != 0)
		return -1;
	c->answer.done = c->answer.begun;
	if (c->answer.done)
		return 0;
	/* No choices: an error in a shape of its own. */
	return chat_fail(c, llm_classify_body(200, 0, c->whole.data, c->whole.len, &c->err));
}

static int chat_end(struct chat *c, struct llm_answer *answer)
{
	if (c->form == CHAT_EVENTS && chat_end_events(c) != 0)
		return -1;
	if (c->form == CHAT_WHOLE && chat_end_whole(c) != 0)
		return -1;
	error_clear(&c->err);
	if (openai_answer_finish(&c->answer, c->provider, answer, &c->err) == 0)
		return 0;
	return chat_fail(c, answer->error_class);
}

static int chat_refused(struct chat *c, const struct http_response *res)
{
	if (*res->request_id)
		log_info("llm", "refused: provider=%s status=%d request_id=\"%s\"", c->provider->name, res->status,
		    res->request_id);
	return chat_fail(c, llm_classify_body(res->status, res->retry_after_ms, res->body.data, res->body.len,
	    &c->err));
}

/* 0 when the end of an answer was reached; -1 with class and err. */
static int chat_perform(struct task *t, struct chat *c, const struct http_request *req, struct llm_answer *answer)
{
	struct http_response res;
	struct error err = { 0 };
	bool names_provider = false;
	int rc = http_perform(t, req, &res, &err);

	if (rc == 0 && res.status / 100 != 2) {
		rc = chat_refused(c, &res);
	} else if (c->class != LLM_ERROR_NONE) {
		rc = -1;
	} else if (rc != 0 && (err.kind != ERROR_NETWORK || !openai_answer_is_complete(&c->answer))) {
		c->err = err;
		names_provider = true;
		rc = chat_fail(c, llm_classify_transfer(&err));
	} else {
		rc = chat_end(c, answer);
	}
	if (rc != 0 && !names_provider)
		error_prefix(&c->err, "%s", c->provider->name);
	http_response_clear(&res);
	return rc;
}

static int chat_send(struct task *t, struct chat *c, const struct buf *body, struct llm_answer *answer)
{
	const struct llm_provider_settings *s = &c->provider->settings;
	char *url = xasprintf("%s/chat/completions", s->base_url), *auth = xasprintf("Bearer %s", s->key ? s->key : "");
	const struct http_header headers[] = {
		{ "Content-Type", "application/json" },
		{ "Accept", "text/event-stream, application/json" },
		{ "Authorization", auth },
	};
	const struct http_request req = {
		.method = "POST",
		.url = url,
		.label = c->provider->name,
		.headers = headers,
		.header_count = s->key ? ARRAY_LEN(headers) : ARRAY_LEN(headers) - 1,
		.body = body->data,
		.body_len = body->len,
		.idle_ms = (uint64_t)s->idle_ms,
		.total_ms = CHAT_TOTAL_MS,
		.max_body = CHAT_ANSWER_MOST,
		.on_status = chat_status,
		.on_data = chat_data,
		.arg = c,
	};
	int rc = chat_perform(t, c, &req, answer);

	free(url);
	free(auth);
	return rc;
}

static int chat_try(struct task *t, const struct llm_provider *p, const struct buf *body, const struct llm_sink *sink,
    struct llm_answer *answer, struct error *err)
{
	struct chat c = { .provider = p, .whole = BUF_INIT };

	openai_answer_init(&c.answer, sink);
	sse_init(&c.sse, chat_event, &c);
	int rc = chat_send(t, &c, body, answer);
	answer->usage = c.answer.usage;
	answer->error_class = c.class;
	*err = c.err;
	openai_answer_clear(&c.answer);
	sse_clear(&c.sse);
	buf_clear(&c.whole);
	return rc;
}

static int chat_complete(struct task *t, const struct llm_provider *p, const struct llm_request *req,
    const struct llm_sink *sink, struct llm_answer *answer, struct error *err)
{
	struct buf body = BUF_INIT, mended = BUF_INIT;

	openai_request(&body, p, req, OPENAI_AS_IS);
	int rc = chat_try(t, p, &body, sink, answer, err);
	if (rc != 0 && answer->error_class == LLM_ERROR_BAD_HISTORY) {
		openai_request(&mended, p, req, openai_mend_for(err->text));
		/* The same bytes would be refused again. */
		if (strcmp(mended.data, body.data) != 0) {
			log_info("llm", "history not accepted, trying once more with a plainer one: %s", err->text);
			rc = chat_try(t, p, &mended, sink, answer, err);
		}
	}
	buf_clear(&body);
	buf_clear(&mended);
	return rc;
}

const struct llm_ops llm_openai_chat = {
	.api = "openai-chat",
	.default_base_url = "https://api.openai.com/v1",
	.complete = chat_complete,
};
