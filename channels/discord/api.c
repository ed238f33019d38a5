#include "channels/discord/api.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/utf8.h"
#include "channels/discord/discord.h"
#include "channels/discord/rate_limit.h"
#include "channels/discord/discord_internal.h"
#include "config.h"
#include "net/http/http.h"

struct request {
	struct discord *d;
	const struct discord_call *call;
	struct discord_rate_limit_headers limit;
	char route[128];
};

static void on_header(const char *name, const char *value, void *arg)
{
	struct request *r = arg;

	discord_rate_limit_read_header(&r->limit, name, value);
}

static int perform(struct task *t, struct request *r, struct http_response *res, struct error *err)
{
	const struct discord_call *call = r->call;
	struct discord *d = r->d;
	const struct http_header headers[] = {
	    {"User-Agent", DISCORD_USER_AGENT},
	    {"Content-Type", "application/json"},
	    {"Authorization", d->authorization},
	};
	uint64_t total_ms = call->total_ms != 0 ? call->total_ms : d->limits->call_ms;
	uint64_t idle_ms = call->parts ? d->limits->upload_ms : total_ms;
	char *url = xasprintf("%s%s", d->base, call->path), *label = xasprintf("%s at %s", r->route, d->host);
	struct buf body = BUF_INIT;
	/* A PUT says that it has no body; a GET says nothing. */
	const char *bare = strcmp(call->method, "PUT") == 0 ? "" : NULL;
	struct http_header list[ARRAY_LEN(headers)];
	size_t count = 0;

	list[count++] = headers[0];
	if (call->params)
		list[count++] = headers[1];
	if (!call->token)
		list[count++] = headers[2];
	if (call->params)
		json_write(&body, call->params);
	struct http_request req = {
	    .method = call->method,
	    .url = url,
	    .label = label,
	    .headers = list,
	    .header_count = count,
	    .body = call->params ? body.data : bare,
	    .body_len = body.len,
	    .parts = call->parts,
	    .part_count = call->part_count,
	    .connect_ms = d->limits->connect_ms,
	    .idle_ms = idle_ms,
	    .total_ms = call->parts ? 0 : total_ms,
	    .max_body = d->limits->answer_max,
	    .once = call->once,
	    .compressed = true,
	    .on_header = on_header,
	    .arg = r,
	};
	int rc = http_perform(t, &req, res, err);
	buf_clear(&body);
	free(url);
	free(label);
	return rc;
}

static struct json_object *parse(const struct buf *body, bool id_only)
{
	static const char *const names[] = {"id", NULL};
	struct buf clean = BUF_INIT;
	struct json_object *reply;

	if (id_only) {
		reply = json_parse_members(body->data, body->len, names);
		if (reply)
			return reply;
	}
	utf8_sanitize(&clean, body->data, body->len);
	reply = json_parse_foreign_value(clean.data, clean.len, NULL);
	buf_clear(&clean);
	if (json_object_is_type(reply, json_type_object) || json_object_is_type(reply, json_type_array))
		return reply;
	json_object_put(reply);
	return NULL;
}

static void read_answer(
    struct discord_answer *a, const struct http_response *res, int rc, bool id_only, const struct error *why)
{
	a->sent = res->sent;
	if (rc == 0) {
		a->reply = parse(&res->body, id_only && res->status / 100 == 2);
		discord_outcome_read(&a->outcome, res->status, a->reply, res->retry_after_ms);
	} else {
		a->outcome = (struct discord_outcome){.class = DISCORD_SERVER_ERROR, .why = *why};
	}
}

/* Sends the request, between enter and leave of the rest_limiter if it has a bucket. */
static void perform_limited(
    struct task *t, struct request *r, struct discord_bucket *bucket, struct discord_answer *a)
{
	struct http_response res = {.body = BUF_INIT};
	const char *major = r->call->major ? r->call->major : "";
	struct error why = {0};
	int rc = perform(t, r, &res, &why);

	read_answer(a, &res, rc, r->call->id_only, &why);
	http_response_clear(&res);
	if (bucket)
		discord_rate_limit_leave(
		    &r->d->rest_limiter, bucket, r->route, major, &r->limit, rc == 0 ? &a->outcome : NULL);
	else if (rc == 0)
		discord_rate_limit_note(&r->d->rest_limiter, &r->limit, &a->outcome);
	if (rc == 0 && a->outcome.class != DISCORD_OK)
		error_prefix(&a->outcome.why, "%s", r->route);
}

static void skip(struct discord_answer *a)
{
	a->skipped = true;
	a->outcome.class = DISCORD_RATE_LIMITED;
	error_limited(&a->outcome.why, 1000, "the rate limit leaves no room for an optional request");
}

int discord_api_call(struct task *t, struct discord *d, const struct discord_call *call,
    struct discord_answer *a, struct error *err)
{
	struct request r = {.d = d, .call = call, .limit = DISCORD_RATE_LIMIT_HEADERS_INIT};
	const char *major = call->major ? call->major : "";
	struct discord_bucket *bucket = NULL;

	*a = (struct discord_answer){0};
	a->outcome.class = DISCORD_SERVER_ERROR;
	snprintf(r.route, sizeof(r.route), "%s %s", call->method, call->route);
	if (!call->token && !call->optional)
		bucket = discord_rate_limit_enter(t, &d->rest_limiter, r.route, major, &a->outcome.why);
	else if (!call->token)
		bucket = discord_rate_limit_try(&d->rest_limiter, r.route, major);
	if (!bucket && call->optional && !call->token)
		skip(a);
	else if (bucket || call->token)
		perform_limited(t, &r, bucket, a);
	json_object_put(call->params);
	if (a->outcome.class == DISCORD_BAD_TOKEN && !call->token)
		discord_refused(d, &a->outcome.why);
	if (a->outcome.class == DISCORD_OK)
		return 0;
	if (err)
		*err = a->outcome.why;
	return -1;
}

void discord_api_clear(struct discord_answer *a)
{
	json_object_put(a->reply);
	*a = (struct discord_answer){0};
}

struct json_object *discord_api_get(struct task *t, struct discord *d, const char *route, const char *path,
    const char *major, unsigned tries, struct discord_outcome *outcome, struct error *err)
{
	struct discord_call call = {.method = "GET", .route = route, .path = path, .major = major};
	struct backoff wait = {.base_ms = d->limits->retry_ms, .max_ms = d->limits->retry_max_ms};

	for (;;) {
		struct discord_answer a;
		int rc = discord_api_call(t, d, &call, &a, err);
		struct discord_outcome o = a.outcome;
		struct json_object *reply = json_object_get(a.reply);

		discord_api_clear(&a);
		if (outcome)
			*outcome = o;
		if (rc == 0)
			return reply;
		json_object_put(reply);
		if ((o.why.kind != ERROR_NETWORK && o.why.kind != ERROR_LIMITED) || --tries == 0)
			return NULL;
		if (task_sleep(t,
			o.why.kind == ERROR_LIMITED ? o.retry_ms + d->limits->limited_extra_ms :
						      backoff_next(&wait),
			err) < 0)
			return NULL;
	}
}
