#ifndef CHANNELS_SLACK_SCOPES_H
#define CHANNELS_SLACK_SCOPES_H
/* The scopes that the bot's token needs. Slack names those that it has in a header of every answer of the Web
 * API. */
struct buf;

#define SLACK_SCOPES_HEADER "x-oauth-scopes"

/* Sorted, NULL at the end; etc/slack-manifest.json asks for the same. */
extern const char *const slack_scopes[];

/* Appends those that are not in granted (names with commas between them), likewise with commas. */
void slack_scopes_missing(struct buf *out, const char *granted);

#endif
