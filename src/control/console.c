#include "control/control_internal.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "bus/bus.h"
#include "channels/console/console.h"
#include "control/answer.h"
#include "ops/gateway_view.h"
#include "net/server/server.h"

/* The configuration always has one. */
static struct channel *find_console(struct gateway *g)
{
	struct channel *ch = NULL;

	while ((ch = bus_next_channel(gateway_bus(g), ch)) && ch->ops != &console_ops)
		;
	return ch;
}

/* 503 tells the terminal to try again. */
static void refuse(struct server_request *req, const struct error *err)
{
	control_refuse(req, err->kind == ERROR_OURS ? 400 : 503, err->text);
}

void control_console_say(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct console_input words = {.chat = json_get_str(body, "chat"),
	    .text = json_get_str(body, "text"),
	    .id = json_get_str(body, "id"),
	    .user = json_get_str(body, "user"),
	    .terminal = json_get_str(body, "terminal")};
	struct error err = {0};

	if (console_receive(t, find_console(g), &words, &err) < 0) {
		refuse(req, &err);
		return;
	}
	struct json_object *o = json_object_new_object();
	json_set_bool(o, "ok", true);
	control_answer(req, 200, o);
}

void control_console_events(
    struct task *t, struct gateway *g, struct server_request *req, struct json_object *body)
{
	struct buf chat = BUF_INIT, after = BUF_INIT, wait = BUF_INIT;
	const char *query = server_query(req);
	struct error err = {0};

	(void)body;
	server_param(query, "chat", &chat);
	server_param(query, "after", &after);
	server_param(query, "wait", &wait);
	struct console_poll watch = {
	    .chat = chat.data, .after = after.data, .wait_ms = strtoull(wait.data, NULL, 10)};
	struct json_object *news = console_poll(t, find_console(g), &watch, &err);
	if (news)
		control_answer(req, 200, news);
	else
		refuse(req, &err);
	buf_clear(&chat);
	buf_clear(&after);
	buf_clear(&wait);
}
