#include <string.h>

#include "playground/model/api.h"
#include "playground/model/messages/messages.h"

enum role { USER = 1, ASSISTANT = 2 };

/* A kind of content block: the roles that may have it, and its required members. */
static const struct kind {
	const char *type;
	unsigned roles;
	const char *members[4]; /* required members, each with its type */
	enum json_type types[4];
} kinds[] = {
    {"document", USER | ASSISTANT, {"source"}, {json_type_object}},
    {"image", USER, {"source"}, {json_type_object}},
    {"redacted_thinking", ASSISTANT, {"data"}, {json_type_string}},
    {"search_result", USER, {"source", "title", "content"},
	{json_type_string, json_type_string, json_type_array}},
    {"text", USER | ASSISTANT, {"text"}, {json_type_string}},
    {"thinking", ASSISTANT, {"thinking", "signature"}, {json_type_string, json_type_string}},
    {"tool_result", USER, {"tool_use_id"}, {json_type_string}},
    {"tool_use", ASSISTANT, {"id", "name", "input"}, {json_type_string, json_type_string, json_type_object}},
};

/* The position of an error: "messages.3.content.1". */
struct where {
	char text[64];
	size_t message, block;
};

static const struct kind *find_kind(const char *type, unsigned role)
{
	for (size_t i = 0; type && i < ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].type, type) == 0 && (kinds[i].roles & role) != 0)
			return &kinds[i];
	return NULL;
}

static bool is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

static int check_text(const char *text, struct refusal *r)
{
	if (text[0] == '\0')
		return refuse(r, NULL, "messages", "messages: text content blocks must be non-empty");
	if (is_blank(text))
		return refuse(
		    r, NULL, "messages", "messages: text content blocks must contain non-whitespace text");
	return 0;
}

static int check_thinking(struct json_object *block, const char *where, struct refusal *r)
{
	char signature[SIGNATURE_SIZE];

	messages_sign(json_get_str(block, "thinking"), signature);
	if (strcmp(json_get_str(block, "signature"), signature) == 0)
		return 0;
	return refuse(r, NULL, where, "%s: Invalid `signature` in `thinking` block", where);
}

static int check_call(struct json_object *block, const char *where, struct refusal *r)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
	const char *id = json_get_str(block, "id"), *name = json_get_str(block, "name");

	if (id[0] == '\0' || strspn(id, good) != strlen(id))
		return refuse(
		    r, NULL, where, "%s.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", where);
	if (name[0] == '\0' || strlen(name) > 200)
		return refuse(
		    r, NULL, where, "%s.tool_use.name: String should have from 1 to 200 characters", where);
	return 0;
}

/* A string, or a list of text and other blocks. */
static int check_result(struct json_object *block, const char *where, struct refusal *r)
{
	struct json_object *content = json_get(block, "content"), *is_error = json_get(block, "is_error");

	if (is_error && !json_object_is_type(is_error, json_type_boolean))
		return refuse(
		    r, NULL, where, "%s.tool_result.is_error: Input should be a valid boolean", where);
	if (!content || json_object_is_type(content, json_type_string))
		return 0;
	if (!json_object_is_type(content, json_type_array))
		return refuse(
		    r, NULL, where, "%s.tool_result.content: Input should be a valid string or list", where);
	for (size_t i = 0; i < json_count(content); i++) {
		const char *type = json_get_str(json_at(content, i), "type");

		if (!type ||
		    (strcmp(type, "text") != 0 && strcmp(type, "image") != 0 &&
			strcmp(type, "document") != 0 && strcmp(type, "search_result") != 0))
			return refuse(r, NULL, where,
			    "%s.tool_result.content.%zu: Input tag is not expected here", where, i);
	}
	return 0;
}

static int check_members(
    struct json_object *block, const struct kind *kind, const char *where, struct refusal *r)
{
	for (size_t i = 0; i < ARRAY_LEN(kind->members) && kind->members[i]; i++) {
		struct json_object *value = json_get(block, kind->members[i]);

		if (!value)
			return refuse(
			    r, NULL, where, "%s.%s.%s: Field required", where, kind->type, kind->members[i]);
		if (!json_object_is_type(value, kind->types[i]) ||
		    (kind->types[i] == json_type_string && !json_get_str(block, kind->members[i])))
			return refuse(r, NULL, where, "%s.%s.%s: Input should be a valid %s", where,
			    kind->type, kind->members[i],
			    kind->types[i] == json_type_object ? "dictionary" :
								 json_type_to_name(kind->types[i]));
	}
	return 0;
}

static int check_block(
    struct json_object *block, unsigned role, bool newest, const struct where *w, struct refusal *r)
{
	const char *type = json_get_str(block, "type");
	const struct kind *kind = find_kind(type, role);

	if (!kind || (newest && role == ASSISTANT && strcmp(type, "document") == 0))
		return refuse(r, NULL, w->text,
		    "%s: Input tag '%.40s' found using 'type' does not match any of the expected tags of the "
		    "role",
		    w->text, type ? type : "");
	if (check_members(block, kind, w->text, r) != 0)
		return -1;
	if (strcmp(type, "text") == 0)
		return check_text(json_get_str(block, "text"), r);
	if (strcmp(type, "thinking") == 0)
		return check_thinking(block, w->text, r);
	if (strcmp(type, "tool_use") == 0)
		return check_call(block, w->text, r);
	return strcmp(type, "tool_result") == 0 ? check_result(block, w->text, r) : 0;
}

static int check_content(struct json_object *content, unsigned role, size_t i, bool newest, struct refusal *r)
{
	struct where w = {.message = i};

	if (json_object_is_type(content, json_type_string)) {
		if (json_object_get_string_len(content) == 0)
			return refuse(
			    r, NULL, "messages", "messages.%zu: all messages must have non-empty content", i);
		return check_text(json_object_get_string(content), r);
	}
	if (!json_object_is_type(content, json_type_array))
		return refuse(r, NULL, "messages", "messages.%zu.content: Input should be a valid list", i);
	if (json_count(content) == 0)
		return refuse(
		    r, NULL, "messages", "messages.%zu: all messages must have non-empty content", i);
	for (size_t k = 0; k < json_count(content); k++) {
		snprintf(w.text, sizeof(w.text), "messages.%zu.content.%zu", i, k);
		if (check_block(json_at(content, k), role, newest, &w, r) != 0)
			return -1;
	}
	return 0;
}

static int check_message(struct json_object *message, size_t i, bool newest, struct refusal *r)
{
	const char *role = json_get_str(message, "role");
	bool user = role && strcmp(role, "user") == 0;

	if (!json_object_is_type(message, json_type_object))
		return refuse(r, NULL, "messages", "messages.%zu: Input should be a valid dictionary", i);
	if (!user && (!role || strcmp(role, "assistant") != 0))
		return refuse(
		    r, NULL, "messages", "messages.%zu.role: Input should be 'user' or 'assistant'", i);
	json_object_object_foreach(message, name, value) {
		(void)value;
		if (strcmp(name, "role") != 0 && strcmp(name, "content") != 0)
			return refuse(r, NULL, "messages",
			    "messages.%zu.%.40s: Extra inputs are not permitted", i, name);
	}
	return check_content(json_get(message, "content"), user ? USER : ASSISTANT, i, newest, r);
}

int messages_check_blocks(struct json_object *messages, bool newest, struct refusal *r)
{
	size_t count = json_count(messages);

	for (size_t i = 0; i < count; i++)
		if (check_message(json_at(messages, i), i, newest, r) != 0)
			return -1;
	if (strcmp(json_get_str(json_at(messages, 0), "role"), "user") != 0)
		return refuse(r, NULL, "messages", "messages: first message must use the \"user\" role");
	if (strcmp(json_get_str(json_at(messages, count - 1), "role"), "user") != 0)
		return refuse(r, NULL, "messages",
		    "This model does not support assistant message prefill. The conversation must end with a "
		    "user message.");
	return 0;
}
