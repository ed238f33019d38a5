#include "playground/discord/world/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/gateway/event.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/message.h"
#include "playground/discord/world/permission.h"
#include "playground/discord/control/show.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"

struct cord_channel *cord_channel_find(const struct cord_world *w, uint64_t id)
{
	return map_get(&w->channels, (int64_t)id, 0);
}

struct cord_channel *cord_channel_new(
    struct cord_world *w, enum cord_channel_type type, uint64_t id, const char *name)
{
	struct cord_channel *c = xcalloc(1, sizeof(*c));

	c->world = w;
	c->type = type;
	c->id = id;
	c->name = xstrdup(name);
	list_append(&w->channel_list, &c->link);
	map_put(&w->channels, (int64_t)id, 0, c);
	return c;
}

void cord_channel_free(struct cord_channel *c)
{
	list_remove(&c->link);
	for (size_t i = 0; i < c->count; i++)
		cord_message_free(c->messages[i]);
	free(c->messages);
	free(c->denials);
	free(c->name);
	free(c);
}

struct cord_channel *cord_channel_dm(struct cord_bot *b, struct cord_user *u, uint64_t id)
{
	struct cord_channel *c = map_get(&b->dms, (int64_t)u->id, 0);
	char place[64];

	if (c)
		return c;
	snprintf(place, sizeof(place), "%lld %llu", (long long)b->number, (unsigned long long)u->id);
	c = cord_channel_new(b->world, CORD_DM, id != 0 ? id : cord_snowflake_of_name("dm", place), NULL);
	c->user = u;
	c->bot = b;
	map_put(&b->dms, (int64_t)u->id, 0, c);
	cord_show_channel(c);
	return c;
}

struct cord_channel *cord_channel_thread(struct cord_channel *c, enum cord_channel_type type, uint64_t id,
    const char *name, uint64_t owner_id, int64_t auto_archive)
{
	struct cord_channel *t = cord_channel_new(c->world, type, id, name);

	t->guild = c->guild;
	t->parent = c;
	t->owner_id = owner_id;
	t->auto_archive = auto_archive;
	t->archive_ms = clock_wall();
	t->invitable = true;
	cord_event_channel(t, "THREAD_CREATE");
	cord_show_channel(t);
	return t;
}

bool cord_channel_is_thread(const struct cord_channel *c)
{
	return c->parent;
}

void cord_channel_claim(struct cord_channel *c, const struct cord_bot *b)
{
	for (size_t i = 0; i < c->count; i++)
		cord_message_claim(c->messages[i], b->id);
}

static uint64_t denied(const struct cord_channel *c, const struct cord_bot *b)
{
	for (size_t i = 0; i < c->denial_count; i++)
		if (c->denials[i].bot == b)
			return c->denials[i].bits;
	return 0;
}

uint64_t cord_channel_may(const struct cord_channel *c, const struct cord_bot *b)
{
	const struct cord_guild_bot *row;
	uint64_t may;

	if (c->gone)
		return 0;
	if (!c->guild)
		return c->bot == b ? CORD_MAY_USUALLY : 0;
	row = cord_guild_bot(c->guild, b);
	if (!row || !row->in)
		return 0;
	if (row->admin)
		return CORD_MAY_ALL;
	may = CORD_MAY_USUALLY & ~denied(c->parent ? c->parent : c, b);
	return may & CORD_MAY_VIEW ? may : 0;
}

bool cord_channel_sees(const struct cord_channel *c, const struct cord_bot *b)
{
	return cord_channel_may(c, b) != 0;
}

void cord_channel_deny(struct cord_channel *c, const struct cord_bot *b, uint64_t bits, bool deny)
{
	size_t i = 0;

	while (i < c->denial_count && c->denials[i].bot != b)
		i++;
	if (i == c->denial_count) {
		c->denials = xrealloc(c->denials, ++c->denial_count * sizeof(*c->denials));
		c->denials[i] = (struct cord_denial){.bot = b};
	}
	c->denials[i].bits = deny ? c->denials[i].bits | bits : c->denials[i].bits & ~bits;
}

static struct json_object *overwrites_json(const struct cord_channel *c)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < c->denial_count; i++) {
		struct json_object *o = json_object_new_object();
		char bits[24];

		snprintf(bits, sizeof(bits), "%llu", (unsigned long long)c->denials[i].bits);
		cord_set_id(o, "id", c->denials[i].bot->id);
		json_set_int(o, "type", 1); /* a member's */
		json_set_str(o, "allow", "0");
		json_set_str(o, "deny", bits);
		json_object_array_add(array, o);
	}
	return array;
}

static int64_t count_shown(const struct cord_channel *c)
{
	int64_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += !c->messages[i]->deleted;
	return n;
}

static void add_thread(struct json_object *o, const struct cord_channel *c, const struct cord_bot *b)
{
	struct json_object *meta = json_object_new_object(), *member = json_object_new_object();

	cord_set_id(o, "parent_id", c->parent->id);
	cord_set_id(o, "owner_id", c->owner_id);
	json_set_int(o, "message_count", count_shown(c));
	json_set_int(o, "total_message_sent", (int64_t)c->count);
	json_set_int(o, "member_count", 1);
	json_set_bool(meta, "archived", c->archived);
	json_set_int(meta, "auto_archive_duration", c->auto_archive);
	cord_set_time(meta, "archive_timestamp", c->archive_ms);
	json_set_bool(meta, "locked", c->locked);
	cord_set_time(meta, "create_timestamp", cord_snowflake_ms(c->id));
	if (c->type == CORD_PRIVATE_THREAD)
		json_set_bool(meta, "invitable", c->invitable);
	json_set(o, "thread_metadata", meta);
	if (!b) {
		json_object_put(member);
		return;
	}
	cord_set_id(member, "id", c->id);
	cord_set_id(member, "user_id", b->id);
	cord_set_time(member, "join_timestamp", cord_snowflake_ms(c->id));
	json_set_int(member, "flags", 1);
	json_set(o, "member", member);
}

static void add_guild(struct json_object *o, const struct cord_channel *c)
{
	cord_set_id(o, "guild_id", c->guild->id);
	json_set_str(o, "name", c->name);
	json_set_int(o, "rate_limit_per_user", c->slowmode_s);
	if (c->parent)
		return;
	json_set(o, "permission_overwrites", overwrites_json(c));
}

struct json_object *cord_channel_json(const struct cord_channel *c, const struct cord_bot *b)
{
	struct json_object *o = json_object_new_object(), *recipients;

	cord_set_id(o, "id", c->id);
	json_set_int(o, "type", c->type);
	cord_set_id(o, "last_message_id", c->last_message_id);
	if (c->guild) {
		add_guild(o, c);
	} else {
		recipients = json_object_new_array();
		json_object_array_add(recipients, cord_user_json(c->user));
		json_set(o, "recipients", recipients);
	}
	if (c->parent)
		add_thread(o, c, b);
	return cord_fill(c->parent ? "ThreadResponse" :
		c->guild           ? "GuildChannelResponse" :
				     "PrivateChannelResponse",
	    o);
}

size_t cord_channel_place(const struct cord_channel *c, uint64_t id)
{
	size_t low = 0, high = c->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (c->messages[mid]->id < id)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct cord_message *cord_channel_message(const struct cord_channel *c, uint64_t id)
{
	size_t i = cord_channel_place(c, id);

	return i < c->count && c->messages[i]->id == id && !c->messages[i]->deleted ? c->messages[i] : NULL;
}

void cord_channel_add(struct cord_channel *c, struct cord_message *m)
{
	size_t i = cord_channel_place(c, m->id);

	if (c->count == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->messages = xrealloc(c->messages, c->cap * sizeof(struct cord_message *));
	}
	memmove(&c->messages[i + 1], &c->messages[i], (c->count - i) * sizeof(struct cord_message *));
	c->messages[i] = m;
	c->count++;
	c->last_message_id = c->messages[c->count - 1]->id;
	cord_show_message(m, "new");
	if (c->archived && !c->locked) {
		c->archived = false;
		c->archive_ms = clock_wall();
		cord_event_channel(c, "THREAD_UPDATE");
	}
}
