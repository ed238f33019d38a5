#include "playground/model/script/script.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

static void add(char ***list, size_t *count, const char *text)
{
	if ((*count & (*count - 1)) == 0) /* capacity doubles at powers of two */
		*list = xrealloc(*list, (*count != 0 ? *count * 2 : 1) * sizeof(**list));
	(*list)[(*count)++] = xstrdup(text);
}

static void clear(char ***list, size_t *count)
{
	while (*count > 0)
		free((*list)[--*count]);
	free(*list);
	*list = NULL;
}

void conversation_add_user(struct conversation *d, const char *text)
{
	add(&d->users, &d->user_count, text);
	d->steps = 0;
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
}

void conversation_add_answer(struct conversation *d)
{
	d->steps++;
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
}

void conversation_add_result(struct conversation *d, const char *text)
{
	add(&d->results, &d->result_count, text);
}

void conversation_add_image(struct conversation *d, const char *text)
{
	add(&d->images, &d->image_count, text);
}

void conversation_add_note(struct conversation *d, const char *text)
{
	add(&d->notes, &d->note_count, text);
}

void conversation_content(struct json_object *content, struct buf *out)
{
	if (json_object_is_type(content, json_type_string)) {
		buf_addstr(out, json_object_get_string(content));
		return;
	}
	for (size_t i = 0; json_object_is_type(content, json_type_array) && i < json_count(content); i++) {
		const char *text = json_get_str(json_at(content, i), "text");

		if (text)
			buf_addf(out, "%s%s", out->len > 0 ? "\n" : "", text);
	}
}

void conversation_offer(struct conversation *d, struct json_object *tools)
{
	json_object_put(d->tools);
	d->tools = json_object_get(tools);
}

size_t conversation_tool_count(const struct conversation *d)
{
	return d->tools ? json_count(d->tools) : 0;
}

const char *conversation_tool(const struct conversation *d, size_t i, const char *member)
{
	struct json_object *tool = json_at(d->tools, i),
			   *function = json_get_object(tool, "function"); /* Chat Completions */

	return json_get_str(function ? function : tool, member);
}

bool conversation_offers(const struct conversation *d, const char *tool)
{
	for (size_t i = 0; i < conversation_tool_count(d); i++) {
		const char *name = conversation_tool(d, i, "name");

		if (name && strcmp(name, tool) == 0)
			return true;
	}
	return false;
}

const char *conversation_user(const struct conversation *d)
{
	return d->user_count > 0 ? d->users[d->user_count - 1] : "";
}

void conversation_clear(struct conversation *d)
{
	clear(&d->users, &d->user_count);
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
	conversation_offer(d, NULL);
	clear(&d->notes, &d->note_count);
}
