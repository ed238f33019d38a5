#include <inttypes.h>
#include <string.h>

#include "playground/telegram/control/control.h"
#include "playground/telegram/world/world_internal.h"

static struct json_object *connections(const struct bot *b)
{
	struct json_object *o = json_get_object(b->profile, "connections");

	if (!o) {
		o = json_object_new_object();
		json_set(b->profile, "connections", o);
	}
	return o;
}

struct json_object *business_find(const struct bot *b, const char *id)
{
	return id ? json_get_object(connections(b), id) : NULL;
}

struct user *business_owner(const struct bot *b, const char *id)
{
	return world_find_user(b->world, json_get_int(business_find(b, id), "user", 0));
}

bool business_may(const struct bot *b, const char *id, const char *right)
{
	struct json_object *o = business_find(b, id);

	return json_get_bool(o, "is_enabled", false) &&
	    json_get_bool(json_get_object(o, "rights"), right, false);
}

void business_write(const struct bot *b, const char *id, struct buf *out)
{
	struct json_object *o = business_find(b, id);
	int64_t user = json_get_int(o, "user", 0);

	buf_addf(out, "{\"id\":\"%s\",\"user\":", id);
	world_write_user(out, user, b->world);
	buf_addf(out,
	    ",\"user_chat_id\":%" PRId64 ",\"date\":%" PRId64 ",\"is_enabled\":%s,\"rights\":", user,
	    json_get_int(o, "date", 0), json_get_bool(o, "is_enabled", false) ? "true" : "false");
	json_write(out, json_get_object(o, "rights"));
	buf_addch(out, '}');
}

/* Returns the id of the person's connection, which is made if there is none. */
static const char *id_of(struct bot *b, const struct user *u)
{
	struct json_object *all = connections(b);
	char id[19] = "bc";

	json_object_object_foreach(all, known, connection) {
		if (json_get_int(connection, "user", 0) == u->id)
			return known;
	}
	clock_random_hex(id + 2, 8);
	json_set(all, id, json_newf("{user: %jd, date: %jd}", u->id, clock_wall() / 1000));
	return id_of(b, u);
}

const char *business_connect(struct bot *b, const struct user *u, bool enabled, struct json_object *rights)
{
	const char *id = id_of(b, u);
	struct json_object *o = business_find(b, id), *named = json_object_new_object();
	struct buf out = BUF_INIT;

	if (!rights) {
		json_set_bool(named, "can_reply", true);
		json_set_bool(named, "can_read_messages", true);
	}
	json_each(rights, item)
		if (item)
			json_set_bool(named, json_object_get_string(item), true);
	json_setf(o, "is_enabled: %i, rights: %p", enabled, named);
	business_write(b, id, &out);
	bot_update(b, UPDATE_BUSINESS_CONNECTION, &out);
	buf_clear(&out);
	return id;
}

struct chat *business_chat(struct bot *b, const char *id, struct user *customer, int64_t customer_id)
{
	struct chat *c =
	    map_get(&b->world->privates, chat_business_key(id), customer ? customer->id : customer_id);

	if (c || !customer)
		return c;
	c = chat_new(b->world, CHAT_PRIVATE, customer->id, NULL);
	c->business = xstrdup(id);
	c->user = customer;
	map_put(&b->world->privates, chat_key(c), c->id, c);
	chat_add_member(c, b);
	show_chat(c);
	return c;
}

void business_delete(struct chat *c, struct message *m, bool notify)
{
	struct buf out = BUF_INIT;

	chat_delete_message(c, m);
	if (!notify || !business_find(c->members[0].bot, c->business))
		return;
	buf_addf(&out, "{\"business_connection_id\":\"%s\",\"chat\":", c->business);
	chat_write(c, &out);
	buf_addf(&out, ",\"message_ids\":[%" PRId32 "]}", m->id);
	bot_update(c->members[0].bot, UPDATE_DELETED_BUSINESS_MESSAGES, &out);
	buf_clear(&out);
}
