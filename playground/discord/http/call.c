#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/http/call.h"

static const struct spec_member *find_error(const char *words)
{
	const struct spec_record *errors = spec_type(spec_of("discord"), "Errors");

	for (size_t i = 0; i < errors->count; i++)
		if (strcmp(errors->members[i].error_text, words) == 0)
			return &errors->members[i];
	return NULL;
}

bool cord_call_is(const struct cord_call *call, const char *operation)
{
	return strcmp(call->route->spec->name, operation) == 0;
}

int cord_error_code(const char *words)
{
	const struct spec_member *m = find_error(words);

	return m ? (int)strtol(m->name, NULL, 10) : 0;
}

int cord_fail(struct cord_call *call, const char *words)
{
	const struct spec_member *m = find_error(words);

	call->fail_status = m ? (int)m->type->number : 500;
	call->fail_code = cord_error_code(words);
	call->fail_text = words;
	if (!m || (m->flags & SPEC_REFUSED))
		exchange_problem(call->ex, "%d: %s", call->fail_code, call->fail_text);
	return -1;
}

int cord_fail_plain(struct cord_call *call, int status, const char *text)
{
	call->fail_status = status;
	call->fail_code = 0;
	call->fail_text = text;
	return -1;
}

int cord_fail_wait(struct cord_call *call, const char *words, uint64_t retry_ms)
{
	call->retry_ms = retry_ms;
	call->scope = "user";
	return cord_fail(call, words);
}

int cord_refuse(struct cord_call *call)
{
	struct buf text = BUF_INIT;

	cord_fail(call, "Invalid Form Body");
	json_write(&text, call->errors.tree);
	exchange_problem(call->ex, "%s", text.data);
	buf_clear(&text);
	return -1;
}

int cord_refuse_field(struct cord_call *call, const char *key, const char *code, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	cord_errors_add(&call->errors, key, code, "%s", text.data);
	buf_clear(&text);
	return cord_refuse(call);
}

uint64_t cord_call_actor(const struct cord_call *call)
{
	return call->user ? call->user->id : call->bot ? call->bot->id : 0;
}

struct json_object *cord_call_creator(const struct cord_call *call)
{
	return call->user ? cord_user_json(call->user) : cord_bot_json(call->bot);
}

uint64_t cord_call_may(const struct cord_call *call, const struct cord_channel *c)
{
	return cord_channel_may(c, cord_call_actor(call));
}

uint64_t cord_call_guild_may(const struct cord_call *call, const struct cord_guild *g)
{
	return cord_guild_may(g, cord_call_actor(call));
}

bool cord_call_sees(const struct cord_call *call, const struct cord_channel *c)
{
	return cord_call_may(call, c) != 0;
}

struct cord_channel *cord_call_channel(struct cord_call *call, uint64_t permissions)
{
	struct cord_channel *c = cord_channel_find(call->world, call->ids[0]);

	if (!c || c->gone)
		cord_fail(call, "Unknown Channel");
	else if (!cord_call_sees(call, c))
		cord_fail(call, "Missing Access");
	else if ((cord_call_may(call, c) & permissions) != permissions)
		cord_fail(call, "Missing Permissions");
	else
		return c;
	return NULL;
}

struct cord_message *cord_call_message(struct cord_call *call, const struct cord_channel *c)
{
	struct cord_message *m = cord_channel_message(c, call->ids[1]);

	if (m && m->visible_to == 0)
		return m;
	cord_fail(call, "Unknown Message");
	return NULL;
}

bool cord_given(struct json_object *o, const char *key)
{
	return json_object_object_get_ex(o, key, NULL);
}

struct cord_guild *cord_call_guild(struct cord_call *call, uint64_t permissions)
{
	struct cord_guild *g = cord_guild_find(call->world, call->ids[0]);

	if (!g)
		cord_fail(call, "Unknown Guild");
	else if (!cord_is_member(g, cord_call_actor(call)))
		cord_fail(call, "Missing Access");
	else if ((cord_call_guild_may(call, g) & permissions) != permissions)
		cord_fail(call, "Missing Permissions");
	else
		return g;
	return NULL;
}

struct cord_record *cord_call_record(
    struct cord_call *call, enum cord_record_kind kind, uint64_t owner, uint64_t id, const char *unknown)
{
	struct cord_record *r = cord_record_find(call->world, kind, owner, id);

	if (!r && unknown)
		cord_fail(call, unknown);
	else if (!r)
		cord_fail_plain(call, 404, "404: Not Found");
	return r;
}

void cord_call_audit_entry(struct cord_call *call, struct cord_guild *g, struct cord_audit_entry entry)
{
	entry.reason = call->reason;
	entry.user_id = cord_call_actor(call);
	cord_audit(g, &entry);
}

void cord_call_audit(struct cord_call *call, struct cord_guild *g, int action, uint64_t target_id,
    struct json_object *was, struct json_object *is)
{
	cord_call_audit_entry(call, g,
	    (struct cord_audit_entry){.action = action, .target_id = target_id, .before = was, .after = is});
}

size_t cord_call_limit(struct cord_call *call, size_t fallback)
{
	return (size_t)json_get_int(call->query, "limit", (int64_t)fallback);
}

void cord_call_page(
    struct cord_call *call, const struct cord_ids *ids, size_t fallback, struct cord_ids *page)
{
	size_t limit = cord_call_limit(call, fallback);
	uint64_t after = cord_get_id(call->query, "after");

	*page = (struct cord_ids){.list = xcalloc(ids->count + 1, sizeof(*ids->list))};
	for (size_t i = 0; i < ids->count; i++)
		if (ids->list[i] > after)
			page->list[page->count++] = ids->list[i];
	cord_ids_sort(page);
	if (page->count > limit)
		page->count = limit;
}

struct json_object *cord_call_users(struct cord_call *call, const struct cord_ids *ids)
{
	struct json_object *users = json_object_new_array();
	struct cord_ids page;

	cord_call_page(call, ids, 25, &page);
	for (size_t i = 0; i < page.count; i++) {
		struct json_object *o = cord_anyone_json(call->world, page.list[i]);

		if (o)
			json_object_array_add(users, o);
	}
	free(page.list);
	return users;
}
