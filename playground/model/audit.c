#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "net/server/server.h"
#include "playground/model/model.h"
#include "playground/server/exchange.h"

#define KEY_MIN 8 /* shorter ones may be ordinary words */

struct audit {
	struct exchange *ex;
	struct json_object *ids; /* an object with a member for each */
};

/* arguments: an object in Anthropic's format, a text in the others. */
static void see_call(struct audit *a, const char *id, struct json_object *arguments)
{
	const char *text =
	    json_object_is_type(arguments, json_type_string) ? json_object_get_string(arguments) : NULL;
	struct json_object *parsed = text ? json_parse_object(text, strlen(text), NULL) : NULL;

	if (id && json_get(a->ids, id))
		exchange_remark(a->ex, "two calls have the id %.80s", id);
	if (id)
		json_set_bool(a->ids, id, true);
	if (!parsed && !json_object_is_type(arguments, json_type_object))
		exchange_remark(a->ex, "the arguments of the call %.80s are no JSON object", id ? id : "");
	json_object_put(parsed);
}

static void see_chat(struct audit *a, struct json_object *message)
{
	struct json_object *calls = json_get_array(message, "tool_calls");

	json_each(calls, call)
		see_call(
		    a, json_get_str(call, "id"), json_get(json_get_object(call, "function"), "arguments"));
}

static void see_messages(struct audit *a, struct json_object *message)
{
	struct json_object *content = json_get_array(message, "content");

	json_each(content, block) {
		const char *type = json_get_str(block, "type");

		if (type && strcmp(type, "tool_use") == 0)
			see_call(a, json_get_str(block, "id"), json_get(block, "input"));
	}
}

static void see_item(struct audit *a, struct json_object *item)
{
	const char *type = json_get_str(item, "type");

	if (type && strcmp(type, "function_call") == 0)
		see_call(a, json_get_str(item, "call_id"), json_get(item, "arguments"));
}

static void see_list(
    struct audit *a, struct json_object *list, void (*see)(struct audit *a, struct json_object *o))
{
	json_each(list, item)
		see(a, item);
}

static void look_for_key(struct exchange *ex)
{
	const char *key = server_header(ex->req, "x-api-key"),
		   *bearer = server_header(ex->req, "authorization");

	if (!key && bearer && strncmp(bearer, "Bearer ", 7) == 0)
		key = bearer + 7;
	if (key && strlen(key) >= KEY_MIN && strstr(ex->body.data, key))
		exchange_remark(ex, "the body holds the key of the request");
}

void audit_request(struct exchange *ex, struct json_object *request)
{
	struct audit a = {.ex = ex, .ids = json_object_new_object()};
	struct json_object *messages = json_get_array(request, "messages");

	see_list(&a, messages, see_chat);
	see_list(&a, messages, see_messages);
	see_list(&a, json_get_array(request, "input"), see_item);
	look_for_key(ex);
	json_object_put(a.ids);
}

int request_journal_open(const char *path, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	return fd >= 0 ? fd : error_set(err, ERROR_OURS, "cannot write %s: %s", path, strerror(errno));
}

void request_journal_add(int fd, const struct exchange *ex)
{
	struct buf line = BUF_INIT;

	buf_addstr(&line, "{\"method\":");
	json_quote(&line, ex->method, strlen(ex->method));
	buf_addf(&line, ",\"status\":%d,\"verdict\":\"%s\",\"problems\":[%s]", ex->status,
	    ex->refused ? "refused" : "ok", ex->problems.data);
	if (ex->fault.kind != FAULT_NONE)
		buf_addf(&line, ",\"fault\":\"%s\"", fault_kind_name(ex->fault.kind));
	if (ex->problems.len > 0 && ex->body.len > 0)
		buf_addf(&line, ",\"body\":%s", ex->body.data);
	buf_addstr(&line, "}\n");
	/* One write, so that lines of several programs do not mix. */
	if (write(fd, line.data, line.len) != (ssize_t)line.len)
		log_error("model", "a request is missing in the journal: %s", strerror(errno));
	buf_clear(&line);
}
