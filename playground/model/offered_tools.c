#include <stdlib.h>
#include <string.h>

#include "playground/model/api.h"

#define MEMBER "\"tools\":"
/* Stands for a known list in the text that is parsed. */
#define PLACE "tools that are known"

/* Returns where the list of tools begins, or NULL. In valid JSON these bytes are nothing but a member's name,
 * maybe of a deeper object: the quotes in a string are escaped. */
static const char *find_list(const char *text, size_t len)
{
	const char *at = memmem(text, len, MEMBER, strlen(MEMBER)), *end = text + len;

	for (at = at ? at + strlen(MEMBER) : end; at < end && *at == ' ';)
		at++;
	return at < end && *at == '[' ? at : NULL;
}

/* Returns the length of the array at the start of valid JSON. */
static size_t array_length(const char *text, size_t len)
{
	size_t depth = 0;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (quoted && c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && c == '[')
			depth++;
		else if (!quoted && c == ']' && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* Returns the index of the list that is this text at its start; an array ends where its text says. */
static size_t find_kept(const struct offered_tools *o, const char *text, size_t len)
{
	size_t i = 0;

	while (i < OFFERED_TOOLS_LISTS &&
	    (!o->kept[i].text || o->kept[i].len > len || memcmp(o->kept[i].text, text, o->kept[i].len) != 0))
		i++;
	return i;
}

static void drop(struct offered_tools *o, size_t i)
{
	free(o->kept[i].text);
	json_object_put(o->kept[i].list);
	o->kept[i].text = NULL;
	o->kept[i].list = NULL;
	o->kept[i].used = 0;
}

/* Keeps the list instead of that which was not used for longest. */
static void keep(struct offered_tools *o, const char *text, size_t len)
{
	size_t oldest = 0;

	if (len == 0 || len > OFFERED_TOOLS_MAX)
		return;
	for (size_t i = 1; i < OFFERED_TOOLS_LISTS; i++)
		if (o->kept[i].used < o->kept[oldest].used)
			oldest = i;
	drop(o, oldest);
	o->kept[oldest].list = json_parse(text, len, NULL);
	o->kept[oldest].text = xmemdup(text, len);
	o->kept[oldest].len = len;
	o->kept[oldest].used = ++o->uses;
}

/* Parses the text around list i, which stands at `at`. Returns NULL when that does not give the request. */
static struct json_object *parse_around(
    struct offered_tools *o, size_t i, const char *text, size_t len, const char *at)
{
	const char *rest = at + o->kept[i].len, *tools;
	struct json_object *request;
	struct buf around = BUF_INIT;

	buf_add(&around, text, (size_t)(at - text));
	buf_addstr(&around, "\"" PLACE "\"");
	buf_add(&around, rest, (size_t)(text + len - rest));
	request = json_parse_object(around.data, around.len, NULL);
	buf_clear(&around);
	tools = json_get_str(request, "tools");
	if (tools && strcmp(tools, PLACE) == 0) {
		o->kept[i].used = ++o->uses;
		json_object_object_add(request, "tools", json_object_get(o->kept[i].list));
		return request;
	}
	json_object_put(request);
	return NULL;
}

struct json_object *offered_tools_parse(
    struct offered_tools *o, const char *text, size_t len, struct error *err)
{
	const char *at = find_list(text, len);
	size_t left = at ? (size_t)(text + len - at) : 0, i = at ? find_kept(o, at, left) : 0;
	struct json_object *request =
	    at && i < OFFERED_TOOLS_LISTS ? parse_around(o, i, text, len, at) : NULL;

	if (request)
		return request;
	request = json_parse_object(text, len, err);
	if (request && at && i == OFFERED_TOOLS_LISTS)
		keep(o, at, array_length(at, left));
	return request;
}

void offered_tools_clear(struct offered_tools *o)
{
	for (size_t i = 0; i < OFFERED_TOOLS_LISTS; i++)
		drop(o, i);
}

int offered_tools_check(struct json_object *list, offered_tool_fn *check, struct refusal *r)
{
	void *accepted_by = (void *)(uintptr_t)check;

	if (!list || json_object_get_userdata(list) == accepted_by)
		return 0;
	for (size_t i = 0; i < json_count(list); i++)
		if (check(list, i, r) != 0)
			return -1;
	json_object_set_userdata(list, accepted_by, NULL);
	return 0;
}
