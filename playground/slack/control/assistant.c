#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

/* The channel that the person sees beside the thread; nothing without one. */
static int read_context(
    struct slk_world *w, struct json_object *in, struct json_object **context, struct error *err)
{
	struct slk_conv_query query = {.chat = members_string(in, "context")};
	struct slk_conv *c = NULL;

	*context = json_object_new_object();
	if (query.chat && !(c = slk_conv_lookup(w, &query, err))) {
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

/* Stops what the agent streams in the thread; returns the messages. */
static struct json_object *stop_streams(struct slk_conv *c, const struct slk_app *agent, int64_t thread)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < c->count; i++) {
		struct slk_message *m = c->messages[i];

		if (m->app != agent || m->thread != thread || !slk_message_streams(m))
			continue;
		slk_message_stop_stream(c, m);
		json_object_array_add(list, json_object_new_string(json_get_str(m->o, "ts")));
	}
	return list;
}

/* The event of one agent: that its session has another title than before, or is stopped. */
static struct json_object *session_event(
    const struct slk_context *s, const struct slk_message *root, const char *type)
{
	char ts[SLK_ID_SIZE];

	slk_write_ts(slk_new_ts(s->conv->world), ts);
	return json_newf("{type: %s, channel: %s, user: %s, thread_ts: %s, event_ts: %s}", type, s->conv->id,
	    s->user->id, json_get_str(root->o, "ts"), ts);
}

static int rename_session(const struct slk_context *s, const struct slk_message *root,
    struct json_object *session, const char *title, struct error *err)
{
	char *before = xstrdup(json_get_str(session, "title"));

	if (utf8_count(title, strlen(title), UTF8_CHARS) > SLK_SESSION_TITLE_MAX) {
		free(before);
		return error_set(err, ERROR_OURS, "a title has at most %d characters", SLK_SESSION_TITLE_MAX);
	}
	slk_conv_set_title(s->conv, root->ts, title);
	list_each_entry(&s->conv->world->apps, struct slk_app, a, link) {
		struct json_object *o;

		if (!slk_session_agent(session, a))
			continue;
		o = session_event(s, root, "agent_session_title_changed");
		json_setf(o, "team_id: %s, title: %s, previous_title: %s", SLK_TEAM, title, before);
		slk_event_send_to(a, o);
	}
	free(before);
	return 0;
}

/* docs.slack.dev/reference/events/agent_session_stopped: the status stays until the agent changes it. */
static int stop_session(const struct slk_context *s, const struct slk_message *root,
    struct json_object *session, struct error *err)
{
	size_t stopped = 0;

	list_each_entry(&s->conv->world->apps, struct slk_app, a, link) {
		const char *status = slk_session_agent(session, a);
		struct json_object *o;

		if (!status || strcmp(status, "processing") != 0)
			continue;
		o = session_event(s, root, "agent_session_stopped");
		json_set(o, "streaming_message_ts", stop_streams(s->conv, a, root->ts));
		slk_event_send_to(a, o);
		stopped++;
	}
	return stopped > 0 ? 0 : error_set(err, ERROR_OURS, "no agent is processing in that thread");
}

static int change_session(
    const struct slk_context *s, struct json_object *in, const char *title, bool stop, struct error *err)
{
	const struct slk_message *root = slk_context_message(s, in, "thread", err);
	struct json_object *session = root ? slk_session_find(s->conv, root->ts) : NULL;

	if (!root)
		return -1;
	if (!session || !s->user)
		return error_set(err, ERROR_OURS,
		    session ? "say which \"user\" acts" : "no agent has a session in that thread");
	if (title && rename_session(s, root, session, title, err) != 0)
		return -1;
	return stop ? stop_session(s, root, session, err) : 0;
}

/* A person opens the app's thread; with "thread", goes elsewhere while it is open. "context": the channel
 * that the person sees. Of a session, in any thread: "title" renames it, "stop" stops its agents. */
int slk_control_assistant(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	const char *thread = members_string(in, "thread"), *user = members_string(in, "user"),
		   *title = members_string(in, "title");
	bool stop = json_get_bool(in, "stop", false);
	struct json_object *context, *o;
	struct slk_context s;
	struct slk_message *m;

	if (user && !members_string(in, "chat"))
		json_set_str(in, "chat", user);
	if (slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (title || stop)
		return change_session(&s, in, title, stop, err);
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
