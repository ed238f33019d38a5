#ifndef CHANNELS_SLACK_EMOJI_H
#define CHANNELS_SLACK_EMOJI_H
/* An emoji by the name that Slack has for it: "👀" is "eyes", ":eyes:" too. NULL when it is not known. A literal, or in out. */
const char *slack_emoji_name(const char *text, char *out, unsigned long size);

#endif
