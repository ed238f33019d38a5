#ifndef PLAYGROUND_MODEL_STREAM_H
#define PLAYGROUND_MODEL_STREAM_H
/* An answer streamed as server-sent events, with injected faults. */
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
	struct buf out; /* unsent events */
	size_t sent;
	bool over; /* the client has disconnected, or the fault has ended the stream */
};

/* Sends the response head. */
void model_stream_begin(
    struct model_stream *s, struct task *t, struct exchange *ex, const struct model_answer *a);
/* Between chunks: sends what is pending, then waits unless no delay is set. Suspends. */
void model_stream_pause(struct model_stream *s);
/* Sends garbage and ends the stream if a fault demands that. Returns true then. */
bool model_stream_is_garbage(struct model_stream *s);
/* Must the stream stop before its end? Applies a pending fault. */
bool model_stream_is_unfinished(struct model_stream *s);
/* Sends the rest, ends the stream and frees its memory. */
void model_stream_end(struct model_stream *s);
/* Appends a chunk as a JSON string; half a character as its escape. */
void model_stream_quote(struct buf *out, const char *text, size_t len);
/* Passes the text on in chunks of `chunk` characters, with pauses. */
void model_stream_text(struct model_stream *s, const char *text, size_t len, size_t chunk, bool paced,
    void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg);

#endif
