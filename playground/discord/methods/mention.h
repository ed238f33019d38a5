#ifndef PLAYGROUND_DISCORD_METHODS_MENTION_H
#define PLAYGROUND_DISCORD_METHODS_MENTION_H
/* Computes whom a message pings: the mentions in its content that allowed_mentions permits. */
#include <stdbool.h>

struct cord_message;
struct json_object;

/* Sets the mentions of m. allowed NULL permits everything, in interaction responses only users. */
void cord_mentions_find(
    struct cord_message *m, struct json_object *allowed, bool of_interaction, bool may_everyone);

#endif
