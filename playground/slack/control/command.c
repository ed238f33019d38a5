#include <string.h>

#include "base/buf.h"
#include "playground/slack/control/control.h"
#include "playground/slack/socket/socket.h"

static struct json_object *make_command(struct slk_world *w, const struct slk_context *s, const char *command,
    const char *text, const struct slk_response_url *h)
{
	struct json_object *o = json_object_new_object();
	struct buf typed = BUF_INIT;

	slk_text_typed(w, text, &typed);
	json_setf(o,
	    "token: %s, team_id: %s, team_domain: 'playground', channel_id: %s, channel_name: %s, user_id: "
	    "%s, user_name: %s, command: %s, text: %s, api_app_id: %s",
	    SLK_VERIFICATION, SLK_TEAM, s->conv->id, s->conv->name ? s->conv->name : "directmessage",
	    s->user->id, s->user->name, command, typed.data, s->app->app_id);
	json_setf(o, "is_enterprise_install: 'false', trigger_id: %s", slk_trigger_new(s->app, s->user)->id);
	slk_response_url_write(h, "commands", o);
	buf_clear(&typed);
	return o;
}

/* A slash command leaves no message, and does not work in threads. */
int slk_control_command(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *command = json_get_str(in, "command"), *text = json_get_str(in, "text");
	const struct slk_world *w = self;
	struct slk_context s;
	struct slk_response_url *h;

	if (slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user || !command || command[0] != '/' || command[1] == '\0')
		return error_set(
		    err, ERROR_OURS, "say which \"user\" gives which \"command\", such as /agent");
	if (!slk_settings_command(&w->set, command))
		return error_set(err, ERROR_OURS,
		    "%.32s is not a valid command: the app declares none of that name", command);
	h = slk_response_url_new(s.app, s.conv, s.user, 0, 0);
	json_setf(out, "chat_id: %s, user_id: %s", s.conv->id, s.user->id);
	if (!slk_envelope_ask(s.app,
		&(struct slk_ask){.type = SLK_SLASH_COMMANDS,
		    .payload = make_command(self, &s, command, text ? text : "", h),
		    .answer = slk_response_url_answer,
		    .key = h->secret}))
		return error_set(err, ERROR_OURS,
		    "%.60s failed with the error \"dispatch_failed\": the app is not connected", command);
	return 0;
}

/* Sets what a message shortcut has besides; the message may be anybody's. */
static void add_message(struct json_object *o, const struct slk_context *s, const struct slk_message *m)
{
	json_set_str(o, "message_ts", json_get_str(m->o, "ts"));
	slk_response_url_write(slk_response_url_new(s->app, s->conv, s->user, m->ts, m->thread), "app", o);
}

/* Without a message it is a global shortcut, which belongs to no conversation. */
int slk_control_shortcut(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *callback = json_get_str(in, "callback_id");
	struct slk_interaction who = {0};
	struct json_object *o;
	struct slk_context s;
	char ts[SLK_ID_SIZE];

	(void)out;
	if (members_string(in, "message_id")) {
		if (slk_context_read(self, in, false, &s, err) != 0)
			return -1;
		who.conv = s.conv;
		who.message = slk_context_message(&s, in, "message_id", err);
		if (!who.message)
			return -1;
	} else if (slk_context_person(self, in, &s, err) != 0) {
		return -1;
	}
	if (!s.user || !callback)
		return error_set(
		    err, ERROR_OURS, "say which \"user\" runs the shortcut with which \"callback_id\"");
	who.app = s.app;
	who.user = s.user;
	o = slk_interaction_new(&who, who.message ? "message_action" : "shortcut");
	json_set_str(o, "callback_id", callback);
	slk_write_ts(slk_new_ts(self), ts);
	json_set_str(o, "action_ts", ts);
	if (who.message)
		add_message(o, &s, who.message);
	return slk_envelope_ask(s.app, &(struct slk_ask){.type = SLK_INTERACTIVE, .payload = o}) ?
	    0 :
	    slk_interaction_fail(callback, err);
}
