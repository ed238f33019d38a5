#include "channels/slack/api.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "channels/slack/slack.h"
#include "channels/slack/slack_internal.h"
#include "net/http/http.h"

enum tier { TIER_2, TIER_3, TIER_4, TIER_NONE };

/* Calls a minute for an app in a workspace (docs.slack.dev/apis/web-api/rate-limits), and whether the method
 * reads: those take no JSON. chat.postMessage has limits of its own, by conversation. Sorted. */
static const struct method {
	const char *name;
	enum tier tier;
	bool form;
} methods[] = {
    {"apps.connections.open", TIER_NONE, true},
    {"assistant.threads.setStatus", TIER_4, false},
    {"auth.test", TIER_NONE, true},
    {"chat.appendStream", TIER_4, false},
    {"chat.delete", TIER_3, false},
    {"chat.postEphemeral", TIER_4, false},
    {"chat.postMessage", TIER_NONE, false},
    {"chat.startStream", TIER_2, false},
    {"chat.stopStream", TIER_2, false},
    {"chat.update", TIER_3, false},
    {"conversations.history", TIER_3, true},
    {"conversations.open", TIER_3, false},
    {"conversations.replies", TIER_3, true},
    {"files.completeUploadExternal", TIER_4, true},
    {"files.getUploadURLExternal", TIER_4, true},
    {"files.info", TIER_4, true},
    {"reactions.add", TIER_3, false},
    {"reactions.remove", TIER_2, false},
    {"users.conversations", TIER_3, true},
    {"users.info", TIER_4, true},
};

static int compare(const void *name, const void *row)
{
	return strcmp(name, ((const struct method *)row)->name);
}

static const struct method *method_of(const char *name)
{
	return bsearch(name, methods, ARRAY_LEN(methods), sizeof(methods[0]), compare);
}

static unsigned tier_of(const char *name)
{
	const struct method *m = method_of(name);

	return m ? m->tier : TIER_3;
}

void slack_api_tiers(struct slack *sk)
{
	/* Bursts of half the allowed rate. */
	const struct rate_limit_options options = {
	    .chats =
		{
		    [TIER_2] = rate_limit_strict(20, 60000, 10),
		    [TIER_3] = rate_limit_strict(50, 60000, 25),
		    [TIER_4] = rate_limit_strict(100, 60000, 50),
		    [TIER_NONE] = rate_limit_strict(0, 60000, 1),
		},
	    .all = rate_limit_strict(0, 60000, 1),
	    .kind = tier_of,
	};

	rate_limit_init(&sk->methods, &options);
}

static void write_form(struct buf *out, struct json_object *params)
{
	json_object_object_foreach(params, key, value) {
		char *text = json_object_is_type(value, json_type_string) ?
		    xstrdup(json_object_get_string(value)) :
		    json_text(value);

		if (out->len > 0)
			buf_addch(out, '&');
		buf_addf(out, "%s=", key);
		http_url_encode(out, text, strlen(text));
		free(text);
	}
}

static int perform(struct task *t, struct slack *sk, const struct slack_call *call, struct http_response *res,
    struct error *err)
{
	const struct method *m = method_of(call->method);
	const struct slack_settings *s = sk->settings;
	struct buf url = BUF_INIT, label = BUF_INIT, body = BUF_INIT, token = BUF_INIT;
	struct http_header headers[] = {
	    {"Content-Type",
		m && m->form ? "application/x-www-form-urlencoded" : "application/json; charset=utf-8"},
	    {"Authorization", NULL},
	};
	struct http_request req = {
	    .method = "POST",
	    .headers = headers,
	    .header_count = ARRAY_LEN(headers),
	    .connect_ms = sk->limits->connect_ms,
	    .idle_ms = call->total_ms,
	    .total_ms = call->total_ms,
	    .max_body = sk->limits->answer_max,
	    .once = call->once,
	};
	int rc;

	buf_addf(&url, "%s/%s", sk->base, call->method);
	buf_addf(&label, "%s at %s", call->method, sk->host);
	buf_addf(&token, "Bearer %s", call->app_token ? s->app_token : s->bot_token);
	if (call->params && m && m->form)
		write_form(&body, call->params);
	else if (call->params)
		json_write(&body, call->params);
	headers[1].value = token.data;
	req.url = url.data;
	req.label = label.data;
	req.body = body.data;
	req.body_len = body.len;
	rc = http_perform(t, &req, res, err);
	if (res->date_ms != 0)
		sk->clock_skew_ms = clock_wall() - res->date_ms;
	buf_clear(&url);
	buf_clear(&label);
	buf_clear(&body);
	buf_clear(&token);
	return rc;
}

/* Invalid bytes must not make the complete response unreadable. */
static struct json_object *parse(const struct buf *body, bool id_only)
{
	static const char *const names[] = {"ok", "ts", NULL};
	struct buf clean = BUF_INIT;
	struct json_object *reply;

	if (id_only) {
		reply = json_parse_members(body->data, body->len, names);
		if (json_get_bool(reply, "ok", false))
			return reply;
		json_object_put(reply);
	}
	utf8_sanitize(&clean, body->data, body->len);
	reply = json_parse_foreign(clean.data, clean.len, NULL);
	buf_clear(&clean);
	return reply;
}

static void after_penalty(struct slack *sk, const struct slack_call *call, uint64_t ms)
{
	rate_limit_pause(&sk->methods, call->method, ms);
	/* A limit of reading says nothing of writing. */
	if (!call->chat)
		return;
	rate_limit_pause(&sk->rate_limiter, call->chat, ms);
	if (ms >= sk->limits->long_pause_ms)
		rate_limit_pause_optional(&sk->rate_limiter, ms);
}

int slack_api_call(struct task *t, struct slack *sk, const struct slack_call *call, struct slack_answer *a,
    struct error *err)
{
	struct http_response res = {.body = BUF_INIT};
	struct slack_outcome *o = &a->outcome;
	int rc;

	*a = (struct slack_answer){.sent = false};
	rc = perform(t, sk, call, &res, &o->why);
	json_object_put(call->params);
	a->sent = res.sent;
	o->class = SLACK_SERVER_ERROR;
	if (rc == 0) {
		a->reply = parse(&res.body, call->id_only);
		slack_outcome_read(o, res.status, a->reply, res.retry_after_ms);
	}
	http_response_clear(&res);
	if (o->class <= SLACK_ALREADY_DONE)
		return 0;
	if (rc == 0)
		error_prefix(&o->why, "%s at %s", call->method, sk->host);
	if (o->class == SLACK_RATE_LIMITED) {
		o->why.retry_ms = o->retry_ms += sk->limits->limited_extra_ms;
		after_penalty(sk, call, o->retry_ms);
	}
	if (o->class == SLACK_BAD_TOKEN)
		slack_refused(sk, call->app_token ? "app_token" : "bot_token", &o->why);
	if (err)
		*err = o->why;
	return -1;
}

void slack_api_clear(struct slack_answer *a)
{
	json_object_put(a->reply);
	*a = (struct slack_answer){.sent = false};
}
