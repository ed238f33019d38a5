#include <string.h>

#include "base/text/utf8.h"
#include "playground/discord/methods/methods.h"

/* Discord: interactions/application-commands. */

enum { OPTION_GROUP = 2, OPTION_STRING = 3, OPTION_INTEGER = 4, OPTION_NUMBER = 10 };
enum { COMMAND_CHAT = 1 };

#define TOTAL_MAX 8000 /* characters of all names, descriptions and values of a command */

/* Lower-case letters, digits, - and _ ; letters beyond ASCII are not checked. */
static bool is_good_name(const char *name)
{
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 0x80 && !strchr("abcdefghijklmnopqrstuvwxyz0123456789-_'", *name))
			return false;
	return true;
}

static void check_name(struct json_object *o, struct cord_errors *e)
{
	if (!is_good_name(json_get_str(o, "name")))
		cord_errors_add(e, "name", "APPLICATION_COMMAND_INVALID_NAME",
		    "Command name is invalid: lower-case letters, digits, - and _ only.");
}

/* Required options come first, and no name occurs twice. */
static void check_options(struct json_object *options, struct cord_errors *e)
{
	struct json_object *seen = json_object_new_object();
	bool optional = false;

	cord_errors_enter(e, "options");
	for (size_t i = 0; i < json_count(options); i++) {
		struct json_object *o = json_at(options, i);
		const char *name = json_get_str(o, "name");
		bool required = json_get_bool(o, "required", false);

		cord_errors_enter_index(e, i);
		if (required && optional)
			cord_errors_add(e, NULL, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
			    "Required options must be placed before non-required options");
		if (json_get(seen, name))
			cord_errors_add(e, "name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
			    "Option name already exists");
		cord_errors_leave(e);
		json_set_bool(seen, name, true);
		optional = optional || (!required && json_get_int(o, "type", 0) > OPTION_GROUP);
	}
	cord_errors_leave(e);
	json_object_put(seen);
}

void cord_check_option(struct json_object *o, struct cord_errors *e)
{
	int64_t type = json_get_int(o, "type", 0);
	struct json_object *choices = json_get_array(o, "choices");

	check_name(o, e);
	check_options(json_get_array(o, "options"), e);
	if (json_get(o, "options") && type > OPTION_GROUP)
		cord_errors_add(e, "options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
		    "Only sub-commands have options.");
	if (choices && type != OPTION_STRING && type != OPTION_INTEGER && type != OPTION_NUMBER)
		cord_errors_add(e, "choices", "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
		    "Only strings and numbers have choices.");
	if (choices && json_count(choices) > 0 && json_get_bool(o, "autocomplete", false))
		cord_errors_add(e, "autocomplete", "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID",
		    "Choices and autocomplete are mutually exclusive.");
}

static size_t chars(struct json_object *o, const char *key)
{
	const char *s = json_get_str(o, key);

	return s ? utf8_count(s, strlen(s), UTF8_CHARS) : 0;
}

static size_t total_chars(struct json_object *o, const char *list)
{
	struct json_object *array = json_get_array(o, list);
	size_t n = 0;

	json_each(array, in)
		n += chars(in, "name") + chars(in, "description") + chars(in, "value") +
		    total_chars(in, "options") + total_chars(in, "choices");
	return n;
}

void cord_check_command(struct json_object *o, struct cord_errors *e)
{
	int64_t type = json_get_int(o, "type", COMMAND_CHAT);
	const char *description = json_get_str(o, "description");

	if (type == COMMAND_CHAT && json_get_str(o, "name"))
		check_name(o, e);
	if (type == COMMAND_CHAT && json_get_str(o, "name") && (!description || description[0] == '\0'))
		cord_errors_add(e, "description", "BASE_TYPE_REQUIRED", "This field is required");
	if (type != COMMAND_CHAT && description && description[0] != '\0')
		cord_errors_add(e, "description", "APPLICATION_COMMANDS_CONTEXT_MENU_NO_DESCRIPTION",
		    "Context menu commands cannot have description");
	if (type != COMMAND_CHAT && json_get(o, "options"))
		cord_errors_add(e, "options", "APPLICATION_COMMANDS_CONTEXT_MENU_NO_OPTIONS",
		    "Context menu commands cannot have options");
	check_options(json_get_array(o, "options"), e);
	if (chars(o, "name") + chars(o, "description") + total_chars(o, "options") > TOTAL_MAX)
		cord_errors_add(
		    e, NULL, "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", TOTAL_MAX);
}
