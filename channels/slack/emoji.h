#ifndef CHANNELS_SLACK_EMOJI_H
#define CHANNELS_SLACK_EMOJI_H
#include <stdbool.h>

/* Returns Slack's name of an emoji, a literal or in out: "eyes" for "👀" or ":eyes:"; NULL when unknown. */
const char *slack_emoji_name(const char *text, char *out, unsigned long size);
/* Is this the name of that emoji, in any skin tone? False if text is NULL or "". */
bool slack_emoji_is(const char *name, const char *text);

#endif
