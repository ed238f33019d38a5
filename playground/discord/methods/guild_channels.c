#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

#define CHANNELS_MAX 500
#define CATEGORY_MAX 50

/* Members of a body that a channel keeps as they are. */
static const char *const kept[] = {"applied_tags", "available_tags", "bitrate",
    "default_auto_archive_duration", "default_forum_layout", "default_reaction_emoji", "default_sort_order",
    "default_tag_setting", "default_thread_rate_limit_per_user", "flags", "nsfw", "position", "rtc_region",
    "topic", "user_limit", "video_quality_mode"};

static bool is_textual(enum cord_channel_type type)
{
	return type == CORD_TEXT || type == CORD_NEWS || type == CORD_FORUM || type == CORD_MEDIA;
}

/* Names of text channels have neither capitals nor blanks. */
static void take_name(struct cord_channel *c, const char *name)
{
	char *fresh = xstrdup(name);

	for (char *s = fresh; is_textual(c->type) && *s != '\0'; s++)
		*s = *s == ' ' ? '-' : (char)tolower((unsigned char)*s);
	free(c->name);
	c->name = fresh;
}

/* Gives tags that have no id one; their names differ. */
static int take_tags(struct cord_call *call, struct json_object *tags)
{
	for (size_t i = 0; i < json_count(tags); i++) {
		struct json_object *tag = json_at(tags, i);

		for (size_t k = 0; k < i; k++)
			if (strcmp(json_get_str(json_at(tags, k), "name"), json_get_str(tag, "name")) == 0)
				return cord_fail(call, "Tag names must be unique");
		if (cord_get_id(tag, "id") == 0)
			cord_set_id(tag, "id", cord_new_id(call->world));
		cord_fill("ForumTagResponse", tag);
	}
	return 0;
}

static int check_parent(
    struct cord_call *call, const struct cord_guild *g, const struct cord_channel *c, uint64_t id)
{
	const struct cord_channel *parent = id != 0 ? cord_channel_find(call->world, id) : NULL;
	size_t n = 0;

	if (id == 0)
		return 0;
	if (!parent || parent->gone || parent->guild != g)
		return cord_refuse_field(
		    call, "parent_id", "CHANNEL_PARENT_INVALID", "Category does not exist");
	if (parent->type != CORD_CATEGORY || (c && c->type == CORD_CATEGORY))
		return cord_refuse_field(call, "parent_id", "CHANNEL_PARENT_INVALID_TYPE", "Not a category");
	list_each_entry(&call->world->channel_list, struct cord_channel, each, link)
		n += !each->gone && each != c && each->category_id == id;
	if (n >= CATEGORY_MAX)
		return cord_refuse_field(call, "parent_id", "CHANNEL_PARENT_MAX_CHANNELS",
		    "Maximum number of channels in category reached (%d)", CATEGORY_MAX);
	return 0;
}

/* Discord: Create Guild Channel: a bot allows and denies what it may do itself. */
static int check_bits(struct cord_call *call, const struct cord_guild *g, uint64_t bits)
{
	uint64_t may = cord_call_guild_may(call, g);

	if (may & CORD_MAY_ADMINISTER)
		return 0;
	return bits & (~may | CORD_MAY_MANAGE_ROLES) ? cord_fail(call, "Missing Permissions") : 0;
}

/* The new array of overwrites of a body; NULL after a failure. */
static struct json_object *read_overwrites(
    struct cord_call *call, const struct cord_guild *g, struct json_object *given)
{
	struct json_object *array = json_object_new_array();

	json_each(given, row) {
		struct json_object *o = json_object_new_object();
		uint64_t id = cord_get_id(row, "id"), allow = cord_get_bits(row, "allow"),
			 deny = cord_get_bits(row, "deny");
		bool role = cord_record_find(call->world, CORD_ROLE, g->id, id) != NULL;

		json_setf(o, "id: %p, type: %jd", cord_id_json(id), json_get_int(row, "type", !role));
		cord_set_bits(o, "allow", allow);
		cord_set_bits(o, "deny", deny);
		json_object_array_add(array, o);
		if (check_bits(call, g, allow | deny) != 0) {
			json_object_put(array);
			return NULL;
		}
	}
	return array;
}

int cord_channel_take(struct cord_call *call, struct cord_channel *c, struct json_object *body)
{
	struct json_object *tags = json_get_array(body, "available_tags"),
			   *given = json_get_array(body, "permission_overwrites"), *overwrites = NULL;

	if (check_parent(call, c->guild, c, cord_get_id(body, "parent_id")) != 0 ||
	    (tags && take_tags(call, tags) != 0))
		return -1;
	if (given && !(overwrites = read_overwrites(call, c->guild, given)))
		return -1;
	if (overwrites) {
		json_object_put(c->overwrites);
		c->overwrites = overwrites;
	}
	if (json_get_str(body, "name") && json_get_str(body, "name")[0] != '\0')
		take_name(c, json_get_str(body, "name"));
	if (cord_given(body, "parent_id"))
		c->category_id = cord_get_id(body, "parent_id");
	c->slowmode_s = json_get_int(body, "rate_limit_per_user", c->slowmode_s);
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		if (json_get(body, kept[i]))
			json_set(c->more, kept[i], cord_copy(json_get(body, kept[i])));
		else if (cord_given(body, kept[i]))
			json_object_object_del(c->more, kept[i]);
	return 0;
}

/* What the platform gives to a channel of that type. */
static void set_defaults(struct cord_channel *c)
{
	static const char *const nulls[] = {"default_reaction_emoji", "default_sort_order"};

	json_set_int(c->more, "position", cord_channel_next_position(c->guild));
	if (c->type == CORD_VOICE || c->type == CORD_STAGE_VOICE) {
		json_set_int(c->more, "bitrate", 64000);
		json_setf(c->more, "user_limit: 0, rtc_region: null");
	}
	if (c->type != CORD_CATEGORY)
		json_set_bool(c->more, "nsfw", false);
	if (is_textual(c->type))
		cord_set_null(c->more, "topic");
	if (c->type != CORD_FORUM && c->type != CORD_MEDIA)
		return;
	json_setf(c->more, "available_tags: %p, default_forum_layout: 0", json_object_new_array());
	for (size_t i = 0; i < ARRAY_LEN(nulls); i++)
		cord_set_null(c->more, nulls[i]);
}

/* A channel takes the overwrites of its category when it brings none. */
static void inherit(struct cord_channel *c, struct json_object *body)
{
	const struct cord_channel *parent = cord_channel_find(c->world, c->category_id);

	if (!parent || json_get_array(body, "permission_overwrites"))
		return;
	json_object_put(c->overwrites);
	c->overwrites = cord_copy(parent->overwrites);
}

int cord_create_guild_channel(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	enum cord_channel_type type = (enum cord_channel_type)json_get_int(call->body, "type", CORD_TEXT);
	struct cord_channel *c;
	size_t n = 0;

	list_each_entry(&call->world->channel_list, struct cord_channel, each, link) {
		c = each;
		n += c->guild == g && !c->parent && !c->gone;
	}
	if (n >= CHANNELS_MAX)
		return cord_fail(call, "Maximum number of guild channels reached (500)");
	c = cord_channel_new(call->world, type, cord_new_id(call->world), "");
	c->guild = g;
	c->gone = true; /* until it is complete */
	str_copy(c->kind, sizeof(c->kind), type == CORD_NEWS ? "news" : "group");
	set_defaults(c);
	if (cord_channel_take(call, c, call->body) != 0)
		return -1;
	inherit(c, call->body);
	c->gone = false;
	cord_show_channel(c);
	cord_event_channel(c, "CHANNEL_CREATE");
	call->result = cord_channel_json(c, cord_call_actor(call));
	cord_call_audit(call, g, CORD_ACTION_CHANNEL, c->id, NULL, call->result);
	call->status = 201;
	return 0;
}

int cord_delete_channel(struct cord_call *call)
{
	struct cord_channel *c = call->channel;
	uint64_t want;

	call->result = cord_channel_json(c, cord_call_actor(call));
	if (!c->guild)
		return 0; /* closed for the bot, which opens it again */
	want = c->parent ? CORD_MAY_MANAGE_THREADS : CORD_MAY_MANAGE_CHANNELS;
	if (!(cord_call_may(call, c) & want))
		return cord_fail(call, "Missing Permissions");
	cord_channel_delete(c);
	cord_call_audit(call, c->guild, (c->parent ? CORD_ACTION_THREAD : CORD_ACTION_CHANNEL) + 2, c->id,
	    call->result, NULL);
	return 0;
}

/* All rows are checked before one is played. */
int cord_bulk_update_guild_channels(struct cord_call *call)
{
	struct cord_guild *g = call->guild;
	size_t parents = 0;

	json_each(call->body, row) {
		struct cord_channel *c = cord_channel_find(call->world, cord_get_id(row, "id"));

		if (!c || c->guild != g || c->gone || c->parent)
			return cord_fail(call, "Unknown Channel");
		if (!cord_given(row, "parent_id"))
			continue;
		if (!(cord_call_may(call, c) & CORD_MAY_MANAGE_CHANNELS))
			return cord_fail(call, "Missing Access");
		parents += cord_get_id(row, "parent_id") != c->category_id;
		if (check_parent(call, g, c, cord_get_id(row, "parent_id")) != 0)
			return -1;
	}
	if (parents > 1)
		return cord_fail(call, "Only one channel can have a parent_id modified at a time");
	json_each(call->body, row) {
		struct cord_channel *c = cord_channel_find(call->world, cord_get_id(row, "id"));

		if (json_get(row, "position"))
			json_set_int(c->more, "position", json_get_int(row, "position", 0));
		if (cord_given(row, "parent_id"))
			c->category_id = cord_get_id(row, "parent_id");
		if (json_get_bool(row, "lock_permissions", false))
			inherit(c, NULL);
		cord_channel_changed(c);
	}
	return 0;
}

static struct cord_channel *overwrite_place(struct cord_call *call)
{
	struct cord_channel *c = call->channel;

	if (!c->guild || c->parent)
		cord_fail(call,
		    c->guild ? "Cannot execute action on this channel type" :
			       "Cannot execute action on a DM channel");
	else if (!(cord_call_may(call, c) & CORD_MAY_MANAGE_ROLES))
		cord_fail(call, "Missing Permissions");
	else
		return c;
	return NULL;
}

static void audit_overwrite(struct cord_call *call, struct cord_channel *c, int action,
    struct json_object *was, struct json_object *is)
{
	struct json_object *options = json_object_new_object(), *o = is ? is : was;
	const struct cord_record *role =
	    cord_record_find(call->world, CORD_ROLE, c->guild->id, cord_get_id(o, "id"));

	json_setf(options, "id: %s, type: %s, role_name: %s", json_get_str(o, "id"), role ? "0" : "1",
	    role ? json_get_str(role->json, "name") : NULL);
	cord_call_audit_entry(call, c->guild,
	    (struct cord_audit_entry){
		.action = action, .target_id = c->id, .before = was, .after = is, .options = options});
}

int cord_set_channel_permission_overwrite(struct cord_call *call)
{
	struct cord_channel *c = overwrite_place(call);
	uint64_t id = call->ids[1], allow = cord_get_bits(call->body, "allow"),
		 deny = cord_get_bits(call->body, "deny");
	bool role;
	struct json_object *o, *was;

	if (!c)
		return -1;
	role = cord_record_find(call->world, CORD_ROLE, c->guild->id, id) != NULL;
	if (!role && !cord_is_member(c->guild, id))
		return cord_fail(call, "Unknown Permission Overwrite");
	if (check_bits(call, c->guild, allow | deny) != 0)
		return -1;
	was = cord_copy(cord_channel_overwrite(c, id, !role, false));
	o = cord_channel_overwrite(c, id, !role, true);
	cord_set_bits(o, "allow", allow);
	cord_set_bits(o, "deny", deny);
	cord_channel_changed(c);
	audit_overwrite(call, c, CORD_ACTION_OVERWRITE + (was != NULL), was, o);
	json_object_put(was);
	return 0;
}

int cord_delete_channel_permission_overwrite(struct cord_call *call)
{
	struct cord_channel *c = overwrite_place(call);
	struct json_object *was;

	if (!c)
		return -1;
	was = cord_copy(cord_channel_overwrite(c, call->ids[1], 0, false));
	if (!cord_channel_overwrite_remove(c, call->ids[1]))
		return cord_fail(call, "Unknown Permission Overwrite");
	cord_channel_changed(c);
	audit_overwrite(call, c, CORD_ACTION_OVERWRITE + 2, was, NULL);
	json_object_put(was);
	return 0;
}

/* Discord: channel, Modify Channel, for guild channels. */
int cord_channel_update(struct cord_call *call, struct cord_channel *c)
{
	int64_t type = json_get_int(call->body, "type", c->type);
	struct json_object *was, *now;

	if (!(cord_call_may(call, c) & CORD_MAY_MANAGE_CHANNELS) ||
	    (json_get(call->body, "permission_overwrites") &&
		!(cord_call_may(call, c) & CORD_MAY_MANAGE_ROLES)))
		return cord_fail(call, "Missing Permissions");
	if (type != c->type &&
	    !((type == CORD_TEXT && c->type == CORD_NEWS) || (type == CORD_NEWS && c->type == CORD_TEXT)))
		return cord_refuse_field(call, "type", "CHANNEL_TYPE_INVALID",
		    "Only text and announcement channels can be converted.");
	now = cord_channel_json(c, cord_call_actor(call));
	was = cord_copy(now); /* it shares the overwrites, which change */
	json_object_put(now);
	if (cord_channel_take(call, c, call->body) != 0) {
		json_object_put(was);
		return -1;
	}
	c->type = (enum cord_channel_type)type;
	cord_channel_changed(c);
	call->result = cord_channel_json(c, cord_call_actor(call));
	cord_call_audit(call, c->guild, CORD_ACTION_CHANNEL + 1, c->id, was, call->result);
	json_object_put(was);
	return 0;
}
