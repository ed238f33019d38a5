#ifndef CHANNELS_SLACK_SLACK_H
#define CHANNELS_SLACK_SLACK_H
/*
 * The Slack channel: Web API and Socket Mode (docs.slack.dev, 2026-05). Events arrive over a WebSocket that
 * the daemon opens, and are acknowledged once committed. Answers go out by chat.postMessage with the outbox
 * id as metadata, so that an interrupted send can be looked up.
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

/* channel_ops.probe. Suspends. */
int slack_probe(struct task *t, const void *settings, struct buf *found, struct error *err);

/* slack_ops.start with other limits, for tests. */
int slack_start_with(struct channel *ch, const struct slack_settings *settings,
    const struct slack_limits *limits, struct error *err);
/* Stops the channel until the operator fixes the cause. */
void slack_stopped(struct slack *sk, const char *why);
/* Stops it because Slack refused a token. key is the setting. */
void slack_refused(struct slack *sk, const char *key, const struct error *why);

#endif
