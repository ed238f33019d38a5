#include "llm/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"

/* Tokens that a provider counts for the smallest image. */
#define TOKENS_MIN 85
/* Tokens of the line that replaces an image. */
#define TOKENS_LINE 30

void llm_image_clear(struct llm_image *i)
{
	char *const texts[] = {i->path, i->hash, i->name, i->mime, i->refused, i->description};

	for (size_t k = 0; k < ARRAY_LEN(texts); k++)
		free(texts[k]);
	*i = (struct llm_image){0};
}

void llm_images_free(struct llm_image *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		llm_image_clear(&list[i]);
	free(list);
}

void llm_image_copy(struct llm_image *to, const struct llm_image *from)
{
	*to = *from;
	to->path = xstrdup(from->path);
	to->hash = xstrdup(from->hash);
	to->name = xstrdup(from->name);
	to->mime = xstrdup(from->mime);
	to->refused = xstrdup(from->refused);
	to->description = xstrdup(from->description);
}

struct llm_image *llm_images_copy(const struct llm_image *list, size_t count)
{
	struct llm_image *copy = count > 0 ? xcalloc(count, sizeof(*copy)) : NULL;

	for (size_t i = 0; i < count; i++)
		llm_image_copy(&copy[i], &list[i]);
	return copy;
}

struct llm_image *llm_images_add(struct llm_image **list, size_t *count)
{
	*list = xrealloc(*list, (*count + 1) * sizeof(**list));
	(*list)[*count] = (struct llm_image){0};
	return &(*list)[(*count)++];
}

char *llm_images_text(const struct llm_image *list, size_t count)
{
	struct json_object *all = json_object_new_array();
	char *text = NULL;

	for (size_t i = 0; i < count; i++) {
		struct json_object *o = json_object_new_object();
		json_set_str(o, "path", list[i].path);
		json_set_str(o, "hash", list[i].hash);
		json_set_str(o, "name", list[i].name);
		json_set_str(o, "mime", list[i].mime);
		json_set_int(o, "width", list[i].width);
		json_set_int(o, "height", list[i].height);
		json_set_int(o, "bytes", list[i].bytes);
		json_set_str(o, "refused", list[i].refused);
		json_set_str(o, "words", list[i].description);
		json_object_array_add(all, o);
	}
	if (count > 0)
		text = json_text(all);
	json_object_put(all);
	return text;
}

static void read_one(struct json_object *o, struct llm_image *i)
{
	i->path = xstrdup(json_get_str(o, "path"));
	i->hash = xstrdup(json_get_str(o, "hash"));
	i->name = xstrdup(json_get_str(o, "name"));
	i->mime = xstrdup(json_get_str(o, "mime"));
	i->width = json_get_int(o, "width", 0);
	i->height = json_get_int(o, "height", 0);
	i->bytes = json_get_int(o, "bytes", 0);
	i->refused = xstrdup(json_get_str(o, "refused"));
	i->description = xstrdup(json_get_str(o, "words"));
}

static bool is_whole(const struct llm_image *i)
{
	return i->path && i->hash && i->name && i->mime && i->width > 0 && i->height > 0 && i->bytes > 0;
}

void llm_images_parse(const char *text, struct llm_image **list, size_t *count)
{
	struct json_object *all = text ? json_parse(text, strlen(text), NULL) : NULL;
	size_t n = json_object_is_type(all, json_type_array) ? json_object_array_length(all) : 0;

	for (size_t i = 0; i < n; i++) {
		struct llm_image *image = llm_images_add(list, count);
		read_one(json_object_array_get_idx(all, i), image);
		if (!is_whole(image)) {
			llm_image_clear(image);
			(*count)--;
		}
	}
	json_object_put(all);
}

size_t llm_image_tokens(const struct llm_image *i)
{
	size_t tokens = (size_t)(i->width * i->height / 750);

	if (i->superseded || i->unseen || i->refused)
		return TOKENS_LINE + (i->description ? strlen(i->description) / 3 : 0);
	return tokens > TOKENS_MIN ? tokens : TOKENS_MIN;
}
