#include <string.h>

#include "playground/model/api.h"
#include "playground/model/messages/messages.h"

/* Returns a block of a message; NULL beyond the last one, and for content that is a string. */
static struct json_object *block_at(struct json_object *message, size_t i)
{
	struct json_object *content = json_get_array(message, "content");

	return content ? json_at(content, i) : NULL;
}

static bool is(struct json_object *block, const char *type)
{
	return strcmp(json_get_str(block, "type"), type) == 0;
}

/* Counts the results in the message for the call. */
static size_t count_results(struct json_object *message, const char *id)
{
	struct json_object *block;
	size_t n = 0;

	for (size_t i = 0; (block = block_at(message, i)); i++)
		n += is(block, "tool_result") && strcmp(json_get_str(block, "tool_use_id"), id) == 0;
	return n;
}

static bool has_call(struct json_object *message, const char *id)
{
	struct json_object *block;

	for (size_t i = 0; (block = block_at(message, i)); i++)
		if (is(block, "tool_use") && strcmp(json_get_str(block, "id"), id) == 0)
			return true;
	return false;
}

/* Each call of the message must have its result at the beginning of the next one. */
static int check_calls(struct json_object *message, struct json_object *next, size_t i, struct refusal *r)
{
	struct json_object *block;
	struct buf missing = BUF_INIT;
	int rc = 0;

	for (size_t k = 0; (block = block_at(message, k)); k++)
		if (is(block, "tool_use") && count_results(next, json_get_str(block, "id")) == 0)
			buf_addf(&missing, "%s%s", missing.len > 0 ? ", " : "", json_get_str(block, "id"));
	if (missing.len > 0)
		rc = refuse(r, NULL, "messages",
		    "messages.%zu: `tool_use` ids were found without `tool_result` blocks immediately after: "
		    "%.400s. Each `tool_use` block must have a corresponding `tool_result` block in the next "
		    "message.",
		    i, missing.data);
	buf_clear(&missing);
	return rc;
}

/* Each result must answer a call of the previous message, once, and precede everything else. */
static int check_results(struct json_object *message, struct json_object *before, size_t i, struct refusal *r)
{
	struct json_object *block;
	bool other = false;

	for (size_t k = 0; (block = block_at(message, k)); k++) {
		const char *id = json_get_str(block, "tool_use_id");

		if (!is(block, "tool_result")) {
			other = true;
			continue;
		}
		if (!before || !has_call(before, id))
			return refuse(r, NULL, "messages",
			    "messages.%zu.content.%zu: unexpected `tool_use_id` found in `tool_result` "
			    "blocks: %.100s. Each `tool_result` block must have a corresponding `tool_use` "
			    "block in the previous message.",
			    i, k, id);
		if (count_results(message, id) > 1)
			return refuse(r, NULL, "messages",
			    "messages.%zu.content.%zu: each tool_use must have a single result. Found "
			    "multiple `tool_result` blocks with id: %.100s",
			    i, k, id);
		if (other)
			return refuse(r, NULL, "messages",
			    "messages.%zu: `tool_result` blocks must come before all other content", i);
	}
	return 0;
}

static bool uses_tools(struct json_object *messages)
{
	struct json_object *block;

	json_each(messages, item)
		for (size_t k = 0; (block = block_at(item, k)); k++)
			if (is(block, "tool_use") || is(block, "tool_result"))
				return true;
	return false;
}

/* With thinking enabled, the answer whose calls are being answered must begin with thinking. */
static int check_open_loop(struct json_object *request, struct json_object *messages, struct refusal *r)
{
	const char *type = json_get_str(json_get_object(request, "thinking"), "type");
	size_t count = json_count(messages);
	struct json_object *last = count >= 2 ? json_at(messages, count - 2) : NULL, *first;

	if (!type || strcmp(type, "disabled") == 0 || !last)
		return 0;
	first = block_at(last, 0);
	if (!first || is(first, "thinking") || is(first, "redacted_thinking") ||
	    !block_at(json_at(messages, count - 1), 0))
		return 0;
	return refuse(r, NULL, "messages",
	    "messages.%zu.content.0.type: Expected `thinking` or `redacted_thinking`, but found `%.40s`. "
	    "When `thinking` is enabled, a final `assistant` message must start with a thinking block.",
	    count - 2, json_get_str(first, "type"));
}

int messages_check_pairs(struct json_object *request, struct refusal *r)
{
	struct json_object *messages = json_get_array(request, "messages");
	size_t count = json_count(messages);

	for (size_t i = 0; i < count; i++) {
		struct json_object *message = json_at(messages, i);

		if (check_results(message, i > 0 ? json_at(messages, i - 1) : NULL, i, r) != 0 ||
		    check_calls(message, json_at(messages, i + 1), i, r) != 0)
			return -1;
	}
	if (!json_get_array(request, "tools") && uses_tools(messages))
		return refuse(r, NULL, "tools",
		    "Requests which include `tool_use` or `tool_result` blocks must define tools");
	return check_open_loop(request, messages, r);
}

static void add_user(struct json_object *message, struct conversation *d)
{
	struct json_object *block;
	struct buf text = BUF_INIT;

	for (size_t i = 0; (block = block_at(message, i)); i++) {
		if (!is(block, "tool_result"))
			continue;
		buf_reset(&text);
		conversation_content(json_get(block, "content"), &text);
		conversation_add_result(d, text.data);
	}
	buf_reset(&text);
	conversation_content(json_get(message, "content"), &text);
	if (text.len > 0)
		conversation_add_user(d, text.data);
	images_read(json_get(message, "content"), d);
	buf_clear(&text);
}

void messages_read_conversation(struct json_object *request, struct conversation *d)
{
	struct json_object *messages = json_get_array(request, "messages"),
			   *tools = json_get_array(request, "tools");
	const char *choice = json_get_str(json_get_object(request, "tool_choice"), "type");

	json_each(messages, message) {
		if (strcmp(json_get_str(message, "role"), "assistant") == 0)
			conversation_add_answer(d);
		else
			add_user(message, d);
	}
	if (!choice || strcmp(choice, "none") != 0)
		conversation_offer(d, tools);
}
