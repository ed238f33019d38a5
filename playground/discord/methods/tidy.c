#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/discord/methods/methods.h"

#define PINS_MAX    250
#define BULK_OLD_MS (INT64_C(14) * 86400000)

struct json_object *cord_audit_options(const struct cord_channel *c, size_t count, uint64_t message_id)
{
	struct json_object *o = json_object_new_object();
	char text[24];

	json_set(o, "channel_id", cord_id_json(c->id));
	snprintf(text, sizeof(text), "%zu", count);
	if (count != 0)
		json_set_str(o, "count", text);
	if (message_id != 0)
		json_set(o, "message_id", cord_id_json(message_id));
	return o;
}

int cord_stickers_read(struct cord_call *call, struct json_object *ids, struct cord_message *m)
{
	struct json_object *items = NULL;

	json_each(ids, item) {
		const char *text = json_object_get_string(item);
		struct json_object *o = json_object_new_object();
		const struct cord_record *r;
		uint64_t id = 0;

		items = items ? items : json_object_new_array();
		json_object_array_add(items, o);
		r = cord_snowflake_read(text, &id) ? cord_record_by_id(call->world, CORD_STICKER, id) : NULL;
		if (!r) {
			json_object_put(items);
			return cord_fail(call, "Invalid sticker sent");
		}
		json_setf(o, "id: %p, name: %s, format_type: %jd", cord_id_json(id),
		    json_get_str(r->json, "name"), json_get_int(r->json, "format_type", 1));
	}
	if (!items)
		return 0;
	if (!m->extra)
		m->extra = json_object_new_object();
	json_set(m->extra, "sticker_items", items);
	return 0;
}

/* Discord: resources/message, Message Reference, forwards: what it says is copied. */
int cord_forward(struct cord_call *call, struct json_object *reference, struct cord_message *m)
{
	struct cord_channel *c = cord_channel_find(call->world, cord_get_id(reference, "channel_id"));
	struct cord_message *from;

	if (!c || c->gone || !cord_call_sees(call, c))
		return cord_refuse_field(
		    call, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_CHANNEL", "Unknown channel");
	from = cord_channel_message(c, cord_get_id(reference, "message_id"));
	if (!from || from->visible_to != 0)
		return cord_refuse_field(
		    call, "message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message");
	cord_message_forward(m, from);
	return 0;
}

static struct cord_message *pin_place(struct cord_call *call)
{
	if (cord_message_is_ordinary(call->message))
		return call->message;
	cord_fail(call, "Cannot execute action on a system message");
	return NULL;
}

static int64_t last_pin(const struct cord_channel *c)
{
	int64_t last = 0;

	for (size_t i = 0; i < c->count; i++)
		if (!c->messages[i]->deleted && c->messages[i]->pinned_ms > last)
			last = c->messages[i]->pinned_ms;
	return last;
}

void cord_pin_set(struct cord_message *m, bool pin)
{
	struct json_object *d = json_object_new_object();
	struct cord_channel *c = m->channel;

	m->pinned_ms = pin ? clock_wall() : 0;
	cord_set_time(c->more, "last_pin_timestamp", last_pin(c));
	json_set(d, "channel_id", cord_id_json(c->id));
	if (c->guild)
		json_set(d, "guild_id", cord_id_json(c->guild->id));
	json_object_object_add(
	    d, "last_pin_timestamp", json_object_get(json_get(c->more, "last_pin_timestamp")));
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	cord_event_in_channel(c, "CHANNEL_PINS_UPDATE", CORD_EVENT_CHANNEL, d);
}

struct cord_message *cord_pin_notice(const struct cord_message *m)
{
	struct cord_message *notice = cord_message_new(m->channel);

	notice->type = CORD_MESSAGE_PINNED;
	notice->reply_to = m->id;
	notice->reply_channel = m->channel->id;
	return notice;
}

static void change_pin(struct cord_call *call, struct cord_message *m, bool pin)
{
	cord_pin_set(m, pin);
	if (m->channel->guild)
		cord_call_audit_entry(call, m->channel->guild,
		    (struct cord_audit_entry){.action = pin ? CORD_ACTION_PIN : CORD_ACTION_UNPIN,
			.target_id = cord_message_writer(m),
			.options = cord_audit_options(m->channel, 0, m->id)});
}

int cord_create_pin(struct cord_call *call)
{
	struct cord_message *m = pin_place(call), *notice;
	size_t n = 0;

	if (!m)
		return -1;
	if (m->pinned_ms != 0)
		return 0;
	for (size_t i = 0; i < m->channel->count; i++)
		n += m->channel->messages[i]->pinned_ms != 0 && !m->channel->messages[i]->deleted;
	if (n >= PINS_MAX)
		return cord_fail(call, "Maximum number of pins reached for the channel (250)");
	change_pin(call, m, true);
	notice = cord_pin_notice(m);
	notice->bot = call->bot;
	cord_channel_add(m->channel, notice);
	cord_event_message(notice, "MESSAGE_CREATE");
	return 0;
}

int cord_delete_pin(struct cord_call *call)
{
	struct cord_message *m = pin_place(call);

	if (!m)
		return -1;
	if (m->pinned_ms != 0)
		change_pin(call, m, false);
	return 0;
}

static int by_pin(const void *a, const void *b)
{
	const struct cord_message *x = *(struct cord_message *const *)a,
				  *y = *(struct cord_message *const *)b;

	return x->pinned_ms != y->pinned_ms ? (x->pinned_ms < y->pinned_ms ? 1 : -1) :
					      (x->id < y->id) - (x->id > y->id);
}

/* Returns the pinned messages, the newest pin first; with before != 0, those pinned before that time. The
 * caller frees the list. */
static struct cord_message **find_pins(const struct cord_channel *c, int64_t before, size_t *count)
{
	struct cord_message **list = xcalloc(c->count + 1, sizeof(struct cord_message *));

	*count = 0;
	for (size_t i = 0; i < c->count; i++)
		if (c->messages[i]->pinned_ms != 0 && !c->messages[i]->deleted &&
		    (before == 0 || c->messages[i]->pinned_ms < before))
			list[(*count)++] = c->messages[i];
	qsort(list, *count, sizeof(struct cord_message *), by_pin);
	return list;
}

int cord_list_pins(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	size_t count, limit = cord_call_limit(call, 50);
	struct cord_message **list;
	struct json_object *items;

	list = find_pins(c, cord_get_time(call->query, "before"), &count);
	if (!(cord_call_may(call, c) & CORD_MAY_READ_HISTORY))
		count = 0;
	items = json_object_new_array();
	for (size_t i = 0; i < count && i < limit; i++) {
		struct json_object *o = json_object_new_object();

		json_set(o, "message", cord_message_json(list[i]));
		cord_set_time(o, "pinned_at", list[i]->pinned_ms);
		json_object_array_add(items, o);
	}
	free(list);
	call->result = json_newf("{items: %p, has_more: %i}", items, count > limit);
	return 0;
}

int cord_deprecated_list_pins(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct cord_message **list;
	size_t count;

	list = find_pins(c, 0, &count);
	call->result = json_object_new_array();
	for (size_t i = 0; i < count && i < 50; i++)
		json_object_array_add(call->result, cord_message_json(list[i]));
	free(list);
	return 0;
}

/* Discord: resources/message, Bulk Delete Messages: unknown ids do nothing, old ones fail. */
int cord_bulk_delete_messages(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct json_object *ids = json_get_array(call->body, "messages"), *gone, *d;
	int64_t since = clock_wall() - BULK_OLD_MS;
	size_t n;
	uint64_t id = 0;

	if (!c->guild)
		return cord_fail(call, "Cannot execute action on a DM channel");
	if (!(cord_call_may(call, c) & CORD_MAY_MANAGE_MESSAGES))
		return cord_fail(call, "Missing Permissions");
	json_each(ids, item)
		if (cord_snowflake_read(json_object_get_string(item), &id) && cord_snowflake_ms(id) < since)
			return cord_fail(call, "A message provided was too old to bulk delete");
	gone = json_object_new_array();
	json_each(ids, one) {
		struct cord_message *m = cord_snowflake_read(json_object_get_string(one), &id) ?
		    cord_channel_message(c, id) :
		    NULL;

		if (!m || m->visible_to != 0)
			continue;
		m->deleted = true;
		cord_show_message(m, "deleted");
		json_object_array_add(gone, cord_id_json(id));
	}
	n = json_count(gone);
	d = cord_guild_event(c->guild, "channel_id", cord_id_json(c->id));
	json_set(d, "ids", gone);
	cord_event_in_channel(c, "MESSAGE_DELETE_BULK", CORD_EVENT_MESSAGES, d);
	cord_call_audit_entry(call, c->guild,
	    (struct cord_audit_entry){.action = CORD_ACTION_BULK_DELETE,
		.target_id = c->id,
		.options = cord_audit_options(c, n, 0)});
	return 0;
}

/* A follower's webhook posts a copy. */
static void deliver(struct cord_message *m, const struct cord_record *hook)
{
	struct cord_channel *to = cord_channel_find(m->channel->world, cord_get_id(hook->json, "channel_id"));
	struct json_object *reference, *author;
	struct cord_message *copy;

	if (!to || to->gone)
		return;
	copy = cord_message_new(to);
	copy->bot = m->bot;
	copy->user = m->user;
	copy->webhook_id = hook->id;
	copy->flags = (m->flags & ~(int64_t)CORD_FLAG_CROSSPOSTED) | CORD_FLAG_IS_CROSSPOST;
	cord_message_set_content(copy, m->content, strlen(m->content));
	copy->embeds = json_object_get(m->embeds);
	author = json_newf("{id: %p, username: %s, discriminator: '0000', bot: true}", cord_id_json(hook->id),
	    json_get_str(hook->json, "name"));
	copy->author = cord_fill("UserResponse", author);
	reference = json_newf("{type: 0, channel_id: %p, guild_id: %p, message_id: %p}",
	    cord_id_json(m->channel->id), cord_id_json(m->channel->guild->id), cord_id_json(m->id));
	copy->extra = json_object_new_object();
	json_set(copy->extra, "message_reference", reference);
	cord_channel_add(to, copy);
	cord_event_message(copy, "MESSAGE_CREATE");
}

int cord_crosspost_message(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	struct cord_message *m = call->message;

	if (c->type != CORD_NEWS)
		return cord_fail(call, "Cannot execute action on this channel type");
	if (!(cord_call_may(call, c) &
		(cord_message_writer(m) == cord_call_actor(call) ? CORD_MAY_SEND : CORD_MAY_MANAGE_MESSAGES)))
		return cord_fail(call, "Missing Permissions");
	if (m->flags & CORD_FLAG_CROSSPOSTED)
		return cord_fail(call, "This message has already been crossposted.");
	m->flags |= CORD_FLAG_CROSSPOSTED;
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	list_each_entry(&call->world->records.list[CORD_WEBHOOK], const struct cord_record, hook, link)
		if (cord_get_id(json_get_object(hook->json, "source_channel"), "id") == c->id)
			deliver(m, hook);
	call->result = cord_message_json(m);
	return 0;
}
