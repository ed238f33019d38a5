#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/command_menu.h"
#include "bus/reaction.h"
#include "channels/slack/emoji.h"
#include "channels/slack/event_internal.h"
#include "channels/slack/text.h"

/* Does the text begin with a command that people can give? */
static bool begins_command(const char *text, const struct channel_command *menu)
{
	size_t len = strcspn(text, " \t\n");

	for (; menu && menu->name; menu++)
		if (strlen(menu->name) == len && strncmp(menu->name, text, len) == 0)
			return true;
	return false;
}

/* "/myna stop" means "/stop"; "/myna" alone lists the commands; other text is a message to the bot. */
static void add_command(struct buf *text, const char *arguments, const struct slack_event_context *context)
{
	while (*arguments == ' ' || *arguments == '/')
		arguments++;
	if (*arguments == '\0')
		buf_addstr(text, "/help");
	else if (begins_command(arguments, context->menu))
		buf_addf(text, "/%s", arguments);
	else
		buf_addstr(text, arguments);
}

enum slack_event slack_event_command(
    struct message *out, struct json_object *payload, const struct slack_event_context *context)
{
	const char *user = json_get_str(payload, "user_id"), *arguments = json_get_str(payload, "text");
	const char *command = json_get_str(payload, "command"),
		   *trigger = json_get_str(payload, "trigger_id");
	struct buf raw = BUF_INIT, text = BUF_INIT;
	struct slack_text_flags ignored;

	if (!command || !slack_event_is_id(user) || !trigger)
		return SLACK_EVENT_BAD;
	if (!context->command || strcmp(command, context->command) != 0 ||
	    strcmp(user, context->self->user) == 0)
		return SLACK_EVENT_IGNORED;
	if (!slack_event_set_chat(out, json_get_str(payload, "channel_id"), NULL, "", context))
		return SLACK_EVENT_BAD;
	slack_event_set_sender(out, user, json_get_str(payload, "user_name"), context);
	add_command(&raw, arguments ? arguments : "", context);
	slack_text_read(&text, raw.data, context->self->user, context->people, context->menu, &ignored);
	slack_event_set_text(out, &text);
	buf_clear(&raw);
	buf_clear(&text);
	out->addressed = true;
	slack_event_set_id(out, xasprintf("command:%.100s", trigger));
	return SLACK_EVENT_MESSAGE;
}

/* The thread of the message with the button. */
static const char *thread_of(struct json_object *payload, const char *ts)
{
	const char *thread = json_get_str(json_get_object(payload, "container"), "thread_ts");

	if (!thread)
		thread = json_get_str(json_get_object(payload, "message"), "thread_ts");
	return thread && strcmp(thread, ts) != 0 ? thread : "";
}

enum slack_event slack_event_action(
    struct message *out, struct json_object *payload, const struct slack_event_context *context)
{
	struct json_object *user = json_get_object(payload, "user"),
			   *container = json_get_object(payload, "container");
	struct json_object *actions = json_get_array(payload, "actions");
	struct json_object *action = actions ? json_object_array_get_idx(actions, 0) : NULL;
	const char *type = json_get_str(payload, "type"), *ts = json_get_str(container, "message_ts");
	const char *channel = json_get_str(json_get_object(payload, "channel"), "id"),
		   *id = json_get_str(user, "id");
	const char *value = json_get_str(action, "value"), *at = json_get_str(action, "action_ts");
	const char *name = json_get_str(user, "name"), *action_id = json_get_str(action, "action_id");

	if (!type)
		return SLACK_EVENT_BAD;
	if (strcmp(type, "block_actions") != 0 || !value)
		return SLACK_EVENT_IGNORED;
	if (!slack_event_is_id(id) || !at || !slack_event_is_ts(ts) ||
	    !slack_event_set_chat(out, channel, NULL, thread_of(payload, ts), context))
		return SLACK_EVENT_BAD;
	if (strcmp(id, context->self->user) == 0)
		return SLACK_EVENT_IGNORED;
	out->kind = MESSAGE_PRESS;
	out->addressed = true;
	out->message_id = xstrdup(ts);
	slack_event_set_sender(out, id, name ? name : json_get_str(user, "username"), context);
	out->press_id = xstrdup(at);
	out->sent_ms = slack_event_ts_ms(at);
	free(out->text);
	out->text = xstrdup(value);
	slack_event_set_id(out, xasprintf("press:%.40s:%.80s:%s", at, action_id ? action_id : "", id));
	return SLACK_EVENT_MESSAGE;
}

/* It names no thread. The bot receives its own reactions, too. */
enum slack_event slack_event_reaction(
    struct message *out, struct json_object *event, const struct slack_event_context *context)
{
	struct json_object *item = json_get_object(event, "item");
	const char *user = json_get_str(event, "user"), *name = json_get_str(event, "reaction"),
		   *ts = json_get_str(item, "ts");
	const char *type = json_get_str(item, "type");

	if (!type || strcmp(type, "message") != 0 || !name || !slack_emoji_is(name, context->stop_reaction))
		return SLACK_EVENT_IGNORED;
	if (!slack_event_is_id(user) || !slack_event_is_ts(ts) ||
	    !slack_event_set_chat(out, json_get_str(item, "channel"), NULL, "", context))
		return SLACK_EVENT_BAD;
	if (strcmp(user, context->self->user) == 0)
		return SLACK_EVENT_IGNORED;
	out->kind = MESSAGE_PRESS;
	out->addressed = true;
	out->message_id = xstrdup(ts);
	out->sent_ms = slack_event_ts_ms(json_get_str(event, "event_ts"));
	slack_event_set_sender(out, user, NULL, context);
	free(out->text);
	out->text = xstrdup(REACTION_STOP);
	return SLACK_EVENT_MESSAGE;
}
