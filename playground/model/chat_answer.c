#include "playground/model/chat_answer.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"
#include "base/utf8.h"
#include "net/server.h"
#include "playground/exchange.h"
#include "playground/model/script.h"

#define BYTES_PER_TOKEN 4  /* usage is an estimate */
#define ARGUMENTS_PIECE 32 /* characters */

/* What one answer carries through its writing. */
struct writer {
	const struct chat_answer *a;
	size_t text_len; /* of the text that is sent: max_tokens may cut it */
	char id[40], call_ids[24];
	int64_t created;
};

static void random_name(char *out, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

	for (size_t i = 0; i + 1 < len; i++)
		out[i] = digits[clock_random_below(sizeof(digits) - 1)];
	out[len - 1] = '\0';
}

static struct writer begin(const struct chat_answer *a)
{
	struct writer w = {.a = a, .created = clock_wall() / 1000};
	const char *text = a->script->text;

	w.text_len = text != NULL ? strlen(text) : 0;
	if (a->max_tokens > 0)
		w.text_len =
		    utf8_cut(text != NULL ? text : "", w.text_len, a->max_tokens * BYTES_PER_TOKEN, UTF8_BYTES);
	random_name(w.id, 29);
	random_name(w.call_ids, 21);
	return w;
}

static bool is_cut(const struct writer *w)
{
	return w->a->script->text != NULL && w->text_len < strlen(w->a->script->text);
}

static const char *finish_reason(const struct writer *w)
{
	if (w->a->script->finish_reason != NULL)
		return w->a->script->finish_reason;
	return is_cut(w) ? "length" : w->a->script->call_count > 0 ? "tool_calls" : "stop";
}

static void write_usage(const struct writer *w, struct buf *out)
{
	size_t tokens = w->text_len / BYTES_PER_TOKEN + 1;

	for (size_t i = 0; i < w->a->script->call_count; i++)
		tokens +=
		    (strlen(w->a->script->calls[i].name) + strlen(w->a->script->calls[i].arguments)) / BYTES_PER_TOKEN +
		    1;
	buf_addf(
	    out,
	    "{\"prompt_tokens\":%zu,\"completion_tokens\":%zu,\"total_tokens\":%zu,"
	    "\"prompt_tokens_details\":{\"cached_tokens\":0,\"audio_tokens\":0},"
	    "\"completion_tokens_details\":{\"reasoning_tokens\":0,\"audio_tokens\":0,\"accepted_prediction_tokens\":0,"
	    "\"rejected_prediction_tokens\":0}}",
	    w->a->prompt_tokens, tokens, w->a->prompt_tokens + tokens);
}

static void write_head(const struct writer *w, const char *object, struct buf *out)
{
	buf_addf(out, "{\"id\":\"chatcmpl-%s\",\"object\":\"%s\",\"created\":%" PRId64 ",\"model\":", w->id, object,
		 w->created);
	json_quote(out, w->a->model, strlen(w->a->model));
	buf_addstr(out, ",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_playground\",\"choices\":[");
}

/* arguments NULL: an empty text, for the first piece of a stream. */
static void write_call(const struct writer *w, size_t i, const char *arguments, struct buf *out)
{
	const struct script_call *call = &w->a->script->calls[i];

	buf_addf(out, "\"id\":\"call_%s%03zu\",\"type\":\"function\",\"function\":{\"name\":", w->call_ids, i);
	json_quote(out, call->name, strlen(call->name));
	buf_addstr(out, ",\"arguments\":");
	json_quote(out, arguments != NULL ? arguments : "", arguments != NULL ? strlen(arguments) : 0);
	buf_addch(out, '}');
}

void chat_answer_whole(struct exchange *ex, const struct chat_answer *a)
{
	struct writer w = begin(a);
	struct buf out = BUF_INIT;

	write_head(&w, "chat.completion", &out);
	buf_addstr(&out, "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
	if (a->script->text != NULL)
		json_quote(&out, a->script->text, w.text_len);
	else
		buf_addstr(&out, "null");
	buf_addstr(&out, ",\"refusal\":null,\"annotations\":[]");
	for (size_t i = 0; i < a->script->call_count; i++) {
		buf_addstr(&out, i == 0 ? ",\"tool_calls\":[{" : ",{");
		write_call(&w, i, a->script->calls[i].arguments, &out);
		buf_addstr(&out, i + 1 == a->script->call_count ? "}]" : "}");
	}
	buf_addf(&out, "},\"logprobs\":null,\"finish_reason\":\"%s\"}],\"usage\":", finish_reason(&w));
	write_usage(&w, &out);
	buf_addch(&out, '}');
	exchange_answer(ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
}

/* A stream on its way, and what a fault does to it. */
struct stream {
	struct task *t;
	struct exchange *ex;
	struct writer w;
	struct buf out; /* events that are not sent yet */
	size_t sent;
	bool over; /* the client is gone, or the fault has struck */
};

static void flush(struct stream *s)
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

/* One event: delta is the JSON of choices[0].delta. */
static void add_event(struct stream *s, const char *delta, const char *reason)
{
	buf_addstr(&s->out, "data: ");
	write_head(&s->w, "chat.completion.chunk", &s->out);
	buf_addf(&s->out, "{\"index\":0,\"delta\":%s,\"logprobs\":null,\"finish_reason\":", delta);
	if (reason != NULL)
		buf_addf(&s->out, "\"%s\"}]", reason);
	else
		buf_addstr(&s->out, "null}]");
	buf_addstr(&s->out, s->w.a->include_usage ? ",\"usage\":null}\n\n" : "}\n\n");
}

/* Between pieces: sends what there is and waits, unless nothing is to be waited for. */
static void pause_stream(struct stream *s)
{
	if (s->w.a->instant || s->w.a->script->chunk_ms == 0 || s->over)
		return;
	flush(s);
	if (!s->over)
		s->over = task_sleep(s->t, s->w.a->script->chunk_ms, NULL) != 0;
}

static void stream_text(struct stream *s)
{
	const char *text = s->w.a->script->text;
	size_t left = s->w.text_len;
	struct buf delta = BUF_INIT;

	while (left > 0 && !s->over) {
		size_t n = utf8_cut(text, left, s->w.a->script->chunk, UTF8_CHARS);

		buf_reset(&delta);
		buf_addstr(&delta, "{\"content\":");
		json_quote(&delta, text, n);
		buf_addch(&delta, '}');
		add_event(s, delta.data, NULL);
		text += n;
		left -= n;
		if (left > 0)
			pause_stream(s);
	}
	buf_clear(&delta);
}

static void stream_call(struct stream *s, size_t i)
{
	const char *arguments = s->w.a->script->calls[i].arguments;
	size_t left = strlen(arguments);
	struct buf delta = BUF_INIT;

	buf_addf(&delta, "{\"tool_calls\":[{\"index\":%zu,", i);
	write_call(&s->w, i, NULL, &delta);
	buf_addstr(&delta, "}]}");
	add_event(s, delta.data, NULL);
	while (left > 0) {
		size_t n = utf8_cut(arguments, left, ARGUMENTS_PIECE, UTF8_CHARS);

		buf_reset(&delta);
		buf_addf(&delta, "{\"tool_calls\":[{\"index\":%zu,\"function\":{\"arguments\":", i);
		json_quote(&delta, arguments, n);
		buf_addstr(&delta, "}}]}");
		add_event(s, delta.data, NULL);
		arguments += n;
		left -= n;
	}
	buf_clear(&delta);
}

static void stream_end(struct stream *s)
{
	add_event(s, "{}", finish_reason(&s->w));
	if (s->w.a->include_usage) {
		buf_addstr(&s->out, "data: ");
		write_head(&s->w, "chat.completion.chunk", &s->out);
		buf_addstr(&s->out, "],\"usage\":");
		write_usage(&s->w, &s->out);
		buf_addstr(&s->out, "}\n\n");
	}
	buf_addstr(&s->out, "data: [DONE]\n\n");
	flush(s);
	if (!s->over)
		server_stream_end(s->ex->req);
}

static void stream_garbage(struct stream *s)
{
	buf_addstr(&s->out, "data: {\"id\":\"chatcmpl-\xff\xfe,\"choices\":[{\n\ndata: <html>\n\n");
	flush(s);
	if (!s->over)
		server_stream_end(s->ex->req);
}

void chat_answer_stream(struct task *t, struct exchange *ex, const struct chat_answer *a)
{
	struct stream s = {.t = t, .ex = ex, .w = begin(a), .out = BUF_INIT};

	ex->status = 200;
	server_stream_begin(ex->req, 200, "text/event-stream; charset=utf-8", "Cache-Control: no-cache\r\n");
	add_event(&s, "{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", NULL);
	pause_stream(&s);
	if (ex->fault.kind == FAULT_GARBAGE) {
		stream_garbage(&s);
	} else {
		stream_text(&s);
		for (size_t i = 0; i < a->script->call_count; i++)
			stream_call(&s, i);
		stream_end(&s);
	}
	buf_clear(&s.out);
}
