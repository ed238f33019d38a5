#ifndef CHANNELS_SLACK_SCOPES_H
#define CHANNELS_SLACK_SCOPES_H
/* The scopes that the bot's token needs. Slack lists the granted ones in a header of every Web API
 * response. */
struct buf;

#define SLACK_SCOPES_HEADER "x-oauth-scopes"

/* Sorted, NULL-terminated; etc/slack-manifest.json requests the same. */
extern const char *const slack_scopes[];

/* Appends the missing scopes, comma-separated. granted is comma-separated as well. */
void slack_scopes_missing(struct buf *out, const char *granted);

#endif
