#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/spec/spec.h"
#include "playground/telegram/world/world_internal.h"

static const char *key_of(int64_t id)
{
	static char key[24];

	snprintf(key, sizeof(key), "%" PRId64, id);
	return key;
}

struct json_object *people_record(const char *status)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "status", status);
	return o;
}

struct json_object *people_get(const struct chat *c, int64_t id)
{
	struct json_object *people = json_get_object(c->settings, "people"),
			   *record = json_get_object(people, key_of(id));
	int64_t until = json_get_int(record, "until_date", 0);
	const char *status = json_get_str(record, "status");

	if (until == 0 || until > clock_wall() / 1000)
		return record;
	record = people_record(strcmp(status, "restricted") == 0 ? "member" : "left");
	json_set(people, key_of(id), record);
	return record;
}

const char *people_status(const struct chat *c, int64_t id)
{
	struct json_object *record = people_get(c, id);

	return record ? json_get_str(record, "status") : "left";
}

static bool is_in(struct json_object *record)
{
	const char *status = json_get_str(record, "status");

	return status && strcmp(status, "left") != 0 && strcmp(status, "kicked") != 0 &&
	    json_get_bool(record, "is_member", true);
}

bool people_is_in(const struct chat *c, int64_t id)
{
	return is_in(people_get(c, id));
}

size_t people_count(const struct chat *c)
{
	struct json_object *people = json_get_object(c->settings, "people");
	size_t count = 0;

	for (size_t i = 0; i < c->member_count; i++)
		count += c->members[i].gone == GONE_NOT;
	if (people) {
		json_object_object_foreach(people, key, record) {
			(void)key;
			count += is_in(record);
		}
	}
	return count;
}

void people_meet(struct chat *c, const struct user *u)
{
	if (c->kind != CHAT_PRIVATE && !people_get(c, u->id))
		json_set(chat_part(c, "people"), key_of(u->id), people_record("member"));
}

static void write_members(struct json_object *o, struct buf *out)
{
	json_object_object_foreach(o, name, value) {
		buf_addf(out, ",\"%s\":", name);
		json_write(out, value);
	}
}

void people_write(const struct chat *c, int64_t id, struct buf *out)
{
	struct bot *b = map_get(&c->world->bots, id, 0);
	struct json_object *record = people_get(c, id);

	if (b) {
		bot_write_member(b, c, chat_member_status(c, chat_find_member(c, b)), out);
		return;
	}
	buf_addstr(out, "{\"user\":");
	world_write_user(out, id, c->world);
	if (record)
		write_members(record, out);
	else
		buf_addstr(out, ",\"status\":\"left\"");
	buf_addch(out, '}');
}

void people_set(
    struct chat *c, struct author by, int64_t id, struct json_object *record, struct json_object *further)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, "{\"chat\":");
	chat_write(c, &out);
	buf_addstr(&out, ",\"from\":");
	world_write_user(&out, by.bot ? by.bot->id : by.user->id, c->world);
	buf_addf(&out, ",\"date\":%" PRId64 ",\"old_chat_member\":", clock_wall() / 1000);
	people_write(c, id, &out);
	json_set(chat_part(c, "people"), key_of(id), record);
	buf_addstr(&out, ",\"new_chat_member\":");
	people_write(c, id, &out);
	if (further)
		write_members(further, &out);
	buf_addch(&out, '}');
	for (size_t i = 0; i < c->member_count; i++)
		if (c->members[i].gone == GONE_NOT && bot_may(c, &c->members[i], NULL))
			bot_update(c->members[i].bot, UPDATE_CHAT_MEMBER, &out);
	buf_clear(&out);
	json_object_put(further);
}

/* What everybody may do in a new group; all but what changes the group itself. */
static bool is_free(const char *permission)
{
	return strncmp(permission, "can_send_", 9) == 0 || strcmp(permission, "can_invite_users") == 0 ||
	    strcmp(permission, "can_add_web_page_previews") == 0 ||
	    strcmp(permission, "can_react_to_messages") == 0;
}

void rights_read(const char *type, struct json_object *in, struct json_object *out)
{
	const struct spec_record *r = spec_type(spec_of("telegram"), type);

	for (size_t i = 0; i < r->count; i++)
		json_set_bool(out, r->members[i].name, json_get_bool(in, r->members[i].name, false));
}

struct json_object *people_permissions(const struct chat *c)
{
	const struct spec_record *r = spec_type(spec_of("telegram"), "ChatPermissions");
	struct json_object *set = json_get_object(c->settings, "permissions"), *o = json_object_new_object();

	for (size_t i = 0; i < r->count; i++)
		json_set_bool(o, r->members[i].name,
		    set ? json_get_bool(set, r->members[i].name, false) : is_free(r->members[i].name));
	return o;
}

bool people_may(const struct chat *c, int64_t id, const char *permission)
{
	const char *status = people_status(c, id);
	struct json_object *all;
	bool may;

	if (strcmp(status, "creator") == 0 || strcmp(status, "administrator") == 0)
		return true;
	if (strcmp(status, "restricted") == 0 && !json_get_bool(people_get(c, id), permission, false))
		return false;
	all = people_permissions(c);
	may = json_get_bool(all, permission, false);
	json_object_put(all);
	return may;
}

bool bot_may(const struct chat *c, const struct member *m, const char *right)
{
	static const char *const usual[] = {"can_manage_chat", "can_delete_messages",
	    "can_manage_video_chats", "can_restrict_members", "can_change_info", "can_invite_users",
	    "can_pin_messages", "can_manage_topics"};

	if (c->kind == CHAT_CHANNEL)
		return true;
	if (!m->admin || !right || m->rights)
		return m->admin && (!right || json_get_bool(m->rights, right, false));
	for (size_t i = 0; i < ARRAY_LEN(usual); i++)
		if (strcmp(usual[i], right) == 0)
			return true;
	return false;
}
