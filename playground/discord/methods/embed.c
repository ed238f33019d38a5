#include <string.h>

#include "base/mem.h"
#include "playground/discord/methods/methods.h"

/* Discord: resources/message, Embed Object and its limits. */

/* An embed must have visible content. */
void cord_check_embed(struct json_object *o, struct cord_errors *e)
{
	static const char *const shown[] = {
	    "author", "description", "fields", "footer", "image", "thumbnail", "title"};

	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		if (json_get(o, shown[i]))
			return;
	cord_errors_add(e, "description", "BASE_TYPE_REQUIRED", "This field is required");
}

struct json_object *cord_embeds_finish(struct json_object *array)
{
	for (size_t i = 0; array && i < json_object_array_length(array); i++)
		json_set_str(json_object_array_get_idx(array, i), "type", "rich");
	return array;
}
