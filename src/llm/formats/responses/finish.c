#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/assistant_message.h"
#include "llm/formats/responses/answer.h"

static struct json_object *call_at(const struct responses_answer *a, size_t i)
{
	struct json_object *item = json_object_array_get_idx(a->items, i);
	const char *type = json_get_str(item, "type");

	return type && strcmp(type, "function_call") == 0 ? item : NULL;
}

static size_t count_calls(const struct responses_answer *a)
{
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(a->items); i++)
		n += call_at(a, i) != NULL;
	return n;
}

static enum llm_finish finish_of(const struct responses_answer *a)
{
	const char *reason = json_get_str(json_get_object(a->end, "incomplete_details"), "reason"),
		   *status = json_get_str(a->end, "status");

	if (reason && strcmp(reason, "content_filter") == 0)
		return LLM_FINISH_REFUSED;
	/* max_output_tokens, or another reason that cuts an answer short. */
	if (reason || (status && strcmp(status, "incomplete") == 0))
		return LLM_FINISH_LENGTH;
	if (count_calls(a) > 0)
		return LLM_FINISH_CALLS;
	return str_is_blank(a->text.data) && !str_is_blank(a->refusal.data) ? LLM_FINISH_REFUSED :
									      LLM_FINISH_STOP;
}

/* Returns why the response has no usable answer; LLM_ERROR_NONE when it has one. */
static enum llm_error_class failure_of(const struct responses_answer *a, struct error *err)
{
	bool silent = str_is_blank(a->text.data) && str_is_blank(a->refusal.data) && count_calls(a) == 0;

	if (!a->end) {
		error_set(err, ERROR_NETWORK, "the answer broke off %s",
		    a->begun ? "in the middle" : "before it began");
		return LLM_ERROR_TRANSIENT;
	}
	if (silent && finish_of(a) == LLM_FINISH_REFUSED) {
		error_set(err, ERROR_REFUSED, "the answer was withheld (content_filter)");
		return LLM_ERROR_REFUSAL;
	}
	return LLM_ERROR_NONE;
}

static void add_call(struct llm_message *m, struct json_object *item, bool cut)
{
	const char *text = json_get_str(item, "arguments");

	llm_assistant_message_add_call(m,
	    &(struct llm_raw_call){.id = json_get_str(item, "call_id"),
		.prefix = "call_",
		.name = json_get_str(item, "name"),
		.arguments = text ? text : "",
		.len = text ? strlen(text) : 0,
		.cut = cut});
}

/* Items are sent back without their ids: the provider stores nothing (store: false), and refuses an item
 * with an id when a related item is missing. Reasoning needs its id. */
static struct json_object *raw_item(struct json_object *item, const struct llm_call *call)
{
	const char *type = json_get_str(item, "type");
	struct json_object *copy = NULL;

	if (type && strcmp(type, "reasoning") == 0)
		return json_get_str(item, "encrypted_content") ? json_object_get(item) : NULL;
	json_object_deep_copy(item, &copy, NULL);
	json_object_object_del(copy, "id");
	json_object_object_del(copy, "status");
	if (call) {
		json_set_str(copy, "call_id", call->id);
		json_set_str(copy, "name", call->name);
		json_set_str(copy, "arguments", call->arguments);
	}
	return copy;
}

/* Returns an array of the items in the form of the input. */
static char *raw_items(const struct responses_answer *a, const struct llm_message *m)
{
	struct json_object *raw = json_object_new_array();

	for (size_t i = 0, k = 0; i < json_object_array_length(a->items); i++) {
		bool is_call = call_at(a, i);
		if (is_call && k == m->call_count)
			continue;
		struct json_object *item =
		    raw_item(json_object_array_get_idx(a->items, i), is_call ? &m->calls[k++] : NULL);
		if (item)
			json_object_array_add(raw, item);
	}
	char *text = json_text(raw);
	json_object_put(raw);
	return text;
}

int responses_answer_finish(
    const struct responses_answer *a, const struct llm_provider *p, struct llm_answer *out, struct error *err)
{
	out->usage = a->usage;
	out->error_class = failure_of(a, err);
	if (out->error_class != LLM_ERROR_NONE)
		return -1;
	out->finish = finish_of(a);
	const struct buf *text =
	    str_is_blank(a->text.data) && out->finish == LLM_FINISH_REFUSED ? &a->refusal : &a->text;
	struct llm_message *m = llm_assistant_message(p, text->data);
	for (size_t i = 0; i < json_object_array_length(a->items) && out->finish != LLM_FINISH_REFUSED; i++)
		if (call_at(a, i))
			add_call(m, call_at(a, i), out->finish == LLM_FINISH_LENGTH);
	/* The answer is empty: the caller that stores it substitutes a text. */
	if (*m->text || m->call_count > 0)
		llm_message_set_raw(m, raw_items(a, m));
	out->message = m;
	return 0;
}
