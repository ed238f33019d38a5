#include <string.h>

#include "playground/model/api.h"
#include "playground/model/chat/chat.h"

enum content { CONTENT_TEXT = 1, CONTENT_MEDIA = 2, CONTENT_OPTIONAL = 4 };

static const struct role {
	const char *name;
	unsigned content;
	bool calls, call_id; /* may have tool_calls; must have tool_call_id */
} roles[] = {
    {"assistant", CONTENT_TEXT | CONTENT_OPTIONAL, true, false},
    {"developer", CONTENT_TEXT, false, false},
    {"system", CONTENT_TEXT, false, false},
    {"tool", CONTENT_TEXT, false, true},
    {"user", CONTENT_TEXT | CONTENT_MEDIA, false, false},
};

/* The position of an error: "messages[3].content[1]". */
struct where {
	char text[96];
};

static struct where at(size_t i, const char *member)
{
	struct where w;

	snprintf(w.text, sizeof(w.text), "messages[%zu]%s%.60s", i, member[0] != '\0' ? "." : "", member);
	return w;
}

static const struct role *find_role(struct json_object *message)
{
	const char *name = json_get_str(message, "role");

	for (size_t i = 0; name && i < ARRAY_LEN(roles); i++)
		if (strcmp(roles[i].name, name) == 0)
			return &roles[i];
	return NULL;
}

static int check_members(struct json_object *message, const struct role *role, size_t i, struct refusal *r)
{
	static const char *const names[] = {
	    "content", "name", "refusal", "role", "tool_call_id", "tool_calls"};

	json_object_object_foreach(message, name, value) {
		size_t k = 0;

		(void)value;
		while (k < ARRAY_LEN(names) && strcmp(names[k], name) != 0)
			k++;
		if (k == ARRAY_LEN(names) || (strcmp(name, "tool_calls") == 0 && !role->calls) ||
		    (strcmp(name, "tool_call_id") == 0 && !role->call_id) ||
		    (strcmp(name, "refusal") == 0 && !role->calls))
			return refuse(r, "unknown_parameter", at(i, name).text, "Unknown parameter: '%s'.",
			    at(i, name).text);
	}
	return 0;
}

/* Checks a part of a content array: {"type":"text","text":…}, or an image, audio or file of a user. */
static int check_part(struct json_object *part, const struct role *role, const char *where, struct refusal *r)
{
	const char *type = json_get_str(part, "type");
	bool media = (role->content & CONTENT_MEDIA) != 0;

	if (!type)
		return refuse_missing(r, where, "type");
	if (strcmp(type, "text") == 0) {
		if (!json_get_str(part, "text"))
			return refuse_missing(r, where, "text");
		return 0;
	}
	if (!media ||
	    (strcmp(type, "image_url") != 0 && strcmp(type, "input_audio") != 0 && strcmp(type, "file") != 0))
		return refuse(r, "invalid_value", where,
		    "Invalid value: '%.40s'. Supported values are: 'text'%s.", type,
		    media ? ", 'image_url', 'input_audio', and 'file'" : "");
	if (!json_get_object(part, type))
		return refuse_missing(r, where, type);
	return 0;
}

static int check_content(struct json_object *message, const struct role *role, size_t i, struct refusal *r)
{
	struct json_object *content = json_get(message, "content");
	struct where w, part;

	if (json_object_is_type(content, json_type_string))
		return 0;
	w = at(i, "content");
	if (!content) {
		if ((role->content & CONTENT_OPTIONAL) && json_get(message, "tool_calls"))
			return 0;
		return refuse(
		    r, "invalid_type", w.text, "Invalid value for 'content': expected a string, got null.");
	}
	if (!json_object_is_type(content, json_type_array))
		return refuse(r, "invalid_type", w.text,
		    "Invalid type for '%s': expected one of a string or array of objects, but got %s "
		    "instead.",
		    w.text, json_type_to_name(json_object_get_type(content)));
	if (json_count(content) == 0)
		return refuse_empty(r, w.text);
	for (size_t k = 0; k < json_count(content); k++) {
		snprintf(part.text, sizeof(part.text), "messages[%zu].content[%zu]", i, k);
		if (check_part(json_at(content, k), role, part.text, r) != 0)
			return -1;
	}
	return 0;
}

static int check_call(struct json_object *call, size_t i, size_t k, struct refusal *r)
{
	struct json_object *function = json_get_object(call, "function");
	const char *type = json_get_str(call, "type"), *id = json_get_str(call, "id"), *missing = NULL;
	struct where w;

	if (!id || id[0] == '\0')
		missing = "id";
	else if (!type)
		missing = "type";
	else if (!function)
		missing = "function";
	else if (!json_get_str(function, "name"))
		missing = "function.name";
	else if (!json_get_str(function, "arguments"))
		missing = "function.arguments";
	snprintf(
	    w.text, sizeof(w.text), "messages[%zu].tool_calls[%zu].%s", i, k, missing ? missing : "type");
	if (missing)
		return refuse_missing(r, w.text, NULL);
	if (strcmp(type, "function") != 0)
		return refuse(r, "invalid_value", w.text,
		    "Invalid value: '%.40s'. Supported values are: 'function'.", type);
	return 0;
}

static int check_calls(struct json_object *message, size_t i, struct refusal *r)
{
	struct json_object *calls = json_get(message, "tool_calls");
	struct where w;

	if (!calls)
		return 0;
	w = at(i, "tool_calls");
	if (!json_object_is_type(calls, json_type_array))
		return refuse(r, "invalid_type", w.text,
		    "Invalid type for '%s': expected an array of objects.", w.text);
	if (json_count(calls) == 0)
		return refuse_empty(r, w.text);
	for (size_t k = 0; k < json_count(calls); k++)
		if (check_call(json_at(calls, k), i, k, r) != 0)
			return -1;
	return 0;
}

static int check_message(struct json_object *message, size_t i, struct refusal *r)
{
	const struct role *role = find_role(message);
	const char *name = json_get_str(message, "role");

	if (!json_object_is_type(message, json_type_object))
		return refuse(r, "invalid_type", at(i, "").text, "Invalid type for '%s': expected an object.",
		    at(i, "").text);
	if (!role)
		return refuse(r, "invalid_value", at(i, "role").text,
		    "Invalid value: '%.40s'. Supported values are: 'system', 'assistant', 'user', 'tool', "
		    "and 'developer'.",
		    name ? name : "null");
	if (check_members(message, role, i, r) != 0 || check_content(message, role, i, r) != 0)
		return -1;
	if (role->call_id && !json_get_str(message, "tool_call_id"))
		return refuse(r, "missing_required_parameter", at(i, "tool_call_id").text,
		    "Missing parameter 'tool_call_id': "
		    "messages with role 'tool' must have a 'tool_call_id'.");
	return check_calls(message, i, r);
}

int chat_check_messages(struct json_object *messages, struct refusal *r)
{
	if (json_count(messages) == 0)
		return refuse_empty(r, "messages");
	for (size_t i = 0; i < json_count(messages); i++)
		if (check_message(json_at(messages, i), i, r) != 0)
			return -1;
	return 0;
}

/* The calls of one assistant message, matched with their results. */
struct pairing {
	struct json_object *calls;    /* NULL when none are open */
	struct json_object *answered; /* an object with a member for each answered id */
};

static int close_pairing(struct pairing *p, struct refusal *r)
{
	struct buf missing = BUF_INIT;
	int ret = 0;

	json_each(p->calls, item) {
		const char *id = json_get_str(item, "id");

		if (!json_get(p->answered, id))
			buf_addf(&missing, "%s%s", missing.len > 0 ? ", " : "", id);
	}
	if (missing.len > 0)
		ret = refuse(r, NULL, "messages",
		    "An assistant message with 'tool_calls' must be followed by tool messages responding to "
		    "each 'tool_call_id'. The "
		    "following tool_call_ids did not have response messages: %.400s",
		    missing.data);
	json_object_put(p->answered);
	*p = (struct pairing){0};
	buf_clear(&missing);
	return ret;
}

static int answer_call(struct pairing *p, struct json_object *message, size_t i, struct refusal *r)
{
	const char *id = json_get_str(message, "tool_call_id");
	size_t count = p->calls ? json_count(p->calls) : 0, k = 0;

	while (k < count && strcmp(json_get_str(json_at(p->calls, k), "id"), id) != 0)
		k++;
	if (k == count || json_get(p->answered, id))
		return refuse(r, NULL, at(i, "role").text,
		    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
		    "with 'tool_calls'.");
	json_set_bool(p->answered, id, true);
	return 0;
}

int chat_check_pairs(struct json_object *messages, struct refusal *r)
{
	struct pairing p = {0};
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < json_count(messages); i++) {
		struct json_object *message = json_at(messages, i);

		if (strcmp(json_get_str(message, "role"), "tool") == 0) {
			ret = answer_call(&p, message, i, r);
			continue;
		}
		ret = close_pairing(&p, r);
		p.calls = json_get_array(message, "tool_calls");
		if (p.calls)
			p.answered = json_object_new_object();
	}
	if (ret == 0)
		ret = close_pairing(&p, r);
	json_object_put(p.answered);
	return ret;
}

static void add_message(struct json_object *message, struct conversation *d)
{
	const char *role = json_get_str(message, "role");
	struct buf text = BUF_INIT;

	conversation_content(json_get(message, "content"), &text);
	/* Images that tools read follow their results, which are only text. */
	bool of_results = strcmp(role, "user") == 0 && d->result_count > 0 &&
	    images_read(json_get(message, "content"), d) > 0;
	if (strcmp(role, "user") == 0 && !of_results) {
		conversation_add_user(d, text.data);
		images_read(json_get(message, "content"), d);
	} else if (strcmp(role, "assistant") == 0) {
		conversation_add_answer(d);
	} else if (strcmp(role, "tool") == 0) {
		conversation_add_result(d, text.data);
	} else if (!of_results) {
		conversation_add_note(d, text.data);
	}
	buf_clear(&text);
}

void chat_read_conversation(struct json_object *request, struct conversation *d)
{
	struct json_object *messages = json_get_array(request, "messages"),
			   *tools = json_get_array(request, "tools");
	const char *choice = json_get_str(request, "tool_choice");

	json_each(messages, item)
		add_message(item, d);
	if (!choice || strcmp(choice, "none") != 0)
		conversation_offer(d, tools);
}
