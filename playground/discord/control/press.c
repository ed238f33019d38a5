#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "playground/discord/world/bot.h"
#include "playground/discord/world/channel.h"
#include "playground/discord/world/command.h"
#include "playground/discord/methods/component.h"
#include "playground/discord/control/actions.h"
#include "playground/discord/world/guild.h"
#include "playground/discord/world/interaction.h"
#include "playground/discord/world/message.h"
#include "playground/discord/control/context.h"
#include "playground/discord/world/snowflake.h"
#include "playground/discord/world/world.h"
#include "playground/world/json_members.h"

enum { BUTTON = 2, STYLE_LINK = 5, OPTION_STRING = 3 };

static int check_button(struct json_object *button, const char *name, struct error *err)
{
	if (!button || !json_get_str(button, "custom_id"))
		return error_set(err, ERROR_OURS, "there is no button \"%.80s\" under that message", name);
	if (json_get_bool(button, "disabled", false))
		return error_set(err, ERROR_OURS, "the button \"%.80s\" is disabled", name);
	return 0;
}

int cord_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const members[] = {"bot", "button", "chat", "guild", "kind", "message_id",
	    "platform", "thread", "user", "values", NULL};
	const char *name = members_string(in, "button");
	struct json_object *data, *button, *values = json_get_array(in, "values");
	struct cord_interaction *i;
	struct cord_message *m;
	struct cord_context s;

	if (members_check(in, members, err) != 0 || cord_context_read(self, in, false, &s, err) != 0)
		return -1;
	m = cord_context_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	if (!s.user || !name)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	if (m->visible_to != 0 && m->visible_to != s.user->id)
		return error_set(err, ERROR_OURS, "%.64s does not see that message", s.user->label);
	button = cord_component_find(m->components, name);
	if (check_button(button, name, err) != 0)
		return -1;
	data = json_object_new_object();
	json_set_str(data, "custom_id", json_get_str(button, "custom_id"));
	json_set_int(data, "component_type", json_get_int(button, "type", BUTTON));
	json_set_int(data, "id", 1);
	if (values)
		json_set(data, "values", json_object_get(values));
	i = cord_interaction_new(m->bot, m->channel, s.user, CORD_INTERACTION_COMPONENT,
	    json_get_str(button, "custom_id"), data, m);
	cord_set_id(out, "interaction_id", i->id);
	return 0;
}

/* Guild commands precede global ones with the same name. */
static struct cord_command *find_command(const struct cord_context *s, const char *name)
{
	struct cord_command *c = NULL;

	if (s->channel->guild)
		c = cord_command_by_name(&s->bot->commands, s->channel->guild->id, name, 1);
	return c ? c : cord_command_by_name(&s->bot->commands, 0, name, 1);
}

static void add_option(struct json_object *array, struct json_object *row, struct json_object *value)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "name", json_get_str(row, "name"));
	json_set_int(o, "type", json_get_int(row, "type", OPTION_STRING));
	json_set(o, "value", json_object_get(value));
	json_object_array_add(array, o);
}

/* "text" is the value of the first option that takes text; "options" gives the options by name. */
static struct json_object *read_options(struct cord_command *c, struct json_object *in, struct error *err)
{
	struct json_object *rows = json_get_array(c->json, "options"), *array = json_object_new_array(),
			   *given = json_get_object(in, "options"), *text = json_get(in, "text");
	size_t used = 0,
	       wanted = (text != NULL) + (given != NULL ? (size_t)json_object_object_length(given) : 0);

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);
		const char *name = json_get_str(row, "name");
		struct json_object *value = json_get(given, name);

		if (!value && json_get_int(row, "type", 0) == OPTION_STRING) {
			value = text;
			text = NULL;
		}
		if (value) {
			add_option(array, row, value);
			used++;
		} else if (json_get_bool(row, "required", false)) {
			error_set(err, ERROR_OURS, "the option \"%.32s\" is required", name);
			goto fail;
		}
	}
	if (used == wanted)
		return array;
	error_set(err, ERROR_OURS, "the command has no such options");
fail:
	json_object_put(array);
	return NULL;
}

/* The option that the person is typing. */
static struct json_object *read_focused(
    struct cord_command *c, const char *name, struct json_object *in, struct error *err)
{
	struct json_object *rows = json_get_array(c->json, "options"), *array;

	for (size_t i = 0; rows && i < json_object_array_length(rows); i++) {
		struct json_object *row = json_object_array_get_idx(rows, i);

		if (strcmp(json_get_str(row, "name"), name) != 0 ||
		    !json_get_bool(row, "autocomplete", false))
			continue;
		array = json_object_new_array();
		add_option(array, row, json_get(in, "text"));
		json_set_bool(json_object_array_get_idx(array, 0), "focused", true);
		return array;
	}
	error_set(err, ERROR_OURS, "the command completes no option \"%.32s\"", name);
	return NULL;
}

int cord_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const members[] = {"autocomplete", "bot", "chat", "command", "guild", "kind",
	    "options", "platform", "text", "thread", "user", NULL};
	const char *name = members_string(in, "command"), *focused = json_get_str(in, "autocomplete");
	struct json_object *data, *options;
	struct cord_interaction *i;
	struct cord_command *c;
	struct cord_context s;

	if (members_check(in, members, err) != 0 || cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user || !name)
		return error_set(err, ERROR_OURS, "say which \"user\" gives which \"command\"");
	c = find_command(&s, name[0] == '/' ? name + 1 : name);
	if (!c)
		return error_set(err, ERROR_OURS, "the bot has registered no command \"%.32s\" there", name);
	options = focused ? read_focused(c, focused, in, err) : read_options(c, in, err);
	if (!options)
		return -1;
	data = json_object_new_object();
	cord_set_id(data, "id", c->id);
	json_set_str(data, "name", json_get_str(c->json, "name"));
	json_set_int(data, "type", 1);
	if (c->guild_id != 0)
		cord_set_id(data, "guild_id", c->guild_id);
	if (json_object_array_length(options) > 0)
		json_set(data, "options", options);
	else
		json_object_put(options);
	i = cord_interaction_new(s.bot, s.channel, s.user,
	    focused ? CORD_INTERACTION_AUTOCOMPLETE : CORD_INTERACTION_COMMAND, json_get_str(c->json, "name"),
	    data, NULL);
	cord_set_id(out, "interaction_id", i->id);
	cord_context_answer(&s, out, 0);
	return 0;
}
