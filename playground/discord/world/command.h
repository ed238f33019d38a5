#ifndef PLAYGROUND_DISCORD_WORLD_COMMAND_H
#define PLAYGROUND_DISCORD_WORLD_COMMAND_H
/* Application commands, global or of a guild. */
#include <stdint.h>

#include "base/list.h"

struct json_object;

struct cord_command {
	struct list link;
	uint64_t id, guild_id;    /* 0: global */
	struct json_object *json; /* the complete Application Command object */
};

struct cord_commands {
	struct list list;
};

struct cord_command *cord_command_find(struct cord_commands *c, uint64_t guild_id, uint64_t id);
/* Finds a command by name and type (1 chat input, 2 user, 3 message), or NULL. */
struct cord_command *cord_command_by_name(
    struct cord_commands *c, uint64_t guild_id, const char *name, int64_t type);
/* Takes json. */
struct cord_command *cord_command_add(
    struct cord_commands *c, uint64_t guild_id, uint64_t id, struct json_object *json);
void cord_command_remove(struct cord_command *command);
void cord_commands_clear(struct cord_commands *c);

#endif
