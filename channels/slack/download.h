#ifndef CHANNELS_SLACK_DOWNLOAD_H
#define CHANNELS_SLACK_DOWNLOAD_H
/*
 * Files in and out (docs.slack.dev, "Working with files"). The token goes to hosts of Slack and the host of
 * api_base only, never where a redirect leads elsewhere.
 */
#include <stdbool.h>

struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct outbound;
struct slack;
struct task;

/* channel_ops.fetch. */
int slack_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);
/* Sends a row's file with its text. *id is malloc'd: that of the message, or the file's where the message is
 * not found. -1: as channel_ops.send. */
int slack_upload_send(
    struct task *t, struct slack *sk, const struct outbound *row, char **id, struct error *err);

/* May a file be loaded from there, and shown the token? api_host: host of api_base, with its port. */
bool slack_download_allowed(const char *url, const char *api_host);

#endif
