#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/discord/methods/methods.h"

/* Discord: components/reference. Rows and their components, and texts of Components V2. */

enum { ROW = 1, BUTTON = 2, MENU = 3, TEXT_INPUT = 4, CHANNEL_MENU = 8 };
enum { STYLE_LINK = 5, STYLE_PREMIUM = 6 };

#define ROWS_MAX    5
#define V2_MAX      40
#define V2_TEXT_MAX 4000

/* A row holds buttons, or one menu. */
void cord_check_row(struct json_object *o, struct cord_errors *e)
{
	struct json_object *array = json_get_array(o, "components");
	size_t count = json_count(array);

	cord_errors_enter(e, "components");
	for (size_t i = 0; i < count; i++)
		if (count > 1 && json_get_int(json_at(array, i), "type", 0) != BUTTON)
			cord_errors_add(e, NULL, "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
			    "Number of components exceeds the maximum width of the layout.");
	cord_errors_leave(e);
}

void cord_check_button(struct json_object *o, struct cord_errors *e)
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

/* The values tell the options apart. */
static void check_values(struct json_object *options, struct cord_errors *e)
{
	struct json_object *seen = json_object_new_object();

	cord_errors_enter(e, "options");
	for (size_t i = 0; i < json_count(options); i++) {
		const char *value = json_get_str(json_at(options, i), "value");

		cord_errors_enter_index(e, i);
		if (json_get(seen, value))
			cord_errors_add(e, "value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
			    "The specified option value is already used");
		json_set_bool(seen, value, true);
		cord_errors_leave(e);
	}
	cord_errors_leave(e);
	json_object_put(seen);
}

void cord_check_select(struct json_object *o, struct cord_errors *e)
{
	struct json_object *options = json_get_array(o, "options");

	if (!options)
		return;
	if (json_get_int(o, "max_values", 1) > (int64_t)json_count(options))
		cord_errors_add(e, "max_values", "SELECT_COMPONENT_MAX_VALUES_EXCEEDED",
		    "max_values exceeds the number of options.");
	check_values(options, e);
}

/* Members that hold one component. */
static const char *const inner[] = {"accessory", "component"};

static void check_ids(struct json_object *array, struct json_object *seen, struct cord_errors *e);

static void check_id(struct json_object *o, struct json_object *seen, struct cord_errors *e)
{
	const char *id = json_get_str(o, "custom_id");

	if (id && json_get(seen, id))
		cord_errors_add(e, "custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED",
		    "Component custom id cannot be duplicated");
	if (id)
		json_set_bool(seen, id, true);
	cord_errors_enter(e, "components");
	check_ids(json_get_array(o, "components"), seen, e);
	cord_errors_leave(e);
	for (size_t i = 0; i < ARRAY_LEN(inner); i++) {
		if (!json_get_object(o, inner[i]))
			continue;
		cord_errors_enter(e, inner[i]);
		check_id(json_get_object(o, inner[i]), seen, e);
		cord_errors_leave(e);
	}
}

static void check_ids(struct json_object *array, struct json_object *seen, struct cord_errors *e)
{
	for (size_t i = 0; i < json_count(array); i++) {
		cord_errors_enter_index(e, i);
		check_id(json_at(array, i), seen, e);
		cord_errors_leave(e);
	}
}

/* Counts the component, those in it, and the characters of text displays. */
static void measure(struct json_object *o, size_t *count, size_t *chars)
{
	const char *text = json_get_str(o, "content");

	++*count;
	*chars += text ? utf8_count(text, strlen(text), UTF8_CHARS) : 0;
	json_each(json_get_array(o, "components"), item)
		measure(item, count, chars);
	for (size_t i = 0; i < ARRAY_LEN(inner); i++)
		if (json_get_object(o, inner[i]))
			measure(json_get_object(o, inner[i]), count, chars);
}

/* Discord: components/reference: 40 components and 4,000 characters in all. Undocumented: the codes, and the
 * words of the second, which developers have logged. */
static void check_size(struct json_object *array, struct cord_errors *e)
{
	size_t count = 0, chars = 0;

	json_each(array, item)
		measure(item, &count, &chars);
	if (count > V2_MAX)
		cord_errors_add(e, "components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
		    "Total number of components exceeds maximum of %d", V2_MAX);
	if (chars > V2_TEXT_MAX)
		cord_errors_add(e, "components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
		    "Components displayable text size exceeds maximum size of %d", V2_TEXT_MAX);
}

void cord_components_check(struct json_object *array, int64_t flags, struct cord_errors *e)
{
	bool v2 = (flags & CORD_FLAG_COMPONENTS_V2) != 0;
	struct json_object *seen = json_object_new_object();
	size_t count = json_count(array);

	if (v2)
		check_size(array, e);
	cord_errors_enter(e, "components");
	if (!v2 && count > ROWS_MAX)
		cord_errors_add(
		    e, NULL, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and %d in length.", ROWS_MAX);
	for (size_t i = 0; i < count; i++) {
		int64_t type = json_get_int(json_at(array, i), "type", 0);

		cord_errors_enter_index(e, i);
		if (type != ROW && !v2)
			cord_errors_add(
			    e, "type", "UNION_TYPE_CHOICES", "Value of field \"type\" must be one of (1,).");
		cord_errors_leave(e);
	}
	check_ids(array, seen, e);
	cord_errors_leave(e);
	json_object_put(seen);
}

static struct json_object *find_in(struct json_object *o, const char *name)
{
	static const char *const names[] = {"custom_id", "label", "placeholder"};
	struct json_object *found;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (json_get_str(o, names[i]) && strcmp(json_get_str(o, names[i]), name) == 0)
			return o;
	found = cord_component_find(json_get_array(o, "components"), name);
	for (size_t i = 0; !found && i < ARRAY_LEN(inner); i++)
		if (json_get_object(o, inner[i]))
			found = find_in(json_get_object(o, inner[i]), name);
	return found;
}

struct json_object *cord_component_find(struct json_object *array, const char *name)
{
	json_each(array, item) {
		struct json_object *found = find_in(item, name);

		if (found)
			return found;
	}
	return NULL;
}

/* Numbers what is in an object or array and has a type; options have none. */
static void number_in(struct json_object *v, int64_t *last)
{
	if (json_object_is_type(v, json_type_array))
		json_each(v, item)
			number_in(item, last);
	if (!json_object_is_type(v, json_type_object))
		return;
	if (json_get(v, "type") && json_get_int(v, "id", 0) == 0)
		json_set_int(v, "id", ++*last);
	if (json_get_int(v, "type", 0) >= MENU && json_get_int(v, "type", 0) <= CHANNEL_MENU &&
	    json_get_int(v, "type", 0) != TEXT_INPUT) {
		json_set_int(v, "min_values", json_get_int(v, "min_values", 1));
		json_set_int(v, "max_values", json_get_int(v, "max_values", 1));
	}
	for (size_t i = 0; i < ARRAY_LEN(inner); i++)
		number_in(json_get(v, inner[i]), last);
	number_in(json_get(v, "components"), last);
}

struct json_object *cord_components_finish(struct json_object *array)
{
	int64_t last = 0;

	number_in(array, &last);
	return array;
}

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
	json_each(array, item)
		json_set_str(item, "type", "rich");
	return array;
}

/* By the names of the schemas. */
static const struct {
	const char *object;
	cord_check_fn *check;
} checks[] = {
    {"ActionRowComponentForMessageRequest", cord_check_row},
    {"ApplicationCommandCreateRequest", cord_check_command},
    {"ApplicationCommandUpdateRequest", cord_check_command},
    {"ButtonComponentForMessageRequest", cord_check_button},
    {"ChannelSelectComponentForMessageRequest", cord_check_select},
    {"MentionableSelectComponentForMessageRequest", cord_check_select},
    {"MessageAllowedMentionsRequest", cord_check_allowed_mentions},
    {"RichEmbed", cord_check_embed},
    {"RoleSelectComponentForMessageRequest", cord_check_select},
    {"StringSelectComponentForMessageRequest", cord_check_select},
    {"UserSelectComponentForMessageRequest", cord_check_select},
};

void cord_check_object(struct judge *j, const struct spec_record *r, struct json_object *o)
{
	struct cord_errors *e = (struct cord_errors *)j;

	for (size_t i = 0; i < ARRAY_LEN(checks); i++)
		if (strcmp(checks[i].object, r->name) == 0)
			checks[i].check(o, e);
	if (strncmp(r->name, "ApplicationCommand", 18) == 0 && str_ends_with(r->name, "Option"))
		cord_check_option(o, e);
}
