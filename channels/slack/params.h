#ifndef CHANNELS_SLACK_PARAMS_H
#define CHANNELS_SLACK_PARAMS_H
/* Builds the parameters of messages, and of requests for messages. */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct json_object;
struct outbound;
struct preview;

/* Sets the text as mrkdwn, followed by mark if not NULL. */
void slack_params_text(struct json_object *params, const char *markdown, const char *mark);
/* The text again, as blocks, with the delivery's buttons under it. False when it has none. */
bool slack_params_buttons(
    struct json_object *params, const char *markdown, const char *mark, const char *buttons);
/* Which delivery this is, for slack_send_reconcile: piece 1 … of it, and whether that is the last. */
void slack_params_metadata(
    struct json_object *params, const struct outbound *delivery, unsigned piece, bool last);
/* Which preview this is, by its draft number. */
void slack_params_preview(struct json_object *params, const struct preview *p);
bool slack_params_is_preview(struct json_object *m, const struct preview *p);
/* Is m that delivery? 0: no; 1: an earlier piece of it; 2: its last one. */
int slack_params_is_delivery(struct json_object *m, const struct outbound *delivery);
/* A point of time as Slack writes it; parts of a second are dropped. */
void slack_params_time(struct json_object *params, const char *name, int64_t ms);
/* For conversations.history (thread: NULL) or conversations.replies; since_ms by Slack's clock, 0: from the
 * beginning. */
struct json_object *slack_params_history(const char *chat, const char *thread, int64_t since_ms);

#endif
