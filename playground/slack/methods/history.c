#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/slack/methods/compose.h"

#define HISTORY_MAX 999
#define REPLIES_MAX 1000

struct range {
	int64_t oldest, latest; /* ts */
	bool inclusive;
};

/* Parses a ts, or a number of seconds. */
static bool read_time(const char *text, int64_t fallback, int64_t *out)
{
	char *end;

	*out = fallback;
	if (!text || text[0] == '\0' || slk_read_ts(text, out))
		return true;
	*out = strtoll(text, &end, 10) * 1000000;
	return *end == '\0' && *out >= 0;
}

static int read_range(struct slk_call *call, struct range *r)
{
	r->inclusive = json_get_bool(call->params, "inclusive", false);
	if (!read_time(json_get_str(call->params, "oldest"), 0, &r->oldest))
		return slk_refuse(call, "invalid_ts_oldest", "oldest must be a ts");
	if (!read_time(json_get_str(call->params, "latest"), INT64_MAX, &r->latest))
		return slk_refuse(call, "invalid_ts_latest", "latest must be a ts");
	return 0;
}

static bool is_in(const struct range *r, int64_t ts)
{
	return r->inclusive ? ts >= r->oldest && ts <= r->latest : ts > r->oldest && ts < r->latest;
}

/* Writes a page of entries. */
static int write_page(
    struct slk_call *call, const struct slk_conv *c, struct slk_message **list, size_t count, int64_t most)
{
	bool metadata = json_get_bool(call->params, "include_all_metadata", false);
	struct json_object *array;
	size_t from, to;

	if (slk_call_page(call, count, most, &from, &to) != 0)
		return -1;
	array = json_object_new_array();
	for (size_t i = from; i < to; i++)
		json_object_array_add(array, slk_message_json(c, list[i], metadata));
	json_setf(call->out, "messages: %p, has_more: %i", array, to < count);
	return 0;
}

/* Checks that the app may read: each kind has its own scope and membership rule. */
static struct slk_conv *open_history(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");

	if (!c || slk_auth_check_kind(call, (int)c->kind) != 0)
		return NULL;
	if (!slk_conv_has(c, call->app->user_id)) {
		slk_fail(call, "not_in_channel");
		return NULL;
	}
	return c;
}

static bool shows_in_channel(const struct slk_message *m)
{
	const char *subtype = json_get_str(m->o, "subtype");

	return !m->deleted && m->ephemeral[0] == '\0' &&
	    (m->thread == 0 || (subtype && strcmp(subtype, "thread_broadcast") == 0));
}

/* The newest message first. */
int slk_conversations_history(struct slk_call *call)
{
	struct slk_conv *c = open_history(call);
	struct slk_message **list;
	struct range r;
	size_t count = 0;
	int ret;

	if (!c || read_range(call, &r) != 0)
		return -1;
	list = xcalloc(c->count + 1, sizeof(struct slk_message *));
	for (size_t i = c->count; i-- > 0;)
		if (shows_in_channel(c->messages[i]) && is_in(&r, c->messages[i]->ts))
			list[count++] = c->messages[i];
	ret = write_page(call, c, list, count, HISTORY_MAX);
	if (ret == 0)
		json_set_int(call->out, "pin_count", c->pins ? (int64_t)json_count(c->pins) : 0);
	free(list);
	return ret;
}

/* The root, then the replies, the oldest first; ts may be that of any of them. */
int slk_conversations_replies(struct slk_call *call)
{
	struct slk_conv *c = open_history(call);
	struct slk_message *m = NULL, **list;
	struct range r;
	size_t count = 0;
	int64_t ts;
	int ret;

	if (!c || read_range(call, &r) != 0)
		return -1;
	if (slk_read_ts(json_get_str(call->params, "ts"), &ts))
		m = slk_message_find(c, ts);
	if (!m)
		return slk_fail(call, "thread_not_found");
	ts = m->thread != 0 ? m->thread : m->ts;
	list = xcalloc(c->count + 1, sizeof(struct slk_message *));
	for (size_t i = 0; i < c->count; i++) {
		struct slk_message *it = c->messages[i];

		if (!it->deleted && it->ephemeral[0] == '\0' &&
		    (it->ts == ts || (it->thread == ts && is_in(&r, it->ts))))
			list[count++] = it;
	}
	ret = write_page(call, c, list, count, REPLIES_MAX);
	free(list);
	return ret;
}
