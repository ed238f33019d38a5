#ifndef SESSION_CHAT_SETTINGS_H
#define SESSION_CHAT_SETTINGS_H
/* Settings of single chats: chats: { NAME: { chat = "telegram:-100123"; … }; }; */
#include <stddef.h>

#include "bus/address.h"
#include "base/config/config.h"

struct sessions;

struct chat_rule {
	char *chat, *instructions, *model;
	struct address where; /* chat, parsed; with a thread it applies to that thread alone */
};

struct chat_settings {
	struct chat_rule *rules;
	size_t count;
};

extern const struct config_section chats_section; /* "chats.*" */

/* Reports mistakes to cfg. */
void chat_settings_read(struct chat_settings *s, struct config *cfg);
void chat_settings_clear(struct chat_settings *s);

/* Returns the instructions for an address, a thread's before its chat's; NULL: none. Borrowed. */
const char *chat_instructions(const struct sessions *all, const struct address *where);
/* Returns the configured model's name: chosen unless NULL (takes it), else the chat's. malloc'd; NULL: the
 * default. */
char *chat_model(const struct sessions *all, const struct address *where, char *chosen);

#endif
