#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/slack/http/method.h"

slk_method_fn *slk_method_find(const struct spec_record *spec)
{
	const struct slk_method *m = slk_methods;

	while (m->name && strcmp(m->name, spec->name) != 0)
		m++;
	return m->run;
}

int slk_fail(struct slk_call *call, const char *error)
{
	call->error = error;
	return -1;
}

static void add_to(struct json_object **array, const char *text)
{
	if (!*array)
		*array = json_object_new_array();
	json_object_array_add(*array, json_object_new_string(text));
}

int slk_refuse(struct slk_call *call, const char *error, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	buf_addstr(&text, "[ERROR] ");
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	add_to(&call->messages, text.data);
	exchange_problem(call->ex, "%s: %s", error, text.data + strlen("[ERROR] "));
	buf_clear(&text);
	return slk_fail(call, error);
}

void slk_warn(struct slk_call *call, const char *warning)
{
	add_to(&call->warnings, warning);
}

int slk_limited(struct slk_call *call, unsigned seconds)
{
	call->retry_s = seconds;
	return slk_fail(call, "ratelimited");
}

struct slk_conv *slk_call_conv(struct slk_call *call, const char *param)
{
	const char *id = json_get_str(call->params, param);
	struct slk_conv *c = id ? slk_conv_find(call->world, id) : NULL;

	if (!c || !slk_conv_sees(c, call->app)) {
		slk_fail(call, "channel_not_found");
		return NULL;
	}
	return c;
}

/* chat.postMessage: a user's id opens the direct message with that user, and channels can be given by
 * name. */
static struct slk_conv *find_place(struct slk_call *call, const char *id)
{
	struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;
	struct slk_conv *c = id[0] == '#' ? slk_conv_named(call->world, id + 1) : NULL;

	if (u)
		return slk_conv_im(call->app, u, NULL, NULL);
	return c && slk_conv_sees(c, call->app) ? c : NULL;
}

struct slk_conv *slk_call_target(struct slk_call *call, const char *param)
{
	const char *id = json_get_str(call->params, param);
	struct slk_conv *c = id ? find_place(call, id) : NULL;

	if (!c)
		c = slk_call_conv(call, param);
	if (!c)
		return NULL;
	if (!slk_conv_has(c, call->app->user_id)) {
		slk_fail(call, "not_in_channel");
		return NULL;
	}
	if (c->refusal) {
		slk_fail(call, c->refusal);
		return NULL;
	}
	return c;
}

struct slk_message *slk_call_message(struct slk_call *call, const struct slk_conv *c, const char *param)
{
	struct slk_message *m = NULL;
	int64_t ts;

	if (slk_read_ts(json_get_str(call->params, param), &ts))
		m = slk_message_find(c, ts);
	if (!m)
		slk_fail(call, "message_not_found");
	return m;
}

int slk_call_thread(struct slk_call *call, const struct slk_conv *c, int64_t *thread)
{
	const char *text = json_get_str(call->params, "thread_ts");
	struct slk_message *root;

	*thread = 0;
	if (!text || text[0] == '\0')
		return 0;
	if (!slk_read_ts(text, thread))
		return slk_refuse(call, "invalid_thread_ts", "thread_ts must be the ts of a message");
	root = slk_message_find(c, *thread);
	if (!root)
		return slk_fail(call, "thread_not_found");
	if (root->thread != 0)
		return slk_refuse(call, "cannot_reply_to_message",
		    "thread_ts must be the ts of the parent, not of a reply");
	return 0;
}

struct json_object *slk_call_list(struct slk_call *call, const char *param)
{
	struct json_object *value = json_get(call->params, param), *list;
	char *text, *at, *one;

	if (!value)
		return NULL;
	list = json_object_new_array();
	json_each(json_get_array(call->params, param), item)
		json_object_array_add(list, json_object_new_string(item ? json_object_get_string(item) : ""));
	if (!json_object_is_type(value, json_type_string))
		return list;
	text = at = xstrdup(json_object_get_string(value));
	while ((one = strsep(&at, ", ")))
		if (one[0] != '\0')
			json_object_array_add(list, json_object_new_string(one));
	free(text);
	return list;
}

int slk_call_page(struct slk_call *call, size_t count, int64_t most, size_t *from, size_t *to)
{
	int64_t limit = json_get_int(call->params, "limit", 100);
	const char *cursor = json_get_str(call->params, "cursor");
	struct json_object *metadata;
	char next[32] = "", *end = next;

	if (limit < 1 || limit > most)
		return slk_refuse(call,
		    spec_has_error(call->spec, "invalid_limit") ? "invalid_limit" : "invalid_arguments",
		    "limit must be from 1 to %" PRId64, most);
	*from = 0;
	if (cursor && cursor[0] != '\0') {
		*from = strncmp(cursor, "next:", 5) == 0 ? strtoul(cursor + 5, &end, 10) : count + 1;
		if (*from > count || *end != '\0')
			return slk_fail(call, "invalid_cursor");
	}
	*to = count - *from > (size_t)limit ? *from + (size_t)limit : count;
	if (*to < count)
		snprintf(next, sizeof(next), "next:%zu", *to);
	metadata = json_object_new_object();
	json_set_str(metadata, "next_cursor", next);
	json_set(call->out, "response_metadata", metadata);
	return 0;
}

int slk_call_answer_page(struct slk_call *call, struct json_object *all, int64_t most, const char *member)
{
	struct json_object *page;
	size_t from, to;
	int ret = slk_call_page(call, json_count(all), most, &from, &to);

	if (ret == 0) {
		page = json_object_new_array();
		for (size_t i = from; i < to; i++)
			json_object_array_add(page, json_object_get(json_at(all, i)));
		json_set(call->out, member, page);
	}
	json_object_put(all);
	return ret;
}
