#include <string.h>

#include "playground/model/api.h"
#include "playground/model/messages/messages.h"
#include "playground/server/fault.h"

#define PIECE 32 /* characters of arguments and of thinking */

/* The state of writing one answer. */
struct writer {
	const struct model_answer *a;
	size_t text_len;
	char id[25], call_ids[21];
	size_t index; /* of the current block */
};

static struct writer begin(const struct model_answer *a)
{
	struct writer w = {.a = a, .text_len = model_text_len(a)};

	model_random_name(w.id, sizeof(w.id));
	model_random_name(w.call_ids, sizeof(w.call_ids));
	return w;
}

static const char *stop_reason(const struct writer *w)
{
	/* Scripts use OpenAI's finish reasons. */
	static const char *const words[][2] = {{"content_filter", "refusal"}, {"length", "max_tokens"},
	    {"stop", "end_turn"}, {"tool_calls", "tool_use"}};
	const struct script_answer *script = w->a->script;

	for (size_t i = 0; script->finish_reason && i < ARRAY_LEN(words); i++)
		if (strcmp(script->finish_reason, words[i][0]) == 0)
			return words[i][1];
	if (script->finish_reason)
		return script->finish_reason;
	if (script->text && w->text_len < strlen(script->text))
		return "max_tokens";
	return script->call_count > 0 ? "tool_use" : "end_turn";
}

static void write_stop(const struct writer *w, struct buf *out)
{
	const char *reason = stop_reason(w);

	buf_addstr(out, "\"stop_reason\":");
	json_quote(out, reason, strlen(reason));
	buf_addstr(out, ",\"stop_sequence\":null");
}

static void add_usage(const struct writer *w, size_t output, struct buf *out)
{
	if (w->a->quirks & QUIRK_NO_USAGE)
		return;
	buf_addf(out,
	    ",\"usage\":{\"input_tokens\":%zu,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":"
	    "0,\"output_tokens\":%zu,\"service_tier\":\"standard\"}",
	    w->a->prompt_tokens, output);
}

/* Writes the message up to its content. */
static void write_head(const struct writer *w, struct buf *out)
{
	buf_addf(out, "{\"id\":\"msg_01%s\",\"type\":\"message\",\"role\":\"assistant\",\"model\":", w->id);
	json_quote(out, w->a->model, strlen(w->a->model));
	buf_addstr(out, ",\"content\":[");
}

static void write_call(const struct writer *w, size_t i, const char *arguments, struct buf *out)
{
	const struct script_call *call = &w->a->script->calls[i];

	buf_addstr(out, "{\"type\":\"tool_use\",");
	if (!(w->a->quirks & QUIRK_NO_ID))
		buf_addf(
		    out, "\"id\":\"toolu_01%s%02zu\",", w->call_ids, w->a->quirks & QUIRK_SAME_ID ? 0 : i);
	buf_addstr(out, "\"name\":");
	json_quote(out, call->name, strlen(call->name));
	buf_addf(out, ",\"input\":%s}", arguments);
}

/* An input is an object, whatever the model has written. Undocumented: what becomes of other text; a choice.
 */
static const char *input_of(const struct script_call *call)
{
	struct json_object *input = json_parse_object(call->arguments, strlen(call->arguments), NULL);
	bool is_object = input != NULL;

	json_object_put(input);
	return is_object ? call->arguments : "{}";
}

static void write_thinking(const char *thinking, struct buf *out)
{
	char signature[SIGNATURE_SIZE];

	messages_sign(thinking, signature);
	buf_addstr(out, "{\"type\":\"thinking\",\"thinking\":");
	json_quote(out, thinking, strlen(thinking));
	buf_addf(out, ",\"signature\":\"%s\"}", signature);
}

void messages_answer_whole(struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct buf out = BUF_INIT;
	const char *between = "";

	write_head(&w, &out);
	if (a->script->thinking) {
		write_thinking(a->script->thinking, &out);
		between = ",";
	}
	if (w.text_len > 0) {
		buf_addf(&out, "%s{\"type\":\"text\",\"text\":", between);
		json_quote(&out, a->script->text, w.text_len);
		buf_addch(&out, '}');
		between = ",";
	}
	for (size_t i = 0; i < a->script->call_count; i++, between = ",") {
		buf_addstr(&out, between);
		write_call(&w, i, input_of(&a->script->calls[i]), &out);
	}
	buf_addstr(&out, "],");
	write_stop(&w, &out);
	add_usage(&w, model_answer_tokens(a, w.text_len), &out);
	buf_addch(&out, '}');
	exchange_answer(ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
}

/* Adds one event; members follow its type. */
static void add_event(struct model_stream *s, const char *type, const char *members)
{
	buf_addf(&s->out, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", type, type, members);
}

static void add_indexed(
    struct model_stream *s, const struct writer *w, const char *type, const char *name, const char *value)
{
	struct buf members = BUF_INIT;

	buf_addf(&members, ",\"index\":%zu", model_answer_index(w->a, w->index));
	if (name)
		buf_addf(&members, ",\"%s\":%s", name, value);
	add_event(s, type, members.data);
	buf_clear(&members);
}

static void add_start(struct model_stream *s, const struct writer *w)
{
	struct buf members = BUF_INIT;

	buf_addstr(&members, ",\"message\":");
	write_head(w, &members);
	buf_addstr(&members, "],\"stop_reason\":null,\"stop_sequence\":null");
	add_usage(w, 1, &members);
	buf_addch(&members, '}');
	add_event(s, "message_start", members.data);
	add_event(s, "ping", "");
	buf_clear(&members);
}

/* A block that is extended by deltas of one kind. */
struct growing {
	const struct writer *w;
	const char *delta, *member;
};

static void add_delta(struct model_stream *s, const char *text, size_t len, void *arg)
{
	const struct growing *g = arg;
	struct buf delta = BUF_INIT;

	buf_addf(&delta, "{\"type\":\"%s\",\"%s\":", g->delta, g->member);
	model_stream_quote(&delta, text, len);
	buf_addch(&delta, '}');
	add_indexed(s, g->w, "content_block_delta", "delta", delta.data);
	buf_clear(&delta);
}

static void end_block(struct model_stream *s, struct writer *w)
{
	add_indexed(s, w, "content_block_stop", NULL, NULL);
	w->index++;
}

static void add_thinking(struct model_stream *s, struct writer *w, const char *thinking)
{
	struct growing g = {w, "thinking_delta", "thinking"}, end = {w, "signature_delta", "signature"};
	char signature[SIGNATURE_SIZE];

	messages_sign(thinking, signature);
	add_indexed(s, w, "content_block_start", "content_block",
	    "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}");
	model_stream_text(s, thinking, strlen(thinking), PIECE, false, add_delta, &g);
	add_delta(s, signature, strlen(signature), &end);
	end_block(s, w);
}

static void add_text(struct model_stream *s, struct writer *w)
{
	struct growing g = {w, "text_delta", "text"};

	add_indexed(s, w, "content_block_start", "content_block", "{\"type\":\"text\",\"text\":\"\"}");
	model_stream_text(s, w->a->script->text, w->text_len, w->a->script->chunk, true, add_delta, &g);
	end_block(s, w);
}

static void add_call(struct model_stream *s, struct writer *w, size_t i)
{
	const char *arguments = w->a->script->calls[i].arguments;
	struct growing g = {w, "input_json_delta", "partial_json"};
	struct buf block = BUF_INIT;

	write_call(w, i, "{}", &block);
	add_indexed(s, w, "content_block_start", "content_block", block.data);
	add_delta(s, "", 0, &g);
	model_stream_text(s, arguments, strlen(arguments), PIECE, false, add_delta, &g);
	end_block(s, w);
	buf_clear(&block);
}

static void add_end(struct model_stream *s, const struct writer *w)
{
	struct buf members = BUF_INIT;

	buf_addstr(&members, ",\"delta\":{");
	write_stop(w, &members);
	buf_addch(&members, '}');
	if (!(w->a->quirks & QUIRK_NO_USAGE))
		buf_addf(
		    &members, ",\"usage\":{\"output_tokens\":%zu}", model_answer_tokens(w->a, w->text_len));
	add_event(s, "message_delta", members.data);
	add_event(s, "message_stop", "");
	buf_clear(&members);
}

void messages_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct model_stream s;

	model_stream_begin(&s, t, ex, a);
	add_start(&s, &w);
	model_stream_pause(&s);
	if (!model_stream_is_garbage(&s)) {
		if (a->script->thinking)
			add_thinking(&s, &w, a->script->thinking);
		if (w.text_len > 0)
			add_text(&s, &w);
		for (size_t i = 0; i < a->script->call_count; i++)
			add_call(&s, &w, i);
		if (!model_stream_is_unfinished(&s))
			add_end(&s, &w);
	}
	model_stream_end(&s);
}
