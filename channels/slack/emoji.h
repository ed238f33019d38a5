#ifndef CHANNELS_SLACK_EMOJI_H
#define CHANNELS_SLACK_EMOJI_H
#include <stdbool.h>

/* An emoji by the name that Slack has for it: "👀" is "eyes", ":eyes:" too. NULL when it is not known. A
 * literal, or in out. */
const char *slack_emoji_name(const char *text, char *out, unsigned long size);
/* Is it the name of that emoji, whatever its tone of skin? text NULL or "": it is not. */
bool slack_emoji_is(const char *name, const char *text);

#endif
