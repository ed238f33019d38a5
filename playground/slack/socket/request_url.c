#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/task.h"
#include "net/http/http.h"
#include "playground/server/delivery.h"
#include "playground/server/fault.h"
#include "playground/server/request_log.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/app.h"

#define REDIRECTS_MAX 2
#define ANSWER_MAX    (1024 * 1024)
#define HEADERS       6
#define BAD_ANSWER    "the request URL did not answer with the challenge"

struct slk_delivery {
	struct slk_world *world;
	struct slk_envelope *envelope; /* NULL: it is not waited for any more; or this is a challenge */
	struct task *task;
	bool late; /* the time for its answer is over */
	char *body;
	const char *content_type;
	char retry_num[12], retry_reason[32]; /* "": the first attempt */
	/* of the answer */
	bool no_retry;
	char location[1024];
};

/* "v0=" and the HMAC of version, time and body. */
static void sign(const struct slk_world *w, const char *stamp, const char *body, char out[80])
{
	char *base = xasprintf("v0:%s:%s", stamp, body);
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned len = 0;
	size_t at = 3;

	HMAC(EVP_sha256(), w->set.signing_secret, (int)strlen(w->set.signing_secret),
	    (const unsigned char *)base, strlen(base), mac, &len);
	memcpy(out, "v0=", at);
	for (unsigned i = 0; i < len; i++, at += 2)
		snprintf(out + at, 80 - at, "%02x", mac[i]);
	free(base);
}

static void note_header(const char *name, const char *value, void *arg)
{
	struct slk_delivery *d = arg;

	if (strcasecmp(name, "x-slack-no-retry") == 0)
		d->no_retry = strcmp(value, "1") == 0;
	else if (strcasecmp(name, "location") == 0)
		str_copy(d->location, sizeof(d->location), value);
}

/* One request. Returns -1 without an answer. */
static int request(
    struct task *t, struct slk_delivery *d, const char *url, struct http_response *res, struct error *err)
{
	char stamp[24], signature[80];
	struct http_header headers[HEADERS] = {{"Content-Type", d->content_type},
	    {"User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)"},
	    {"X-Slack-Request-Timestamp", stamp}, {"X-Slack-Signature", signature}};
	struct http_request req = {.method = "POST",
	    .url = url,
	    .headers = headers,
	    .header_count = 4,
	    .body = d->body,
	    .body_len = strlen(d->body),
	    .max_body = ANSWER_MAX,
	    .once = true,
	    .on_header = note_header,
	    .arg = d};

	snprintf(stamp, sizeof(stamp), "%" PRId64, clock_wall() / 1000);
	sign(d->world, stamp, d->body, signature);
	if (d->retry_num[0] != '\0') {
		headers[req.header_count++] = (struct http_header){"X-Slack-Retry-Num", d->retry_num};
		headers[req.header_count++] = (struct http_header){"X-Slack-Retry-Reason", d->retry_reason};
	}
	d->location[0] = '\0';
	d->no_retry = false;
	return delivery_perform(t, d->world->pg, "slack", FAULT_REQUEST_URL, &req, res, err);
}

/* Returns NULL, or the reason in Slack's words. */
static const char *perform(
    struct task *t, struct slk_delivery *d, struct http_response *res, struct error *err)
{
	char *url = xstrdup(d->world->set.request_url);
	const char *reason = NULL;
	int redirects = 0;

	for (;;) {
		if (request(t, d, url, res, err) != 0)
			reason = "connection_failed";
		else if (res->status >= 300 && res->status < 400 && d->location[0] != '\0')
			reason = redirects++ < REDIRECTS_MAX ? NULL : "too_many_redirects";
		else if (res->status < 200 || res->status > 299)
			reason = "http_error";
		else
			break;
		if (reason)
			break;
		free(url);
		url = xstrdup(d->location);
		http_response_clear(res);
	}
	free(url);
	return reason;
}

/* The answer as JSON, or its text as that of a message; NULL for none. */
static struct json_object *read_answer(const struct http_response *res)
{
	struct json_object *o = res->body.len > 0 ? json_parse(res->body.data, res->body.len, NULL) : NULL;

	if (o || res->body.len == 0 || strncasecmp(res->content_type, "application/json", 16) == 0)
		return o;
	o = json_object_new_object();
	json_set_str(o, "text", res->body.data);
	return o;
}

static void record(
    struct slk_delivery *d, int64_t began, const struct http_response *res, const char *problem)
{
	struct json_object *o = res->body.len > 0 ? json_parse(res->body.data, res->body.len, NULL) : NULL;
	struct buf body = BUF_INIT, problems = BUF_INIT;

	if (o)
		json_write(&body, o);
	else
		json_quote(&body, res->body.len > 0 ? res->body.data : "", res->body.len);
	if (problem)
		json_quote(&problems, problem, strlen(problem));
	record_log_add(d->world->log,
	    &(struct record){.began_us = began,
		.time_us = clock_wall_us(),
		.platform = "slack",
		.method = xstrdup("request_url"),
		.body = buf_take(&body),
		.problems = buf_take(&problems),
		.status = res->status,
		.refused = problem});
	json_object_put(o);
}

static void free_delivery(struct slk_delivery *d)
{
	free(d->body);
	free(d);
}

static void run_envelope(struct task *t, void *arg)
{
	struct slk_delivery *d = arg;
	struct http_response res = {.body = BUF_INIT};
	struct error err = {0};
	int64_t began = clock_wall_us();
	const char *reason = perform(t, d, &res, &err);
	struct json_object *answer = reason ? NULL : read_answer(&res);
	struct slk_envelope *e = d->envelope;
	char *problem = NULL;

	if (e) {
		e->delivery = NULL;
		problem = slk_envelope_delivered(e, reason, answer, !d->no_retry);
	}
	if (d->late)
		problem = xasprintf("http_timeout: no answer within %" PRId64 " ms", d->world->set.ack_ms);
	else if (reason)
		problem =
		    xasprintf("%s: %s", reason, err.text[0] != '\0' ? err.text : "the answer must be 2xx");
	if ((e && !d->world->stopping) || d->late)
		record(d, began, &res, problem);
	playground_changed(d->world->pg);
	free(problem);
	json_object_put(answer);
	http_response_clear(&res);
	free_delivery(d);
}

static struct slk_delivery *start(struct slk_world *w, struct slk_envelope *e, char *body, const char *type)
{
	struct slk_delivery *d = xcalloc(1, sizeof(*d));

	d->world = w;
	d->envelope = e;
	d->body = body;
	d->content_type = type;
	return d;
}

static void add_field(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, "%s%s=", out->len > 0 ? "&" : "", name);
	http_url_encode(out, value, strlen(value));
}

/* Events are JSON; a command is a form, and an interaction is JSON in the field of a form. */
static char *write_body(const struct slk_envelope *e)
{
	struct buf out = BUF_INIT;
	char *json = json_text(e->payload);

	if (e->type == SLK_EVENTS_API) {
		buf_addstr(&out, json);
	} else if (e->type == SLK_INTERACTIVE) {
		add_field(&out, "payload", json);
	} else {
		json_object_object_foreach(e->payload, name, value) {
			add_field(&out, name, json_object_get_string(value));
		}
	}
	free(json);
	return buf_take(&out);
}

bool slk_request_url_serves(const struct slk_app *a)
{
	return !a->app_token && a->world->url_state != SLK_URL_NONE && a->world->url_state != SLK_URL_FAILED;
}

bool slk_request_url_waits(const struct slk_world *w)
{
	return w->url_state == SLK_URL_PENDING;
}

void slk_request_url_post(struct slk_envelope *e)
{
	struct slk_delivery *d = start(e->app->world, e, write_body(e),
	    e->type == SLK_EVENTS_API ? "application/json" : "application/x-www-form-urlencoded");

	if (e->attempt > 0) {
		snprintf(d->retry_num, sizeof(d->retry_num), "%d", e->attempt);
		str_copy(d->retry_reason, sizeof(d->retry_reason), e->reason);
	}
	e->delivery = d;
	d->task = task_start(&d->world->pg->tasks, "slack request", run_envelope, d);
}

void slk_request_url_forget(struct slk_envelope *e, bool late)
{
	if (!e->delivery)
		return;
	e->delivery->envelope = NULL;
	e->delivery->late = late;
	task_cancel(e->delivery->task);
	e->delivery = NULL;
}

/* A challenge is answered by its text: plain, or as a member or field of that name. */
static bool has_challenge(const struct http_response *res, const char *challenge)
{
	struct json_object *o = res->body.len > 0 ? json_parse(res->body.data, res->body.len, NULL) : NULL;
	const char *echoed = json_get_str(o, "challenge"), *plain = res->body.len > 0 ? res->body.data : "";
	bool good;

	if (!o && strncmp(plain, "challenge=", 10) == 0)
		plain += 10;
	good = echoed ? strcmp(echoed, challenge) == 0 : strncmp(plain, challenge, strlen(challenge)) == 0;
	json_object_put(o);
	return good;
}

static void verified(struct slk_world *w, const char *problem)
{
	w->url_state = problem ? SLK_URL_FAILED : SLK_URL_VERIFIED;
	free(w->url_problem);
	w->url_problem = xstrdup(problem);
	list_each_entry(&w->apps, struct slk_app, a, link)
		slk_envelopes_retry(a);
	playground_changed(w->pg);
}

static void run_challenge(struct task *t, void *arg)
{
	struct slk_delivery *d = arg;
	struct slk_world *w = d->world;
	struct json_object *o = json_parse(d->body, strlen(d->body), NULL);
	struct http_response res = {.body = BUF_INIT};
	struct error err = {0};
	int64_t began = clock_wall_us();
	const char *reason = perform(t, d, &res, &err);
	char *problem = reason ? xasprintf("%s: %s", reason, err.text[0] != '\0' ? err.text : BAD_ANSWER) :
	    has_challenge(&res, json_get_str(o, "challenge")) ? NULL :
								xstrdup(BAD_ANSWER);

	if (w->challenge == d) {
		w->challenge = NULL;
		clock_timer_stop(&w->challenge_timer);
		record(d, began, &res, problem);
		verified(w, problem);
	}
	free(problem);
	json_object_put(o);
	http_response_clear(&res);
	free_delivery(d);
}

static void forget_challenge(struct slk_world *w)
{
	clock_timer_stop(&w->challenge_timer);
	if (w->challenge)
		task_cancel(w->challenge->task);
	w->challenge = NULL;
}

static void on_silence(struct clock_timer *timer, void *arg)
{
	struct slk_world *w = arg;

	(void)timer;
	forget_challenge(w);
	verified(w, "http_timeout: the request URL did not answer in time");
}

void slk_request_url_set(struct slk_world *w)
{
	struct json_object *o;
	char challenge[41];

	forget_challenge(w);
	free(w->url_problem);
	w->url_problem = NULL;
	w->url_state = w->set.request_url[0] != '\0' ? SLK_URL_PENDING : SLK_URL_NONE;
	if (w->url_state == SLK_URL_NONE)
		return;
	o = json_object_new_object();
	clock_random_hex(challenge, 20);
	json_setf(o, "token: %s, challenge: %s, type: 'url_verification'", SLK_VERIFICATION, challenge);
	w->challenge = start(w, NULL, json_text(o), "application/json");
	w->challenge->task = task_start(&w->pg->tasks, "slack challenge", run_challenge, w->challenge);
	clock_timer_start(&w->challenge_timer, (uint64_t)w->set.ack_ms, on_silence, w);
	json_object_put(o);
}

void slk_request_url_write(const struct slk_world *w, struct json_object *out)
{
	static const char *const names[] = {[SLK_URL_NONE] = "none",
	    [SLK_URL_PENDING] = "pending",
	    [SLK_URL_VERIFIED] = "verified",
	    [SLK_URL_FAILED] = "failed"};

	json_setf(out, "request_url_state: %s, request_url_problem: %s", names[w->url_state], w->url_problem);
}

void slk_request_urls_stop(void *self)
{
	struct slk_world *w = self;

	forget_challenge(w);
	w->stopping = true;
}
