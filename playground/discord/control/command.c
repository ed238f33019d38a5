#include <string.h>

#include "base/mem.h"
#include "playground/discord/control/control.h"

enum { CHAT = 1, OF_USER = 2, OF_MESSAGE = 3 };

/* Guild commands precede global ones with the same name. */
static struct cord_command *find_command(const struct cord_context *s, const char *name, int64_t type)
{
	struct cord_command *c = NULL;

	if (s->channel->guild)
		c = cord_command_by_name(&s->bot->commands, s->channel->guild->id, name, type);
	return c ? c : cord_command_by_name(&s->bot->commands, 0, name, type);
}

/* A command of the menus has blanks in its name; a chat command is followed by its subcommand. */
static struct cord_command *split_command(
    const struct cord_context *s, const char *text, int64_t type, const char **path)
{
	struct cord_command *c;
	char name[40];

	*path = "";
	if (type != CHAT)
		return find_command(s, text, type);
	text += text[0] == '/';
	str_copy(name, sizeof(name), text);
	name[strcspn(name, " ")] = '\0';
	c = find_command(s, name, type);
	*path = text + strlen(name) + strspn(text + strlen(name), " ");
	return c;
}

/* Discord: Interaction Contexts: where a command may be given. */
static bool fits_here(const struct cord_command *c, const struct cord_channel *place)
{
	struct json_object *contexts = json_get_array(c->json, "contexts");
	int64_t here = place->guild ? 0 : place->user ? 1 : 2;

	json_each(contexts, item)
		if (json_object_get_int64(item) == here)
			return true;
	return !contexts && (here == 0 || json_get_bool(c->json, "dm_permission", true));
}

static int check_place(
    const struct cord_command *c, const struct cord_channel *place, const char *name, struct error *err)
{
	if (c && cord_channel_is_people(place) && !cord_command_installs(c->json, 1))
		return error_set(err, ERROR_OURS,
		    "\"%.32s\" works only where the bot is: its integration_types have no 1 (USER_INSTALL)",
		    name);
	if (c && cord_channel_is_people(place) && !fits_here(c, place))
		return error_set(err, ERROR_OURS,
		    "\"%.32s\" cannot be given among people: its contexts have no 2 (PRIVATE_CHANNEL)", name);
	if (!c || !fits_here(c, place))
		return error_set(err, ERROR_OURS, "the bot has registered no command \"%.32s\" there", name);
	return 0;
}

/* Discord: Application Command Permissions: what a member needs by default; "0": to be an administrator. */
static bool may_use(const struct cord_command *c, const struct cord_context *s)
{
	uint64_t want = cord_get_bits(c->json, "default_member_permissions"), may;

	if (!json_get(c->json, "default_member_permissions") || !s->channel->guild)
		return true;
	may = cord_permissions_in(s->channel, s->user->id);
	return (may & CORD_MAY_ADMINISTER) || (want != 0 && (may & want) == want);
}

/* A command of a menu is about a person or a message. */
static int add_target(const struct cord_context *s, struct json_object *in, int64_t type,
    struct json_object *data, struct json_object *resolved, struct error *err)
{
	struct json_object *group, *o;
	struct cord_message *m;
	uint64_t id;

	if (type == OF_USER) {
		id = cord_resolve(s, resolved, CORD_RESOLVE_USER, members_string(in, "target"), err);
		if (id == 0)
			return -1;
		cord_set_id(data, "target_id", id);
		return 0;
	}
	m = cord_context_message(s, in, "message_id", err);
	if (!m)
		return -1;
	cord_set_id(data, "target_id", m->id);
	o = cord_message_json(m);
	group = json_object_new_object();
	json_set(group, json_get_str(o, "id"), o);
	json_set(resolved, "messages", group);
	return 0;
}

static struct json_object *command_data(const struct cord_context *s, const struct cord_command *c,
    const char *path, struct json_object *in, struct error *err)
{
	struct json_object *data = json_object_new_object(), *resolved = json_object_new_object(),
			   *options = NULL;
	int64_t type = json_get_int(c->json, "type", CHAT);
	int ret = 0;

	json_setf(
	    data, "id: %p, name: %s, type: %jd", cord_id_or_null(c->id), json_get_str(c->json, "name"), type);
	if (c->guild_id != 0)
		cord_set_id(data, "guild_id", c->guild_id);
	if (type == CHAT) {
		options = cord_options_read(s, json_get_array(c->json, "options"), path, in, resolved, err);
		ret = options ? 0 : -1;
	} else {
		ret = add_target(s, in, type, data, resolved, err);
	}
	if (options && json_count(options) > 0)
		json_set(data, "options", options);
	else
		json_object_put(options);
	if (json_object_object_length(resolved) > 0)
		json_set(data, "resolved", resolved);
	else
		json_object_put(resolved);
	if (ret == 0)
		return data;
	json_object_put(data);
	return NULL;
}

/* "target" or "message_id": it is one of the menu of a person or message. */
int cord_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *name = members_string(in, "command"), *path;
	int64_t type = members_string(in, "target") ? OF_USER :
	    members_string(in, "message_id")        ? OF_MESSAGE :
						      CHAT;
	struct cord_interaction_params params = {.type = CORD_INTERACTION_COMMAND};
	struct cord_command *c;
	struct cord_context s;

	if (cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user || !name)
		return error_set(err, ERROR_OURS, "say which \"user\" gives which \"command\"");
	c = split_command(&s, name, type, &path);
	if (check_place(c, s.channel, name, err) != 0)
		return -1;
	if (!may_use(c, &s))
		return error_set(err, ERROR_OURS,
		    "%.64s lacks the permissions for \"%.32s\": \"member\" gives roles, or the guild (own)",
		    s.user->label, name);
	params.data = command_data(&s, c, path, in, err);
	if (!params.data)
		return -1;
	if (json_get_str(in, "autocomplete"))
		params.type = CORD_INTERACTION_AUTOCOMPLETE;
	params.bot = s.bot;
	params.channel = s.channel;
	params.user = s.user;
	params.name = json_get_str(c->json, "name");
	params.command = c->json;
	cord_set_id(out, "interaction_id", cord_interaction_new(&params)->id);
	cord_context_answer(&s, out, 0);
	return 0;
}
