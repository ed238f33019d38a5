#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/http/shapes.h"

/* Discord: resources/message, Embed Object and its limits. */

static const struct cord_field part_of_embed_fields[] = {
    {.name = "inline", .type = CORD_BOOL},
    {.name = "name", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 256},
    {.name = "value", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 1024},
};

static const struct cord_field footer_fields[] = {
    {.name = "icon_url", .type = CORD_URL, .max = 2048},
    {.name = "text", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 2048},
};

static const struct cord_field author_fields[] = {
    {.name = "icon_url", .type = CORD_URL, .max = 2048},
    {.name = "name", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 256},
    {.name = "url", .type = CORD_URL, .max = 2048},
};

static const struct cord_field image_fields[] = {
    {.name = "description", .type = CORD_STRING, .max = 4096},
    {.name = "height", .type = CORD_INT},
    {.name = "is_animated", .type = CORD_BOOL},
    {.name = "placeholder", .type = CORD_STRING, .max = 64},
    {.name = "placeholder_version", .type = CORD_INT, .max = 2147483647},
    {.name = "url", .type = CORD_URL, .flags = CORD_REQUIRED, .max = 2048},
    {.name = "width", .type = CORD_INT},
};

static const struct cord_shape part_of_embed = CORD_SHAPE("RichEmbedField", part_of_embed_fields, NULL);
static const struct cord_shape footer = CORD_SHAPE("RichEmbedFooter", footer_fields, NULL);
static const struct cord_shape author = CORD_SHAPE("RichEmbedAuthor", author_fields, NULL);
static const struct cord_shape image = CORD_SHAPE("RichEmbedImage", image_fields, NULL);

static const struct cord_field embed_fields[] = {
    {.name = "author", .type = CORD_OBJECT, .shape = &author},
    {.name = "color", .type = CORD_INT, .max = 16777215},
    {.name = "description", .type = CORD_STRING, .max = 4096},
    {.name = "fields", .type = CORD_LIST, .max = 25, .shape = &part_of_embed},
    {.name = "footer", .type = CORD_OBJECT, .shape = &footer},
    {.name = "image", .type = CORD_OBJECT, .shape = &image},
    {.name = "provider", .type = CORD_MAP},
    {.name = "thumbnail", .type = CORD_OBJECT, .shape = &image},
    {.name = "timestamp", .type = CORD_TIME},
    {.name = "title", .type = CORD_STRING, .max = 256},
    {.name = "type", .type = CORD_STRING},
    {.name = "url", .type = CORD_URL, .max = 2048},
    {.name = "video", .type = CORD_MAP},
};

/* An embed must have visible content. */
static void check_embed(struct json_object *o, struct cord_errors *e)
{
	static const char *const shown[] = {
	    "author", "description", "fields", "footer", "image", "thumbnail", "title"};

	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		if (json_get(o, shown[i]))
			return;
	cord_errors_add(e, "description", "BASE_TYPE_REQUIRED", "This field is required");
}

const struct cord_shape cord_shape_embed = CORD_SHAPE("RichEmbed", embed_fields, check_embed);
