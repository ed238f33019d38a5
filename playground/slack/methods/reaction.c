#include <ctype.h>
#include <string.h>

#include "playground/slack/methods/compose.h"

/* Slack's help, Use emoji and reactions. */
#define EMOJI_MAX  50 /* of one message */
#define PERSON_MAX 23 /* of one person on it */

bool slk_reaction_is_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > 100 || name[0] == ':')
		return false;
	for (; *name != '\0'; name++)
		if (!islower((unsigned char)*name) && !isdigit((unsigned char)*name) &&
		    !strchr("_-+':", *name) && (unsigned char)*name < 0x80)
			return false;
	return true;
}

static size_t place_of(struct json_object *array, const char *key, const char *value)
{
	size_t i = 0, count = json_count(array);

	for (; i < count; i++) {
		struct json_object *o = json_at(array, i);
		const char *s = key ? json_get_str(o, key) : json_object_get_string(o);

		if (s && strcmp(s, value) == 0)
			break;
	}
	return i;
}

/* Returns the entry of that emoji; NULL for none. */
static struct json_object *find(struct slk_message *m, const char *name)
{
	struct json_object *all = json_get_array(m->o, "reactions");

	return all ? json_at(all, place_of(all, "name", name)) : NULL;
}

static struct json_object *add_entry(struct slk_message *m, const char *name)
{
	struct json_object *all = json_get_array(m->o, "reactions"), *o;

	if (!all) {
		all = json_object_new_array();
		json_set(m->o, "reactions", all);
	}
	if (json_count(all) >= EMOJI_MAX)
		return NULL;
	o = json_newf("{name: %s, users: %p}", name, json_object_new_array());
	json_object_array_add(all, o);
	return o;
}

static size_t count_of(struct slk_message *m, const char *user)
{
	struct json_object *all = json_get_array(m->o, "reactions");
	size_t n = 0;

	json_each(all, item) {
		struct json_object *users = json_get_array(item, "users");

		n += place_of(users, NULL, user) < json_count(users);
	}
	return n;
}

const char *slk_reaction_add(struct slk_conv *c, struct slk_message *m, const char *user, const char *name)
{
	struct json_object *o = find(m, name), *users;

	users = json_get_array(o, "users");
	if (users && place_of(users, NULL, user) < json_count(users))
		return "already_reacted";
	if (count_of(m, user) >= PERSON_MAX)
		return "too_many_reactions";
	if (!o)
		o = add_entry(m, name);
	if (!o)
		return "too_many_emoji";
	users = json_get_array(o, "users");
	json_object_array_add(users, json_object_new_string(user));
	json_set_int(o, "count", (int64_t)json_count(users));
	slk_show_message(c, m, "reaction");
	slk_event_reaction(c, m, user, name, 1);
	return NULL;
}

const char *slk_reaction_remove(struct slk_conv *c, struct slk_message *m, const char *user, const char *name)
{
	struct json_object *all = json_get_array(m->o, "reactions"), *o = find(m, name),
			   *users = json_get_array(o, "users");
	size_t i = place_of(users, NULL, user);

	if (!users || i == json_count(users))
		return "no_reaction";
	json_object_array_del_idx(users, i, 1);
	json_set_int(o, "count", (int64_t)json_count(users));
	if (json_count(users) == 0)
		json_object_array_del_idx(all, place_of(all, "name", name), 1);
	if (json_count(all) == 0)
		json_object_object_del(m->o, "reactions");
	slk_show_message(c, m, "reaction");
	slk_event_reaction(c, m, user, name, 0);
	return NULL;
}

/* Finds the message by channel and timestamp. */
static struct slk_message *find_item(struct slk_call *call, struct slk_conv **c)
{
	const char *timestamp = json_get_str(call->params, "timestamp");
	int64_t ts;

	if (!timestamp || !json_get_str(call->params, "channel")) {
		slk_refuse(call, "no_item_specified", "channel and timestamp name the message");
		return NULL;
	}
	*c = slk_call_conv(call, "channel");
	if (!*c)
		return NULL;
	if (!slk_read_ts(timestamp, &ts)) {
		slk_refuse(call, "bad_timestamp", "timestamp must be the ts of a message");
		return NULL;
	}
	return slk_call_message(call, *c, "timestamp");
}

static int change(struct slk_call *call,
    const char *(*act)(struct slk_conv *, struct slk_message *, const char *, const char *))
{
	const char *name = json_get_str(call->params, "name"), *error;
	struct slk_conv *c = NULL;
	struct slk_message *m = find_item(call, &c);

	if (!m)
		return -1;
	if (!slk_conv_has(c, call->app->user_id))
		return slk_fail(call, "not_in_channel");
	if (c->refusal)
		return slk_fail(call, c->refusal);
	if (!slk_reaction_is_name(name))
		return slk_refuse(call, "invalid_name", "name is that of an emoji, without colons");
	error = act(c, m, call->app->user_id, name);
	return error ? slk_fail(call, error) : 0;
}

int slk_reactions_add(struct slk_call *call)
{
	return change(call, slk_reaction_add);
}

int slk_reactions_remove(struct slk_call *call)
{
	return change(call, slk_reaction_remove);
}

int slk_reactions_get(struct slk_call *call)
{
	struct slk_conv *c = NULL;
	struct slk_message *m = find_item(call, &c);

	if (!m)
		return -1;
	json_setf(
	    call->out, "type: 'message', channel: %s, message: %p", c->id, slk_message_json(c, m, false));
	return 0;
}
