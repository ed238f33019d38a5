#include <inttypes.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/model/api.h"
#include "playground/model/chat/chat.h"
#include "playground/server/fault.h"

#define ARGUMENTS_PIECE 32 /* characters */

/* The state of writing one answer. */
struct writer {
	const struct model_answer *a;
	size_t text_len; /* of the text that is sent: max_tokens may cut it */
	char id[40], call_ids[24];
	int64_t created;
	bool include_usage; /* sends a last chunk with usage */
	struct buf head;    /* of each chunk of a stream */
};

static struct writer begin(const struct model_answer *a)
{
	struct writer w = {
	    .a = a,
	    .created = clock_wall() / 1000,
	    .text_len = model_text_len(a),
	    .include_usage =
		json_get_bool(json_get_object(a->request, "stream_options"), "include_usage", false) &&
		!(a->quirks & QUIRK_NO_USAGE),
	    .head = BUF_INIT,
	};

	model_random_name(w.id, 29);
	if (a->script->call_count > 0)
		model_random_name(w.call_ids, 21);
	return w;
}

static bool is_cut(const struct writer *w)
{
	return w->a->script->text && w->text_len < strlen(w->a->script->text);
}

static const char *finish_reason(const struct writer *w)
{
	if (w->a->script->finish_reason)
		return w->a->script->finish_reason;
	return is_cut(w) ? "length" : w->a->script->call_count > 0 ? "tool_calls" : "stop";
}

/* Ends a choice. reason NULL: it goes on. */
static void write_reason(const char *reason, struct buf *out)
{
	buf_addstr(out, ",\"logprobs\":null,\"finish_reason\":");
	if (reason)
		json_quote(out, reason, strlen(reason));
	else
		buf_addstr(out, "null");
	buf_addstr(out, "}]");
}

static void write_usage(const struct writer *w, struct buf *out)
{
	size_t tokens = model_answer_tokens(w->a, w->text_len);

	buf_addf(out,
	    "{\"prompt_tokens\":%zu,\"completion_tokens\":%zu,\"total_tokens\":%zu,"
	    "\"prompt_tokens_details\":{\"cached_tokens\":0,\"audio_tokens\":0},"
	    "\"completion_tokens_details\":{\"reasoning_tokens\":0,\"audio_tokens\":0,\"accepted_prediction_"
	    "tokens\":0,\"rejected_prediction_tokens\":0}}",
	    w->a->prompt_tokens, tokens, w->a->prompt_tokens + tokens);
}

static void write_head(const struct writer *w, const char *object, struct buf *out)
{
	buf_addf(out, "{\"id\":\"chatcmpl-%s\",\"object\":\"%s\",\"created\":%" PRId64 ",\"model\":", w->id,
	    object, w->created);
	json_quote(out, w->a->model, strlen(w->a->model));
	buf_addstr(
	    out, ",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_playground\",\"choices\":[");
}

/* arguments NULL: an empty text, for the first piece of a stream. */
static void write_call(const struct writer *w, size_t i, const char *arguments, struct buf *out)
{
	const struct script_call *call = &w->a->script->calls[i];

	if (!(w->a->quirks & QUIRK_NO_ID))
		buf_addf(out, "\"id\":\"call_%s%03zu\",", w->call_ids, w->a->quirks & QUIRK_SAME_ID ? 0 : i);
	buf_addstr(out, "\"type\":\"function\",\"function\":{\"name\":");
	json_quote(out, call->name, strlen(call->name));
	buf_addstr(out, ",\"arguments\":");
	if (arguments && (w->a->quirks & QUIRK_OBJECT_ARGUMENTS))
		buf_addstr(out, arguments);
	else
		json_quote(out, arguments ? arguments : "", arguments ? strlen(arguments) : 0);
	buf_addch(out, '}');
}

/* Appends the reasoning as a member with its comma, if the vendor of the model returns it. */
static void add_reasoning(const struct writer *w, struct buf *out)
{
	const char *thinking = w->a->script->thinking ? w->a->script->thinking : "";

	if (strncmp(w->a->model, "deepseek-", 9) != 0)
		return;
	buf_addstr(out, ",\"reasoning_content\":");
	json_quote(out, thinking, strlen(thinking));
}

void chat_answer_whole(struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct buf out = BUF_INIT;

	write_head(&w, "chat.completion", &out);
	buf_addstr(&out, "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
	if (a->script->text)
		json_quote(&out, a->script->text, w.text_len);
	else
		buf_addstr(&out, "null");
	buf_addstr(&out, ",\"refusal\":null,\"annotations\":[]");
	add_reasoning(&w, &out);
	for (size_t i = 0; i < a->script->call_count; i++) {
		buf_addstr(&out, i == 0 ? ",\"tool_calls\":[{" : ",{");
		write_call(&w, i, a->script->calls[i].arguments, &out);
		buf_addstr(&out, i + 1 == a->script->call_count ? "}]" : "}");
	}
	buf_addch(&out, '}');
	write_reason(finish_reason(&w), &out);
	if (!(a->quirks & QUIRK_NO_USAGE)) {
		buf_addstr(&out, ",\"usage\":");
		write_usage(&w, &out);
	}
	buf_addch(&out, '}');
	exchange_answer(ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
}

/* Adds one event: delta is the JSON of choices[0].delta. */
static void add_event(struct model_stream *s, const struct writer *w, const char *delta, const char *reason)
{
	buf_add(&s->out, w->head.data, w->head.len);
	buf_addf(&s->out, "{\"index\":0,\"delta\":%s", delta);
	write_reason(reason, &s->out);
	buf_addstr(&s->out, w->include_usage ? ",\"usage\":null}\n\n" : "}\n\n");
}

static void add_text(struct model_stream *s, const char *text, size_t len, void *w)
{
	struct buf delta = BUF_INIT;

	buf_addstr(&delta, "{\"content\":");
	model_stream_quote(&delta, text, len);
	buf_addch(&delta, '}');
	add_event(s, w, delta.data, NULL);
	buf_clear(&delta);
}

/* Begins a delta with call i. */
static void begin_call(const struct writer *w, size_t i, struct buf *out)
{
	buf_addstr(out, "{\"tool_calls\":[{");
	if (!(w->a->quirks & QUIRK_NO_INDEX))
		buf_addf(
		    out, "\"index\":%zu,", w->a->quirks & QUIRK_ZERO_INDEX ? 0 : model_answer_index(w->a, i));
}

/* A call whose arguments are being written. */
struct arguments {
	const struct writer *w;
	size_t i;
};

static void add_arguments(struct model_stream *s, const char *text, size_t len, void *arg)
{
	const struct arguments *a = arg;
	struct buf delta = BUF_INIT;

	begin_call(a->w, a->i, &delta);
	buf_addstr(&delta, "\"function\":{\"arguments\":");
	model_stream_quote(&delta, text, len);
	buf_addstr(&delta, "}}]}");
	add_event(s, a->w, delta.data, NULL);
	buf_clear(&delta);
}

static void stream_call(struct model_stream *s, const struct writer *w, size_t i)
{
	const char *arguments = s->a->script->calls[i].arguments;
	struct buf delta = BUF_INIT;
	bool whole = (w->a->quirks & QUIRK_OBJECT_ARGUMENTS) != 0;

	begin_call(w, i, &delta);
	write_call(w, i, whole ? arguments : NULL, &delta);
	buf_addstr(&delta, "}]}");
	add_event(s, w, delta.data, NULL);
	buf_clear(&delta);
	if (!whole)
		model_stream_text(s, arguments, strlen(arguments), ARGUMENTS_PIECE, false, add_arguments,
		    &(struct arguments){w, i});
}

static void add_end(struct model_stream *s, const struct writer *w)
{
	add_event(s, w, "{}", finish_reason(w));
	if (w->include_usage) {
		buf_add(&s->out, w->head.data, w->head.len);
		buf_addstr(&s->out, "],\"usage\":");
		write_usage(w, &s->out);
		buf_addstr(&s->out, "}\n\n");
	}
	if (!(w->a->quirks & QUIRK_NO_DONE))
		buf_addstr(&s->out, "data: [DONE]\n\n");
}

void chat_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct buf first = BUF_INIT;
	struct model_stream s;

	buf_addstr(&first, "{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null");
	add_reasoning(&w, &first);
	buf_addch(&first, '}');
	buf_addstr(&w.head, "data: ");
	write_head(&w, "chat.completion.chunk", &w.head);
	model_stream_begin(&s, t, ex, a);
	add_event(&s, &w, first.data, NULL);
	buf_clear(&first);
	model_stream_pause(&s);
	if (!model_stream_is_garbage(&s)) {
		model_stream_text(&s, a->script->text, w.text_len, a->script->chunk, true, add_text, &w);
		for (size_t i = 0; i < a->script->call_count; i++)
			stream_call(&s, &w, i);
		if (!model_stream_is_unfinished(&s))
			add_end(&s, &w);
	}
	model_stream_end(&s);
	buf_clear(&w.head);
}
