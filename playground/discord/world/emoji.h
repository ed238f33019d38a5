#ifndef PLAYGROUND_DISCORD_WORLD_EMOJI_H
#define PLAYGROUND_DISCORD_WORLD_EMOJI_H
/* Emoji as reactions name them: the characters, or "name:id". */
#include <stdbool.h>

struct json_object;

/* Does the text look like an emoji? There is no table of them here. */
bool cord_emoji_is_good(const char *text);
/* The partial Emoji object. */
struct json_object *cord_emoji_json(const char *text);

#endif
