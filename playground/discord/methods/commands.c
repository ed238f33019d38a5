#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

#define CHAT_MAX 100 /* per scope; 15 of the other types */
#define MENU_MAX 15

/* The application in the path must be the bot's own; *guild_id gets the guild, 0 for global commands. */
static int check_place(struct cord_call *call, uint64_t *guild_id)
{
	struct cord_guild *g;

	*guild_id = 0;
	if (call->ids[0] != call->bot->id)
		return cord_fail(call, "You are not authorized to perform this action on this application");
	if (!strstr(call->route->path, "/guilds/"))
		return 0;
	*guild_id = call->ids[1];
	g = cord_guild_find(call->world, *guild_id);
	return g && cord_guild_has(g, call->bot) ? 0 : cord_fail(call, "Missing Access");
}

/* Finds the command at the end of the path. */
static struct cord_command *call_command(struct cord_call *call, uint64_t *guild_id)
{
	struct cord_command *c;

	if (check_place(call, guild_id) != 0)
		return NULL;
	c = cord_command_find(&call->bot->commands, *guild_id, call->ids[*guild_id != 0 ? 2 : 1]);
	if (!c)
		cord_fail(call, "Unknown application command");
	return c;
}

/* Members that the platform always returns, with their default. */
static const struct {
	const char *name;
	const char *json; /* NULL for null */
} defaults[] = {
    {"name_localizations", NULL},
    {"description_localizations", NULL},
    {"contexts", NULL},
    {"type", "1"},
    {"nsfw", "false"},
    {"dm_permission", "true"},
    {"integration_types", "[0]"},
};

/* Makes the Application Command object from a body. */
static struct json_object *command_json(
    struct cord_call *call, struct json_object *body, uint64_t id, uint64_t guild_id)
{
	struct json_object *o = json_object_new_object();

	for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
		json_object_object_add(o, defaults[i].name,
		    defaults[i].json ? json_parse(defaults[i].json, strlen(defaults[i].json), NULL) : NULL);
	json_object_object_foreach(body, name, value) {
		if (strcmp(name, "id") != 0 && value)
			json_object_object_add(o, name, json_object_get(value));
	}
	json_setf(o, "id: %p, application_id: %p", cord_id_or_null(id), cord_id_or_null(call->bot->id));
	if (guild_id != 0)
		cord_set_id(o, "guild_id", guild_id);
	cord_set_id(o, "version", cord_new_id(call->world));
	return cord_fill("ApplicationCommandResponse", o);
}

int cord_list_commands(struct cord_call *call)
{
	uint64_t guild_id;

	if (check_place(call, &guild_id) != 0)
		return -1;
	call->result = json_object_new_array();
	list_each_entry(&call->bot->commands.list, struct cord_command, c, link)
		if (c->guild_id == guild_id)
			json_object_array_add(call->result, json_object_get(c->json));
	return 0;
}

int cord_get_command(struct cord_call *call)
{
	uint64_t guild_id;
	struct cord_command *c = call_command(call, &guild_id);

	if (!c)
		return -1;
	call->result = json_object_get(c->json);
	return 0;
}

int cord_delete_command(struct cord_call *call)
{
	uint64_t guild_id;
	struct cord_command *c = call_command(call, &guild_id);

	if (!c)
		return -1;
	cord_command_remove(c);
	cord_show_chats(call->world);
	return 0;
}

static size_t count_of(struct cord_call *call, uint64_t guild_id, int64_t type)
{
	size_t n = 0;

	list_each_entry(&call->bot->commands.list, struct cord_command, c, link)
		n += c->guild_id == guild_id && json_get_int(c->json, "type", 1) == type;
	return n;
}

/* Counts the creation of a command. Returns false after 200 in a day, in a guild or globally. */
static bool may_create(struct cord_call *call, uint64_t guild_id)
{
	struct cord_limit_state state;
	bool taken;

	if (!call->world->settings.limits)
		return true;
	taken =
	    cord_limits_take(&call->world->limits, CORD_BUCKET_CREATES, call->bot->number, guild_id, &state);
	exchange_limit(call->ex, state.used);
	return taken ||
	    cord_fail(call, "Max number of daily application command creates has been reached (200)") == 0;
}

/* Discord: Create Global Application Command: a command with a known name is overwritten. */
int cord_create_command(struct cord_call *call)
{
	int64_t type = json_get_int(call->body, "type", 1);
	struct cord_command *c;
	uint64_t guild_id, id;

	if (check_place(call, &guild_id) != 0)
		return -1;
	c = cord_command_by_name(&call->bot->commands, guild_id, json_get_str(call->body, "name"), type);
	if (!c && count_of(call, guild_id, type) >= (type == 1 ? CHAT_MAX : MENU_MAX))
		return cord_fail(call, "Maximum number of application commands reached (100).");
	if (!c && !may_create(call, guild_id))
		return -1;
	id = c ? c->id : cord_new_id(call->world);
	call->status = c ? 200 : 201;
	if (c)
		cord_command_remove(c);
	c = cord_command_add(
	    &call->bot->commands, guild_id, id, command_json(call, call->body, id, guild_id));
	call->result = json_object_get(c->json);
	cord_show_chats(call->world);
	return 0;
}

int cord_update_command(struct cord_call *call)
{
	uint64_t guild_id;
	struct cord_command *c = call_command(call, &guild_id), *other;
	const char *name = json_get_str(call->body, "name");
	struct json_object *was;

	if (!c)
		return -1;
	other = name ?
	    cord_command_by_name(&call->bot->commands, guild_id, name, json_get_int(c->json, "type", 1)) :
	    NULL;
	if (other && other != c)
		return cord_fail(call, "An application command with that name already exists");
	json_object_object_foreach(call->body, key, value) {
		json_object_object_add(c->json, key, json_object_get(value));
	}
	/* What is null now is as if it were never given. */
	was = c->json;
	c->json = command_json(call, was, c->id, guild_id);
	json_object_put(was);
	call->result = json_object_get(c->json);
	return 0;
}

static bool may_create_all(struct cord_call *call, uint64_t guild_id)
{
	json_each(call->body, o)
		if (!cord_command_by_name(&call->bot->commands, guild_id, json_get_str(o, "name"),
			json_get_int(o, "type", 1)) &&
		    !may_create(call, guild_id))
			return false;
	return true;
}

/* Names are unique per type; 100 chat commands, 15 of each other type. */
static int check_set(struct cord_call *call, uint64_t guild_id)
{
	struct json_object *seen = json_object_new_object();
	size_t counts[5] = {0}; /* by type */

	for (size_t i = 0; i < json_count(call->body); i++) {
		struct json_object *o = json_at(call->body, i);
		int64_t type = json_get_int(o, "type", 1);
		char key[160];

		snprintf(key, sizeof(key), "%d %s", (int)type, json_get_str(o, "name"));
		cord_errors_enter_index(&call->errors, i);
		if (json_get(seen, key))
			cord_errors_add(&call->errors, "name", "APPLICATION_COMMANDS_DUPLICATE_NAME",
			    "Application command names must be unique");
		cord_errors_leave(&call->errors);
		json_set_bool(seen, key, true);
		counts[type]++;
	}
	json_object_put(seen);
	if (call->errors.tree)
		return cord_refuse(call);
	if (counts[1] > CHAT_MAX || counts[2] > MENU_MAX || counts[3] > MENU_MAX)
		return cord_fail(call, "Maximum number of application commands reached (100).");
	return may_create_all(call, guild_id) ? 0 : -1;
}

/* Discord: Bulk Overwrite: commands that are not named are removed; those with a known name keep their id. */
int cord_bulk_set_commands(struct cord_call *call)
{
	struct cord_commands *all = &call->bot->commands;
	struct list old = LIST_INIT(old);
	uint64_t guild_id;

	if (check_place(call, &guild_id) != 0 || check_set(call, guild_id) != 0)
		return -1;
	call->result = json_object_new_array();
	list_each(&all->list, it, tmp) {
		if (list_entry(it, struct cord_command, link)->guild_id != guild_id)
			continue;
		list_remove(it);
		list_append(&old, it);
	}
	json_each(call->body, o) {
		struct cord_command *c, *was = NULL;
		uint64_t id;

		list_each_entry(&old, struct cord_command, each, link) {
			if (strcmp(json_get_str(each->json, "name"), json_get_str(o, "name")) == 0 &&
			    json_get_int(each->json, "type", 1) == json_get_int(o, "type", 1))
				was = each;
		}
		id = was ? was->id : cord_new_id(call->world);
		c = cord_command_add(all, guild_id, id, command_json(call, o, id, guild_id));
		json_object_array_add(call->result, json_object_get(c->json));
	}
	list_each_entry(&old, struct cord_command, entry, link)
		cord_command_remove(entry);
	cord_show_chats(call->world);
	return 0;
}
