#include <stdlib.h>
#include <string.h>

#include "playground/discord/world/world_internal.h"

struct cord_command *cord_command_find(struct cord_commands *c, uint64_t guild_id, uint64_t id)
{
	list_each_entry(&c->list, struct cord_command, command, link)
		if (command->id == id && command->guild_id == guild_id)
			return command;
	return NULL;
}

struct cord_command *cord_command_by_name(
    struct cord_commands *c, uint64_t guild_id, const char *name, int64_t type)
{
	list_each_entry(&c->list, struct cord_command, command, link)
		if (command->guild_id == guild_id && json_get_int(command->json, "type", 1) == type &&
		    strcmp(json_get_str(command->json, "name"), name) == 0)
			return command;
	return NULL;
}

bool cord_command_installs(struct json_object *command, int64_t type)
{
	struct json_object *types = json_get_array(command, "integration_types");

	json_each(types, item)
		if (json_object_get_int64(item) == type)
			return true;
	return !types && type == 0;
}

struct cord_command *cord_command_add(
    struct cord_commands *c, uint64_t guild_id, uint64_t id, struct json_object *json)
{
	struct cord_command *command = xcalloc(1, sizeof(*command));

	command->id = id;
	command->guild_id = guild_id;
	command->json = json;
	list_append(&c->list, &command->link);
	return command;
}

void cord_command_remove(struct cord_command *command)
{
	list_remove(&command->link);
	json_object_put(command->json);
	free(command);
}

void cord_commands_clear(struct cord_commands *c)
{
	list_each_entry(&c->list, struct cord_command, each, link)
		cord_command_remove(each);
}
