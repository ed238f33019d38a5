#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/slack/methods/compose.h"

#define USERS_MAX 8 /* conversations.open */

/* conversations.list has the number of members, conversations.info only if asked; others have none. */
static struct json_object *with_count(struct slk_call *call, const struct slk_conv *c)
{
	struct json_object *o = slk_conv_json(c, call->app);

	if (c->kind != SLK_IM)
		json_set_int(o, "num_members", (int64_t)c->member_count);
	return o;
}

int slk_conversations_info(struct slk_call *call)
{
	bool counted = json_get_bool(call->params, "include_num_members", false);
	struct slk_conv *c = slk_call_conv(call, "channel");

	if (!c || slk_auth_check_kind(call, (int)c->kind) != 0)
		return -1;
	json_set(call->out, "channel", counted ? with_count(call, c) : slk_conv_json(c, call->app));
	return 0;
}

static bool is_wanted(struct slk_call *call, const struct slk_conv *c, const char *types)
{
	static const char *const names[] = {[SLK_IM] = "im",
	    [SLK_MPIM] = "mpim",
	    [SLK_PRIVATE] = "private_channel",
	    [SLK_PUBLIC] = "public_channel"};
	const char *at = strstr(types, names[c->kind]);

	if (!slk_conv_sees(c, call->app) || !at)
		return false;
	if (c->kind == SLK_IM && at != types && at[-1] != ',') /* the end of "mpim" */
		at = strstr(at + 2, ",im");
	if (!at)
		return false;
	return !slk_conv_is_archived(c) || !json_get_bool(call->params, "exclude_archived", false);
}

/* Writes the conversations of the requested types; member: only those with that user, NULL: all. */
static int write_list(struct slk_call *call, const char *member, int64_t most)
{
	const char *types = json_get_str(call->params, "types");
	struct json_object *all = json_object_new_array();

	if (!types)
		types = "public_channel";
	list_each_entry(&call->world->convs, struct slk_conv, c, link)
		if (is_wanted(call, c, types) && (!member || slk_conv_has(c, member)))
			json_object_array_add(
			    all, member ? slk_conv_json(c, call->app) : with_count(call, c));
	return slk_call_answer_page(call, all, most, "channels");
}

/* Each requested type must be valid, and needs a scope of its own. */
static int check_types(struct slk_call *call)
{
	static const struct {
		const char *type, *scope;
	} kinds[] = {{"im", "im:read"}, {"mpim", "mpim:read"}, {"private_channel", "groups:read"},
	    {"public_channel", "channels:read"}};
	const char *types = json_get_str(call->params, "types");
	char *copy = xstrdup(types ? types : "public_channel"), *at = copy, *one;
	int ret = 0;

	while (ret == 0 && (one = strsep(&at, ","))) {
		size_t i = 0;

		while (i < ARRAY_LEN(kinds) && strcmp(kinds[i].type, one) != 0)
			i++;
		if (i == ARRAY_LEN(kinds)) {
			ret = slk_refuse(call, "invalid_types", "\"%.40s\" is no type of conversations", one);
		} else if (!slk_settings_scope(&call->world->set, kinds[i].scope)) {
			json_set_str(call->out, "needed", kinds[i].scope);
			ret = slk_fail(call, "missing_scope");
		}
	}
	free(copy);
	return ret;
}

int slk_conversations_list(struct slk_call *call)
{
	return check_types(call) == 0 ? write_list(call, NULL, 1000) : -1;
}

int slk_users_conversations(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "user");

	if (id && strcmp(id, call->app->user_id) != 0 && !slk_find_user(call->world, id))
		return slk_fail(call, "user_not_found");
	if (check_types(call) != 0)
		return -1;
	return write_list(call, id ? id : call->app->user_id, 999);
}

int slk_conversations_members(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");
	struct json_object *array;
	size_t from, to;

	if (!c || slk_auth_check_kind(call, (int)c->kind) != 0 ||
	    slk_call_page(call, c->member_count, 1000, &from, &to) != 0)
		return -1;
	array = json_object_new_array();
	for (size_t i = from; i < to; i++)
		json_object_array_add(array, json_object_new_string(c->members[i]));
	json_set(call->out, "members", array);
	return 0;
}

int slk_conversations_join(struct slk_call *call)
{
	struct slk_conv *c = slk_call_conv(call, "channel");

	if (!c)
		return -1;
	if (c->kind != SLK_PUBLIC)
		return slk_fail(call, "method_not_supported_for_channel_type");
	if (c->refusal)
		return slk_fail(call, c->refusal);
	if (slk_conv_has(c, call->app->user_id)) {
		slk_warn(call, "already_in_channel");
	} else {
		slk_conv_enter(c, NULL, call->app, NULL);
	}
	json_set(call->out, "channel", slk_conv_json(c, call->app));
	return 0;
}

/* Reads the people of the list; returns their number, or 0 after slk_fail. */
static size_t read_users(struct slk_call *call, struct slk_user *users[USERS_MAX])
{
	char *text = xstrdup(json_get_str(call->params, "users")), *at = text, *id;
	size_t count = 0;

	while ((id = strsep(&at, ","))) {
		struct slk_user *u = slk_is_id(id, "UW") ? slk_find_user(call->world, id) : NULL;

		if (!u || u->disabled || count == USERS_MAX) {
			slk_fail(call,
			    !u              ? "user_not_found" :
				u->disabled ? "user_disabled" :
					      "too_many_users");
			count = 0;
			break;
		}
		users[count++] = u;
	}
	free(text);
	return count;
}

static struct slk_conv *open_group(
    struct slk_call *call, struct slk_user **users, size_t count, bool *created)
{
	char *name = xasprintf("mpdm-%s", json_get_str(call->params, "users"));
	struct slk_conv_query query = {.chat = name, .kind = "mpim", .app = call->app};
	struct slk_conv *c = slk_conv_get(call->world, &query, created, NULL);

	free(name);
	slk_conv_add(c, call->app->user_id);
	for (size_t i = 0; i < count; i++)
		slk_conv_add(c, users[i]->id);
	return c;
}

int slk_conversations_open(struct slk_call *call)
{
	struct slk_user *users[USERS_MAX];
	struct json_object *o;
	bool created = false;
	struct slk_conv *c;
	size_t count;

	if (json_get_str(call->params, "channel")) {
		c = slk_call_conv(call, "channel");
		if (c && c->kind != SLK_IM && c->kind != SLK_MPIM)
			return slk_fail(call, "method_not_supported_for_channel_type");
	} else if (!json_get_str(call->params, "users")) {
		return slk_refuse(call, "users_list_not_supplied", "users or channel is needed");
	} else {
		count = read_users(call, users);
		c = count == 0 ? NULL :
		    count == 1 ? slk_conv_im(call->app, users[0], NULL, &created) :
				 open_group(call, users, count, &created);
	}
	if (!c)
		return -1;
	created |= c->closed;
	c->closed = false;
	if (!created) {
		json_set_bool(call->out, "no_op", true);
		json_set_bool(call->out, "already_open", true);
	}
	if (json_get_bool(call->params, "return_im", false)) {
		o = slk_conv_json(c, call->app);
	} else {
		o = json_object_new_object();
		json_set_str(o, "id", c->id);
	}
	json_set(call->out, "channel", o);
	return 0;
}
