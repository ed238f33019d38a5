#ifndef CHANNELS_SLACK_SLACK_H
#define CHANNELS_SLACK_SLACK_H
/*
 * Slack: Web API and Socket Mode (docs.slack.dev, 2026-05). Events come over a WebSocket that we open, each
 * acknowledged once it is committed; answers go out by chat.postMessage with our id as metadata, so that a
 * send that was cut off can be looked for.
 */
struct buf;
struct channel;
struct channel_ops;
struct error;
struct task;
struct slack;
struct slack_limits;
struct slack_settings;

extern const struct channel_ops slack_ops;

/* channel_ops.probe. */
int slack_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* ops->start with other limits, for tests. */
int slack_start_with(struct channel *ch, const struct slack_settings *settings,
    const struct slack_limits *limits, struct error *err);
/* Stops the channel until a person has put something right. */
void slack_stopped(struct slack *sk, const char *why);
/* A token was refused: the same. */
void slack_refused(struct slack *sk, const char *key, const struct error *why);

#endif
