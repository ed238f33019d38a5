#ifndef CHANNELS_SLACK_FILE_SHARE_H
#define CHANNELS_SLACK_FILE_SHARE_H
/* Finds the message of an uploaded file. Slack shares an upload some time after it answered
 * files.completeUploadExternal (docs.slack.dev, "Working with files"); files.info tells where. */
#include <stdbool.h>

struct error;
struct outbound;
struct slack;
struct task;

/* Notes an upload that is about to be shared, for slack_file_share_reconcile. */
void slack_file_share_note(struct slack *sk, const struct outbound *delivery, const char *file);
/* Waits for the delivery's file to be shared, some seconds at most. Returns 1 with *ts of its message,
 * malloc'd; 0 when it is not shared; -1 when that is unknown. */
int slack_file_share_wait(struct task *t, struct slack *sk, const struct outbound *delivery, const char *file,
    char **ts, struct error *err);
bool slack_file_share_is_noted(const struct slack *sk, const struct outbound *delivery);
/* channel_ops.reconcile for deliveries that are noted. */
int slack_file_share_reconcile(
    struct task *t, struct slack *sk, const struct outbound *delivery, char **ts, struct error *err);

#endif
