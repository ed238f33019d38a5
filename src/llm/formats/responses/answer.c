#include "llm/formats/responses/answer.h"

#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/json/flat.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "llm/classify.h"
#include "llm/formats/exchange.h"

#define ITEMS_MAX      512
#define TEXT_BYTES_MAX (4 * 1024 * 1024)

void responses_answer_init(struct responses_answer *a, const struct llm_sink *sink)
{
	*a = (struct responses_answer){
	    .sink = sink, .text = BUF_INIT, .refusal = BUF_INIT, .items = json_object_new_array()};
}

void responses_answer_clear(struct responses_answer *a)
{
	buf_clear(&a->text);
	buf_clear(&a->refusal);
	json_object_put(a->items);
	json_object_put(a->end);
	*a = (struct responses_answer){.text = BUF_INIT, .refusal = BUF_INIT};
}

/* The messages of one answer become its paragraphs. */
static void begin_text(struct responses_answer *a, const char *item)
{
	if (!item || strcmp(item, a->text_item) == 0)
		return;
	if (a->text.len > 0)
		llm_answer_add_text(&a->text, a->sink, "\n\n", 2);
	str_copy(a->text_item, sizeof(a->text_item), item);
}

static int on_text(struct responses_answer *a, struct json_object *o, struct error *err)
{
	struct json_object *delta = json_get(o, "delta");

	if (!json_object_is_type(delta, json_type_string))
		return 0;
	begin_text(a, json_get_str(o, "item_id"));
	llm_answer_add_text(
	    &a->text, a->sink, json_object_get_string(delta), (size_t)json_object_get_string_len(delta));
	if (a->text.len > TEXT_BYTES_MAX)
		return error_set(
		    err, ERROR_REFUSED, "the text of the answer is larger than %d bytes", TEXT_BYTES_MAX);
	return 0;
}

static int add_item(struct responses_answer *a, struct json_object *item, struct error *err)
{
	/* json-c aborts the process if anything else is used as an object. */
	if (!json_object_is_type(item, json_type_object))
		return 0;
	if (json_object_array_length(a->items) == ITEMS_MAX)
		return error_set(err, ERROR_REFUSED, "the answer has more than %d items", ITEMS_MAX);
	json_object_array_add(a->items, json_object_get(item));
	return 0;
}

static int on_item(struct responses_answer *a, struct json_object *o, struct error *err)
{
	return add_item(a, json_get_object(o, "item"), err);
}

/* Appends the parts of a message: text to text, a refusal to refusal. */
static void add_parts(struct json_object *item, struct buf *text, struct buf *refusal)
{
	struct json_object *content = json_get_array(item, "content");

	for (size_t i = 0; content && i < json_object_array_length(content); i++) {
		struct json_object *part = json_object_array_get_idx(content, i);
		const char *said = json_get_str(part, "text"), *declined = json_get_str(part, "refusal");
		if (said)
			buf_addstr(text, said);
		if (declined)
			utf8_sanitize(refusal, declined, strlen(declined));
	}
}

/* Nothing was streamed: sends the text of the items now. */
static void say_items(struct responses_answer *a)
{
	bool silent = a->text.len == 0;

	for (size_t i = 0; i < json_object_array_length(a->items); i++) {
		struct buf text = BUF_INIT;
		add_parts(json_object_array_get_idx(a->items, i), &text, &a->refusal);
		if (silent && text.len > 0) {
			if (a->text.len > 0)
				llm_answer_add_text(&a->text, a->sink, "\n\n", 2);
			llm_answer_add_text(&a->text, a->sink, text.data, text.len);
		}
		buf_clear(&text);
	}
}

/* Handles the response as it ended: from the last event, or the whole answer. */
static int end_with(struct responses_answer *a, struct json_object *response, struct error *err)
{
	struct json_object *usage = json_get_object(response, "usage"),
			   *output = json_get_array(response, "output");
	bool bare = json_object_array_length(a->items) == 0;

	if (!response || a->end)
		return 0;
	a->end = json_object_get(response);
	llm_answer_count(usage, "input_tokens", &a->usage.input_tokens);
	llm_answer_count(usage, "output_tokens", &a->usage.output_tokens);
	llm_answer_count(
	    json_get_object(usage, "input_tokens_details"), "cached_tokens", &a->usage.cached_tokens);
	for (size_t i = 0; bare && output && i < json_object_array_length(output); i++)
		if (add_item(a, json_object_array_get_idx(output, i), err) < 0)
			return -1;
	say_items(a);
	return 0;
}

static int on_end(struct responses_answer *a, struct json_object *o, struct error *err)
{
	return end_with(a, json_get_object(o, "response"), err);
}

static int on_begin(struct responses_answer *a, struct json_object *o, struct error *err)
{
	(void)o;
	(void)err;
	a->begun = true;
	return 0;
}

static const struct event {
	const char *type;
	int (*add)(struct responses_answer *a, struct json_object *o, struct error *err);
} events[] = {
    {"response.completed", on_end},
    {"response.created", on_begin},
    {"response.incomplete", on_end},
    {"response.output_item.done", on_item},
    {"response.output_text.delta", on_text},
};

/* Returns the object that describes the error; NULL for none. */
static struct json_object *error_of(struct json_object *o, const char *type)
{
	struct json_object *response = json_get_object(o, "response");

	if (strcmp(type, "error") == 0 || json_get_object(o, "error") || json_get_str(o, "error"))
		return o;
	return strcmp(type, "response.failed") == 0 ? (json_get_object(response, "error") ? response : o) :
						      NULL;
}

/* More text of the item that is being streamed. */
bool responses_answer_add_piece(
    struct responses_answer *a, const struct json_flat *event, struct buf *scratch)
{
	size_t error = json_flat_get(event, 0, "error"), item = json_flat_get(event, 0, "item_id"), len;
	size_t delta = json_flat_get_kind(event, 0, "delta", JSON_FLAT_STRING);

	if (!delta || (error && event->items[error].kind != JSON_FLAT_NULL) ||
	    !json_flat_is(event, json_flat_get(event, 0, "type"), "response.output_text.delta") ||
	    json_flat_is(event, json_flat_get(event, 0, "object"), "response") ||
	    !json_flat_is(event, item, a->text_item))
		return false;
	const char *text = json_flat_str(event, delta, scratch, &len);
	if (a->text.len + len > TEXT_BYTES_MAX)
		return false;
	llm_answer_add_text(&a->text, a->sink, text, len);
	return true;
}

int responses_answer_add(
    struct responses_answer *a, struct json_object *o, enum llm_error_class *class, struct error *err)
{
	const char *type = json_get_str(o, "type"), *object = json_get_str(o, "object");
	struct json_object *failed = error_of(o, type ? type : "");
	int rc = 0;

	if (failed) {
		*class = llm_classify_object(200, 0, failed, err);
		return -1;
	}
	if (object && strcmp(object, "response") == 0)
		rc = end_with(a, o, err);
	for (size_t i = 0; type && i < ARRAY_LEN(events); i++)
		if (strcmp(type, events[i].type) == 0)
			rc = events[i].add(a, o, err);
	if (rc < 0)
		*class = LLM_ERROR_MODEL_OUTPUT;
	return rc;
}
