#ifndef PLAYGROUND_SLACK_METHODS_REACTION_H
#define PLAYGROUND_SLACK_METHODS_REACTION_H
/* Reactions, kept in the message as the API shows them. */
#include <stdbool.h>

struct slk_conv;
struct slk_message;

/* Is it a name that an emoji can have? (skin tones: "wave::skin-tone-2") */
bool slk_reaction_is_name(const char *name);
/* NULL, or the error: already_reacted, no_reaction, too_many_emoji. Tells of it. user: an id. */
const char *slk_reaction_add(struct slk_conv *c, struct slk_message *m, const char *user, const char *name);
const char *slk_reaction_remove(
    struct slk_conv *c, struct slk_message *m, const char *user, const char *name);

#endif
