#include <inttypes.h>
#include <string.h>

#include "base/time/clock.h"
#include "playground/model/api.h"
#include "playground/model/responses/responses.h"
#include "playground/server/fault.h"

#define PIECE 32 /* characters of arguments */

/* The state of writing one answer. */
struct writer {
	const struct model_answer *a;
	size_t text_len;
	char id[33], call_ids[21];
	int64_t created;
	size_t index, sequence; /* of the current item; of the next event */
	struct buf items;       /* completed items, as JSON separated by commas */
};

static struct writer begin(const struct model_answer *a)
{
	struct writer w = {
	    .a = a, .text_len = model_text_len(a), .created = clock_wall() / 1000, .items = BUF_INIT};

	model_random_name(w.id, sizeof(w.id));
	model_random_name(w.call_ids, sizeof(w.call_ids));
	return w;
}

/* Returns why the answer is incomplete; NULL when it is complete. Scripts use the finish reasons of Chat
 * Completions. */
static const char *incomplete(const struct writer *w)
{
	const char *reason = w->a->script->finish_reason;

	if (reason && strcmp(reason, "length") == 0)
		return "max_output_tokens";
	if (reason && strcmp(reason, "content_filter") == 0)
		return reason;
	return w->a->script->text && w->text_len < strlen(w->a->script->text) ? "max_output_tokens" : NULL;
}

static void write_reasoning(const struct writer *w, bool done, struct buf *out)
{
	char id[48], sealed[RESPONSES_SEALED_SIZE];

	snprintf(id, sizeof(id), "rs_%s", w->id);
	responses_seal(id, sealed);
	buf_addf(out, "{\"id\":\"%s\",\"type\":\"reasoning\",\"summary\":[", id);
	if (done) {
		buf_addstr(out, "{\"type\":\"summary_text\",\"text\":");
		json_quote(out, w->a->script->thinking, strlen(w->a->script->thinking));
		buf_addch(out, '}');
	}
	buf_addf(out, "],\"encrypted_content\":\"%s\"}", sealed);
}

static void write_message(const struct writer *w, bool done, struct buf *out)
{
	buf_addf(out,
	    "{\"id\":\"msg_%s\",\"type\":\"message\",\"status\":\"%s\",\"role\":\"assistant\",\"content\":[",
	    w->id, done ? "completed" : "in_progress");
	if (done) {
		buf_addstr(out, "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":");
		json_quote(out, w->a->script->text, w->text_len);
		buf_addch(out, '}');
	}
	buf_addstr(out, "]}");
}

static void write_call(const struct writer *w, size_t i, bool done, struct buf *out)
{
	const struct script_call *call = &w->a->script->calls[i];

	buf_addf(out, "{\"id\":\"fc_%s%03zu\",\"type\":\"function_call\",\"status\":\"%s\",", w->call_ids, i,
	    done ? "completed" : "in_progress");
	if (!(w->a->quirks & QUIRK_NO_ID))
		buf_addf(
		    out, "\"call_id\":\"call_%s%03zu\",", w->call_ids, w->a->quirks & QUIRK_SAME_ID ? 0 : i);
	buf_addstr(out, "\"name\":");
	json_quote(out, call->name, strlen(call->name));
	buf_addstr(out, ",\"arguments\":");
	json_quote(out, call->arguments, done ? strlen(call->arguments) : 0);
	buf_addch(out, '}');
}

static void write_usage(const struct writer *w, struct buf *out)
{
	size_t tokens = model_answer_tokens(w->a, w->text_len);

	buf_addf(out,
	    "{\"input_tokens\":%zu,\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":%zu,"
	    "\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":%zu}",
	    w->a->prompt_tokens, tokens, w->a->prompt_tokens + tokens);
}

/* Writes the response: as it begins, or (done) as it ended. */
static void write_response(const struct writer *w, bool done, struct buf *out)
{
	const char *reason = done ? incomplete(w) : NULL;

	buf_addf(out,
	    "{\"id\":\"resp_%s\",\"object\":\"response\",\"created_at\":%" PRId64
	    ",\"status\":\"%s\",\"model\":",
	    w->id, w->created,
	    !done      ? "in_progress" :
		reason ? "incomplete" :
			 "completed");
	json_quote(out, w->a->model, strlen(w->a->model));
	buf_addstr(out, ",\"error\":null,\"incomplete_details\":");
	if (reason)
		buf_addf(out, "{\"reason\":\"%s\"}", reason);
	else
		buf_addstr(out, "null");
	buf_addf(out, ",\"store\":false,\"output\":[%s],\"usage\":", done ? w->items.data : "");
	if (done && !(w->a->quirks & QUIRK_NO_USAGE))
		write_usage(w, out);
	else
		buf_addstr(out, "null");
	buf_addch(out, '}');
}

/* Adds one event; members follow its type. */
static void add_event(struct model_stream *s, struct writer *w, const char *type, const char *members)
{
	buf_addf(&s->out, "event: %s\ndata: {\"type\":\"%s\",\"sequence_number\":%zu%s}\n\n", type, type,
	    w->sequence++, members);
}

/* Adds the item as it begins or is done; a completed item is kept for the end. */
static void add_item(struct model_stream *s, struct writer *w, const struct buf *item, bool done)
{
	struct buf members = BUF_INIT;

	buf_addf(
	    &members, ",\"output_index\":%zu,\"item\":%s", model_answer_index(w->a, w->index), item->data);
	if (s)
		add_event(
		    s, w, done ? "response.output_item.done" : "response.output_item.added", members.data);
	if (done) {
		buf_addf(&w->items, "%s%s", w->items.len > 0 ? "," : "", item->data);
		w->index++;
	}
	buf_clear(&members);
}

/* A piece of a text or of arguments. */
struct growing {
	struct writer *w;
	const char *event, *item; /* prefix of the item's id */
	const char *id;
};

static void add_delta(struct model_stream *s, const char *text, size_t len, void *arg)
{
	const struct growing *g = arg;
	struct buf members = BUF_INIT;

	buf_addf(&members,
	    ",\"item_id\":\"%s%s\",\"output_index\":%zu,\"content_index\":0,\"delta\":", g->item, g->id,
	    model_answer_index(g->w->a, g->w->index));
	model_stream_quote(&members, text, len);
	add_event(s, g->w, g->event, members.data);
	buf_clear(&members);
}

/* One function writes each item, streamed (s) or complete (NULL). */
static void put_reasoning(struct model_stream *s, struct writer *w)
{
	struct buf item = BUF_INIT;

	write_reasoning(w, false, &item);
	if (s)
		add_item(s, w, &item, false);
	buf_reset(&item);
	write_reasoning(w, true, &item);
	add_item(s, w, &item, true);
	buf_clear(&item);
}

static void put_message(struct model_stream *s, struct writer *w)
{
	struct growing g = {w, "response.output_text.delta", "msg_", w->id};
	struct buf item = BUF_INIT;

	write_message(w, false, &item);
	if (s) {
		add_item(s, w, &item, false);
		model_stream_text(
		    s, w->a->script->text, w->text_len, w->a->script->chunk, true, add_delta, &g);
	}
	buf_reset(&item);
	write_message(w, true, &item);
	add_item(s, w, &item, true);
	buf_clear(&item);
}

static void put_call(struct model_stream *s, struct writer *w, size_t i)
{
	const char *arguments = w->a->script->calls[i].arguments;
	struct growing g = {w, "response.function_call_arguments.delta", "fc_", w->call_ids};
	struct buf item = BUF_INIT;

	write_call(w, i, false, &item);
	if (s) {
		add_item(s, w, &item, false);
		model_stream_text(s, arguments, strlen(arguments), PIECE, false, add_delta, &g);
	}
	buf_reset(&item);
	write_call(w, i, true, &item);
	add_item(s, w, &item, true);
	buf_clear(&item);
}

static void put_items(struct model_stream *s, struct writer *w)
{
	if (w->a->script->thinking)
		put_reasoning(s, w);
	if (w->text_len > 0)
		put_message(s, w);
	for (size_t i = 0; i < w->a->script->call_count; i++)
		put_call(s, w, i);
}

void responses_answer_whole(struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct buf out = BUF_INIT;

	put_items(NULL, &w);
	write_response(&w, true, &out);
	exchange_answer(ex, 200, "application/json", NULL, &out);
	buf_clear(&out);
	buf_clear(&w.items);
}

static void add_response(struct model_stream *s, struct writer *w, const char *type, bool done)
{
	struct buf members = BUF_INIT;

	buf_addstr(&members, ",\"response\":");
	write_response(w, done, &members);
	add_event(s, w, type, members.data);
	buf_clear(&members);
}

void responses_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a)
{
	struct writer w = begin(a);
	struct model_stream s;

	model_stream_begin(&s, t, ex, a);
	add_response(&s, &w, "response.created", false);
	add_response(&s, &w, "response.in_progress", false);
	model_stream_pause(&s);
	if (!model_stream_is_garbage(&s)) {
		put_items(&s, &w);
		if (!model_stream_is_unfinished(&s))
			add_response(
			    &s, &w, incomplete(&w) ? "response.incomplete" : "response.completed", true);
	}
	model_stream_end(&s);
	buf_clear(&w.items);
}
