#ifndef CHANNELS_SLACK_DOWNLOAD_H
#define CHANNELS_SLACK_DOWNLOAD_H
/* Downloads and uploads files (docs.slack.dev, "Working with files"). The token goes only to Slack's hosts
 * and the host of api_base, and never follows a redirect to another host. */
#include <stdbool.h>

struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct outbound;
struct slack;
struct task;

/* channel_ops.fetch. Suspends. */
int slack_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);
/* Sends a row's file with its text. *id is malloc'd: that of the message, or the file's when the message is
 * not found. Returns -1 as channel_ops.send does. */
int slack_upload_send(
    struct task *t, struct slack *sk, const struct outbound *row, char **id, struct error *err);

/* May the token be sent to this URL? api_host: host of api_base, with its port. Pure. */
bool slack_download_allowed(const char *url, const char *api_host);
/* May a redirect of Slack's lead there, without the token? Only to public addresses by https. local: Slack is
 * a loopback host, and so may be this. Suspends. */
bool slack_download_may_follow(struct task *t, const char *url, bool local);

#endif
