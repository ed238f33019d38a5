#include <stdlib.h>
#include <string.h>

#include "playground/slack/methods/compose.h"
#include "playground/slack/world/world_internal.h"

struct json_object *slk_copy(struct json_object *o)
{
	struct json_object *copy = NULL;

	json_object_deep_copy(o, &copy, NULL);
	return copy;
}

struct slk_message *slk_message_load(struct slk_conv *c, int64_t ts, int64_t thread)
{
	struct slk_message *m = xcalloc(1, sizeof(*m));

	m->ts = ts;
	m->thread = thread;
	if (c->count == c->cap) {
		c->cap = c->cap != 0 ? c->cap * 2 : 16;
		c->messages = xrealloc(c->messages, c->cap * sizeof(struct slk_message *));
	}
	c->messages[c->count++] = m;
	return m;
}

struct slk_message *slk_message_add(struct slk_conv *c, struct slk_app *a, struct slk_user *u, int64_t thread)
{
	struct slk_message *m = slk_message_load(c, slk_new_ts(c->world), thread), *root;
	char ts[SLK_ID_SIZE];

	m->app = a;
	m->user = u;
	m->o = json_object_new_object();
	slk_write_ts(m->ts, ts);
	json_set_str(m->o, "type", "message");
	json_set_str(m->o, "user", u ? u->id : a ? a->user_id : NULL);
	json_setf(m->o, "ts: %s, team: %s", ts, SLK_TEAM);
	if (a) {
		json_set_str(m->o, "bot_id", a->bot_id);
		json_setf(m->o, "app_id: %s, bot_profile: %p", a->app_id, slk_app_profile_json(a));
	}
	if (thread != 0) {
		slk_write_ts(thread, ts);
		json_set_str(m->o, "thread_ts", ts);
		root = slk_message_find(c, thread);
		if (root)
			json_set_str(m->o, "parent_user_id", json_get_str(root->o, "user"));
	}
	slk_show_message(c, m, "new");
	return m;
}

void slk_message_free(struct slk_message *m)
{
	json_object_put(m->o);
	json_object_put(m->metadata);
	json_object_put(m->kept);
	free(m);
}

static int compare_ts(const void *key, const void *item)
{
	int64_t a = *(const int64_t *)key, b = (*(struct slk_message *const *)item)->ts;

	return (a > b) - (a < b);
}

struct slk_message *slk_message_find(const struct slk_conv *c, int64_t ts)
{
	struct slk_message **m = c->count > 0 ?
	    bsearch(&ts, c->messages, c->count, sizeof(struct slk_message *), compare_ts) :
	    NULL;

	return m && !(*m)->deleted && (*m)->ephemeral[0] == '\0' ? *m : NULL;
}

const char *slk_message_text(const struct slk_message *m)
{
	const char *text = json_get_str(m->o, "text");

	return text ? text : "";
}

char *slk_message_link(const struct slk_conv *c, const struct slk_message *m)
{
	const char *thread = json_get_str(m->o, "thread_ts");

	return thread ? xasprintf("https://playground.slack.com/archives/%s/p%" PRId64 "?thread_ts=%s&cid=%s",
			    c->id, m->ts, thread, c->id) :
			xasprintf("https://playground.slack.com/archives/%s/p%" PRId64, c->id, m->ts);
}

const char *slk_message_author(const struct slk_message *m)
{
	const char *username = json_get_str(m->o, "username");

	if (username)
		return username;
	return m->user ? m->user->name : m->app ? m->app->name : "slack";
}

bool slk_message_streams(struct slk_message *m)
{
	if (m->stream == SLK_STREAM_OPEN && m->stream_until_ms <= clock_now())
		m->stream = SLK_STREAM_ENDED;
	return m->stream == SLK_STREAM_OPEN;
}

void slk_message_stop_stream(const struct slk_conv *c, struct slk_message *m)
{
	m->stream = SLK_STREAM_STOPPED;
	json_set_str(m->o, "streaming_state", "completed");
	slk_show_message(c, m, "edited");
}

static bool is_reply(const struct slk_message *r, const struct slk_message *m)
{
	return r->thread == m->ts && !r->deleted && r->ephemeral[0] == '\0';
}

size_t slk_message_replies(const struct slk_conv *c, const struct slk_message *m)
{
	size_t n = 0;

	for (size_t i = 0; m->thread == 0 && i < c->count; i++)
		n += is_reply(c->messages[i], m);
	return n;
}

static void add_counts(const struct slk_conv *c, const struct slk_message *m, struct json_object *o)
{
	size_t replies = slk_message_replies(c, m);
	struct json_object *users = json_object_new_array();
	char ts[SLK_ID_SIZE];

	for (size_t i = 0; replies > 0 && i < c->count; i++) {
		const char *user =
		    is_reply(c->messages[i], m) ? json_get_str(c->messages[i]->o, "user") : NULL;
		size_t n = 0;

		if (!user)
			continue;
		slk_write_ts(c->messages[i]->ts, ts);
		while (n < json_count(users) && strcmp(json_object_get_string(json_at(users, n)), user) != 0)
			n++;
		if (n == json_count(users))
			json_object_array_add(users, json_object_new_string(user));
	}
	if (replies == 0) {
		json_object_put(users);
		return;
	}
	json_set_str(o, "latest_reply", ts);
	slk_write_ts(m->ts, ts);
	json_setf(o,
	    "thread_ts: %s, reply_count: %jd, reply_users_count: %jd, reply_users: %p, is_locked: false, "
	    "subscribed: false",
	    ts, (int64_t)replies, (int64_t)json_count(users), users);
}

struct json_object *slk_message_json(const struct slk_conv *c, const struct slk_message *m, bool metadata)
{
	struct json_object *o = slk_copy(m->o), *session = m->thread == 0 ? slk_session_find(c, m->ts) : NULL;

	if (m->thread == 0)
		add_counts(c, m, o);
	if (session)
		json_set(o, "agent_session", slk_session_json(session));
	if (metadata && m->metadata)
		json_set(o, "metadata", json_object_get(m->metadata));
	return o;
}

void slk_message_edit(
    struct slk_conv *c, struct slk_message *m, const struct slk_content *content, const char *editor)
{
	struct json_object *before = slk_copy(m->o), *edited = json_object_new_object();
	char ts[SLK_ID_SIZE];

	slk_content_set(content, m);
	slk_write_ts(slk_new_ts(c->world), ts);
	json_setf(edited, "user: %s, ts: %s", editor, ts);
	json_set(m->o, "edited", edited);
	m->edits++;
	slk_show_message(c, m, "edited");
	if (m->ephemeral[0] == '\0')
		slk_event_changed(c, m, before);
	else
		json_object_put(before);
}

/* The root of a thread leaves a placeholder of the platform behind. */
static void bury(struct slk_message *m)
{
	static const char *const gone[] = {
	    "blocks", "files", "attachments", "bot_id", "app_id", "bot_profile", "edited"};

	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		json_object_object_del(m->o, gone[i]);
	json_setf(m->o, "subtype: 'tombstone', user: 'USLACKBOT', text: 'This message was deleted.'");
	m->app = NULL;
	m->user = NULL;
	m->tombstone = true;
}

void slk_message_delete(struct slk_conv *c, struct slk_message *m)
{
	if (m->ephemeral[0] == '\0')
		slk_event_deleted(c, m);
	m->stream = SLK_STREAM_NONE;
	if (slk_message_replies(c, m) > 0)
		bury(m);
	else
		m->deleted = true;
	slk_show_message(c, m, "deleted");
}
