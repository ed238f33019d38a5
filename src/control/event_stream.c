#include "control/event_stream.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/task.h"
#include "base/trace.h"
#include "control/answer.h"
#include "net/server/server.h"

#define BATCH_BYTES (32 * 1024)
/* Peers and proxies close silent connections. */
#define KEEPALIVE_MS 15000

static void collect(struct trace_reader *r, struct buf *out)
{
	const char *line;
	uint64_t lost = 0;

	while (out->len < BATCH_BYTES && (line = trace_next(r, &lost))) {
		if (lost > 0)
			buf_addf(out, "data: {\"step\":\"lost\",\"lost\":%" PRIu64 "}\n\n", lost);
		lost = 0;
		buf_addf(out, "data: %s\n\n", line);
	}
}

void event_stream(struct task *t, struct server_request *req)
{
	struct trace_reader reader;
	struct buf out = BUF_INIT;
	int rc = 0;

	if (trace_open(&reader, t) < 0) {
		control_refuse(req, 503, "Too many event streams are open.");
		return;
	}
	server_stream_begin(req, 200, "text/event-stream; charset=utf-8", "Cache-Control: no-store\r\n");
	buf_addstr(&out, ": watching\n\n");
	while (rc >= 0) {
		collect(&reader, &out);
		if (out.len == 0 && rc == 1)
			buf_addstr(&out, ": \n\n");
		rc = out.len > 0 ? server_stream_write(t, req, out.data, out.len, NULL) :
				   task_wait_until(t, clock_now() + KEEPALIVE_MS, NULL);
		buf_reset(&out);
	}
	trace_close(&reader);
	buf_clear(&out);
	server_stream_end(req);
}
