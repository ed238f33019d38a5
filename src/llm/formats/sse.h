#ifndef LLM_FORMATS_SSE_H
#define LLM_FORMATS_SSE_H
/*
 * Server-sent events (WHATWG HTML, "event stream interpretation") from bytes that
 * arrive in any pieces. Line ends are \n, \r\n or \r; one BOM is dropped; comments
 * count as liveness only; several data lines join with \n; empty data is skipped.
 * The last id and retry are kept, for streams that can be taken up again.
 * Bytes are not looked at otherwise: the reader of the data checks its UTF-8.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;

/* name is "" when the event has none. Data is terminated; both are borrowed. Returns 0, or -1 to stop. */
typedef int sse_event_fn(const char *name, const char *data, size_t len, void *arg);

struct sse {
	sse_event_fn *fn;
	void *arg;
	size_t max_event; /* bytes of one event, the line that is still arriving included; more is an error */
	struct buf line, name, data;
	struct buf id;    /* of the last event that has one */
	int64_t retry_ms; /* 0: not said */
	bool has_data, after_cr, started, failed;
};

void sse_init(struct sse *s, sse_event_fn *fn, void *arg); /* max_event: 8 MiB */
void sse_clear(struct sse *s);
/* 0, or -1 when an event is too large (ERROR_OURS) or fn stopped (err is then left as it was:
 * fn knows why). After -1 nothing is handed over any more. */
int sse_feed(struct sse *s, const char *data, size_t len, struct error *err);
/* At the end of the stream: hands over a last event that no blank line closed. Such an event may
 * have been cut off; whether its data is whole is for fn to check. */
int sse_end(struct sse *s, struct error *err);

#endif
