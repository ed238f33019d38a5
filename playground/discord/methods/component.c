#include <string.h>

#include "base/json/json.h"
#include "playground/discord/methods/component.h"
#include "playground/discord/world/message.h"
#include "playground/discord/http/shapes.h"

/* Discord: components/reference. Rows and their components, and texts of Components V2. */

enum { ROW = 1, BUTTON = 2, STRING_SELECT = 3, USER_SELECT = 5, CHANNEL_SELECT = 8, TEXT_DISPLAY = 10 };
enum { STYLE_LINK = 5, STYLE_PREMIUM = 6 };

#define ROWS_MAX  5
#define WIDTH_MAX 5
#define V2_MAX    40

static const struct cord_field emoji_fields[] = {
    {.name = "animated", .type = CORD_BOOL},
    {.name = "id", .type = CORD_ID},
    {.name = "name", .type = CORD_STRING, .max = 32},
};

static const struct cord_shape emoji = CORD_SHAPE("ComponentEmojiForRequest", emoji_fields, NULL);

static const struct cord_field option_fields[] = {
    {.name = "default", .type = CORD_BOOL},
    {.name = "description", .type = CORD_STRING, .max = 100},
    {.name = "emoji", .type = CORD_OBJECT, .shape = &emoji},
    {.name = "label", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    {.name = "value", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
};

static const struct cord_shape option = CORD_SHAPE("StringSelectOptionForRequest", option_fields, NULL);

static const struct cord_field row_fields[] = {
    {.name = "components",
	.type = CORD_LIST,
	.flags = CORD_REQUIRED,
	.min = 1,
	.max = WIDTH_MAX,
	.shape = &cord_shape_component},
    {.name = "id", .type = CORD_INT},
    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
};

static const struct cord_field button_fields[] = {
    {.name = "custom_id", .type = CORD_STRING, .min = 1, .max = 100},
    {.name = "disabled", .type = CORD_BOOL},
    {.name = "emoji", .type = CORD_OBJECT, .shape = &emoji},
    {.name = "id", .type = CORD_INT},
    {.name = "label", .type = CORD_STRING, .max = 80},
    {.name = "sku_id", .type = CORD_ID, .flags = CORD_NOT_SIMULATED},
    {.name = "style", .type = CORD_INT, .flags = CORD_REQUIRED, .min = 1, .max = STYLE_PREMIUM},
    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
    {.name = "url", .type = CORD_STRING, .max = 512},
};

static const struct cord_field select_fields[] = {
    {.name = "channel_types", .type = CORD_LIST, .each = CORD_INT},
    {.name = "custom_id", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 100},
    {.name = "default_values", .type = CORD_LIST, .max = 25, .each = CORD_ANY},
    {.name = "disabled", .type = CORD_BOOL},
    {.name = "id", .type = CORD_INT},
    {.name = "max_values", .type = CORD_INT, .min = 1, .max = 25},
    {.name = "min_values", .type = CORD_INT, .max = 25},
    {.name = "options", .type = CORD_LIST, .min = 1, .max = 25, .shape = &option},
    {.name = "placeholder", .type = CORD_STRING, .max = 150},
    {.name = "required", .type = CORD_BOOL},
    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
};

static const struct cord_field text_fields[] = {
    {.name = "content", .type = CORD_STRING, .flags = CORD_REQUIRED, .min = 1, .max = 4000},
    {.name = "id", .type = CORD_INT},
    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
};

/* A row holds buttons, or one menu. */
static void check_row(struct json_object *o, struct cord_errors *e)
{
	struct json_object *array = json_get_array(o, "components");
	size_t count = json_object_array_length(array);

	cord_errors_enter(e, "components");
	for (size_t i = 0; i < count; i++) {
		int64_t type = json_get_int(json_object_array_get_idx(array, i), "type", 0);

		cord_errors_enter_index(e, i);
		if (type == ROW || type == TEXT_DISPLAY)
			cord_errors_add(e, "type", "UNION_TYPE_CHOICES",
			    "The specified type is invalid inside an action row.");
		cord_errors_leave(e);
		if (type != BUTTON && count > 1)
			cord_errors_add(e, NULL, "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
			    "Number of components exceeds the maximum width of the layout.");
	}
	cord_errors_leave(e);
}

static void check_button(struct json_object *o, struct cord_errors *e)
{
	int64_t style = json_get_int(o, "style", 0);
	bool link = style == STYLE_LINK, has_id = json_get(o, "custom_id"), has_url = json_get(o, "url");
	const char *label = json_get_str(o, "label");

	if (link && !has_url)
		cord_errors_add(e, "url", "BASE_TYPE_REQUIRED", "A url is required");
	if (!link && style != STYLE_PREMIUM && !has_id)
		cord_errors_add(e, "custom_id", "BASE_TYPE_REQUIRED", "A custom id is required");
	if (has_id && has_url)
		cord_errors_add(e, NULL, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
		    "A custom id and url cannot both be specified");
	if ((!label || label[0] == '\0') && !json_get(o, "emoji"))
		cord_errors_add(
		    e, "label", "BUTTON_COMPONENT_LABEL_REQUIRED", "A label or emoji is required");
}

static void check_select(struct json_object *o, struct cord_errors *e)
{
	struct json_object *options = json_get_array(o, "options");
	int64_t count = options ? (int64_t)json_object_array_length(options) : 25;

	if (json_get_int(o, "type", 0) == STRING_SELECT && !options)
		cord_errors_add(e, "options", "BASE_TYPE_REQUIRED", "This field is required");
	if (json_get_int(o, "max_values", 1) > count)
		cord_errors_add(e, "max_values", "SELECT_COMPONENT_MAX_VALUES_EXCEEDED",
		    "max_values exceeds the number of options.");
}

static const struct cord_shape row = CORD_SHAPE("ActionRowComponentForMessageRequest", row_fields, check_row);
static const struct cord_shape button =
    CORD_SHAPE("ButtonComponentForMessageRequest", button_fields, check_button);
static const struct cord_shape select_menu =
    CORD_SHAPE("StringSelectComponentForMessageRequest", select_fields, check_select);
static const struct cord_shape text = CORD_SHAPE("TextDisplayComponentForMessageRequest", text_fields, NULL);

/* Checks a component by its type. */
static void check_component(struct json_object *o, struct cord_errors *e)
{
	int64_t type = json_get_int(o, "type", 0);

	if (type == ROW)
		cord_shape_check(&row, o, e);
	else if (type == BUTTON)
		cord_shape_check(&button, o, e);
	else if (type == STRING_SELECT || (type >= USER_SELECT && type <= CHANNEL_SELECT))
		cord_shape_check(&select_menu, o, e);
	else if (type == TEXT_DISPLAY)
		cord_shape_check(&text, o, e);
	else
		cord_errors_add(e, "type", "UNION_TYPE_CHOICES", "This type of component is not simulated.");
}

static const struct cord_field component_fields[] = {
    {.name = "channel_types", .type = CORD_ANY},
    {.name = "components", .type = CORD_ANY},
    {.name = "content", .type = CORD_ANY},
    {.name = "custom_id", .type = CORD_ANY},
    {.name = "default_values", .type = CORD_ANY},
    {.name = "disabled", .type = CORD_ANY},
    {.name = "emoji", .type = CORD_ANY},
    {.name = "id", .type = CORD_ANY},
    {.name = "label", .type = CORD_ANY},
    {.name = "max_values", .type = CORD_ANY},
    {.name = "min_values", .type = CORD_ANY},
    {.name = "options", .type = CORD_ANY},
    {.name = "placeholder", .type = CORD_ANY},
    {.name = "required", .type = CORD_ANY},
    {.name = "sku_id", .type = CORD_ANY},
    {.name = "style", .type = CORD_ANY},
    {.name = "type", .type = CORD_INT, .flags = CORD_REQUIRED},
    {.name = "url", .type = CORD_ANY},
};

const struct cord_shape cord_shape_component = CORD_SHAPE(NULL, component_fields, check_component);

static void check_ids(struct json_object *array, struct json_object *seen, struct cord_errors *e)
{
	for (size_t i = 0; array && i < json_object_array_length(array); i++) {
		struct json_object *o = json_object_array_get_idx(array, i);
		const char *id = json_get_str(o, "custom_id");

		cord_errors_enter_index(e, i);
		if (id && json_get(seen, id))
			cord_errors_add(e, "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED",
			    "Component custom id cannot be duplicated");
		if (id)
			json_set_bool(seen, id, true);
		cord_errors_enter(e, "components");
		check_ids(json_get_array(o, "components"), seen, e);
		cord_errors_leave(e);
		cord_errors_leave(e);
	}
}

void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e)
{
	bool v2 = (flags & CORD_FLAG_COMPONENTS_V2) != 0;
	struct json_object *seen = json_object_new_object();
	size_t count = json_object_array_length(array);

	cord_errors_enter(e, "components");
	if (count > (v2 ? V2_MAX : ROWS_MAX))
		cord_errors_add(e, NULL, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and %d in length.",
		    v2 ? V2_MAX : ROWS_MAX);
	for (size_t i = 0; i < count; i++) {
		int64_t type = json_get_int(json_object_array_get_idx(array, i), "type", 0);

		cord_errors_enter_index(e, i);
		if (type != ROW && (!v2 || type != TEXT_DISPLAY))
			cord_errors_add(e, "type", "UNION_TYPE_CHOICES",
			    "Value of field \"type\" must be one of (%s).", v2 ? "1, 10" : "1,");
		cord_errors_leave(e);
	}
	check_ids(array, seen, e);
	cord_errors_leave(e);
	json_object_put(seen);
}

struct json_object *cord_component_find(struct json_object *array, const char *name)
{
	for (size_t i = 0; array && i < json_object_array_length(array); i++) {
		struct json_object *o = json_object_array_get_idx(array, i), *in;
		const char *id = json_get_str(o, "custom_id"), *label = json_get_str(o, "label");

		if ((id && strcmp(id, name) == 0) || (label && strcmp(label, name) == 0))
			return o;
		in = cord_component_find(json_get_array(o, "components"), name);
		if (in)
			return in;
	}
	return NULL;
}
