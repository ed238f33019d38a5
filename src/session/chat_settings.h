#ifndef SESSION_CHAT_SETTINGS_H
#define SESSION_CHAT_SETTINGS_H
/* What the configuration says of single chats: chats: { NAME: { chat = "telegram:-100123"; … }; }; */
#include <stddef.h>

#include "bus/address.h"
#include "base/config/config.h"

struct sessions;

struct chat_rule {
	char *chat, *instructions, *model;
	struct address where; /* the same as chat; one with a thread is about that thread alone */
};

struct chat_settings {
	struct chat_rule *rules;
	size_t count;
};

extern const struct config_section chats_section; /* "chats.*" */

/* Mistakes are reported. */
void chat_settings_read(struct chat_settings *s, struct config *cfg);
void chat_settings_clear(struct chat_settings *s);

/* What holds for an address, a thread's own before its chat's; NULL: nothing. Borrowed. */
const char *chat_instructions(const struct sessions *all, const struct address *where);
/* The model by its name in the configuration: chosen, which is malloc'd and taken, unless it is NULL.
 * malloc'd; NULL: the default one. */
char *chat_model(const struct sessions *all, const struct address *where, char *chosen);

#endif
