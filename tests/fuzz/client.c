#include "fuzz/client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>
#define ZLIB_CONST /* it takes what it reads as const */
#include <zlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/text/base64.h"
#include "base/time/clock.h"
#include "net/http/http.h"
#include "playground/discord/gateway/etf.h"
#include "playground/server/delivery.h"
#include "playground/server/form.h"

#define BODY_MAX     (1 << 20)
#define HEARD_MAX    64
#define BOUNDARY     "fuzz-7d1a0c52e3"
#define WAIT_MAX_MS  600000
#define WAIT_STEPS   100
#define UNPACKED_MAX (1 << 20)
#define ETF_VERSION  131

/* A connection without a socket: nobody sends what is written to it. */
struct fuzz_wire {
	struct list link, unsent;
	struct server_connection connection;
	bool head;     /* the request's method is HEAD */
	bool upgraded; /* to a WebSocket */
	bool stream;   /* compressed as a whole */
	bool binary;   /* the message */
	bool closed;   /* has its close frame */
	struct buf message;
};

/* Whom the playground's own requests reach. */
static struct fuzz_client *client;

static void hear(struct fuzz_client *c, struct json_object *o)
{
	json_object_array_add(c->heard, o);
	if (json_count(c->heard) > HEARD_MAX)
		json_object_array_del_idx(c->heard, 0, 1);
}

/* Runs what is ready. Time stands still. */
static void run_tasks(void)
{
	do {
		clock_advance(0);
	} while (uv_run(uv_default_loop(), UV_RUN_NOWAIT) != 0);
}

/* Connections. */

static struct fuzz_wire *connect_wire(struct fuzz_client *c)
{
	struct fuzz_wire *w = xcalloc(1, sizeof(*w));

	w->connection.server = &c->server;
	list_init(&w->connection.link);
	buf_init(&w->connection.in);
	buf_init(&w->connection.out);
	buf_init(&w->message);
	/* It waits to be sent already, so that the server does not queue it. */
	list_init(&w->unsent);
	list_append(&w->unsent, &w->connection.unsent);
	list_append(&c->wires, &w->link);
	return w;
}

static void hang_up(struct fuzz_wire *w)
{
	server_request_abandon(&w->connection);
	run_tasks();
	list_remove(&w->link);
	buf_clear(&w->connection.in);
	buf_clear(&w->connection.out);
	buf_clear(&w->message);
	free(w);
}

static void take_text(struct fuzz_client *c, const struct buf *message)
{
	struct json_object *o =
	    c->odd ? json_parse(message->data, message->len, NULL) : fuzz_hold_json(message->data);

	if (!c->odd)
		c->kind->hold_message(o);
	hear(c, o);
}

/* A text that is compressed by itself. */
static void take_compressed(struct fuzz_client *c, const struct buf *message)
{
	struct buf text = BUF_INIT;
	uLongf len = UNPACKED_MAX;

	buf_reserve(&text, UNPACKED_MAX + 1);
	HOLDS(uncompress((unsigned char *)text.data, &len, (const unsigned char *)message->data,
		  message->len) == Z_OK);
	text.len = len;
	text.data[len] = '\0';
	take_text(c, &text);
	buf_clear(&text);
}

static void take_term(struct fuzz_client *c, const struct buf *message)
{
	struct json_object *o = etf_read(message->data, message->len, true, NULL);

	HOLDS(o || c->odd);
	if (!c->odd)
		c->kind->hold_message(o);
	hear(c, o);
}

/* What is part of a compressed stream stays unread. */
static void take_bytes(struct fuzz_client *c, const struct fuzz_wire *w, const struct buf *message)
{
	if (w->stream)
		return;
	HOLDS(message->len > 0);
	if ((unsigned char)message->data[0] == ETF_VERSION)
		take_term(c, message);
	else
		take_compressed(c, message);
}

static void take_close(struct fuzz_client *c, struct fuzz_wire *w, const unsigned char *data, size_t len)
{
	unsigned code = len >= 2 ? data[0] * 256u + data[1] : 0;

	HOLDS(!w->closed && len != 1);
	HOLDS(c->odd || code == 0 || (code >= 1000 && code < 1012) || c->kind->is_close_code(code));
	w->closed = true;
}

/* A frame of a server has no mask (RFC 6455, 5.2). Returns its size. */
static size_t take_frame(struct fuzz_client *c, struct fuzz_wire *w, const unsigned char *at, size_t left)
{
	unsigned opcode = at[0] & 15u;
	size_t size = 2, len;

	HOLDS(left >= size);
	len = at[1];
	if (len >= 126) {
		size += len == 126 ? 2 : 8;
		HOLDS(at[1] <= 127 && left >= size);
		len = 0;
		for (size_t i = 2; i < size; i++)
			len = len * 256 + at[i];
	}
	HOLDS(left - size >= len && (opcode <= 2 || (opcode >= 8 && opcode <= 10)));
	if (opcode <= 2)
		buf_add(&w->message, at + size, len);
	if (opcode == 1 || opcode == 2)
		w->binary = opcode == 2;
	if (opcode == 8)
		take_close(c, w, at + size, len);
	if (opcode <= 2 && at[0] & 0x80) {
		if (w->binary)
			take_bytes(c, w, &w->message);
		else
			take_text(c, &w->message);
		buf_reset(&w->message);
	}
	return size + len;
}

static void take_body(struct fuzz_client *c, const struct fuzz_wire *w, char *head, const struct buf *body)
{
	const char *length = strstr(head, "\r\nContent-Length: ");
	size_t wanted = length ? strtoul(length + strlen("\r\nContent-Length: "), NULL, 10) : 0;

	HOLDS(body->len == (w->head ? 0 : wanted));
	if (body->len > 0 && strstr(head, "\r\nContent-Type: application/json"))
		hear(c, fuzz_hold_json(body->data));
}

/* Returns false while there is no answer. */
static bool take_head(struct fuzz_client *c, struct fuzz_wire *w)
{
	struct buf *out = &w->connection.out;
	char *end = out->len > 0 ? memmem(out->data, out->len, "\r\n\r\n", 4) : NULL;
	int status = 0;
	char *head;

	if (!end)
		return false;
	head = xstrndup(out->data, (size_t)(end - out->data));
	buf_consume(out, (size_t)(end - out->data) + 4);
	HOLDS(sscanf(head, "HTTP/1.1 %3d ", &status) == 1 && status >= 101 && status != 500);
	w->upgraded = status == 101;
	if (!w->upgraded)
		take_body(c, w, head, out);
	free(head);
	return true;
}

/* Reads what was written. Returns false when the wire has nothing more to say. */
static bool read_wire(struct fuzz_client *c, struct fuzz_wire *w)
{
	struct buf *out = &w->connection.out;
	size_t at = 0;

	if (!w->upgraded && take_head(c, w) && !w->upgraded)
		return false;
	while (w->upgraded && at < out->len)
		at += take_frame(c, w, (unsigned char *)out->data + at, out->len - at);
	buf_consume(out, at);
	return w->connection.request;
}

static void read_wires(struct fuzz_client *c)
{
	run_tasks();
	list_each_entry(&c->wires, struct fuzz_wire, w, link)
		if (!read_wire(c, w))
			hang_up(w);
}

static void write_wire(struct fuzz_client *c, struct fuzz_wire *w, const void *data, size_t len)
{
	buf_add(&w->connection.in, data, len);
	server_request_receive(&w->connection);
	read_wires(c);
}

void fuzz_client_send(struct fuzz_client *c, unsigned opcode, const void *data, size_t len)
{
	struct fuzz_wire *w = NULL;
	struct buf frame = BUF_INIT;

	list_each_entry(&c->wires, struct fuzz_wire, one, link)
		w = one->upgraded ? one : w;
	if (!w || len > UINT16_MAX)
		return;
	buf_addch(&frame, (char)(0x80 | opcode));
	buf_addch(&frame, (char)(0x80 | (len < 126 ? len : 126)));
	if (len >= 126) {
		buf_addch(&frame, (char)(len >> 8));
		buf_addch(&frame, (char)len);
	}
	buf_add(&frame, "\0\0\0\0", 4); /* a mask that changes nothing */
	buf_add(&frame, data, len);
	write_wire(c, w, frame.data, frame.len);
	buf_clear(&frame);
}

/* Requests. */

static void add_form(struct buf *out, struct json_object *members)
{
	json_object_object_foreach(members, name, value) {
		const char *text = value ? json_object_get_string(value) : "";

		if (out->len > 0)
			buf_addch(out, '&');
		http_url_encode(out, name, strlen(name));
		buf_addch(out, '=');
		http_url_encode(out, text, strlen(text));
	}
}

static void add_part(struct buf *out, const char *name, struct json_object *value)
{
	const char *filename =
		       json_object_is_type(value, json_type_object) ? json_get_str(value, "filename") : NULL,
		   *base64 = filename ? json_get_str(value, "base64") : NULL;

	buf_addf(out, "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"%s\"", name);
	if (filename)
		buf_addf(out, "; filename=\"%s\"", filename);
	buf_addstr(out, "\r\n\r\n");
	if (base64)
		base64_decode(out, base64, strlen(base64));
	else if (!filename && value)
		buf_addstr(out, json_object_get_string(value));
	buf_addstr(out, "\r\n");
}

static void add_parts(struct buf *out, struct json_object *members)
{
	json_object_object_foreach(members, name, value)
		add_part(out, name, value);
	buf_addstr(out, "--" BOUNDARY "--\r\n");
}

/* Appends the body. Returns its type. */
static const char *add_body(struct buf *out, const char *kind, struct json_object *members)
{
	if (strcmp(kind, "form") == 0) {
		add_form(out, members);
		return "application/x-www-form-urlencoded";
	}
	if (strcmp(kind, "parts") == 0) {
		add_parts(out, members);
		return "multipart/form-data; boundary=" BOUNDARY;
	}
	if (strcmp(kind, "text") == 0) {
		buf_addstr(out, json_get_str(members, "text") ? json_get_str(members, "text") : "");
		return "text/plain";
	}
	/* Some take a list. */
	json_write(out, json_get(members, "list") ? json_get(members, "list") : members);
	return "application/json; charset=utf-8";
}

/* Below the base, with the platform's prefix, or of a URL. */
static char *path_of(const struct fuzz_client *c, const char *place)
{
	char *filled = fuzz_fill_text(c->heard, place), *path = strstr(filled, "://");

	path = path ? strchr(path + 3, '/') : filled;
	if (path &&
	    (path != filled ||
		strncmp(path, c->kind->platform->prefix, strlen(c->kind->platform->prefix)) == 0))
		path = xstrdup(path);
	else
		path = xasprintf("%s%s", c->kind->base, filled);
	free(filled);
	return path;
}

static void add_head(struct buf *out, const struct fuzz_client *c, const char *method, const char *path)
{
	const char *authorization = c->kind->authorize ? c->kind->authorize(path) : NULL;

	buf_addf(out, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: DiscordBot (https://a.de, 1)\r\n",
	    method, path);
	if (authorization)
		buf_addf(out, "Authorization: %s\r\n", authorization);
}

static void request(struct fuzz_client *c, const char *method, const char *kind, const char *place,
    struct json_object *members)
{
	struct fuzz_wire *w = connect_wire(c);
	struct buf body = BUF_INIT, out = BUF_INIT;
	const char *type = add_body(&body, kind, members);
	char *path = path_of(c, place);

	w->head = strcmp(method, "HEAD") == 0;
	add_head(&out, c, method, path);
	buf_addf(&out, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, body.len);
	buf_add(&out, body.data, body.len);
	write_wire(c, w, out.data, out.len);
	buf_clear(&body);
	buf_clear(&out);
	free(path);
}

static void call_request(struct fuzz_client *c, const char *name, struct json_object *members)
{
	char *method = xstrdup(name), *place = strchr(method, ':'), *kind;

	if (place) {
		*place++ = '\0';
		kind = strchr(method, '+');
		if (kind)
			*kind++ = '\0';
		request(c, method, kind ? kind : "", place, members);
	}
	free(method);
}

static void connect_socket(struct fuzz_client *c, const char *place)
{
	struct fuzz_wire *w = connect_wire(c);
	struct buf out = BUF_INIT;
	char *path = path_of(c, place);

	w->stream = strstr(path, "compress=");
	add_head(&out, c, "GET", path);
	buf_addstr(&out,
	    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
	    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n");
	write_wire(c, w, out.data, out.len);
	buf_clear(&out);
	free(path);
}

static void shut_socket(struct fuzz_client *c, struct json_object *members)
{
	uint64_t code = (uint64_t)json_get_int(members, "code", 1000);
	const char bytes[] = {(char)(code >> 8), (char)code};

	fuzz_client_send(c, 8, bytes, sizeof(bytes));
}

/* In steps, so that what becomes due runs in its time. */
static void wait(struct fuzz_client *c, struct json_object *members)
{
	int64_t ms = json_get_int(members, "ms", 0);
	uint64_t left = ms < 0 ? 0 : ms < WAIT_MAX_MS ? (uint64_t)ms : WAIT_MAX_MS;

	for (size_t i = 0; left > 0 && i < WAIT_STEPS; i++) {
		uint64_t now = clock_now(), due = clock_first_due(),
			 step = due > now && due - now < left ? due - now : left;

		clock_advance(step);
		left -= step;
		read_wires(c);
	}
}

static void set(struct fuzz_client *c, struct json_object *members)
{
	struct error err = {0};

	if (c->kind->platform->set(c->stage.world, members, &err) != 0)
		fuzz_hold_sentence(err.text);
}

/* People restore what the platform has saved, with other members in it; those are theirs. */
static void restore(struct fuzz_client *c, struct json_object *members)
{
	const struct platform *p = c->kind->platform;
	struct json_object *state = p->save(c->stage.world);
	struct error err = {0};

	json_object_object_foreach(members, name, value) {
		json_set(state, name, json_object_get(value));
		c->stage.pg.strict.on = false;
	}
	p->reset(c->stage.world);
	if (p->load(c->stage.world, state, &err) != 0) {
		fuzz_hold_sentence(err.text);
		p->reset(c->stage.world);
	}
	json_object_put(state);
}

static void call_filled(struct fuzz_client *c, const char *name, struct json_object *members)
{
	char *text;

	if (strncmp(name, "connect:", 8) == 0) {
		connect_socket(c, name + 8);
	} else if (strcmp(name, "send") == 0) {
		text = json_text(members);
		fuzz_client_send(c, 1, text, strlen(text));
		free(text);
	} else if (strcmp(name, "text") == 0) {
		const char *raw = json_get_str(members, "text");

		fuzz_client_send(c, 1, raw ? raw : "", raw ? strlen(raw) : 0);
	} else if (strcmp(name, "close") == 0) {
		shut_socket(c, members);
	} else if (strcmp(name, "wait") == 0) {
		wait(c, members);
	} else if (strcmp(name, "set") == 0) {
		set(c, members);
	} else if (strcmp(name, "restore") == 0) {
		restore(c, members);
	} else {
		call_request(c, name, members);
	}
}

void fuzz_client_call(struct fuzz_stage *s, const char *name, struct json_object *members)
{
	struct fuzz_client *c = (struct fuzz_client *)s;
	struct json_object *filled;

	if (strcmp(name, "deliver") == 0) { /* it may tell what it will have heard */
		json_object_array_add(c->answers, json_object_get(members));
		return;
	}
	filled = fuzz_fill(c->heard, members);
	call_filled(c, name, filled);
	json_object_put(filled);
}

/* The bot's own server. */

static void hear_delivery(struct fuzz_client *c, const struct http_request *req)
{
	struct json_object *o = json_parse(req->body, req->body_len, NULL);
	const char *payload;

	HOLDS(req->url && *req->url != '\0');
	if (!o) {
		o = json_object_new_object();
		HOLDS(form_read(o, req->body, req->body_len, NULL) == 0);
		payload = json_get_str(o, "payload");
		if (payload)
			json_set(o, "payload", fuzz_hold_json(payload));
	}
	hear(c, o);
}

static void answer_delivery(struct json_object *answer, struct http_response *res)
{
	const char *type = json_get_str(answer, "type");
	struct json_object *body = json_get(answer, "body");

	res->status = (int)(json_get_int(answer, "status", 200) & 1023);
	res->sent = true;
	str_copy(res->content_type, sizeof(res->content_type), type ? type : "application/json");
	if (json_object_is_type(body, json_type_string))
		buf_addstr(&res->body, json_object_get_string(body));
	else if (body)
		json_write(&res->body, body);
}

int __wrap_delivery_perform(struct task *t, struct playground *pg, const char *platform, const char *method,
    const struct http_request *req, struct http_response *res, struct error *err);
int __wrap_delivery_perform(struct task *t, struct playground *pg, const char *platform, const char *method,
    const struct http_request *req, struct http_response *res, struct error *err)
{
	struct json_object *answer;

	(void)pg;
	(void)platform;
	(void)method;
	if (task_check(t, err) != 0)
		return -1;
	hear_delivery(client, req);
	if (json_count(client->answers) == 0)
		return error_set(err, ERROR_NETWORK, "Nobody listens there.");
	answer = fuzz_fill(client->heard, json_at(client->answers, 0));
	json_object_array_del_idx(client->answers, 0, 1);
	answer_delivery(answer, res);
	json_object_put(answer);
	return 0;
}

/* The whole. */

static void serve(struct task *t, struct server_request *req, void *arg)
{
	struct fuzz_client *c = arg;
	const struct platform *p = c->kind->platform;

	if (strncmp(server_path(req), p->prefix, strlen(p->prefix)) == 0)
		p->serve(t, c->stage.world, req);
	else
		server_respond(req, 404, "text/plain", NULL, "", 0);
}

/* What people tell the platform to send is no platform's. */
static void after(struct fuzz_stage *s, const struct platform_action *action)
{
	struct fuzz_client *c = (struct fuzz_client *)s;

	c->odd = action && strcmp(action->name, "socket") == 0;
	read_wires(c);
	c->odd = false;
}

void fuzz_client_open(struct fuzz_client *c, const struct fuzz_client_kind *kind)
{
	*c = (struct fuzz_client){.kind = kind,
	    .server.options = {.max_body = BODY_MAX, .max_requests = SIZE_MAX, .handler = serve, .arg = c}};
	fuzz_stage_open(&c->stage, kind->platform);
	c->stage.after = after;
	list_init(&c->server.connections);
	task_group_init(&c->server.tasks);
	list_init(&c->wires);
	c->heard = json_object_new_array();
	c->answers = json_object_new_array();
	client = c;
}

void fuzz_client_close(struct fuzz_client *c)
{
	read_wires(c);
	list_each_entry(&c->wires, struct fuzz_wire, w, link)
		hang_up(w);
	fuzz_stage_close(&c->stage);
	HOLDS(task_count() == 0);
	json_object_put(c->heard);
	json_object_put(c->answers);
}
