#ifndef PLAYGROUND_DISCORD_METHODS_WEBHOOK_H
#define PLAYGROUND_DISCORD_METHODS_WEBHOOK_H
/* The webhook of an interaction: its first answer and what follows. */
#include "playground/discord/world/message.h"

struct cord_interaction;

#define CORD_WEBHOOK_FLAGS                                                                        \
	(CORD_FLAG_SUPPRESS_EMBEDS | CORD_FLAG_SUPPRESS_NOTIFICATIONS | CORD_FLAG_COMPONENTS_V2 | \
	    CORD_FLAG_VOICE)

/* A message of the bot that answers it, not yet in its channel. */
struct cord_message *cord_webhook_message(const struct cord_interaction *i);

#endif
