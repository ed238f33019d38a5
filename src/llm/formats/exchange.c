#include "llm/formats/exchange.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/classify.h"
#include "llm/profile.h"
#include "llm/formats/sse.h"
#include "llm/formats/surrogate.h"
#include "net/http/http.h"

/* Time limit of a whole answer, even if it keeps arriving. */
#define TOTAL_MS (10 * 60 * 1000)
/* Connect timeout when another provider can be tried. */
#define CONNECT_MS 4000
#define ANSWER_MAX (32 * 1024 * 1024)
#define PIECE_MAX  (16 * 1024)       /* limit of an event that may be only a piece */
#define WHOLE_MAX  (8 * 1024 * 1024) /* of text; json.h limits its values */

enum form { FORM_NOTHING, FORM_EVENTS, FORM_WHOLE };

/* One request in flight. */
struct exchange {
	const struct llm_post *post;
	enum form form;
	struct sse sse;
	struct surrogate half;
	struct buf whole;
	struct buf joined, scratch; /* buffers for one event */
	struct json_flat flat;
	bool done;                  /* the rest of the response is ignored */
	int retry_helps;            /* as in struct llm_answer */
	uint64_t last_event;        /* time of the last piece of an answer; comments do not count */
	enum llm_error_class class; /* why we ended it, with err */
	struct error err;
};

static int exchange_fail(struct exchange *x, enum llm_error_class class)
{
	x->class = class;
	return -1;
}

/* Parses the JSON text of a chunk or of a whole answer. Raw control characters and invalid UTF-8 are
 * accepted. */
static int exchange_json(struct exchange *x, const char *data, size_t len)
{
	struct buf clean = BUF_INIT;
	struct json_object *o = json_parse_foreign_value(data, len, NULL);
	int rc;

	if (!o) {
		utf8_sanitize(&clean, data, len);
		o = json_parse_foreign_value(clean.data, clean.len, &x->err);
		buf_clear(&clean);
	}
	if (!o) {
		error_prefix(&x->err, "the answer cannot be read");
		x->err.kind = ERROR_NETWORK;
		return exchange_fail(x, LLM_ERROR_TRANSIENT);
	}
	rc = x->post->reader->add(x->post->arg, o, &x->class, &x->err);
	json_object_put(o);
	return rc;
}

static bool is_complete(const struct exchange *x)
{
	return x->post->reader->is_complete(x->post->arg);
}

static bool is_done(const char *data, size_t len)
{
	size_t blank = strspn(data, " ");

	return len - blank >= 6 && memcmp(data + blank, "[DONE]", 6) == 0;
}

static bool exchange_piece(struct exchange *x, const char *data, size_t len)
{
	return len <= PIECE_MAX && json_flat_read(&x->flat, data, len) &&
	    x->post->reader->add_piece(x->post->arg, &x->flat, &x->scratch);
}

static int exchange_event(const char *name, const char *data, size_t len, void *arg)
{
	struct exchange *x = arg;

	x->last_event = clock_now();
	if (!x->done && is_done(data, len)) {
		x->done = true;
		x->post->reader->end(x->post->arg);
	}
	if (x->done)
		return 0;
	if (strcmp(name, "error") == 0)
		return exchange_fail(x, llm_classify_body(200, 0, data, len, &x->err));
	if (memchr(data, '\\', len)) {
		buf_reset(&x->joined);
		surrogate_join(&x->half, data, len, &x->joined);
		data = x->joined.data;
		len = x->joined.len;
	}
	return exchange_piece(x, data, len) ? 0 : exchange_json(x, data, len);
}

/* The body would stay in memory as long as the answer comes in. */
static void exchange_taken(int status, void *arg)
{
	struct exchange *x = arg;

	if (status / 100 == 2)
		buf_clear(x->post->body);
}

static void exchange_status(int status, const char *content_type, void *arg)
{
	struct exchange *x = arg;

	(void)status;
	(void)content_type;
	x->last_event = clock_now();
}

static void exchange_header(const char *name, const char *value, void *arg)
{
	struct exchange *x = arg;
	const struct llm_provider *p = x->post->provider;

	/* OpenAI and Anthropic send it; in their own clients it overrides the status. */
	if (strcasecmp(name, "x-should-retry") == 0)
		x->retry_helps = strcasecmp(value, "true") == 0 ? 1 :
		    strcasecmp(value, "false") == 0             ? -1 :
								  0;
	if (p->learned)
		llm_request_rate_header(&p->learned->request_rate, llm_profile_of(p)->limits, name, value);
}

static int exchange_add_whole(struct exchange *x, const char *data, size_t len)
{
	x->last_event = clock_now();
	buf_add(&x->whole, data, len);
	if (x->whole.len <= WHOLE_MAX)
		return 0;
	error_set(&x->err, ERROR_REFUSED, "the answer is larger than %d bytes", WHOLE_MAX);
	return exchange_fail(x, LLM_ERROR_MODEL_OUTPUT);
}

/* A body that does not begin like a JSON value may be an event stream. */
static int exchange_begin(struct exchange *x, char first)
{
	x->form = first == '{' || first == '[' ? FORM_WHOLE : FORM_EVENTS;
	if (first != '<')
		return 0;
	error_set(&x->err, ERROR_NETWORK, "the answer is a web page. Check base_url");
	return exchange_fail(x, LLM_ERROR_TRANSIENT);
}

/* Unless an event has given the reason: one was larger than the limit. */
static int exchange_events_failed(struct exchange *x)
{
	return exchange_fail(x, x->class != LLM_ERROR_NONE ? x->class : LLM_ERROR_MODEL_OUTPUT);
}

static int exchange_feed(struct exchange *x, const char *data, size_t len)
{
	size_t blank = 0;

	while (x->form == FORM_NOTHING && blank < len && memchr(" \t\r\n", data[blank], 4))
		blank++;
	if (blank == len)
		return 0;
	if (x->form == FORM_NOTHING && exchange_begin(x, data[blank]) != 0)
		return -1;
	if (x->form == FORM_WHOLE)
		return exchange_add_whole(x, data + blank, len - blank);
	return sse_feed(&x->sse, data + blank, len - blank, &x->err) == 0 ? 0 : exchange_events_failed(x);
}

/* The HTTP client detects silence; this detects a stream of nothing but keep-alives, when the next one
 * arrives: at the latest after twice the idle time. */
static int exchange_data(const char *data, size_t len, void *arg)
{
	struct exchange *x = arg;
	uint64_t idle_ms = (uint64_t)x->post->provider->settings.idle_ms;

	if (exchange_feed(x, data, len) != 0)
		return -1;
	if (clock_now() - x->last_event <= idle_ms || is_complete(x))
		return 0;
	error_set(&x->err, ERROR_NETWORK, "nothing but keep-alives for %llu s",
	    (unsigned long long)(idle_ms / 1000));
	return exchange_fail(x, LLM_ERROR_TRANSIENT);
}

/* The end of an event stream. If the last event was cut off, a complete answer stays valid. */
static int exchange_end_events(struct exchange *x)
{
	bool complete = is_complete(x);

	if (sse_end(&x->sse, &x->err) == 0)
		return 0;
	if (!complete || x->class != LLM_ERROR_TRANSIENT)
		return exchange_events_failed(x);
	x->class = LLM_ERROR_NONE;
	return 0;
}

static int exchange_end_whole(struct exchange *x)
{
	if (exchange_json(x, x->whole.data, x->whole.len) != 0)
		return -1;
	if (x->post->reader->end(x->post->arg))
		return 0;
	/* An error in a form of its own. */
	return exchange_fail(x, llm_classify_body(200, 0, x->whole.data, x->whole.len, &x->err));
}

static int exchange_end(struct exchange *x, struct llm_answer *answer)
{
	if (x->form == FORM_EVENTS && exchange_end_events(x) != 0)
		return -1;
	if (x->form == FORM_WHOLE && exchange_end_whole(x) != 0)
		return -1;
	error_clear(&x->err);
	if (x->post->reader->finish(x->post->arg, x->post->provider, answer, &x->err) == 0)
		return 0;
	return exchange_fail(x, answer->error_class);
}

static int exchange_refused(struct exchange *x, const struct http_response *res)
{
	if (*res->request_id)
		log_info("llm", "refused: provider=%s status=%d request_id=\"%s\"", x->post->provider->name,
		    res->status, res->request_id);
	return exchange_fail(
	    x, llm_classify_body(res->status, res->retry_after_ms, res->body.data, res->body.len, &x->err));
}

/* Returns 0 when the answer is complete; -1 with class and err. */
static int exchange_perform(
    struct task *t, struct exchange *x, const struct http_request *req, struct llm_answer *answer)
{
	struct http_response res;
	struct error err = {0};
	bool names_provider = false;
	int rc = http_perform(t, req, &res, &err);

	if (rc == 0 && res.status / 100 != 2) {
		rc = exchange_refused(x, &res);
	} else if (x->class != LLM_ERROR_NONE) {
		rc = -1;
	} else if (rc != 0 && (err.kind != ERROR_NETWORK || !is_complete(x))) {
		x->err = err;
		names_provider = true;
		rc = exchange_fail(x, llm_classify_transfer(&err));
	} else {
		rc = exchange_end(x, answer);
	}
	if (rc != 0 && !names_provider)
		error_prefix(&x->err, "%s", x->post->provider->name);
	http_response_clear(&res);
	return rc;
}

/* Appends the post's own headers; returns the Authorization header's value, malloc'd, or NULL. */
static char *exchange_headers(const struct llm_post *post, struct http_header *headers, size_t *count)
{
	const struct llm_profile *profile = llm_profile_of(post->provider);
	const char *key = post->bearer ? post->provider->settings.key : NULL;
	char *auth = key ? xasprintf("Bearer %s", key) : NULL;

	for (size_t i = 0; i < post->header_count; i++)
		headers[(*count)++] = post->headers[i];
	if (profile->header.name)
		headers[(*count)++] = profile->header;
	if (auth)
		headers[(*count)++] = (struct http_header){"Authorization", auth};
	return auth;
}

static int exchange_send(struct task *t, struct exchange *x, struct llm_answer *answer)
{
	const struct llm_post *post = x->post;
	const struct llm_provider_settings *s = &post->provider->settings;
	struct http_header headers[3 + LLM_POST_HEADERS] = {{"Content-Type", "application/json"}};
	size_t header_count = 1;
	char *url = xasprintf("%s%s", s->base_url, post->provider->ops->path),
	     *auth = exchange_headers(post, headers, &header_count);
	const struct http_request req = {
	    .method = "POST",
	    .url = url,
	    .label = post->provider->name,
	    .headers = headers,
	    .header_count = header_count,
	    .body = post->body->data,
	    .body_len = post->body->len,
	    .connect_ms = post->has_fallback ? CONNECT_MS : 0,
	    .idle_ms = (uint64_t)s->idle_ms,
	    .total_ms = TOTAL_MS,
	    .max_body = ANSWER_MAX,
	    .on_taken = exchange_taken,
	    .on_header = exchange_header,
	    .on_status = exchange_status,
	    .on_data = exchange_data,
	    .arg = x,
	};

	int rc = exchange_perform(t, x, &req, answer);
	free(url);
	free(auth);
	return rc;
}

int llm_exchange(struct task *t, const struct llm_post *post, struct llm_answer *answer, struct error *err)
{
	struct exchange x = {.post = post, .whole = BUF_INIT, .joined = BUF_INIT, .scratch = BUF_INIT};

	sse_init(&x.sse, exchange_event, &x);
	int rc = exchange_send(t, &x, answer);
	answer->error_class = x.class;
	answer->retry_helps = rc == 0 ? 0 : x.retry_helps;
	if (rc != 0)
		answer->begun = post->reader->partial_usage(post->arg, &answer->usage);
	*err = x.err;
	sse_clear(&x.sse);
	buf_clear(&x.whole);
	buf_clear(&x.joined);
	buf_clear(&x.scratch);
	json_flat_clear(&x.flat);
	return rc;
}

void llm_answer_add_text(struct buf *answer, const struct llm_sink *sink, const char *text, size_t len)
{
	size_t before = answer->len;

	utf8_sanitize(answer, text, len);
	if (sink && sink->text && answer->len > before)
		sink->text(sink->arg, answer->data + before, answer->len - before);
}

void llm_answer_count(struct json_object *o, const char *key, int64_t *count)
{
	int64_t n = json_get_int(o, key, -1);

	if (n >= 0 && n <= LLM_TOKENS_MAX)
		*count = n;
}
