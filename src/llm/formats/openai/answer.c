#include "llm/formats/openai/answer.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/classify.h"
#include "llm/formats/exchange.h"

#define TEXT_BYTES_MAX (4 * 1024 * 1024)

void openai_answer_init(struct openai_answer *a, const struct llm_sink *sink)
{
	*a = (struct openai_answer){.sink = sink, .text = BUF_INIT, .refusal = BUF_INIT};
}

void openai_answer_clear(struct openai_answer *a)
{
	buf_clear(&a->text);
	buf_clear(&a->refusal);
	openai_calls_clear(&a->calls);
	openai_extras_clear(&a->extras);
	openai_answer_init(a, NULL);
}

static void add_text(struct openai_answer *a, struct json_object *content)
{
	if (json_object_is_type(content, json_type_string))
		llm_answer_say(&a->text, a->sink, json_object_get_string(content),
		    (size_t)json_object_get_string_len(content));
}

/* A string, or a list of parts, of which only text is for people. */
static void add_content(struct openai_answer *a, struct json_object *content)
{
	if (!json_object_is_type(content, json_type_array)) {
		add_text(a, content);
		return;
	}
	for (size_t i = 0; i < json_object_array_length(content); i++)
		add_text(a, json_get(json_object_array_get_idx(content, i), "text"));
}

static void add_refusal(struct openai_answer *a, struct json_object *refusal)
{
	if (json_object_is_type(refusal, json_type_string))
		utf8_sanitize(&a->refusal, json_object_get_string(refusal),
		    (size_t)json_object_get_string_len(refusal));
}

static int add_message(struct openai_answer *a, struct json_object *message, bool whole, struct error *err)
{
	/* name: MiniMax repeats the model's name in every piece. */
	static const char *const known[] = {"role", "content", "refusal", "tool_calls", "function_call",
	    "annotations", "audio", "name", NULL};
	struct json_object *calls = json_get_array(message, "tool_calls");

	add_content(a, json_get(message, "content"));
	add_refusal(a, json_get(message, "refusal"));
	openai_extras_add(&a->extras, message, known);
	for (size_t i = 0; calls && i < json_object_array_length(calls); i++)
		if (openai_calls_add(&a->calls, json_object_array_get_idx(calls, i), whole, err) != 0)
			return -1;
	if (a->text.len + a->refusal.len > TEXT_BYTES_MAX)
		return error_set(
		    err, ERROR_REFUSED, "the text of the answer is larger than %d bytes", TEXT_BYTES_MAX);
	return 0;
}

/* Comes with the last chunk or with several; the numbers are totals. */
static void add_usage(struct openai_answer *a, struct json_object *usage)
{
	llm_answer_count(usage, "prompt_tokens", &a->usage.input_tokens);
	llm_answer_count(usage, "completion_tokens", &a->usage.output_tokens);
	llm_answer_count(usage, "prompt_cache_hit_tokens", &a->usage.cached_tokens); /* DeepSeek */
	llm_answer_count(
	    json_get_object(usage, "prompt_tokens_details"), "cached_tokens", &a->usage.cached_tokens);
}

/* An answer with status 200 can contain an error, in several forms. */
static bool is_error(struct json_object *o)
{
	const char *text = json_get_str(o, "error"), *kind = json_get_str(o, "object");

	return json_object_is_type(o, json_type_array) || json_get_object(o, "error") || (text && *text) ||
	    (kind && strcmp(kind, "error") == 0);
}

static int add_choice(struct openai_answer *a, struct json_object *choice, struct error *err)
{
	const char *reason = json_get_str(choice, "finish_reason");
	struct json_object *delta = json_get_object(choice, "delta"),
			   *message = json_get_object(choice, "message");

	/* OpenRouter, when its upstream provider failed in the middle. */
	if (is_error(choice)) {
		a->error_class = llm_classify_object(200, 0, choice, err);
		return -1;
	}
	a->begun = true;
	if (reason && *reason)
		str_copy(a->finish_reason, sizeof(a->finish_reason), reason);
	if (add_message(a, delta ? delta : message, !delta, err) == 0)
		return 0;
	a->error_class = LLM_ERROR_MODEL_OUTPUT;
	return -1;
}

int openai_answer_add(struct openai_answer *a, struct json_object *chunk, struct error *err)
{
	struct json_object *choices = json_get_array(chunk, "choices");

	if (is_error(chunk)) {
		a->error_class = llm_classify_object(200, 0, chunk, err);
		return -1;
	}
	add_usage(a, json_get_object(chunk, "usage"));
	if (!choices || json_object_array_length(choices) == 0)
		return 0;
	return add_choice(a, json_object_array_get_idx(choices, 0), err);
}

/* Absent, null, or (if that counts) an empty string. */
static bool is_nothing(const struct json_flat *f, size_t of, const char *key, bool or_empty)
{
	size_t at = json_flat_get(f, of, key);

	return !at || f->items[at].kind == JSON_FLAT_NULL ||
	    (or_empty && f->items[at].kind == JSON_FLAT_STRING && f->items[at].len == 0);
}

/* Returns the content if the delta has a string there and nothing else to keep; else 0. */
static size_t piece_of(const struct json_flat *f, size_t delta)
{
	size_t content = 0;

	for (size_t i = delta + 1; i < f->items[delta].next; i = f->items[i + 1].next) {
		if (json_flat_is(f, i, "content"))
			content = i + 1;
		else if (f->items[i + 1].kind != JSON_FLAT_NULL && !json_flat_is(f, i, "role") &&
		    !json_flat_is(f, i, "name"))
			return 0;
	}
	return content && f->items[content].kind == JSON_FLAT_STRING ? content : 0;
}

static bool may_be_error(const struct json_flat *f, size_t of)
{
	return !is_nothing(f, of, "error", false) || json_flat_is(f, json_flat_get(f, of, "object"), "error");
}

bool openai_answer_add_piece(struct openai_answer *a, const struct json_flat *chunk, struct buf *scratch)
{
	size_t choices = json_flat_get_kind(chunk, 0, "choices", JSON_FLAT_ARRAY), choice = choices + 1,
	       content, len;

	if (!choices || chunk->items[choices].next == choice ||
	    chunk->items[choice].kind != JSON_FLAT_OBJECT || may_be_error(chunk, 0) ||
	    may_be_error(chunk, choice) || !is_nothing(chunk, 0, "usage", false) ||
	    !is_nothing(chunk, choice, "finish_reason", true))
		return false;
	size_t delta = json_flat_get_kind(chunk, choice, "delta", JSON_FLAT_OBJECT);
	content = delta ? piece_of(chunk, delta) : 0;
	if (!content)
		return false;
	const char *text = json_flat_str(chunk, content, scratch, &len);
	if (a->text.len + a->refusal.len + len > TEXT_BYTES_MAX)
		return false;
	a->begun = true;
	llm_answer_say(&a->text, a->sink, text, len);
	return true;
}

bool openai_answer_is_complete(const struct openai_answer *a)
{
	return a->done || *a->finish_reason != '\0';
}
