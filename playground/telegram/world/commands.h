#ifndef PLAYGROUND_TELEGRAM_WORLD_COMMANDS_H
#define PLAYGROUND_TELEGRAM_WORLD_COMMANDS_H
/* The command lists of a bot, by scope and language. */
#include "base/list.h"

struct command_list {
	struct list link;
	char *scope; /* BotCommandScope and language as canonical text */
	char *json;  /* the array of BotCommand */
};

struct command_lists {
	struct list lists;
};

/* Copies both. json NULL removes the list. */
void command_lists_set(struct command_lists *c, const char *scope, const char *json);
/* Returns "[]" if not set. */
const char *command_lists_get(const struct command_lists *c, const char *scope);
void command_lists_clear(struct command_lists *c);

#endif
