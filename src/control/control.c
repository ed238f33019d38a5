#include "control/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "control/answer.h"
#include "control/control_internal.h"
#include "ops/doctor.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "net/server/server.h"
#include "control/send.h"
#include "session/prompt_preview.h"
#include "ops/status.h"
#include "tools/source.h"
#include "tools/tools.h"
#include "control/event_stream.h"

/* Holds a file with its JSON. Only someone who has full control anyway can connect to this socket. */
#define BODY_BYTES_MAX ((size_t)65 << 20)

struct control {
	struct gateway *gateway;
	struct server *server;
};

static size_t line_of(const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);

	return end ? (size_t)(end - text) : len;
}

static void get_status(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	(void)body;
	control_answer(req, 200, status_collect(t, g));
}

static void get_doctor(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct json_object *o = json_object_new_object();

	(void)body;
	json_set(o, "findings", doctor_check(t, g));
	control_answer(req, 200, o);
}

static void post_messages(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct error err = {0};
	struct json_object *result = send_messages(t, g, body, &err);

	if (result)
		control_answer(req, 200, result);
	else
		control_refuse(req, 400, err.text);
}

/* One line of JSON as for post_messages, with "file", then the bytes of the file. */
static void post_file(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct error err = {0};
	size_t len, line;
	const char *whole = server_body(req, &len);

	line = line_of(whole, len);
	size_t skip = line < len ? line + 1 : len;
	struct json_object *result = send_file(t, g, body, whole + skip, len - skip, &err);
	if (result)
		control_answer(req, 200, result);
	else
		control_refuse(req, 400, err.text);
}

static void post_prompt(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const char *chat = json_get_str(body, "chat");
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;
	struct address where;
	struct error err = {0};

	if (address_parse(chat ? chat : "", &where, &err) < 0 ||
	    prompt_preview_chat(t, gateway_sessions(g), &where, &text, &err) < 0) {
		control_refuse(
		    req, err.kind == ERROR_REFUSED || err.kind == ERROR_OURS ? 400 : 503, err.text);
		json_object_put(o);
	} else {
		json_set_str(o, "text", text.data);
		control_answer(req, 200, o);
	}
	buf_clear(&text);
}

static void get_tools(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const struct tools *ts = gateway_config(g)->tools;

	(void)body;
	tools_refresh(t, ts);
	control_answer(req, 200, tools_listing(ts));
}

static void post_tool(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	const char *name = json_get_str(body, "name");
	struct json_object *arguments = json_get(body, "arguments");
	struct tool_call call = {.tools = gateway_config(g)->tools,
	    .admin = true,
	    .operator= true,
	    .bus = gateway_bus(g),
	    .store = gateway_store(g)};
	bool is_error;

	if (!name) {
		control_refuse(req, 400, "missing 'name': the tool to run");
		return;
	}
	tools_refresh(t, call.tools);
	char *text = json_text(arguments);
	char *result = tools_run(t, &call, name, text, &is_error);
	server_respond(req, 200, "application/json", NULL, result, strlen(result));
	free(result);
	free(text);
}

static void post_reload(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct json_object *o = json_object_new_object();
	struct buf text = BUF_INIT;

	(void)body;
	json_set_bool(o, "ok", gateway_reload(t, g, &text) == 0);
	json_set_str(o, "text", text.data);
	control_answer(req, 200, o);
	buf_clear(&text);
}

static void get_events(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	(void)g;
	(void)body;
	event_stream(t, req);
}

static const struct route {
	const char *method, *path;
	void (*run)(struct task *t, struct gateway *g, struct server_request *req, struct json_object *body);
} routes[] = {
    {"GET", "/v1/console/events", control_console_events},
    {"GET", "/v1/dead", control_dead_turns},
    {"GET", "/v1/doctor", get_doctor},
    {"GET", "/v1/events", get_events},
    {"GET", "/v1/pairings", control_pairings},
    {"GET", "/v1/status", get_status},
    {"GET", "/v1/tools", get_tools},
    {"GET", "/v1/trace", control_trace},
    {"POST", "/v1/backup", control_backup},
    {"POST", "/v1/console/say", control_console_say},
    {"POST", "/v1/dead", control_dead_turn_end},
    {"POST", "/v1/file", post_file},
    {"POST", "/v1/messages", post_messages},
    {"POST", "/v1/pairings", control_pairing_decide},
    {"POST", "/v1/prompt", post_prompt},
    {"POST", "/v1/reload", post_reload},
    {"POST", "/v1/tool", post_tool},
};

static const struct route *find_route(struct server_request *req)
{
	for (size_t i = 0; i < ARRAY_LEN(routes); i++)
		if (strcmp(server_path(req), routes[i].path) == 0 &&
		    strcmp(server_method(req), routes[i].method) == 0)
			return &routes[i];
	return NULL;
}

static void handle(struct task *t, struct server_request *req, void *arg)
{
	struct control *c = arg;
	const struct route *r = find_route(req);
	struct json_object *body = NULL;
	struct error err = {0};
	size_t len;
	const char *text = server_body(req, &len);

	if (!r) {
		control_refuse(req, 404, "There is no such call on the control socket.");
		return;
	}
	if (r->run == post_file)
		len = line_of(text, len);
	if (strcmp(r->method, "POST") == 0 && !(body = json_parse_object(text, len, &err))) {
		control_refuse(req, 400, err.text);
		return;
	}
	/* Event streams may run for days and use no settings, so they enter no epoch. */
	struct epoch *epoch = r->run == control_console_events || r->run == get_events ? NULL : epoch_enter();
	r->run(t, c->gateway, req, body);
	epoch_leave(epoch);
	json_object_put(body);
}

struct control *control_new(struct gateway *g, const char *path, struct error *err)
{
	struct control *c = xcalloc(1, sizeof(*c));
	char *listen = xasprintf("unix:%s", path);
	struct server_options options = {
	    .listen = listen, .max_body = BODY_BYTES_MAX, .handler = handle, .arg = c};

	c->gateway = g;
	c->server = server_new(&options, err);
	free(listen);
	if (!c->server) {
		free(c);
		return NULL;
	}
	return c;
}

void control_free(struct task *t, struct control *c)
{
	if (!c)
		return;
	server_free(t, c->server);
	free(c);
}
