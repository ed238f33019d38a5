#ifndef PLAYGROUND_SLACK_METHODS_REACTION_H
#define PLAYGROUND_SLACK_METHODS_REACTION_H
/* Reactions, stored in the message as the API shows them. */
#include <stdbool.h>

struct slk_conv;
struct slk_message;

/* Is it a valid emoji name? (with skin tone: "wave::skin-tone-2") */
bool slk_reaction_is_name(const char *name);
/* Sends the event. user: an id. Returns NULL or the error: already_reacted, no_reaction, too_many_emoji. */
const char *slk_reaction_add(struct slk_conv *c, struct slk_message *m, const char *user, const char *name);
const char *slk_reaction_remove(
    struct slk_conv *c, struct slk_message *m, const char *user, const char *name);

#endif
