#ifndef PLAYGROUND_DISCORD_WORLD_EMOJI_H
#define PLAYGROUND_DISCORD_WORLD_EMOJI_H
/* Emoji as reactions name them: the characters themselves, or "name:id". */
#include <stdbool.h>

struct json_object;

/* Is it one, as far as can be told without a table of them? */
bool cord_emoji_is_good(const char *text);
/* The partial Emoji object. */
struct json_object *cord_emoji_json(const char *text);

#endif
