#ifndef CHANNELS_SLACK_STREAM_H
#define CHANNELS_SLACK_STREAM_H
/* Streaming messages: chat.startStream, appendStream, stopStream. Streamed text can only grow; after the
 * stream is stopped, the answer replaces it by chat.update. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct preview;
struct slack;
struct slack_outcome;
struct task;

/* Maximum open streams; further previews are edited messages. */
#define SLACK_STREAMS_MAX 64

struct slack_stream {
	bool starting;         /* reserved: its ts is not known yet */
	char chat[32], ts[32]; /* "": free unless starting */
	uint64_t since_ms;     /* clock_now() */
	size_t len;            /* bytes of the preview's text that were shown */
};

/* Returns the stream of a message, or NULL. */
struct slack_stream *slack_stream_find(struct slack *sk, const char *chat, const char *ts);
bool slack_stream_is_open(struct slack *sk, const char *chat, const char *ts);
/* Can the answer start as a stream? Not in a channel when a restart has lost the recipient. */
bool slack_stream_possible(const struct slack *sk, const struct preview *p);
/* Starts a stream with the preview's text and sets its message_id. Suspends. Returns 0 when shown, else -1
 * with o set. */
int slack_stream_start(
    struct task *t, struct slack *sk, struct preview *p, struct slack_outcome *o, bool *sent);
/* Appends new text. Suspends. Returns 0 when shown, else -1 with o set. Forgets a stream that has ended. */
int slack_stream_append(
    struct task *t, struct slack *sk, struct slack_stream *s, struct preview *p, struct slack_outcome *o);
/* Stops the stream. Returns 0, or -1 when it was none that could be stopped. Suspends. */
int slack_stream_stop(struct task *t, struct slack *sk, const char *chat, const char *ts);

#endif
