#ifndef CHANNELS_SLACK_STREAM_H
#define CHANNELS_SLACK_STREAM_H
/*
 * Messages that grow by themselves: chat.startStream, appendStream, stopStream. What was streamed can only be
 * added to; the answer replaces it by chat.update, once the stream has been stopped.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct preview;
struct slack;
struct slack_outcome;
struct task;

/* Open at once; more are shown by edits. */
#define SLACK_STREAMS_MAX 64

struct slack_stream {
	bool starting;         /* reserved: Slack has not said its ts yet */
	char chat[32], ts[32]; /* "": free, unless it is starting */
	uint64_t since_ms;     /* clock_now() */
	size_t len;            /* bytes of the preview's text that were shown */
};

/* The stream of a message, NULL when it has none. */
struct slack_stream *slack_stream_find(struct slack *sk, const char *chat, const char *ts);
bool slack_stream_is_open(struct slack *sk, const char *chat, const char *ts);
/* Can the answer begin as a stream? In a channel not when a restart has forgotten whom it answers. */
bool slack_stream_possible(const struct slack *sk, const struct preview *p);
/* Begins a stream with what the preview has, and sets its message_id. 0: shown. -1: o says why not. */
int slack_stream_start(
    struct task *t, struct slack *sk, struct preview *p, struct slack_outcome *o, bool *sent);
/* Adds what is new. 0: shown. -1: o says why not; where the stream has ended it is forgotten. */
int slack_stream_append(
    struct task *t, struct slack *sk, struct slack_stream *s, struct preview *p, struct slack_outcome *o);
/* Ends it, whatever Slack answers: what is not streamed any more is fine. */
void slack_stream_stop(struct task *t, struct slack *sk, const char *chat, const char *ts);

#endif
