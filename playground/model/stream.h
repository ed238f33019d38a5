#ifndef PLAYGROUND_MODEL_STREAM_H
#define PLAYGROUND_MODEL_STREAM_H
/* An answer that is streamed as server-sent events, and what a fault does to it. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct exchange;
struct model_answer;
struct task;

struct model_stream {
	struct task *t;
	struct exchange *ex;
	const struct model_answer *a;
	struct buf out; /* events that are not sent yet */
	size_t sent;
	bool over; /* the client is gone, or the fault has struck */
};

/* Sends the head. */
void model_stream_begin(
    struct model_stream *s, struct task *t, struct exchange *ex, const struct model_answer *a);
/* Between pieces: sends what there is and waits, unless nothing is to be waited for. */
void model_stream_pause(struct model_stream *s);
/* Is what comes garbage, instead of an answer? Then it was sent, and the stream is over. */
bool model_stream_is_garbage(struct model_stream *s);
/* Is the answer to have no end? A fault that has not struck yet strikes now. */
bool model_stream_is_unfinished(struct model_stream *s);
/* Sends the rest, ends the stream and frees what it holds. */
void model_stream_end(struct model_stream *s);
/* Appends a piece as JSON string; one that is half a character as its escape. */
void model_stream_quote(struct buf *out, const char *text, size_t len);
/* Hands over the text in pieces of `chunk` characters; pauses between them. */
void model_stream_text(struct model_stream *s, const char *text, size_t len, size_t chunk, bool paced,
    void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg);

#endif
