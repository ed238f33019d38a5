#ifndef CHANNELS_SLACK_RENDER_H
#define CHANNELS_SLACK_RENDER_H
/* Renders Markdown as Slack's mrkdwn (docs.slack.dev, "Formatting message text"). The output mentions nobody
 * and notifies no channel. Pure. */
#include <stddef.h>

/* UTF-16 units of a text with markup and entities: chat.update refuses more than 4,000 characters. */
#define SLACK_TEXT_UNITS 4000
/* Limit of a section block. */
#define SLACK_SECTION_UNITS 3000
/* Appended to a message that may be shown twice. */
#define SLACK_REPEAT_MARK "\n\n(may be a repeat)"

/* The caller frees the result. */
char *slack_render(const char *markdown);

/* channel_ops.split. */
char **slack_split(const char *text);
/* The same for parts of at most units, which is at least 500. */
char **slack_split_to(const char *text, size_t units);

#endif
