#ifndef PLAYGROUND_DISCORD_WORLD_RULE_H
#define PLAYGROUND_DISCORD_WORLD_RULE_H
/* Auto moderation: rules look at what members write in a guild. */
#include <stdbool.h>

struct cord_message;

/* Discord: resources/auto-moderation. Looks at the new or changed message, which is not there yet, and plays
 * the actions of the rules that it breaks. Returns whether it is blocked. Word sets of Discord's own and spam
 * are not known here. */
bool cord_rules_block(struct cord_message *m);

#endif
