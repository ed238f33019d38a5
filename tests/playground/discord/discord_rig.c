#include "tests/playground/discord/discord_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <ctype.h>

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
#include "playground/platform.h"
#include "playground/playground.h"

#define WALL_MS     1790000000000
#define PATIENCE_MS 3600000
#define KEPT        8
#define API         "/discord/api/v10"

static void open_rig(struct discord_rig *rig, const char *data)
{
	struct server_options options = {
	    .listen = "127.0.0.1:0", .max_body = 64 << 20, .handler = playground_serve};
	struct json_object *at_once = json_object_new_object();
	struct platform_instance *discord;
	struct error err = {0};

	rig->pg = playground_new(NULL, data, &err);
	if (!rig->pg)
		fail_msg("%s", err.text);
	rig->pg->strict.on = true;
	/* Its clock stands still. */
	discord = playground_platform(rig->pg, "discord");
	json_set_int(at_once, "hello_ms", 0);
	assert_int_equal(discord->platform->set(discord->self, at_once, NULL), 0);
	json_object_put(at_once);
	options.arg = rig->pg;
	rig->server = server_new(&options, &err);
	if (!rig->server)
		fail_msg("%s", err.text);
	snprintf(rig->url, sizeof(rig->url), "http://127.0.0.1:%u", server_port(rig->server));
}

static void close_rig(struct task *t, struct discord_rig *rig)
{
	server_free(t, rig->server);
	assert_int_equal(playground_save(rig->pg, NULL), 0);
	assert_null(rig->pg->strict.violations); /* each was printed */
	playground_free(rig->pg);
}

void discord_rig_restart(struct task *t, struct discord_rig *rig, const char *data)
{
	close_rig(t, rig);
	open_rig(rig, data);
}

struct run {
	void (*body)(struct task *t, struct discord_rig *rig);
};

static void run(struct task *t, void *arg)
{
	struct discord_rig rig;

	open_rig(&rig, NULL);
	((struct run *)arg)->body(t, &rig);
	close_rig(t, &rig);
	http_finish();
}

void discord_rig_run(void (*body)(struct task *t, struct discord_rig *rig))
{
	clock_fake(WALL_MS, 1);
	task_run("test", run, &(struct run){body});
	assert_int_equal(task_count(), 0);
}

static void note_header(const char *name, const char *value, void *arg)
{
	char lower[64];
	size_t i;

	for (i = 0; name[i] != '\0' && i + 1 < sizeof(lower); i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	lower[i] = '\0';
	json_set_str(((struct discord_reply *)arg)->headers, lower, value);
}

void discord_send(
    struct task *t, struct discord_rig *rig, const struct discord_request *req, struct discord_reply *reply)
{
	char *url =
	    strncmp(req->path, "http", 4) == 0 ? xstrdup(req->path) : xasprintf("%s%s", rig->url, req->path);
	const char *token = req->token ? req->token : "Bot " DISCORD_TOKEN;
	const char *agent = req->agent ? req->agent : DISCORD_AGENT;
	struct http_header headers[3];
	struct http_request http = {
	    .method = req->method,
	    .url = url,
	    .headers = headers,
	    .body = req->body,
	    .body_len = req->body ? strlen(req->body) : 0,
	    .on_header = note_header,
	    .arg = reply,
	};
	struct http_response res = {.body = BUF_INIT};

	*reply = (struct discord_reply){.headers = json_object_new_object()};
	if (token[0] != '\0')
		headers[http.header_count++] = (struct http_header){"Authorization", token};
	headers[http.header_count++] = (struct http_header){"User-Agent", agent};
	if (req->body)
		headers[http.header_count++] = (struct http_header){
		    "Content-Type", req->content_type ? req->content_type : "application/json"};
	http_perform(t, &http, &res, NULL);
	reply->status = res.status;
	reply->text = xstrdup(res.body.data);
	reply->json = json_parse(res.body.data, res.body.len, NULL);
	http_response_clear(&res);
	free(url);
}

void discord_reply_clear(struct discord_reply *reply)
{
	json_object_put(reply->json);
	json_object_put(reply->headers);
	free(reply->text);
	*reply = (struct discord_reply){0};
}

/* "METHOD /path body" below folder. */
static struct json_object *perform(
    struct task *t, struct discord_rig *rig, const char *folder, const char *what, int status)
{
	char method[8], *path, *body;
	struct discord_reply reply;
	struct json_object *o;
	size_t n = strcspn(what, " ");

	assert_true(n < sizeof(method));
	str_copy(method, n + 1, what);
	path = xasprintf("%s%s", folder, what + n + 1);
	body = strchr(path, ' ');
	if (body)
		*body++ = '\0';
	discord_send(t, rig, &(struct discord_request){.method = method, .path = path, .body = body}, &reply);
	if (reply.status != status)
		fail_msg("%s: %d %s", what, reply.status, reply.text);
	o = json_object_get(reply.json);
	discord_reply_clear(&reply);
	free(path);
	return o;
}

#define FORMATTED(text)             \
	struct buf text = BUF_INIT; \
	va_list ap;                 \
	va_start(ap, fmt);          \
	buf_vaddf(&text, fmt, ap);  \
	va_end(ap)

struct json_object *discord_call(struct task *t, struct discord_rig *rig, int status, const char *fmt, ...)
{
	struct json_object *o;
	FORMATTED(what);

	o = perform(t, rig, API, what.data, status);
	buf_clear(&what);
	return o;
}

void discord_refused(struct task *t, struct discord_rig *rig, int status, int code, const char *fmt, ...)
{
	struct json_object *o;
	FORMATTED(what);

	o = perform(t, rig, API, what.data, status);
	if (json_get_int(o, "code", -1) != code || !json_get_str(o, "message"))
		fail_msg("%s: %s", what.data, json_object_get_string(o));
	json_object_put(o);
	buf_clear(&what);
}

void discord_invalid(
    struct task *t, struct discord_rig *rig, const char *place, const char *code, const char *fmt, ...)
{
	char *path = xasprintf("errors%s%s._errors.0.code", place[0] != '\0' ? "." : "", place);
	struct json_object *o;
	FORMATTED(what);

	o = perform(t, rig, API, what.data, 400);
	discord_has(o, "code", "50035");
	discord_has(o, "message", "Invalid Form Body");
	discord_has(o, path, code);
	json_object_put(o);
	buf_clear(&what);
	free(path);
}

static struct json_object *control(
    struct task *t, struct discord_rig *rig, const char *name, const char *members)
{
	char *what = xasprintf(
	    "POST /%s {\"platform\":\"discord\"%s%s}", name, members[0] != '\0' ? "," : "", members);
	struct json_object *o = perform(t, rig, "/control", what, 200);

	free(what);
	return o;
}

struct json_object *discord_control(
    struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...)
{
	struct json_object *o;
	FORMATTED(members);

	o = control(t, rig, name, members.data);
	buf_clear(&members);
	return o;
}

void discord_order(struct task *t, struct discord_rig *rig, const char *name, const char *fmt, ...)
{
	FORMATTED(members);

	json_object_put(control(t, rig, name, members.data));
	buf_clear(&members);
}

void discord_set(struct task *t, struct discord_rig *rig, const char *settings)
{
	char *what = xasprintf("POST /settings {\"discord\":{%s}}", settings);

	json_object_put(perform(t, rig, "/control", what, 200));
	free(what);
}

struct json_object *discord_transcript(struct task *t, struct discord_rig *rig, const char *chat)
{
	char *what = xasprintf("GET /transcript?platform=discord&chat=%s", chat);
	struct json_object *o = perform(t, rig, "/control", what, 200);

	free(what);
	return o;
}

const char *discord_keep(struct json_object *o, const char *path)
{
	static char kept[KEPT][512];
	static int next;
	char *out = kept[next++ % KEPT];

	str_copy(out, sizeof(kept[0]), discord_at(o, path));
	json_object_put(o);
	return out;
}

const char *discord_say(struct task *t, struct discord_rig *rig, const char *text)
{
	return discord_keep(discord_control(t, rig, "say",
				"\"chat\":\"dev\",\"kind\":\"group\",\"user\":\"ann\",\"text\":\"%s\"", text),
	    "message_id");
}

const char *discord_dev(struct task *t, struct discord_rig *rig)
{
	return discord_keep(
	    discord_control(t, rig, "chat", "\"chat\":\"dev\",\"kind\":\"group\""), "chat_id");
}

struct websocket *discord_connect_at(struct task *t, const char *url, const char *query)
{
	char *whole = xasprintf("%s/?%s", url, query);
	struct websocket_options options = {.url = whole};
	struct error err = {0};
	struct websocket *w = websocket_open(t, &options, &err);

	if (!w)
		fail_msg("%s", err.text);
	free(whole);
	return w;
}

struct websocket *discord_connect(struct task *t, struct discord_rig *rig)
{
	char *url = xasprintf("ws%s/discord/gateway", rig->url + 4);
	struct websocket *w = discord_connect_at(t, url, "v=10&encoding=json");

	discord_hear_op(t, w, 10, "{\"heartbeat_interval\":41250}");
	free(url);
	return w;
}

void discord_tell(struct task *t, struct websocket *w, const char *text)
{
	assert_int_equal(websocket_send(t, w, text, strlen(text), NULL), 0);
}

struct websocket *discord_login(
    struct task *t, struct discord_rig *rig, const char *intents, struct json_object **ready)
{
	struct websocket *w = discord_connect(t, rig);
	char *identify = xasprintf(
	    "{\"op\":2,\"d\":{\"token\":\"" DISCORD_TOKEN
	    "\",\"intents\":%s,\"properties\":{\"os\":\"linux\",\"browser\":\"x\",\"device\":\"x\"}}}",
	    intents);
	struct json_object *o;

	discord_tell(t, w, identify);
	o = discord_hear_event(t, w, "READY");
	if (ready)
		*ready = o;
	else
		json_object_put(o);
	free(identify);
	return w;
}

struct json_object *discord_hear(struct task *t, struct websocket *w)
{
	struct buf message = BUF_INIT;
	struct error err = {0};
	struct json_object *o;

	if (websocket_receive(t, w, &message, PATIENCE_MS, &err) != 1)
		fail_msg("nothing is heard: %s", err.text);
	o = json_parse_object(message.data, message.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, message.data);
	buf_clear(&message);
	return o;
}

struct json_object *discord_hear_event(struct task *t, struct websocket *w, const char *name)
{
	struct json_object *o = discord_hear(t, w);

	discord_has(o, "op", "0");
	discord_has(o, "t", name);
	return o;
}

void discord_skip_event(struct task *t, struct websocket *w, const char *name)
{
	json_object_put(discord_hear_event(t, w, name));
}

void discord_hear_op(struct task *t, struct websocket *w, int op, const char *d)
{
	struct json_object *o = discord_hear(t, w);
	struct buf text = BUF_INIT;

	json_write(&text, json_get(o, "d"));
	assert_int_equal(json_get_int(o, "op", -1), op);
	assert_string_equal(text.data, d);
	buf_clear(&text);
	json_object_put(o);
}

void discord_expect_close(struct task *t, struct websocket *w, unsigned code)
{
	struct buf message = BUF_INIT;

	while (websocket_receive(t, w, &message, PATIENCE_MS, NULL) == 1)
		;
	assert_int_equal(websocket_close_code(w), code);
	buf_clear(&message);
	websocket_close(t, w, 4900, "");
}

/* What was written on loopback is there at once; a few turns of the loop take it in. */
static void settle(struct task *t)
{
	for (int i = 0; i < 20; i++)
		task_yield(t, NULL);
}

void discord_pass(struct task *t, unsigned ms)
{
	settle(t);
	clock_advance(ms);
	settle(t);
}

const char *discord_at(struct json_object *o, const char *path)
{
	return client_at(o, path);
}

void discord_has(struct json_object *o, const char *path, const char *text)
{
	if (strcmp(discord_at(o, path), text) != 0)
		fail_msg("%s is not \"%s\" in %s", path, text, json_object_get_string(o));
}

void discord_reported(
    struct task *t, struct discord_rig *rig, const char *check, const char *method, int64_t count)
{
	struct discord_reply report;
	int64_t found = 0;

	discord_send(t, rig, &(struct discord_request){.method = "GET", .path = "/control/report"}, &report);
	json_each(json_get_array(report.json, "findings"), finding)
		if (strcmp(json_get_str(finding, "check"), check) == 0 &&
		    strcmp(json_get_str(finding, "method"), method) == 0)
			found += json_get_int(finding, "count", 0);
	if (found != count)
		fail_msg("not %lld of %s: %s", (long long)count, check, report.text);
	discord_reply_clear(&report);
}
