#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"
#include "playground/playground.h"

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
	c->overwrites = json_object_new_array();
	c->more = json_object_new_object();
	map_put(&w->channels, (int64_t)id, 0, c);
	return c;
}

void cord_channel_free(struct cord_channel *c)
{
	list_remove(&c->link);
	for (size_t i = 0; i < c->count; i++)
		cord_message_free(c->messages[i]);
	free(c->messages);
	free(c->members.list);
	json_object_put(c->overwrites);
	json_object_put(c->more);
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

bool cord_channel_is_people(const struct cord_channel *c)
{
	return !c->guild && !c->user;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

struct cord_channel *cord_channel_people(struct cord_world *w, const struct cord_ids *people, bool create)
{
	uint64_t id, *sorted = xcalloc(people->count, sizeof(*sorted));
	struct buf place = BUF_INIT, title = BUF_INIT;
	struct cord_channel *c;

	memcpy(sorted, people->list, people->count * sizeof(*sorted));
	qsort(sorted, people->count, sizeof(*sorted), by_number);
	for (size_t i = 0; i < people->count; i++) {
		buf_addf(&place, "%" PRIu64 " ", sorted[i]);
		buf_addf(&title, "%s%s", i > 0 ? ", " : "", cord_user_find(w, people->list[i])->label);
	}
	id = cord_snowflake_of_name("people", place.data);
	c = cord_channel_find(w, id);
	if (!c && create) {
		c = cord_channel_new(w, people->count == 2 ? CORD_DM : CORD_GROUP_DM, id, title.data);
		str_copy(c->kind, sizeof(c->kind), "people");
		c->owner_id = people->list[0];
		for (size_t i = 0; i < people->count; i++)
			cord_ids_add(&c->members, people->list[i]);
		cord_show_channel(c);
	}
	buf_clear(&place);
	buf_clear(&title);
	free(sorted);
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
	cord_ids_add(&t->members, owner_id);
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
	struct json_object *overwrite = cord_channel_overwrite(c, 0, 1, false);

	if (overwrite)
		cord_set_id(overwrite, "id", b->id);
	if (cord_ids_remove(&c->members, 0))
		cord_ids_add(&c->members, b->id);
	for (size_t i = 0; i < c->count; i++)
		cord_message_claim(c->messages[i], b->id);
}

uint64_t cord_channel_may(const struct cord_channel *c, uint64_t id)
{
	uint64_t may;

	if (c->gone)
		return 0;
	if (cord_channel_is_people(c))
		return cord_ids_have(&c->members, id) ? CORD_MAY_USUALLY | CORD_MAY_PIN : 0;
	if (!c->guild)
		return id == c->bot->id || id == c->user->id ? CORD_MAY_USUALLY | CORD_MAY_PIN : 0;
	may = cord_permissions_in(c, id);
	if (may & CORD_MAY_ADMINISTER)
		return may;
	if (c->type == CORD_PRIVATE_THREAD && !(may & CORD_MAY_MANAGE_THREADS) &&
	    !cord_ids_have(&c->members, id))
		return 0;
	return may;
}

/* Discord: interactions/receiving-and-responding: app_permissions. Undocumented: SEND_POLLS is among them, as
 * clients have logged. */
uint64_t cord_channel_app_may(const struct cord_channel *c, uint64_t id)
{
	if (!cord_channel_is_people(c))
		return cord_channel_may(c, id);
	return CORD_MAY_ATTACH | CORD_MAY_EMBED | CORD_MAY_MENTION_ALL | CORD_MAY_SEND_POLLS;
}

bool cord_channel_sees(const struct cord_channel *c, uint64_t id)
{
	return cord_channel_may(c, id) != 0;
}

bool cord_channel_takes_messages(const struct cord_channel *c)
{
	return c->type != CORD_CATEGORY && c->type != CORD_FORUM && c->type != CORD_MEDIA;
}

static size_t overwrite_at(const struct cord_channel *c, uint64_t id)
{
	size_t i = 0, count = json_count(c->overwrites);

	while (i < count && cord_get_id(json_at(c->overwrites, i), "id") != id)
		i++;
	return i;
}

struct json_object *cord_channel_overwrite(struct cord_channel *c, uint64_t id, int type, bool create)
{
	struct json_object *o = json_at(c->overwrites, overwrite_at(c, id));

	if (o || !create)
		return o;
	o = json_newf("{id: %p, type: %d}", cord_id_json(id), type);
	cord_set_bits(o, "allow", 0);
	cord_set_bits(o, "deny", 0);
	json_object_array_add(c->overwrites, o);
	return o;
}

bool cord_channel_overwrite_remove(struct cord_channel *c, uint64_t id)
{
	size_t i = overwrite_at(c, id);

	return i < json_count(c->overwrites) && json_object_array_del_idx(c->overwrites, i, 1) == 0;
}

void cord_channel_deny(struct cord_channel *c, const struct cord_bot *b, uint64_t bits, bool deny)
{
	struct json_object *o = cord_channel_overwrite(c, b->id, 1, true);
	uint64_t was = cord_get_bits(o, "deny");

	cord_set_bits(o, "deny", deny ? was | bits : was & ~bits);
	cord_set_bits(o, "allow", cord_get_bits(o, "allow") & ~bits);
}

static int64_t count_shown(const struct cord_channel *c)
{
	int64_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += !c->messages[i]->deleted;
	return n;
}

struct json_object *cord_thread_member_json(const struct cord_channel *t, uint64_t id, bool with_member)
{
	struct json_object *o = json_newf("{id: %p, user_id: %p}", cord_id_json(t->id), cord_id_json(id));

	cord_set_time(o, "join_timestamp", cord_snowflake_ms(t->id));
	json_set_int(o, "flags", 1);
	if (with_member)
		json_set(o, "member", cord_someone_json(t->guild, id, true));
	return o;
}

static void add_thread(struct json_object *o, const struct cord_channel *c, uint64_t id)
{
	struct json_object *meta = json_object_new_object();

	json_setf(o,
	    "parent_id: %p, owner_id: %p, message_count: %jd, total_message_sent: %jd, member_count: %jd",
	    cord_id_or_null(c->parent->id), cord_id_or_null(c->owner_id), count_shown(c), (int64_t)c->count,
	    (int64_t)c->members.count);
	json_setf(meta, "archived: %i, auto_archive_duration: %jd", c->archived, c->auto_archive);
	cord_set_time(meta, "archive_timestamp", c->archive_ms);
	json_set_bool(meta, "locked", c->locked);
	cord_set_time(meta, "create_timestamp", cord_snowflake_ms(c->id));
	if (c->type == CORD_PRIVATE_THREAD)
		json_set_bool(meta, "invitable", c->invitable);
	json_set(o, "thread_metadata", meta);
	if (id != 0 && cord_ids_have(&c->members, id))
		json_set(o, "member", cord_thread_member_json(c, id, false));
}

static void add_guild(struct json_object *o, const struct cord_channel *c)
{
	json_setf(o, "guild_id: %p, name: %s, rate_limit_per_user: %jd", cord_id_or_null(c->guild->id),
	    c->name, c->slowmode_s);
	if (c->parent)
		return;
	cord_set_id(o, "parent_id", c->category_id);
	json_set(o, "permission_overwrites", json_object_get(c->overwrites));
}

/* Undocumented: of people, the one for whom it is is left out, as clients have logged. */
static struct json_object *recipients_json(const struct cord_channel *c, uint64_t id)
{
	struct json_object *array = json_object_new_array();

	if (c->user)
		json_object_array_add(array, cord_user_json(c->user));
	for (size_t i = 0; i < c->members.count; i++)
		if (c->members.list[i] != id)
			json_object_array_add(array, cord_anyone_json(c->world, c->members.list[i]));
	return array;
}

struct json_object *cord_channel_json(const struct cord_channel *c, uint64_t id)
{
	struct json_object *o = json_object_new_object();

	cord_merge(o, c->more);
	json_setf(o, "id: %p, type: %d, last_message_id: %p", cord_id_or_null(c->id), c->type,
	    cord_id_or_null(c->last_message_id));
	if (c->guild)
		add_guild(o, c);
	else
		json_set(o, "recipients", recipients_json(c, id));
	if (c->type == CORD_GROUP_DM)
		cord_set_id(o, "owner_id", c->owner_id);
	if (c->parent)
		add_thread(o, c, id);
	return cord_fill(c->parent       ? "ThreadResponse" :
		c->guild                 ? "GuildChannelResponse" :
		c->type == CORD_GROUP_DM ? "PrivateGroupChannelResponse" :
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
	if (m->poll) { /* looked at once it is due */
		c->polls++;
		c->poll_ms = 0;
	}
	cord_show_message(m, "new");
	if (c->parent && (m->user || m->webhook_id == 0))
		cord_thread_join(c, cord_message_writer(m));
	if (c->archived && !c->locked) {
		c->archived = false;
		c->archive_ms = clock_wall();
		cord_event_channel(c, "THREAD_UPDATE");
	}
}

void cord_channel_changed(const struct cord_channel *c)
{
	cord_show_channel(c);
	cord_event_channel(c, cord_channel_is_thread(c) ? "THREAD_UPDATE" : "CHANNEL_UPDATE");
	playground_changed(c->world->pg);
}

void cord_channel_rename(struct cord_channel *c, const char *name)
{
	char *fresh = xstrdup(name);

	free(c->name);
	c->name = fresh;
}

void cord_channel_delete(struct cord_channel *c)
{
	cord_event_channel(c, cord_channel_is_thread(c) ? "THREAD_DELETE" : "CHANNEL_DELETE");
	c->gone = true; /* no lookup finds it any more */
	list_each_entry(&c->world->channel_list, struct cord_channel, other, link) {
		if (other->parent == c)
			other->gone = true;
		if (other->category_id != c->id || other->gone)
			continue;
		other->category_id = 0;
		cord_event_channel(other, "CHANNEL_UPDATE");
	}
	cord_show_channel(c);
	playground_changed(c->world->pg);
}

int64_t cord_channel_next_position(const struct cord_guild *g)
{
	int64_t next = 0;

	list_each_entry(&g->world->channel_list, struct cord_channel, c, link) {
		int64_t position = json_get_int(c->more, "position", 0);

		if (c->guild == g && !c->parent && !c->gone && position >= next)
			next = position + 1;
	}
	return next;
}
