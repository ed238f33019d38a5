#include "llm/formats/anthropic/answer.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "llm/classify.h"
#include "llm/formats/assistant_message.h"
#include "llm/formats/exchange.h"

void anthropic_answer_init(struct anthropic_answer *a, const struct llm_sink *sink)
{
	*a = (struct anthropic_answer){.sink = sink, .text = BUF_INIT};
}

void anthropic_answer_clear(struct anthropic_answer *a)
{
	buf_clear(&a->text);
	anthropic_blocks_clear(&a->blocks);
	anthropic_answer_init(a, NULL);
}

/* The numbers are totals: later ones replace earlier ones. */
static void add_usage(struct anthropic_answer *a, struct json_object *usage)
{
	llm_answer_count(usage, "input_tokens", &a->fresh_tokens);
	llm_answer_count(usage, "cache_creation_input_tokens", &a->written_tokens);
	llm_answer_count(usage, "cache_read_input_tokens", &a->usage.cached_tokens);
	llm_answer_count(usage, "output_tokens", &a->usage.output_tokens);
	a->usage.written_tokens = a->written_tokens;
	a->usage.input_tokens = a->fresh_tokens + a->written_tokens + a->usage.cached_tokens;
}

static void add_stop(struct anthropic_answer *a, struct json_object *o)
{
	const char *reason = json_get_str(o, "stop_reason");
	const char *explanation = json_get_str(json_get_object(o, "stop_details"), "explanation");

	if (reason)
		str_copy(a->stop_reason, sizeof(a->stop_reason), reason);
	if (explanation)
		str_copy(a->explanation, sizeof(a->explanation), explanation);
}

static int start_block(
    struct anthropic_answer *a, int64_t index, struct json_object *block, struct error *err)
{
	/* json-c aborts the process if anything else is used as an object. */
	if (!json_object_is_type(block, json_type_object))
		return 0;
	if (anthropic_blocks_start(&a->blocks, index, block, err) < 0)
		return -1;
	const struct anthropic_block *begun = anthropic_blocks_find(&a->blocks, index);
	if (begun->kind != ANTHROPIC_TEXT)
		return 0;
	/* Texts between calls are paragraphs of one answer. */
	if (a->text.len > 0)
		llm_answer_add_text(&a->text, a->sink, "\n\n", 2);
	llm_answer_add_text(&a->text, a->sink, begun->text.data, begun->text.len);
	return 0;
}

static int on_start(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	(void)err;
	a->begun = true;
	add_usage(a, json_get_object(json_get_object(o, "message"), "usage"));
	return 0;
}

static int on_block_start(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	return start_block(a, json_get_int(o, "index", -1), json_get_object(o, "content_block"), err);
}

/* Text that a provider added to a block is for people. */
static void say_added(struct anthropic_answer *a, int64_t index, size_t added)
{
	const struct buf *text;

	if (added == 0)
		return;
	text = &anthropic_blocks_find(&a->blocks, index)->text;
	llm_answer_add_text(&a->text, a->sink, text->data + text->len - added, added);
}

static int on_block_delta(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	int64_t index = json_get_int(o, "index", -1);
	size_t added;

	if (anthropic_blocks_add(&a->blocks, index, json_get_object(o, "delta"), &added, err) < 0)
		return -1;
	say_added(a, index, added);
	return 0;
}

static int on_block_stop(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	(void)err;
	anthropic_blocks_stop(&a->blocks, json_get_int(o, "index", -1));
	return 0;
}

static int on_delta(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	(void)err;
	add_stop(a, json_get_object(o, "delta"));
	add_usage(a, json_get_object(o, "usage"));
	return 0;
}

static int on_stop(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	(void)o;
	(void)err;
	a->done = a->begun;
	return 0;
}

static int on_message(struct anthropic_answer *a, struct json_object *o, struct error *err)
{
	struct json_object *content = json_get_array(o, "content");

	for (size_t i = 0; content && i < json_object_array_length(content); i++) {
		if (start_block(a, (int64_t)i, json_object_array_get_idx(content, i), err) < 0)
			return -1;
		anthropic_blocks_stop(&a->blocks, (int64_t)i);
	}
	add_stop(a, o);
	add_usage(a, json_get_object(o, "usage"));
	a->begun = a->done = content;
	return 0;
}

static const struct event {
	const char *type;
	int (*add)(struct anthropic_answer *a, struct json_object *o, struct error *err);
} events[] = {
    {"content_block_delta", on_block_delta},
    {"content_block_start", on_block_start},
    {"content_block_stop", on_block_stop},
    {"message", on_message},
    {"message_delta", on_delta},
    {"message_start", on_start},
    {"message_stop", on_stop},
};

int anthropic_answer_add(
    struct anthropic_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	const char *type = json_get_str(o, "type");

	if ((type && strcmp(type, "error") == 0) || json_get(o, "error")) {
		*class = llm_classify_object(200, 0, o, err);
		return -1;
	}
	for (size_t i = 0; type && i < ARRAY_LEN(events); i++) {
		if (strcmp(type, events[i].type) != 0)
			continue;
		if (events[i].add(a, o, err) == 0)
			return 0;
		*class = LLM_ERROR_MODEL_OUTPUT;
		return -1;
	}
	return 0;
}

bool anthropic_answer_add_piece(
    struct anthropic_answer *a, const struct json_flat *event, struct buf *scratch)
{
	size_t error = json_flat_get(event, 0, "error"), added;
	size_t delta = json_flat_get_kind(event, 0, "delta", JSON_FLAT_OBJECT);
	size_t number = json_flat_get_kind(event, 0, "index", JSON_FLAT_INT);

	if (!delta || !number || (error && event->items[error].kind != JSON_FLAT_NULL) ||
	    !json_flat_is(event, json_flat_get(event, 0, "type"), "content_block_delta"))
		return false;
	int64_t index = json_flat_int(event, number);
	if (!anthropic_blocks_add_piece(&a->blocks, index, event, delta, scratch, &added))
		return false;
	say_added(a, index, added);
	return true;
}

static size_t count_calls(const struct anthropic_answer *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->blocks.count; i++)
		n += a->blocks.items[i].kind == ANTHROPIC_CALL;
	return n;
}

/* Reasons that change how the answer is handled; otherwise its contents decide between calls and a final
 * answer. */
static enum llm_finish finish_of(const struct anthropic_answer *a)
{
	static const char *const cut[] = {"max_tokens", "model_context_window_exceeded"};

	if (strcmp(a->stop_reason, "refusal") == 0)
		return LLM_FINISH_REFUSED;
	for (size_t i = 0; i < ARRAY_LEN(cut); i++)
		if (strcmp(a->stop_reason, cut[i]) == 0)
			return LLM_FINISH_LENGTH;
	for (size_t i = 0; i < a->blocks.count; i++)
		if (a->blocks.items[i].kind == ANTHROPIC_CALL && !a->blocks.items[i].stopped)
			return LLM_FINISH_LENGTH;
	return count_calls(a) > 0 ? LLM_FINISH_CALLS : LLM_FINISH_STOP;
}

static bool is_blank(const struct buf *b)
{
	return strspn(b->data, " \t\r\n") == b->len;
}

/* Returns why there is no usable answer; LLM_ERROR_NONE when there is one. */
static enum llm_error_class failure_of(const struct anthropic_answer *a, struct error *err)
{
	bool silent = is_blank(&a->text) && count_calls(a) == 0;

	if (!a->done) {
		error_set(err, ERROR_NETWORK, "the answer broke off %s",
		    a->begun ? "in the middle" : "before it began");
		return LLM_ERROR_TRANSIENT;
	}
	if (silent && finish_of(a) == LLM_FINISH_REFUSED) {
		error_set(err, ERROR_REFUSED, "the model declined%s%s", *a->explanation ? ": " : "",
		    a->explanation);
		return LLM_ERROR_REFUSAL;
	}
	if (silent && !*a->stop_reason) {
		error_set(err, ERROR_REFUSED, "the answer ended before anything was said");
		return LLM_ERROR_MODEL_OUTPUT;
	}
	return LLM_ERROR_NONE;
}

static void add_call(struct llm_message *m, const struct anthropic_block *block, bool cut)
{
	llm_assistant_message_add_call(m,
	    &(struct llm_raw_call){.id = json_get_str(block->begun, "id"),
		.prefix = "toolu_",
		.name = json_get_str(block->begun, "name"),
		.arguments = block->text.data,
		.len = block->text.len,
		.cut = cut});
}

/* The message as the provider expects it back: its blocks in order, thinking with its signature. */
static char *raw_message(const struct anthropic_answer *a, const struct llm_message *m)
{
	struct buf text = BUF_INIT;
	bool any = false;

	buf_addstr(&text, "{\"role\":\"assistant\",\"content\":[");
	for (size_t i = 0, k = 0; i < a->blocks.count; i++) {
		const struct anthropic_block *block = &a->blocks.items[i];
		const struct llm_call *call =
		    block->kind == ANTHROPIC_CALL && k < m->call_count ? &m->calls[k++] : NULL;
		if (block->kind == ANTHROPIC_CALL && !call)
			continue;
		struct json_object *raw = anthropic_block_raw(
		    block, call ? call->id : NULL, call ? call->name : NULL, call ? call->arguments : NULL);
		if (!raw)
			continue;
		if (any)
			buf_addch(&text, ',');
		any = true;
		json_write(&text, raw);
		json_object_put(raw);
	}
	buf_addstr(&text, "]}");
	return buf_take(&text);
}

int anthropic_answer_finish(
    const struct anthropic_answer *a, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	out->usage = a->usage;
	out->error_class = failure_of(a, err);
	if (out->error_class != LLM_ERROR_NONE)
		return -1;
	out->finish = finish_of(a);
	struct llm_message *m = llm_assistant_message(p, a->text.data);
	for (size_t i = 0; i < a->blocks.count && out->finish != LLM_FINISH_REFUSED; i++)
		if (a->blocks.items[i].kind == ANTHROPIC_CALL)
			add_call(m, &a->blocks.items[i], out->finish == LLM_FINISH_LENGTH);
	/* The answer is empty: the caller that stores it substitutes a text. */
	if (*m->text || m->call_count > 0)
		llm_message_set_raw(m, raw_message(a, m));
	out->message = m;
	return 0;
}
