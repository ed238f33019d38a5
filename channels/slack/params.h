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
/* Adds the text as blocks, with the buttons under it. Returns false when there are no buttons. */
bool slack_params_buttons(
    struct json_object *params, const char *markdown, const char *mark, const char *buttons);
/* Sets the metadata by which slack_send_reconcile finds the delivery: piece (from 1), and whether it is the
 * last. */
void slack_params_metadata(
    struct json_object *params, const struct outbound *delivery, unsigned piece, bool last);
/* Sets the metadata of a preview, its draft number. */
void slack_params_preview(struct json_object *params, const struct preview *p);
bool slack_params_is_preview(struct json_object *m, const struct preview *p);
/* Is m that delivery? 0: no; 1: an earlier piece of it; 2: its last one. */
int slack_params_is_delivery(struct json_object *m, const struct outbound *delivery);
/* Sets a time as Slack writes it, without fractions of a second. */
void slack_params_time(struct json_object *params, const char *name, int64_t ms);
/* Returns the parameters of conversations.history (thread: NULL) or conversations.replies; since_ms by
 * Slack's clock, 0: from the beginning. */
struct json_object *slack_params_history(const char *chat, const char *thread, int64_t since_ms);

#endif
