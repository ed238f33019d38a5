#include <string.h>

#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

/* The channel that the person sees beside the thread; nothing without one. */
static int read_context(
    struct slk_world *w, struct json_object *in, struct json_object **context, struct error *err)
{
	struct slk_wish wish = {.chat = members_string(in, "context")};
	struct slk_conv *c = NULL;

	*context = json_object_new_object();
	if (wish.chat && !(c = slk_conv_look(w, &wish, err))) {
		json_object_put(*context);
		return -1;
	}
	if (c)
		json_setf(*context, "channel_id: %s, team_id: %s, enterprise_id: null", c->id, SLK_TEAM);
	return 0;
}

/* Undocumented: the first message of the thread, by the app itself; as in samples of Slack's Java SDK. */
static struct slk_message *open_thread(const struct slk_context *s)
{
	struct slk_message *m = slk_message_add(s->conv, s->app, NULL, 0);

	json_setf(m->o,
	    "subtype: 'assistant_app_thread', text: 'New Assistant Thread', assistant_app_thread: %p",
	    json_newf("{title: 'New Assistant Thread'}"));
	m->notice = true;
	slk_show_message(s->conv, m, "new");
	return m;
}

/* A person opens the app's thread; with "thread", goes elsewhere while it is open. "context": the channel
 * that the person sees. */
int slk_control_assistant(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *thread = members_string(in, "thread"), *user = members_string(in, "user");
	struct json_object *context, *o;
	struct slk_context s;
	struct slk_message *m;

	if (user && !members_string(in, "chat"))
		json_set_str(in, "chat", user);
	if (slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (s.conv->kind != SLK_IM)
		return error_set(err, ERROR_OURS, "an app's thread is in a direct message with it");
	m = thread ? slk_context_message(&s, in, "thread", err) : NULL;
	if ((thread && !m) || read_context(self, in, &context, err) != 0)
		return -1;
	if (!m)
		m = open_thread(&s);
	o = slk_conv_assistant(s.conv, m->ts, true);
	json_set(o, "context", json_object_get(context));
	slk_event_send(s.conv,
	    json_newf(
		"{type: %s, assistant_thread: {user_id: %s, context: %p, channel_id: %s, thread_ts: %s}}",
		thread ? "assistant_thread_context_changed" : "assistant_thread_started", s.user->id, context,
		s.conv->id, json_get_str(m->o, "ts")));
	json_setf(
	    out, "chat_id: %s, thread: %s, user_id: %s", s.conv->id, json_get_str(m->o, "ts"), s.user->id);
	return 0;
}

int slk_assistant_press(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *button = json_get_str(in, "button"), *thread = members_string(in, "thread");
	struct slk_context s;
	int64_t ts;

	if (slk_context_read(self, in, false, &s, err) != 0)
		return -1;
	if (!slk_read_ts(thread, &ts))
		return error_set(err, ERROR_OURS, "thread is the ts of its first message");
	json_each(json_get_array(slk_conv_assistant(s.conv, ts, false), "prompts"), prompt) {
		const char *text = json_get_str(prompt, "message");

		if (strcmp(json_get_str(prompt, "title"), button) != 0 && strcmp(text, button) != 0)
			continue;
		json_set_str(in, "text", text);
		return slk_control_say(self, in, out, err);
	}
	return error_set(err, ERROR_OURS, "no prompt \"%.80s\" is suggested in that thread", button);
}
