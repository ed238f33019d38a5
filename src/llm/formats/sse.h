#ifndef LLM_FORMATS_SSE_H
#define LLM_FORMATS_SSE_H
/*
 * Parses server-sent events (WHATWG HTML, "event stream interpretation") from bytes in any chunking.
 * Line ends are \n, \r\n or \r; one BOM is dropped; comments only show that the peer is alive; data
 * lines are joined with \n; empty data is skipped. The last id and retry are kept, for resumable
 * streams. The parser does not check UTF-8: the reader of the data does.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;

/* name is "" for an event without one. data is terminated; both are borrowed. Returns -1 to stop. */
typedef int sse_event_fn(const char *name, const char *data, size_t len, void *arg);

struct sse {
	sse_event_fn *fn;
	void *arg;
	size_t max_event; /* maximum bytes of one event, including its incomplete line; more is an error */
	struct buf line, name, data;
	struct buf id;    /* of the last event that had one */
	int64_t retry_ms; /* 0 when not given */
	bool has_data, after_cr, started, failed;
};

void sse_init(struct sse *s, sse_event_fn *fn, void *arg); /* max_event: 8 MiB */
void sse_clear(struct sse *s);
/* Returns 0, or -1 when an event is too large (ERROR_OURS) or fn stopped (err is unchanged: fn knows why).
 * After -1 no event is delivered. */
int sse_feed(struct sse *s, const char *data, size_t len, struct error *err);
/* At the end of the stream: delivers a last event that no blank line closed. It may be truncated; fn checks
 * whether its data is complete. */
int sse_end(struct sse *s, struct error *err);

#endif
