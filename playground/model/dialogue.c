#include "playground/model/dialogue.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"

static void add(char ***list, size_t *count, const char *text)
{
	if ((*count & (*count - 1)) == 0) /* room doubles at powers of two */
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

void dialogue_add_user(struct dialogue *d, const char *text)
{
	add(&d->users, &d->user_count, text);
	d->steps = 0;
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
}

void dialogue_add_answer(struct dialogue *d)
{
	d->steps++;
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
}

void dialogue_add_result(struct dialogue *d, const char *text)
{
	add(&d->results, &d->result_count, text);
}

void dialogue_add_image(struct dialogue *d, const char *text)
{
	add(&d->images, &d->image_count, text);
}

void dialogue_add_tool(struct dialogue *d, const char *name)
{
	add(&d->tools, &d->tool_count, name);
}

void dialogue_add_note(struct dialogue *d, const char *text)
{
	add(&d->notes, &d->note_count, text);
}

void dialogue_content(struct json_object *content, struct buf *out)
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

bool dialogue_offers(const struct dialogue *d, const char *tool)
{
	for (size_t i = 0; i < d->tool_count; i++)
		if (strcmp(d->tools[i], tool) == 0)
			return true;
	return false;
}

const char *dialogue_user(const struct dialogue *d)
{
	return d->user_count > 0 ? d->users[d->user_count - 1] : "";
}

void dialogue_clear(struct dialogue *d)
{
	clear(&d->users, &d->user_count);
	clear(&d->results, &d->result_count);
	clear(&d->images, &d->image_count);
	clear(&d->tools, &d->tool_count);
	clear(&d->notes, &d->note_count);
}
