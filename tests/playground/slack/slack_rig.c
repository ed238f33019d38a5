#include "tests/playground/slack/slack_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <strings.h>
#include <cmocka.h>

#include "lib/client.h"
#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "net/http/http.h"
#include "net/server/server.h"
#include "net/websocket/websocket.h"
#include "playground/playground.h"

#define WALL_MS     1790000000000
#define PATIENCE_MS 3600000
#define SMALL       4

static void open_rig(struct slack_rig *rig, const char *data)
{
	struct server_options options = {
	    .listen = "127.0.0.1:0", .max_body = 8 << 20, .handler = playground_serve};
	struct error err = {0};

	rig->pg = playground_new(NULL, data, &err);
	if (!rig->pg)
		fail_msg("%s", err.text);
	rig->pg->strict.on = true;
	options.arg = rig->pg;
	rig->server = server_new(&options, &err);
	if (!rig->server)
		fail_msg("%s", err.text);
	snprintf(rig->url, sizeof(rig->url), "http://127.0.0.1:%u", server_port(rig->server));
}

static void close_rig(struct task *t, struct slack_rig *rig)
{
	server_free(t, rig->server);
	playground_stop(t, rig->pg);
	assert_int_equal(playground_save(rig->pg, NULL), 0);
	assert_null(rig->pg->strict.violations); /* each was printed */

	playground_free(rig->pg);
}

void slack_rig_restart(struct task *t, struct slack_rig *rig, const char *data)
{
	close_rig(t, rig);
	open_rig(rig, data);
}

void slack_rig_forget(struct task *t, struct slack_rig *rig, const char *data)
{
	char *file = xasprintf("%s/playground.json", data);

	slack_rig_restart(t, rig, NULL);
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(data), 0);
	free(file);
}

struct run {
	void (*body)(struct task *t, struct slack_rig *rig);
};

static void run(struct task *t, void *arg)
{
	struct slack_rig rig;

	open_rig(&rig, NULL);
	((struct run *)arg)->body(t, &rig);
	close_rig(t, &rig);
	http_finish();
}

void slack_rig_run(void (*body)(struct task *t, struct slack_rig *rig))
{
	clock_fake(WALL_MS, 1);
	task_run("test", run, &(struct run){body});
	assert_int_equal(task_count(), 0);
}

struct heads {
	struct slack_reply *reply;
};

static void note_header(const char *name, const char *value, void *arg)
{
	struct heads *h = arg;

	if (strcasecmp(name, "location") == 0)
		str_copy(h->reply->location, sizeof(h->reply->location), value);
}

void slack_send(
    struct task *t, struct slack_rig *rig, const struct slack_request *req, struct slack_reply *reply)
{
	char *url =
	    strncmp(req->path, "http", 4) == 0 ? xstrdup(req->path) : xasprintf("%s%s", rig->url, req->path);
	char *bearer = xasprintf("Bearer %s", req->token ? req->token : BOT_TOKEN);
	struct http_header headers[2];
	struct heads heads = {reply};
	struct http_request http = {
	    .method = req->method ? req->method : "POST",
	    .url = url,
	    .headers = headers,
	    .body = req->body,
	    .body_len = req->body ? strlen(req->body) : 0,
	    .on_header = note_header,
	    .arg = &heads,
	};
	struct http_response res = {.body = BUF_INIT};

	*reply = (struct slack_reply){0};
	if (!req->token || req->token[0] != '\0')
		headers[http.header_count++] = (struct http_header){"Authorization", bearer};
	if (!req->content_type || req->content_type[0] != '\0')
		headers[http.header_count++] = (struct http_header){"Content-Type",
		    req->content_type ? req->content_type : "application/json; charset=utf-8"};
	http_perform(t, &http, &res, NULL);
	reply->status = res.status;
	reply->retry_s = (unsigned)(res.retry_after_ms / 1000);
	reply->text = xstrdup(res.body.data);
	str_copy(reply->content_type, sizeof(reply->content_type), res.content_type);
	reply->json = json_parse(res.body.data, res.body.len, NULL);
	http_response_clear(&res);
	free(bearer);
	free(url);
}

void slack_reply_clear(struct slack_reply *reply)
{
	json_object_put(reply->json);
	free(reply->text);
	*reply = (struct slack_reply){0};
}

static struct json_object *post(
    struct task *t, struct slack_rig *rig, const char *folder, const char *name, const char *body)
{
	char *path = xasprintf("%s%s", folder, name);
	struct slack_reply reply;
	struct json_object *o;

	slack_send(t, rig, &(struct slack_request){.path = path, .body = body}, &reply);
	if (!reply.json)
		fail_msg("%s: %d %s", name, reply.status, reply.text);
	o = json_object_get(reply.json);
	slack_reply_clear(&reply);
	free(path);
	return o;
}

struct json_object *slack_call(
    struct task *t, struct slack_rig *rig, const char *method, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	o = post(t, rig, "/slack/api/", method, body.data);
	buf_clear(&body);
	return o;
}

void slack_expect(
    struct task *t, struct slack_rig *rig, const char *method, const char *error, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	o = post(t, rig, "/slack/api/", method, body.data);
	if (strcmp(slack_at(o, "error"), error ? error : "") != 0)
		fail_msg("%s %s: %s", method, body.data, json_object_get_string(o));
	json_object_put(o);
	buf_clear(&body);
}

struct json_object *slack_control(
    struct task *t, struct slack_rig *rig, const char *name, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	buf_addstr(&body, "{\"platform\":\"slack\"");
	if (fmt[0] != '\0')
		buf_addch(&body, ',');
	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	buf_addch(&body, '}');
	o = post(t, rig, "/control/", name, body.data);
	if (!json_get_bool(o, "ok", false))
		fail_msg("%s %s: %s", name, body.data, json_object_get_string(o));
	buf_clear(&body);
	return o;
}

void slack_control_refused(
    struct task *t, struct slack_rig *rig, const char *name, const char *sentence, const char *fmt, ...)
{
	struct buf body = BUF_INIT;
	struct json_object *o;
	va_list ap;

	buf_addstr(&body, "{\"platform\":\"slack\",");
	va_start(ap, fmt);
	buf_vaddf(&body, fmt, ap);
	va_end(ap);
	buf_addch(&body, '}');
	o = post(t, rig, "/control/", name, body.data);
	if (!strstr(slack_at(o, "error"), sentence))
		fail_msg("%s %s: %s", name, body.data, json_object_get_string(o));
	json_object_put(o);
	buf_clear(&body);
}

static struct json_object *get(struct task *t, struct slack_rig *rig, const char *path)
{
	struct slack_reply reply;
	struct json_object *o;

	slack_send(
	    t, rig, &(struct slack_request){.path = path, .method = "GET", .content_type = ""}, &reply);
	assert_non_null(reply.json);
	o = json_object_get(reply.json);
	slack_reply_clear(&reply);
	return o;
}

struct json_object *slack_about(struct task *t, struct slack_rig *rig, const char *chat, const char *user)
{
	char *path = xasprintf("/control/about?platform=slack&chat=%s&user=%s", chat, user);
	struct json_object *o = get(t, rig, path);

	free(path);
	return o;
}

void slack_set(struct task *t, struct slack_rig *rig, const char *settings)
{
	char *body = xasprintf("{\"slack\":{%s}}", settings);
	struct json_object *o = post(t, rig, "/control/", "settings", body);

	slack_has(o, "ok", "true");
	json_object_put(o);
	free(body);
}

/* Takes o; a copy of what it has at path. */
static const char *keep(struct json_object *o, const char *path)
{
	static char kept[SMALL][32];
	static int next;
	char *out = kept[next++ % SMALL];

	str_copy(out, sizeof(kept[0]), slack_at(o, path));
	json_object_put(o);
	return out;
}

const char *slack_say(struct task *t, struct slack_rig *rig, const char *text)
{
	return keep(slack_control(t, rig, "say",
			"\"chat\":\"dev\",\"kind\":\"channel\",\"user\":\"ann\",\"text\":\"%s\"", text),
	    "message_id");
}

const char *slack_dev(struct task *t, struct slack_rig *rig)
{
	return keep(slack_control(t, rig, "chat", "\"chat\":\"dev\",\"kind\":\"channel\""), "chat_id");
}

struct json_object *slack_transcript(struct task *t, struct slack_rig *rig, const char *chat)
{
	char *path = xasprintf("/control/transcript?platform=slack&chat=%s", chat);
	struct json_object *o = get(t, rig, path);

	free(path);
	return o;
}

struct websocket *slack_connect(struct task *t, struct slack_rig *rig, const char *token)
{
	struct websocket_options options = {0};
	struct slack_reply reply;
	struct error err = {0};
	struct websocket *w;

	slack_send(t, rig,
	    &(struct slack_request){.path = "/slack/api/apps.connections.open",
		.token = token ? token : APP_TOKEN,
		.content_type = ""},
	    &reply);
	slack_has(reply.json, "ok", "true");
	options.url = slack_at(reply.json, "url");
	w = websocket_open(t, &options, &err);
	if (!w)
		fail_msg("%s", err.text);
	slack_reply_clear(&reply);
	return w;
}

struct websocket *slack_attach(struct task *t, struct slack_rig *rig)
{
	struct websocket *w = slack_connect(t, rig, NULL);
	struct json_object *hello = slack_hear(t, w);

	slack_has(hello, "type", "hello");
	json_object_put(hello);
	return w;
}

struct json_object *slack_hear(struct task *t, struct websocket *w)
{
	struct buf message = BUF_INIT;
	struct error err = {0};
	struct json_object *o;

	if (websocket_receive(t, w, &message, PATIENCE_MS, &err) != 1)
		fail_msg("nothing is heard: %s", err.text);
	o = json_parse(message.data, message.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, message.data);
	buf_clear(&message);
	return o;
}

void slack_acknowledge(struct task *t, struct websocket *w, struct json_object *envelope)
{
	char *text = xasprintf("{\"envelope_id\":\"%s\"}", slack_at(envelope, "envelope_id"));

	assert_int_equal(websocket_send(t, w, text, strlen(text), NULL), 0);
	free(text);
}

void slack_answer(struct task *t, struct websocket *w, struct json_object *envelope, const char *payload)
{
	char *text =
	    xasprintf("{\"envelope_id\":\"%s\",\"payload\":%s}", slack_at(envelope, "envelope_id"), payload);

	assert_int_equal(websocket_send(t, w, text, strlen(text), NULL), 0);
	free(text);
	slack_pass(t, 0);
}

struct json_object *slack_hear_interaction(struct task *t, struct websocket *w, const char *type)
{
	struct json_object *o = slack_hear(t, w);

	slack_has(o, "type", "interactive");
	slack_has(o, "payload.type", type);
	return o;
}

void slack_hear_event(struct task *t, struct websocket *w, const char *what)
{
	struct json_object *o = slack_hear(t, w);
	const char *type = slack_at(o, "payload.event.type"), *subtype = slack_at(o, "payload.event.subtype");

	if (strcmp(subtype[0] != '\0' ? subtype : type, what) != 0)
		fail_msg("not %s: %s", what, json_object_get_string(o));
	slack_acknowledge(t, w, o);
	json_object_put(o);
}

/* What was written on loopback is there at once; a few turns of the loop take it in. */
static void settle(struct task *t)
{
	for (int i = 0; i < 20; i++)
		task_yield(t, NULL);
}

void slack_pass(struct task *t, unsigned ms)
{
	settle(t);
	clock_advance(ms);
	settle(t);
}

const char *slack_at(struct json_object *o, const char *path)
{
	return client_at(o, path);
}

void slack_has(struct json_object *o, const char *path, const char *text)
{
	if (strcmp(slack_at(o, path), text) != 0)
		fail_msg("%s is not \"%s\" in %s", path, text, json_object_get_string(o));
}

size_t slack_refusals(struct slack_rig *rig)
{
	const struct record_log *log = &playground_platform(rig->pg, "slack")->log;
	size_t n = 0;

	for (size_t i = 0; i < log->count; i++)
		n += log->ring[(log->first + i) % RECORD_MAX].refused;
	return n;
}

void slack_reported(
    struct task *t, struct slack_rig *rig, const char *check, const char *method, int64_t count)
{
	struct slack_reply report;
	int64_t found = 0;

	slack_send(t, rig,
	    &(struct slack_request){.method = "GET", .path = "/control/report", .content_type = ""}, &report);
	json_each(json_get_array(report.json, "findings"), finding)
		if (strcmp(json_get_str(finding, "check"), check) == 0 &&
		    strcmp(json_get_str(finding, "method"), method) == 0)
			found += json_get_int(finding, "count", 0);
	if (found != count)
		fail_msg("not %lld of %s: %s", (long long)count, check, report.text);
	slack_reply_clear(&report);
}
