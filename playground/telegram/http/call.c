#include <stdarg.h>
#include <string.h>

#include "base/text/utf8.h"
#include "playground/telegram/http/method.h"

const struct method *method_find(const struct spec_record *spec)
{
	const struct method *m = methods;

	while (m->name && strcmp(m->name, spec->name) != 0)
		m++;
	return m->name ? m : NULL;
}

/* The text may quote the request, and can be cut anywhere. */
static void set_error(struct call *call, int error_code, const char *prefix, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	call->error_code = error_code;
	buf_reset(&call->error);
	buf_addstr(&call->error, prefix);
	buf_vaddf(&text, fmt, ap);
	utf8_sanitize(&call->error, text.data, text.len);
	buf_clear(&text);
}

int call_fail(struct call *call, int error_code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_error(call, error_code, "", fmt, ap);
	va_end(ap);
	return -1;
}

int call_refuse(struct call *call, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_error(call, 400, "Bad Request: ", fmt, ap);
	va_end(ap);
	if (call->ex) /* a person's poll is judged as one of a bot */
		exchange_problem(call->ex, "%s", call->error.data);
	return -1;
}

int call_limit(struct call *call, unsigned retry_after)
{
	call->retry_after = retry_after;
	return call_fail(call, 429, "Too Many Requests: retry after %u", retry_after);
}

bool call_is(const struct call *call, const char *method)
{
	return strcmp(call->spec->name, method) == 0;
}

int call_true(struct call *call)
{
	buf_addstr(&call->result, "true");
	return 0;
}

/* By id only: no simulated chat has a public @name. */
static struct chat *find_chat(struct call *call, const char *param)
{
	struct json_object *v = json_get(call->params, param);

	return json_object_is_type(v, json_type_int) ? chat_of_bot(call->bot, json_object_get_int64(v)) :
						       NULL;
}

/* A person whom the bot met only in groups, and who never started it. */
static bool is_stranger(struct call *call, const char *param)
{
	int64_t id = json_get_int(call->params, param, 0);

	return id > 0 && world_find_user(call->world, id);
}

static struct chat *fail_gone(struct call *call, const struct chat *c, enum chat_gone gone)
{
	const char *kind = telegram_chat_type(c->kind);

	if (gone == GONE_DELETED)
		call_fail(call, 403, "Forbidden: the group chat was deleted");
	else if (gone == GONE_DEACTIVATED)
		call_fail(call, 403, "Forbidden: user is deactivated");
	else if (c->kind == CHAT_PRIVATE)
		call_fail(call, 403, "Forbidden: bot was blocked by the user");
	else if (gone == GONE_LEFT)
		call_fail(call, 403, "Forbidden: bot is not a member of the %s chat", kind);
	else
		call_fail(call, 403, "Forbidden: bot was kicked from the %s chat", kind);
	return NULL;
}

/* The chat of another person, for whom the bot works. */
static struct chat *find_business(struct call *call, const char *id)
{
	struct chat *c = NULL;

	if (!business_find(call->bot, id))
		call_refuse(call, "business connection not found");
	else if (!business_may(call->bot, id, "can_reply"))
		call_fail(call, 400, "Bad Request: BUSINESS_CONNECTION_NOT_ALLOWED");
	else if (!(c = business_chat(call->bot, id, NULL, json_get_int(call->params, "chat_id", 0))))
		call_fail(call, 400, "Bad Request: BUSINESS_PEER_INVALID");
	return c;
}

struct chat *call_chat(struct call *call)
{
	const char *business = json_get_str(call->params, "business_connection_id");

	if (business && business[0] != '\0')
		return find_business(call, business);
	return call_chat_of(call, "chat_id");
}

struct chat *call_chat_of(struct call *call, const char *param)
{
	struct chat *c = find_chat(call, param);
	const struct member *own;

	if (!c && is_stranger(call, param)) {
		call_fail(call, 403, "Forbidden: bot can't initiate conversation with a user");
		return NULL;
	}
	if (!c) {
		call_fail(call, 400, "Bad Request: chat not found");
		return NULL;
	}
	if (c->migrated_to != 0) {
		call->migrated_to = c->migrated_to;
		call_fail(call, 400, "Bad Request: group chat was upgraded to a supergroup chat");
		return NULL;
	}
	own = chat_find_member(c, call->bot);
	return own->gone == GONE_NOT ? c : fail_gone(call, c, own->gone);
}

struct message *call_message(struct call *call, const struct chat *c, const char *what)
{
	struct message *m = chat_message(c, json_get_int(call->params, "message_id", 0));

	if (m && message_is_ephemeral(m))
		m = NULL;
	if (!m)
		call_fail(call, 400, "Bad Request: message %s not found", what);
	return m;
}

/* Bot API, message_thread_id: topics of forums only. The server rejects the general topic's
 * own id 1, and the ids of plain reply threads. */
int call_thread(struct call *call, const struct chat *c, int64_t *thread)
{
	*thread = json_get_int(call->params, "message_thread_id", 0);
	if (*thread == 0)
		return 0;
	if (!c->forum || *thread == TOPIC_GENERAL || !topics_find(&c->topics, *thread))
		return call_fail(call, 400, "Bad Request: message thread not found");
	return 0;
}

int64_t call_within(const struct call *call, const char *param, int64_t fallback, int64_t least, int64_t most)
{
	int64_t value = json_get_int(call->params, param, fallback);

	return value < least ? least : value > most ? most : value;
}

void call_read_allowed(struct call *call)
{
	struct json_object *array = json_get_array(call->params, "allowed_updates");
	const char *unknown = array ? update_read_allowed(array, &call->bot->allowed) : NULL;

	if (unknown)
		exchange_remark(
		    call->ex, "there are no updates called \"%.60s\": the name is ignored", unknown);
}
