#include "playground/model/stream.h"

#include "base/task.h"
#include "base/utf8.h"
#include "net/server.h"
#include "playground/exchange.h"
#include "playground/model/api.h"
#include "playground/model/script.h"

void model_stream_begin(struct model_stream *s, struct task *t, struct exchange *ex, const struct model_answer *a)
{
	*s = (struct model_stream){.t = t, .ex = ex, .a = a, .out = BUF_INIT};
	ex->status = 200;
	server_stream_begin(ex->req, 200, "text/event-stream; charset=utf-8", "Cache-Control: no-cache\r\n");
}

static void flush(struct model_stream *s)
{
	size_t len = s->out.len;

	if (s->over || len == 0)
		return;
	if (s->ex->fault.kind == FAULT_CUT && s->sent + len >= s->ex->fault.at_byte)
		len = s->ex->fault.at_byte - s->sent;
	s->over = server_stream_write(s->t, s->ex->req, s->out.data, len, NULL) != 0;
	s->sent += len;
	if (!s->over && len < s->out.len) {
		/* What was written shall leave before the connection is reset. */
		task_sleep(s->t, 20, NULL);
		server_abort(s->ex->req);
		s->over = true;
	}
	buf_reset(&s->out);
}

void model_stream_pause(struct model_stream *s)
{
	if (s->a->instant || s->a->script->chunk_ms == 0 || s->over)
		return;
	flush(s);
	if (!s->over)
		s->over = task_sleep(s->t, s->a->script->chunk_ms, NULL) != 0;
}

bool model_stream_is_garbage(struct model_stream *s)
{
	if (s->ex->fault.kind != FAULT_GARBAGE)
		return false;
	buf_addstr(&s->out, "data: {\"id\":\"chatcmpl-\xff\xfe,\"choices\":[{\n\ndata: <html>\n\n");
	return true;
}

void model_stream_end(struct model_stream *s)
{
	flush(s);
	if (!s->over)
		server_stream_end(s->ex->req);
	buf_clear(&s->out);
}

void model_stream_text(struct model_stream *s, const char *text, size_t len, size_t chunk, bool paced,
		       void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg)
{
	while (len > 0 && !s->over) {
		size_t n = utf8_cut(text, len, chunk, UTF8_CHARS);

		piece(s, text, n, arg);
		text += n;
		len -= n;
		if (len > 0 && paced)
			model_stream_pause(s);
	}
}
