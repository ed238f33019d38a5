#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/world/json_members.h"
#include "playground/slack/world/app.h"
#include "playground/slack/methods/blocks.h"
#include "playground/slack/world/conversation.h"
#include "playground/slack/control/actions.h"
#include "playground/slack/socket/envelope.h"
#include "playground/slack/world/response_url.h"
#include "playground/slack/world/message.h"
#include "playground/slack/control/show.h"
#include "playground/slack/world/text.h"

static void set_url(
    struct json_object *o, const struct slk_world *w, const char *what, const struct slk_response_url *h)
{
	char *url = xasprintf("%shooks/%s/" SLK_TEAM "/%s", w->base, what, h->secret);

	json_set_str(o, "response_url", url);
	free(url);
}

static void set_trigger(struct json_object *o, struct slk_world *w)
{
	char *id = xasprintf("%" PRIu64 ".%" PRId64 ".playground", ++w->last_number, clock_wall());

	json_set_str(o, "trigger_id", id);
	free(id);
}

static void set_object(
    struct json_object *o, const char *key, const char *id, const char *name_key, const char *name)
{
	struct json_object *part = json_object_new_object();

	json_set_str(part, "id", id);
	json_set_str(part, name_key, name);
	json_set(o, key, part);
}

static void set_container(struct json_object *o, const struct slk_context *s, const struct slk_message *m)
{
	struct json_object *container = json_object_new_object();

	json_set_str(container, "type", "message");
	json_set_str(container, "message_ts", json_get_str(m->o, "ts"));
	json_set_str(container, "channel_id", s->conv->id);
	json_set_bool(container, "is_ephemeral", m->ephemeral[0] != '\0');
	json_set_str(container, "thread_ts", json_get_str(m->o, "thread_ts"));
	json_set(o, "container", container);
}

static void set_actions(
    struct json_object *o, struct slk_world *w, struct json_object *button, struct json_object *block)
{
	struct json_object *array = json_object_new_array(), *action = json_object_new_object();
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(w), ts);
	json_set_str(action, "action_id", json_get_str(button, "action_id"));
	json_set_str(action, "block_id", json_get_str(block, "block_id"));
	json_set(action, "text", slk_copy(json_get(button, "text")));
	json_set_str(action, "value", json_get_str(button, "value"));
	json_set_str(action, "style", json_get_str(button, "style"));
	json_set_str(action, "type", "button");
	json_set_str(action, "action_ts", ts);
	json_object_array_add(array, action);
	json_set(o, "actions", array);
}

static struct json_object *make_payload(struct slk_world *w, const struct slk_context *s,
    struct slk_message *m, struct json_object *button, struct json_object *block, struct json_object *values,
    const struct slk_response_url *h)
{
	struct json_object *o = json_object_new_object(), *state = json_object_new_object();

	json_set_str(o, "type", "block_actions");
	set_object(o, "user", s->user->id, "username", s->user->name);
	json_set_str(json_get_object(o, "user"), "name", s->user->name);
	json_set_str(json_get_object(o, "user"), "team_id", SLK_TEAM);
	json_set_str(o, "api_app_id", m->app->app_id);
	json_set_str(o, "token", "playground-verification-token");
	set_container(o, s, m);
	set_trigger(o, w);
	set_object(o, "team", SLK_TEAM, "domain", "playground");
	set_object(o, "channel", s->conv->id, "name", s->conv->name ? s->conv->name : "directmessage");
	json_set_bool(o, "is_enterprise_install", false);
	if (m->ephemeral[0] == '\0')
		json_set(o, "message", slk_message_json(s->conv, m, true));
	json_set(state, "values", values ? slk_copy(values) : json_object_new_object());
	json_set(o, "state", state);
	set_url(o, w, "actions", h);
	set_actions(o, w, button, block);
	return o;
}

static int press_button(struct slk_world *w, const struct slk_context *s, struct slk_message *m,
    const char *what, struct json_object *values, struct error *err)
{
	struct json_object *block,
	    *button = slk_blocks_find_button(json_get_array(m->o, "blocks"), what, &block);
	struct slk_response_url *h;

	if (!button || !m->app)
		return error_set(err, ERROR_OURS, "that message has no button \"%.80s\"", what);
	if (m->ephemeral[0] != '\0' && strcmp(m->ephemeral, s->user->id) != 0)
		return error_set(err, ERROR_OURS, "%.64s does not see that message", s->user->name);
	h = slk_response_url_new(m->app, s->conv, s->user, m->ts, m->thread);
	if (!slk_envelope_ask(m->app, SLK_INTERACTIVE, make_payload(w, s, m, button, block, values, h), h))
		return error_set(
		    err, ERROR_OURS, "the app is not connected: the platform shows a warning sign");
	return 0;
}

/* Presses the stop button of a streamed message. */
static int press_stop(const struct slk_conv *c, struct slk_message *m, struct error *err)
{
	if (!slk_message_streams(m))
		return error_set(err, ERROR_OURS, "that message is not being streamed");
	m->stream = SLK_STREAM_STOPPED;
	json_set_str(m->o, "streaming_state", "completed");
	slk_show_message(c, m, "edited");
	return 0;
}

int slk_control_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const members[] = {
	    "platform", "bot", "chat", "user", "kind", "message_id", "button", "values", NULL};
	const char *button = json_get_str(in, "button");
	struct slk_message *m;
	struct slk_context s;

	(void)out;
	if (members_check(in, members, err) != 0 || slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (!s.user || !button)
		return error_set(err, ERROR_OURS, "say which \"user\" presses which \"button\"");
	m = slk_context_message(&s, in, "message_id", err);
	if (!m)
		return -1;
	if (strcmp(button, "stop") == 0 && m->stream != SLK_STREAM_NONE)
		return press_stop(s.conv, m, err);
	return press_button(self, &s, m, button, json_get_object(in, "values"), err);
}

static struct json_object *make_command(struct slk_world *w, const struct slk_context *s, const char *command,
    const char *text, const struct slk_response_url *h)
{
	struct json_object *o = json_object_new_object();
	struct buf typed = BUF_INIT;

	slk_text_typed(w, text, &typed);
	json_set_str(o, "token", "playground-verification-token");
	json_set_str(o, "team_id", SLK_TEAM);
	json_set_str(o, "team_domain", "playground");
	json_set_str(o, "channel_id", s->conv->id);
	json_set_str(o, "channel_name", s->conv->name ? s->conv->name : "directmessage");
	json_set_str(o, "user_id", s->user->id);
	json_set_str(o, "user_name", s->user->name);
	json_set_str(o, "command", command);
	json_set_str(o, "text", typed.data);
	json_set_str(o, "api_app_id", s->app->app_id);
	json_set_str(o, "is_enterprise_install", "false");
	set_url(o, w, "commands", h);
	set_trigger(o, w);
	buf_clear(&typed);
	return o;
}

/* A slash command leaves no message, and does not work in threads. */
int slk_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const members[] = {
	    "platform", "bot", "chat", "user", "kind", "command", "text", NULL};
	const char *command = json_get_str(in, "command"), *text = json_get_str(in, "text");
	const struct slk_world *w = self;
	struct slk_context s;
	struct slk_response_url *h;

	if (members_check(in, members, err) != 0 || slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user || !command || command[0] != '/' || command[1] == '\0')
		return error_set(
		    err, ERROR_OURS, "say which \"user\" gives which \"command\", such as /agent");
	if (!slk_settings_command(&w->set, command))
		return error_set(err, ERROR_OURS,
		    "%.32s is not a valid command: the app declares none of that name", command);
	h = slk_response_url_new(s.app, s.conv, s.user, 0, 0);
	json_set_str(out, "chat_id", s.conv->id);
	json_set_str(out, "user_id", s.user->id);
	if (!slk_envelope_ask(
		s.app, SLK_SLASH_COMMANDS, make_command(self, &s, command, text ? text : "", h), h))
		return error_set(err, ERROR_OURS,
		    "%.60s failed with the error \"dispatch_failed\": the app is not connected", command);
	return 0;
}
