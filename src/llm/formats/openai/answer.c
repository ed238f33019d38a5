#include "llm/formats/openai/answer.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
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
		llm_answer_add_text(&a->text, a->sink, json_object_get_string(content),
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

/* Where a chunk has what counts of it; 0: nowhere. */
struct piece {
	size_t content, reason, usage;
	bool begun;
};

/* May it be more than absent or null? */
static bool is_something(const struct json_flat *f, size_t at)
{
	return at && f->items[at].kind != JSON_FLAT_NULL;
}

static bool may_be_error(const struct json_flat *f, size_t of)
{
	return is_something(f, json_flat_get(f, of, "error")) ||
	    json_flat_is(f, json_flat_get(f, of, "object"), "error");
}

/* False when the delta has more to keep than a string as its content. */
static bool find_content(const struct json_flat *f, size_t delta, struct piece *p)
{
	for (size_t i = delta + 1; i < f->items[delta].next; i = f->items[i + 1].next) {
		if (json_flat_is(f, i, "content"))
			p->content = i + 1;
		else if (is_something(f, i + 1) && !json_flat_is(f, i, "role") && !json_flat_is(f, i, "name"))
			return false;
	}
	if (!is_something(f, p->content))
		p->content = 0;
	return !p->content || f->items[p->content].kind == JSON_FLAT_STRING;
}

static bool find_in_choice(const struct json_flat *f, size_t choice, struct piece *p)
{
	size_t delta = json_flat_get_kind(f, choice, "delta", JSON_FLAT_OBJECT);

	if (f->items[choice].kind != JSON_FLAT_OBJECT || may_be_error(f, choice) || !delta)
		return false;
	p->begun = true;
	p->reason = json_flat_get(f, choice, "finish_reason");
	if (!is_something(f, p->reason))
		p->reason = 0;
	if (p->reason && (f->items[p->reason].kind != JSON_FLAT_STRING || f->items[p->reason].escaped))
		return false;
	return find_content(f, delta, p);
}

/* False when the chunk has, or may have, what is not in a piece. */
static bool find_piece(const struct json_flat *f, struct piece *p)
{
	size_t choices = json_flat_get(f, 0, "choices");

	p->usage = json_flat_get(f, 0, "usage");
	if (!is_something(f, p->usage))
		p->usage = 0;
	if (!choices || f->items[choices].kind != JSON_FLAT_ARRAY || may_be_error(f, 0) ||
	    (p->usage && f->items[p->usage].kind != JSON_FLAT_OBJECT))
		return false;
	return f->items[choices].next == choices + 1 || find_in_choice(f, choices + 1, p);
}

/* As llm_answer_count. */
static void count_flat(const struct json_flat *f, size_t of, const char *key, int64_t *count)
{
	size_t at = json_flat_get_kind(f, of, key, JSON_FLAT_INT);
	int64_t n = at ? json_flat_int(f, at) : -1;

	if (n >= 0 && n <= LLM_TOKENS_MAX)
		*count = n;
}

static void add_flat_usage(struct openai_answer *a, const struct json_flat *f, size_t usage)
{
	size_t details = json_flat_get_kind(f, usage, "prompt_tokens_details", JSON_FLAT_OBJECT);

	count_flat(f, usage, "prompt_tokens", &a->usage.input_tokens);
	count_flat(f, usage, "completion_tokens", &a->usage.output_tokens);
	count_flat(f, usage, "prompt_cache_hit_tokens", &a->usage.cached_tokens);
	if (details)
		count_flat(f, details, "cached_tokens", &a->usage.cached_tokens);
}

bool openai_answer_add_piece(struct openai_answer *a, const struct json_flat *chunk, struct buf *scratch)
{
	struct piece p = {0};
	size_t len = 0, reason_len = 0;
	const char *text, *reason;

	if (!find_piece(chunk, &p))
		return false;
	text = p.content ? json_flat_str(chunk, p.content, scratch, &len) : "";
	if (a->text.len + a->refusal.len + len > TEXT_BYTES_MAX)
		return false;
	if (p.usage)
		add_flat_usage(a, chunk, p.usage);
	a->begun |= p.begun;
	if (len > 0)
		llm_answer_add_text(&a->text, a->sink, text, len);
	reason = p.reason ? json_flat_str(chunk, p.reason, scratch, &reason_len) : "";
	if (reason_len > 0)
		str_format(a->finish_reason, sizeof(a->finish_reason), "%.*s", (int)reason_len, reason);
	return true;
}

bool openai_answer_is_complete(const struct openai_answer *a)
{
	return a->done || *a->finish_reason != '\0';
}
