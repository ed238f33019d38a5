#include <stdio.h>
#include <string.h>

#include "playground/model/api.h"
#include "playground/model/responses/responses.h"

#define CALL_ID_MAX 64

/* A kind of input item: its required and optional members. */
static const struct kind {
	const char *type;
	const char *needed[4]; /* strings, except summary */
	const char *allowed[4];
} kinds[] = {
    {"function_call", {"call_id", "name", "arguments"}, {"id", "status"}},
    {"function_call_output", {"call_id"}, {"output", "id", "status"}},
    {"message", {"role"}, {"content", "id", "status", "phase"}},
    {"reasoning", {"id"}, {"summary", "encrypted_content", "status", "content"}},
};

static const char *type_of(struct json_object *item)
{
	const char *type = json_get_str(item, "type");

	return !type && json_get(item, "role") ? "message" : type;
}

static bool is(struct json_object *item, const char *type)
{
	return strcmp(type_of(item), type) == 0;
}

static const struct kind *find_kind(struct json_object *item)
{
	const char *type = type_of(item);

	for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return &kinds[i];
	return NULL;
}

static bool names(const char *const *list, size_t count, const char *name)
{
	for (size_t i = 0; i < count && list[i]; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

static int check_members(
    struct json_object *item, const struct kind *kind, const char *where, struct refusal *r)
{
	for (size_t i = 0; i < ARRAY_LEN(kind->needed) && kind->needed[i]; i++)
		if (!json_get_str(item, kind->needed[i]))
			return refuse_missing(r, where, kind->needed[i]);
	json_object_object_foreach(item, name, value) {
		(void)value;
		if (strcmp(name, "type") != 0 && !names(kind->needed, ARRAY_LEN(kind->needed), name) &&
		    !names(kind->allowed, ARRAY_LEN(kind->allowed), name))
			return refuse_unknown(r, where, name);
	}
	return 0;
}

static int check_part(struct json_object *part, bool assistant, const char *where, struct refusal *r)
{
	static const char *const input[] = {"input_text", "input_image", "input_file", NULL},
				 *const output[] = {"output_text", "refusal", NULL};
	const char *type = json_get_str(part, "type");

	if (!type)
		return refuse_missing(r, where, "type");
	if (!names(assistant ? output : input, 4, type))
		return refuse(r, "invalid_value", where, "Invalid value: '%.40s'. Supported values are: %s.",
		    type,
		    assistant ? "'output_text' and 'refusal'" :
				"'input_text', 'input_image', and 'input_file'");
	if (strstr(type, "_text") && !json_get_str(part, "text"))
		return refuse_missing(r, where, "text");
	return 0;
}

static int check_message(struct json_object *item, const char *where, struct refusal *r)
{
	static const char *const roles[] = {"assistant", "developer", "system", "user", NULL};
	struct json_object *content = json_get(item, "content");
	const char *role = json_get_str(item, "role");
	char part[96];

	if (!names(roles, ARRAY_LEN(roles), role))
		return refuse(r, "invalid_value", where,
		    "Invalid value: '%.40s'. Supported values are: 'assistant', 'system', 'developer', and "
		    "'user'.",
		    role);
	if (json_object_is_type(content, json_type_string))
		return 0;
	if (!json_object_is_type(content, json_type_array))
		return refuse(r, "invalid_type", where,
		    "Invalid type for '%s.content': expected one of an array of objects or string.", where);
	for (size_t i = 0; i < json_count(content); i++) {
		snprintf(part, sizeof(part), "%s.content[%zu]", where, i);
		if (check_part(json_at(content, i), strcmp(role, "assistant") == 0, part, r) != 0)
			return -1;
	}
	return 0;
}

void responses_seal(const char *id, char out[RESPONSES_SEALED_SIZE])
{
	char hash[SHA256_TEXT_SIZE];

	sha256_text(id, strlen(id), hash);
	snprintf(out, RESPONSES_SEALED_SIZE, "gAAAAA%s", hash);
}

static int check_reasoning(struct json_object *item, const char *where, struct refusal *r)
{
	const char *id = json_get_str(item, "id"), *sealed = json_get_str(item, "encrypted_content");
	char want[RESPONSES_SEALED_SIZE];

	if (!json_get_array(item, "summary"))
		return refuse_missing(r, where, "summary");
	if (!sealed) {
		refuse(r, NULL, "input",
		    "Item with id '%.60s' not found. Items are not persisted when `store` is set to false. "
		    "Try again with `store` set to true, or remove this item from your input.",
		    id);
		r->status = 404;
		return -1;
	}
	responses_seal(id, want);
	if (strcmp(sealed, want) == 0)
		return 0;
	return refuse(r, "invalid_encrypted_content", NULL,
	    "The encrypted content %.6s...%.4s could not be verified. Reason: Encrypted content could not be "
	    "decrypted or parsed.",
	    sealed, sealed + (strlen(sealed) > 4 ? strlen(sealed) - 4 : 0));
}

static int check_item(struct json_object *item, size_t i, struct refusal *r)
{
	const struct kind *kind = find_kind(item);
	const char *id = json_get_str(item, "call_id");
	char where[48];

	snprintf(where, sizeof(where), "input[%zu]", i);
	if (!kind)
		return refuse(r, "invalid_value", where,
		    "Invalid value: '%.40s'. It is no type of an input item.",
		    type_of(item) ? type_of(item) : "null");
	if (check_members(item, kind, where, r) != 0)
		return -1;
	if (id && (id[0] == '\0' || strlen(id) > CALL_ID_MAX))
		return refuse(r, "string_above_max_length", where,
		    "Invalid '%s.call_id': string too long. Expected a string with maximum length %d, but "
		    "got a string with length %zu instead.",
		    where, CALL_ID_MAX, strlen(id));
	if (is(item, "reasoning"))
		return check_reasoning(item, where, r);
	if (is(item, "function_call_output") && !json_get(item, "output"))
		return refuse_missing(r, where, "output");
	return is(item, "message") ? check_message(item, where, r) : 0;
}

static size_t count_items(
    struct json_object *input, const char *type, const char *call_id, size_t begin, size_t end)
{
	size_t n = 0;

	for (size_t i = begin; i < end; i++) {
		struct json_object *item = json_at(input, i);

		n += is(item, type) && strcmp(json_get_str(item, "call_id"), call_id) == 0;
	}
	return n;
}

static int check_pairs(struct json_object *input, struct refusal *r)
{
	size_t count = json_count(input);

	for (size_t i = 0; i < count; i++) {
		struct json_object *item = json_at(input, i);
		const char *id = json_get_str(item, "call_id");

		if (is(item, "function_call") &&
		    count_items(input, "function_call_output", id, i + 1, count) != 1)
			return refuse(r, NULL, "input", "No tool output found for function call %.80s.", id);
		if (is(item, "function_call_output") && count_items(input, "function_call", id, 0, i) != 1)
			return refuse(r, NULL, "input",
			    "No tool call found for function call output with call_id %.80s.", id);
		/* Reasoning must precede what it led to. */
		if (is(item, "reasoning") &&
		    (i + 1 == count || is(json_at(input, i + 1), "function_call_output")))
			return refuse(r, NULL, "input",
			    "Item '%.60s' of type 'reasoning' was provided without its required following "
			    "item.",
			    json_get_str(item, "id"));
	}
	return 0;
}

int responses_check_items(struct json_object *request, struct refusal *r)
{
	struct json_object *input = json_get(request, "input");

	if (json_object_is_type(input, json_type_string))
		return 0;
	if (!json_object_is_type(input, json_type_array))
		return refuse(
		    r, "invalid_type", "input", "Invalid type for 'input': expected a string or an array.");
	if (json_count(input) == 0)
		return refuse(r, "empty_array", "input", "Invalid 'input': empty array.");
	for (size_t i = 0; i < json_count(input); i++)
		if (check_item(json_at(input, i), i, r) != 0)
			return -1;
	return check_pairs(input, r);
}

/* Items of one answer count as one: it ends where an item of the other side follows. */
static bool is_answer(struct json_object *item)
{
	const char *role = json_get_str(item, "role");

	return is(item, "function_call") || is(item, "reasoning") || (role && strcmp(role, "assistant") == 0);
}

static void add_item(struct json_object *item, struct conversation *d)
{
	const char *role = json_get_str(item, "role");
	struct buf text = BUF_INIT;

	conversation_content(json_get(item, is(item, "message") ? "content" : "output"), &text);
	if (role && strcmp(role, "user") == 0)
		conversation_add_user(d, text.data);
	else if (is(item, "function_call_output"))
		conversation_add_result(d, text.data);
	images_read(json_get(item, is(item, "message") ? "content" : "output"), d);
	buf_clear(&text);
}

void responses_read_conversation(struct json_object *request, struct conversation *d)
{
	struct json_object *input = json_get(request, "input"), *tools = json_get_array(request, "tools");
	const char *choice = json_get_str(request, "tool_choice");
	bool answering = false;

	if (json_object_is_type(input, json_type_string))
		conversation_add_user(d, json_object_get_string(input));
	for (size_t i = 0; json_object_is_type(input, json_type_array) && i < json_count(input); i++) {
		struct json_object *item = json_at(input, i);

		if (is_answer(item) && !answering)
			conversation_add_answer(d);
		answering = is_answer(item);
		if (!answering)
			add_item(item, d);
	}
	if (!choice || strcmp(choice, "none") != 0)
		conversation_offer(d, tools);
}
