#include "channels/telegram/api.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/flat.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/telegram/telegram_internal.h"
#include "net/http/http.h"

static const struct http_header json_header[] = {{"Content-Type", "application/json"}};

/* Invalid bytes must not make a complete batch unreadable. */
static struct json_object *parse(const struct buf *body)
{
	struct buf clean = BUF_INIT;
	struct json_object *reply;

	if (utf8_valid(body->data, body->len))
		return json_parse_foreign(body->data, body->len, NULL);
	utf8_sanitize(&clean, body->data, body->len);
	reply = json_parse_foreign(clean.data, clean.len, NULL);
	buf_clear(&clean);
	return reply;
}

/* Writes the params as form fields, followed by the file. texts holds the field values. */
static void fill_form(
    struct http_request *req, const struct telegram_call *call, struct http_part *parts, char **texts)
{
	size_t n = 0;

	json_object_object_foreach(call->params, key, value) {
		bool string = json_object_is_type(value, json_type_string);
		texts[n] = string ? xstrdup(json_object_get_string(value)) : json_text(value);
		parts[n] = (struct http_part){.name = key, .data = texts[n], .len = strlen(texts[n])};
		n++;
	}
	parts[n++] = *call->file;
	req->headers = NULL;
	req->header_count = 0;
	req->parts = parts;
	req->part_count = n;
}

static int perform_form(struct task *t, const struct telegram_call *call, struct http_request *req,
    struct http_response *res, struct error *err)
{
	size_t fields = (size_t)json_object_object_length(call->params);
	struct http_part *parts = xcalloc(fields + 1, sizeof(*parts));
	char **texts = xcalloc(fields + 1, sizeof(*texts));
	int rc;

	fill_form(req, call, parts, texts);
	rc = http_perform(t, req, res, err);
	for (size_t i = 0; i < fields; i++)
		free(texts[i]);
	free(texts);
	free(parts);
	return rc;
}

static int perform(struct task *t, struct telegram *tg, const struct telegram_call *call,
    struct http_response *res, struct error *err)
{
	struct buf url = BUF_INIT, label = BUF_INIT, body = BUF_INIT;
	struct http_request req = {
	    .method = "POST",
	    .headers = json_header,
	    .header_count = 1,
	    .connect_ms = tg->limits->connect_ms,
	    .idle_ms = call->total_ms,
	    .total_ms = call->total_ms,
	    .max_body = call->answer_max != 0 ? call->answer_max : tg->limits->answer_max,
	    .once = call->once,
	    .fresh = call->fresh,
	    .warm = call->warm,
	};
	int rc;

	buf_addstr(&url, tg->base);
	buf_addstr(&url, call->method);
	buf_addstr(&label, call->method);
	buf_addstr(&label, " at ");
	buf_addstr(&label, tg->host);
	if (call->params && !call->file)
		json_write(&body, call->params);
	else if (!call->file)
		buf_addstr(&body, "{}");
	req.url = url.data;
	req.label = label.data;
	req.body = !call->file ? body.data : NULL;
	req.body_len = body.len;
	rc = call->file ? perform_form(t, call, &req, res, err) : http_perform(t, &req, res, err);
	buf_clear(&url);
	buf_clear(&label);
	buf_clear(&body);
	return rc;
}

/* The answer to a success of which only the message_id is read needs no tree. */
static bool read_brief(struct telegram_answer *a, const struct http_response *res)
{
	struct json_flat f = {0};
	bool done = false;

	if (json_flat_read(&f, res->body.data, res->body.len)) {
		size_t ok = json_flat_get_kind(&f, 0, "ok", JSON_FLAT_BOOL),
		       result = json_flat_get(&f, 0, "result"),
		       id = result ? json_flat_get_kind(&f, result, "message_id", JSON_FLAT_INT) : 0;

		done = ok && f.text[f.items[ok].start] == 't' && result &&
		    f.items[result].kind != JSON_FLAT_NULL;
		a->message_id = done && id ? json_flat_int(&f, id) : 0;
	}
	json_flat_clear(&f);
	if (done)
		a->outcome = (struct telegram_outcome){.class = TELEGRAM_OK, .code = res->status};
	return done;
}

static void read_answer(struct telegram_answer *a, struct http_response *res, bool id_only)
{
	if (id_only && read_brief(a, res))
		return;
	a->reply = parse(&res->body);
	a->result = json_get(a->reply, "result");
	telegram_outcome_read(&a->outcome, res->status, a->reply, res->retry_after_ms);
	a->unreadable = !a->reply && res->status == 200;
}

int telegram_api_call(struct task *t, struct telegram *tg, const struct telegram_call *call,
    struct telegram_answer *a, struct error *err)
{
	struct http_response res = {.body = BUF_INIT};
	struct error why = {0};
	int rc;

	*a = (struct telegram_answer){.body = BUF_INIT};
	rc = perform(t, tg, call, &res, &why);
	json_object_put(call->params);
	a->sent = res.sent;
	if (rc == 0) {
		read_answer(a, &res, call->id_only);
	} else {
		a->outcome.class = TELEGRAM_SERVER_ERROR;
		a->outcome.why = why;
		/* Ours after an answer has begun: it was over the limit. */
		a->unreadable = why.kind == ERROR_OURS && res.status == 200;
	}
	if (a->unreadable) {
		a->body = res.body;
		buf_init(&res.body);
	}
	http_response_clear(&res);
	if (a->outcome.class <= TELEGRAM_UNCHANGED)
		return 0;
	if (rc == 0)
		error_prefix(&a->outcome.why, "%s at %s", call->method, tg->host);
	if (err)
		*err = a->outcome.why;
	return -1;
}

void telegram_api_clear(struct telegram_answer *a)
{
	json_object_put(a->reply);
	buf_clear(&a->body);
	*a = (struct telegram_answer){.body = BUF_INIT};
}
