#ifndef PLAYGROUND_DISCORD_METHODS_WEBHOOK_H
#define PLAYGROUND_DISCORD_METHODS_WEBHOOK_H
/* The webhook of an interaction: the original response and follow-ups. */
#include "playground/discord/world/message.h"

struct cord_interaction;

#define CORD_WEBHOOK_FLAGS                                                                        \
	(CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_SUPPRESS_NOTIFICATIONS | CORD_FLAG_COMPONENTS_V2 | \
	    CORD_FLAG_VOICE)

/* Returns a new message of the bot that responds to i, not yet added to its channel. */
struct cord_message *cord_webhook_message(const struct cord_interaction *i);

#endif
