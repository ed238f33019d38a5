#include "playground/model/script/conversation.h"

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

void conversation_add_tool(struct conversation *d, const char *name)
{
	add(&d->tools, &d->tool_count, name);
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
	for (size_t i = 0;
	     json_object_is_type(content, json_type_array) && i < json_object_array_length(content); i++) {
		const char *text = json_get_str(json_object_array_get_idx(content, i), "text");

		if (text)
			buf_addf(out, "%s%s", out->len > 0 ? "\n" : "", text);
	}
}

bool conversation_offers(const struct conversation *d, const char *tool)
{
	for (size_t i = 0; i < d->tool_count; i++)
		if (strcmp(d->tools[i], tool) == 0)
			return true;
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
	clear(&d->tools, &d->tool_count);
	clear(&d->notes, &d->note_count);
}
