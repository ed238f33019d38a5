#ifndef PLAYGROUND_DISCORD_METHODS_MENTION_H
#define PLAYGROUND_DISCORD_METHODS_MENTION_H
/* Who is pinged by a message: what its content names, as far as allowed_mentions lets it. */
#include <stdbool.h>

struct cord_message;
struct json_object;

/* Sets the mentions of m. allowed NULL: everything, of an interaction's answer users only. */
void cord_mentions_find(
    struct cord_message *m, struct json_object *allowed, bool of_interaction, bool may_everyone);

#endif
