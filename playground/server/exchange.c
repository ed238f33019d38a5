#include "playground/server/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "net/server/server.h"
#include "playground/playground.h"
#include "playground/server/fault.h"
#include "playground/server/request_log.h"

#define ANSWER_MAX 4096

void exchange_begin(struct exchange *ex, struct playground *pg, struct server_request *req,
    struct record_log *log, const char *platform, exchange_fail_fn *fail)
{
	*ex = (struct exchange){
	    .pg = pg,
	    .req = req,
	    .log = log,
	    .platform = platform,
	    .fail = fail,
	    .began_us = clock_wall_us(),
	    .person_actions = pg->person_actions,
	    .task = task_current(),
	    .body = BUF_INIT,
	    .answer = BUF_INIT,
	    .problems = BUF_INIT,
	};
	list_append(&pg->exchanges, &ex->link);
}

void exchange_set_body(struct exchange *ex, const char *text, size_t len, bool is_json)
{
	buf_reset(&ex->body);
	if (is_json)
		buf_add(&ex->body, text, len);
	else
		json_quote(&ex->body, text, len);
}

void exchange_set_json(struct exchange *ex, struct json_object *params)
{
	buf_reset(&ex->body);
	json_write(&ex->body, params);
}

static void add_sentence(struct exchange *ex, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_vaddf(&text, fmt, ap);
	if (ex->problems.len > 0)
		buf_addch(&ex->problems, ',');
	json_quote(&ex->problems, text.data, text.len);
	buf_clear(&text);
}

void exchange_problem(struct exchange *ex, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_sentence(ex, fmt, ap);
	va_end(ap);
	ex->refused = true;
}

void exchange_remark(struct exchange *ex, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_sentence(ex, fmt, ap);
	va_end(ap);
}

/* Sends a provider's error instead of an answer. */
static void fail_by_name(struct exchange *ex)
{
	const struct fault *f = &ex->fault;
	bool messages = strcmp(ex->method, "messages") == 0;
	const char *body = failure_body(f->failure, messages);
	struct buf headers = BUF_INIT;

	if (f->retry_after_s >= 0)
		buf_addf(&headers, "retry-after: %lld\r\n", (long long)f->retry_after_s);
	if (f->retry_after_ms >= 0)
		buf_addf(&headers, "retry-after-ms: %lld\r\n", (long long)f->retry_after_ms);
	ex->status = failure_status(f->failure, messages);
	server_respond(ex->req, ex->status, *body == '<' ? "text/html" : "application/json",
	    headers.len > 0 ? headers.data : NULL, body, strlen(body));
	buf_clear(&headers);
}

static void fail_with_page(struct exchange *ex)
{
	struct buf page = BUF_INIT;

	failure_page(ex->fault.status, &page);
	ex->status = ex->fault.status;
	server_respond(ex->req, ex->status, "text/html", NULL, page.data, page.len);
	buf_clear(&page);
}

enum fault_kind exchange_take_fault(
    struct playground *pg, const char *platform, const char *method, struct fault *out)
{
	if (fault_take(&pg->faults, platform, method, out) != FAULT_NONE)
		feed_add(&pg->feed, FEED_FAULT, NULL, "used");
	return out->kind;
}

bool exchange_fault(struct task *t, struct exchange *ex)
{
	exchange_take_fault(ex->pg, ex->platform, ex->method, &ex->fault);
	return exchange_play_fault(t, ex);
}

bool exchange_play_fault(struct task *t, struct exchange *ex)
{
	switch (ex->fault.kind) {
	case FAULT_FAILURE:
		fail_by_name(ex);
		return true;
	case FAULT_PAGE:
		fail_with_page(ex);
		return true;
	case FAULT_STATUS:
		ex->fail(ex, ex->fault.status, 0);
		return true;
	case FAULT_RETRY_AFTER:
		ex->fail(ex, 429, ex->fault.seconds);
		return true;
	case FAULT_STALL:
		return task_sleep(t, ex->fault.seconds * 1000u, NULL) != 0;
	case FAULT_CLOSE:
	case FAULT_OUTAGE:
		server_abort(ex->req);
		return true;
	default:
		return false;
	}
}

static void keep_answer(struct exchange *ex, const char *content_type, const struct buf *body)
{
	if (ex->answer.len == 0 && !ex->file && ex->fault.kind != FAULT_GARBAGE && body->len <= ANSWER_MAX &&
	    content_type && strncmp(content_type, "application/json", 16) == 0)
		buf_add(&ex->answer, body->data, body->len);
}

void exchange_answer(
    struct exchange *ex, int status, const char *content_type, const char *headers, const struct buf *body)
{
	const char *retry = headers ? strstr(headers, "Retry-After: ") : NULL;

	ex->status = status;
	if (status == 429 && retry)
		ex->retry_s = (unsigned)strtoul(retry + strlen("Retry-After: "), NULL, 10);
	keep_answer(ex, content_type, body);
	if (ex->fault.kind == FAULT_CUT)
		server_respond_cut(
		    ex->req, ex->fault.at_byte, status, content_type, headers, body->data, body->len);
	else if (ex->fault.kind == FAULT_GARBAGE)
		server_respond(ex->req, status, content_type, headers, fault_garbage(&ex->fault),
		    strlen(fault_garbage(&ex->fault)));
	else
		server_respond(ex->req, status, content_type, headers, body->data, body->len);
}

void exchange_set_answer(struct exchange *ex, const char *text, size_t len)
{
	buf_reset(&ex->answer);
	buf_add(&ex->answer, text, len);
}

void exchange_cut_all(struct playground *pg, const char *platform)
{
	list_each_entry(&pg->exchanges, struct exchange, ex, link) {
		if (strcmp(ex->platform, platform) != 0 ||
		    ex->status == 101) /* a WebSocket belongs to its platform */
			continue;
		server_abort(ex->req);
		task_cancel(ex->task);
	}
}

void exchange_limit(struct exchange *ex, unsigned used)
{
	if (ex->limit_used < used)
		ex->limit_used = used;
}

/* FNV-1a. */
static uint64_t hash(uint64_t h, const char *text)
{
	for (; text && *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return h;
}

static uint64_t caller_of(struct server_request *req)
{
	return req ? hash(hash(0xcbf29ce484222325u, server_path(req)), server_header(req, "authorization")) :
		     0;
}

static uint64_t token_of(struct server_request *req)
{
	const char *token = req ? server_header(req, "authorization") : NULL;

	return token ? hash(0xcbf29ce484222325u, token) : 0;
}

void exchange_end(struct exchange *ex)
{
	struct feed_mark *mark;
	struct record r = {
	    .began_us = ex->began_us,
	    .time_us = clock_wall_us(),
	    .platform = ex->platform,
	    .method = xstrdup(ex->method),
	    .body = ex->body.len > 0 ? buf_take(&ex->body) : xstrdup("null"),
	    .answer = ex->answer.len > 0 ? buf_take(&ex->answer) : NULL,
	    .problems = buf_take(&ex->problems),
	    .fault = ex->fault.kind != FAULT_NONE ? fault_kind_name(ex->fault.kind) : NULL,
	    .status = ex->status,
	    .refused = ex->refused,
	    .caller = caller_of(ex->req),
	    .token = token_of(ex->req),
	    .person_actions = ex->person_actions,
	    .retry_s = ex->retry_s,
	    .limit_used = ex->limit_used,
	};

	list_remove(&ex->link);
	record_log_add(ex->log, &r);
	mark = feed_add(&ex->pg->feed, FEED_REQUEST, ex->platform, NULL);
	if (mark)
		mark->number = (int64_t)ex->log->last_n;
	buf_clear(&ex->body);
	buf_clear(&ex->answer);
}
