#include <string.h>

#include "base/buf.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

void slk_transcript_chats(void *self, struct json_object *array)
{
	struct slk_world *w = self;

	list_each_entry(&w->convs, struct slk_conv, c, link) {
		struct json_object *o = json_newf("{platform: 'slack', chat: %s, kind: %s, title: %s}", c->id,
		    slk_conv_control_kind(c), c->user ? c->user->name : c->name);

		if (c->user) {
			json_set_str(o, "user", c->user->name);
			json_set_str(o, "bot", c->app->app_id);
		}
		json_object_array_add(array, o);
	}
}

/* 0: no thread was requested. */
static int read_thread(struct json_object *in, int64_t *thread, struct error *err)
{
	const char *text = members_string(in, "thread");

	*thread = 0;
	if (text && !slk_read_ts(text, thread))
		return error_set(err, ERROR_OURS, "thread is the ts of its first message");
	return 0;
}

static bool is_in_thread(const struct slk_message *m, int64_t thread)
{
	return thread == 0 || m->thread == thread || m->ts == thread;
}

/* Blocks are shown instead of the text, if they contain text. */
static void see(struct slk_world *w, const struct slk_message *m, struct buf *out)
{
	struct buf source = BUF_INIT;

	slk_blocks_write_text(json_get_array(m->o, "blocks"), &source);
	if (source.len == 0)
		buf_addstr(&source, slk_message_text(m));
	slk_text_seen(w, source.data, out);
	buf_clear(&source);
}

static void write_string(struct buf *out, const char *key, const char *value)
{
	buf_addf(out, ",\"%s\":", key);
	if (value)
		json_quote(out, value, strlen(value));
	else
		buf_addstr(out, "null");
}

static void write_files(const struct slk_message *m, struct buf *out)
{
	struct json_object *files = json_get_array(m->o, "files");

	buf_addstr(out, ",\"files\":[");
	for (size_t i = 0; i < json_count(files); i++) {
		struct json_object *f = json_at(files, i);

		buf_addf(out, "%s{\"id\":\"%s\",\"size\":%lld", i > 0 ? "," : "", json_get_str(f, "id"),
		    (long long)json_get_int(f, "size", 0));
		write_string(out, "name", json_get_str(f, "name"));
		write_string(out, "title", json_get_str(f, "title"));
		write_string(out, "kind", json_get_str(f, "subtype") ? "voice" : json_get_str(f, "filetype"));
		buf_addch(out, '}');
	}
	buf_addch(out, ']');
}

static void write_reactions(struct slk_world *w, const struct slk_message *m, struct buf *out)
{
	struct json_object *all = json_get_array(m->o, "reactions");
	const char *comma = "";

	buf_addstr(out, ",\"reactions\":[");
	json_each(all, o) {
		struct json_object *users = json_get_array(o, "users");

		json_each(users, item) {
			const char *id = json_object_get_string(item);
			const struct slk_user *u = slk_find_user(w, id);
			const struct slk_app *a = slk_app_find(w, id);

			buf_addf(out, "%s{\"bot\":%s", comma, a ? "true" : "false");
			write_string(out, "emoji", json_get_str(o, "name"));
			write_string(out, "from", u ? u->name : a ? a->name : id);
			buf_addch(out, '}');
			comma = ",";
		}
	}
	buf_addch(out, ']');
}

void slk_transcript_write_message(struct slk_world *w, struct slk_message *m, struct buf *out)
{
	const char *thread = json_get_str(m->o, "thread_ts"), *parent = m->thread != 0 ? thread : NULL;
	struct buf text = BUF_INIT;

	see(w, m, &text);
	buf_addf(out, "{\"id\":\"%s\",\"bot\":%s,\"edits\":%d,\"deleted\":%s,\"date\":%lld",
	    json_get_str(m->o, "ts"), m->app ? "true" : "false", m->edits,
	    m->deleted || m->tombstone ? "true" : "false", (long long)(m->ts / 1000000));
	write_string(out, "from", slk_message_author(m));
	write_string(out, "text", text.data);
	write_string(out, "source", slk_message_text(m));
	write_string(out, "thread", parent);
	write_string(out, "reply_to", parent);
	write_string(out, "subtype", json_get_str(m->o, "subtype"));
	if (m->ephemeral[0] != '\0')
		write_string(out, "only_for", m->ephemeral);
	if (json_get(m->o, "pinned_to"))
		buf_addstr(out, ",\"pinned\":true");
	if (json_get(m->o, "attachments")) {
		buf_addstr(out, ",\"attachments\":");
		json_write(out, json_get(m->o, "attachments"));
	}
	if (m->stream != SLK_STREAM_NONE)
		buf_addf(out, ",\"streaming\":%s", slk_message_streams(m) ? "true" : "false");
	buf_addstr(out, ",\"buttons\":[");
	slk_blocks_write_buttons(json_get_array(m->o, "blocks"), out);
	buf_addstr(out, "],\"blocks\":");
	json_write(out, json_get_array(m->o, "blocks"));
	if (m->metadata) {
		buf_addstr(out, ",\"metadata\":");
		json_write(out, m->metadata);
	}
	write_files(m, out);
	write_reactions(w, m, out);
	buf_addch(out, '}');
	buf_clear(&text);
}

int slk_transcript_write(void *self, struct json_object *in, struct buf *out, struct error *err)
{
	const char *comma = "", *status;
	struct slk_context s;
	int64_t thread;

	if (slk_context_read(self, in, false, &s, err) != 0 || read_thread(in, &thread, err) != 0)
		return -1;
	buf_addstr(out, "{\"ok\":true,\"messages\":[");
	for (size_t i = 0; i < s.conv->count; i++) {
		if (!is_in_thread(s.conv->messages[i], thread))
			continue;
		buf_addstr(out, comma);
		slk_transcript_write_message(self, s.conv->messages[i], out);
		comma = ",";
	}
	status = slk_conv_status(s.conv, thread);
	buf_addf(out, "],\"drafts\":[],\"chat\":\"%s\",\"kind\":\"%s\",\"typing\":%s", s.conv->id,
	    slk_conv_control_kind(s.conv), status ? "true" : "false");
	write_string(out, "status", status);
	slk_sessions_settle(s.conv);
	if (s.conv->assistants) {
		buf_addstr(out, ",\"assistant\":");
		json_write(out, s.conv->assistants);
	}
	buf_addch(out, '}');
	return 0;
}

int slk_transcript_progress(
    void *self, struct json_object *in, struct platform_progress *p, struct error *err)
{
	struct slk_context s;
	int64_t thread;

	if (slk_context_read(self, in, false, &s, err) != 0 || read_thread(in, &thread, err) != 0)
		return -1;
	for (size_t i = 0; i < s.conv->count; i++) {
		struct slk_message *m = s.conv->messages[i];
		struct buf text = BUF_INIT;

		if (m->deleted || m->tombstone || m->notice || !is_in_thread(m, thread))
			continue;
		p->messages++;
		p->bot_messages += m->app != NULL;
		if (!m->app || !p->contains)
			continue;
		see(self, m, &text);
		p->found |= strstr(text.data, p->contains) != NULL;
		buf_clear(&text);
	}
	return 0;
}
