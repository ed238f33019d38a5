#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "playground/telegram/world/world_internal.h"

#define LINK "https://t.me/+"

struct json_object *invite_new(struct chat *c, const struct bot *b, bool primary)
{
	struct json_object *o = json_object_new_object();
	char link[sizeof(LINK) + 16] = LINK;
	struct buf creator = BUF_INIT;

	clock_random_hex(link + strlen(LINK), 8);
	bot_write(b, &creator);
	json_setf(o,
	    "invite_link: %s, creator: %p, creates_join_request: false, is_primary: %i, is_revoked: false",
	    link, json_parse(creator.data, creator.len, NULL), primary);
	json_set(chat_part(c, "links"), link, o);
	buf_clear(&creator);
	return o;
}

static bool is_of(struct json_object *link, const struct bot *b)
{
	return json_get_int(json_get_object(link, "creator"), "id", 0) == b->id;
}

struct json_object *invite_find(const struct chat *c, const struct bot *b, const char *link)
{
	struct json_object *o = json_get_object(json_get_object(c->settings, "links"), link);

	return o && is_of(o, b) ? o : NULL;
}

struct json_object *invite_primary(const struct chat *c, const struct bot *b)
{
	struct json_object *links = json_get_object(c->settings, "links");

	if (!links)
		return NULL;
	json_object_object_foreach(links, name, o) {
		(void)name;
		if (is_of(o, b) && json_get_bool(o, "is_primary", false) &&
		    !json_get_bool(o, "is_revoked", false))
			return o;
	}
	return NULL;
}

/* Returns a copy of the link without what only the playground needs. */
static struct json_object *shown(struct json_object *link)
{
	struct json_object *o = NULL;

	json_object_deep_copy(link, &o, NULL);
	json_object_object_del(o, "joined");
	return o;
}

void invite_write(struct json_object *link, struct buf *out)
{
	struct json_object *o = shown(link);

	json_write(out, o);
	json_object_put(o);
}

/* Bot API: the bot must be an administrator that may invite. */
static void ask(struct chat *c, struct user *u, struct json_object *link)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"chat\":");
	chat_write(c, &out);
	buf_addstr(&out, ",\"from\":");
	user_write(u, &out);
	buf_addf(&out, ",\"user_chat_id\":%" PRId64 ",\"date\":%" PRId64, u->id, clock_wall() / 1000);
	if (link) {
		buf_addstr(&out, ",\"invite_link\":");
		invite_write(link, &out);
	}
	buf_addch(&out, '}');
	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].gone == GONE_NOT && bot_may(c, &c->members[i], "can_invite_users"))
			bot_update(c->members[i].bot, UPDATE_CHAT_JOIN_REQUEST, &out);
	buf_clear(&out);
}

static void come_in(struct chat *c, struct author by, struct user *u, struct json_object *link, bool asked)
{
	struct json_object *further = json_object_new_object();

	if (link) {
		json_set_int(link, "joined", json_get_int(link, "joined", 0) + 1);
		json_set(further, "invite_link", shown(link));
	}
	if (asked)
		json_set_bool(further, "via_join_request", true);
	people_set(c, by, u->id, people_record("member"), further);
	if (c->kind != CHAT_CHANNEL)
		service_member(c, (struct author){.user = u}, (struct author){.user = u}, true);
}

static void count_pending(struct json_object *link, int change)
{
	if (link)
		json_set_int(link, "pending_join_request_count",
		    json_get_int(link, "pending_join_request_count", 0) + change);
}

int invite_follow(struct chat *c, struct user *u, const char *name, bool *asked, struct error *err)
{
	struct json_object *link = name ? json_get_object(json_get_object(c->settings, "links"), name) : NULL;
	int64_t limit = json_get_int(link, "member_limit", 0), until = json_get_int(link, "expire_date", 0);
	char key[24];

	*asked = json_get_bool(link, "creates_join_request", !name);
	if (people_is_in(c, u->id))
		return error_set(err, ERROR_OURS, "%.64s is already there", u->label);
	if (strcmp(people_status(c, u->id), "kicked") == 0)
		return error_set(err, ERROR_OURS, "%.64s is banned there", u->label);
	if (name &&
	    (!link || json_get_bool(link, "is_revoked", false) ||
		(until != 0 && until < clock_wall() / 1000) ||
		(limit != 0 && json_get_int(link, "joined", 0) >= limit)))
		return error_set(err, ERROR_OURS, "that link is not good, or not any more");
	if (!*asked) {
		come_in(c, (struct author){.user = u}, u, link, false);
		return 0;
	}
	snprintf(key, sizeof(key), "%" PRId64, u->id);
	json_set(chat_part(c, "requests"), key, json_object_new_string(name ? name : ""));
	count_pending(link, 1);
	ask(c, u, link);
	return 0;
}

bool invite_end(struct chat *c, struct bot *by, int64_t user_id, bool approved)
{
	struct json_object *requests = chat_part(c, "requests"), *link;
	struct user *u = world_find_user(c->world, user_id);
	char key[24];

	snprintf(key, sizeof(key), "%" PRId64, user_id);
	if (!u || !json_get(requests, key))
		return false;
	link = json_get_object(json_get_object(c->settings, "links"), json_get_str(requests, key));
	json_object_object_del(requests, key);
	count_pending(link, -1);
	if (approved)
		come_in(c, (struct author){.bot = by}, u, link, true);
	return true;
}
