#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

#define FILES_MAX     10
#define FILE_SIZE_MAX 1000000000 /* Slack help centre, "Add files to Slack": 1 GB */

/* "text" as typed, or "source": raw mrkdwn. */
static int read_text(struct slk_world *w, struct json_object *in, struct buf *out, struct error *err)
{
	const char *text = json_get_str(in, "text"), *source = json_get_str(in, "source");

	if (source)
		buf_addstr(out, source);
	else if (text)
		slk_text_typed(w, text, out);
	return utf8_count(out->data, out->len, UTF8_CHARS) > SLK_TEXT_MAX ?
	    error_set(err, ERROR_OURS, "the text has more than %d characters", SLK_TEXT_MAX) :
	    0;
}

/* Clients also send what people type as rich text. */
static void set_rich_text(struct slk_message *m, const char *text)
{
	struct json_object *blocks = json_object_new_array();

	json_object_array_add(blocks, slk_rich_text(text));
	slk_blocks_complete(blocks);
	json_set(m->o, "blocks", blocks);
}

struct slk_file *slk_upload(
    struct slk_world *w, struct slk_user *user, struct json_object *o, struct error *err)
{
	struct given_file given;
	struct slk_file *f;

	if (given_file_read(o, FILE_SIZE_MAX, &given, err) != 0)
		return NULL;
	f = slk_file_new(w, given.name, given.len);
	f->data = given.data;
	f->user = user;
	f->state = SLK_FILE_COMPLETE;
	if (given_file_is(&given, "voice"))
		f->clip_ms = given.duration > 0 ? (int64_t)(given.duration * 1000) : 1000;
	return f;
}

static int read_files(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct slk_file *out[FILES_MAX], size_t *count, struct error *err)
{
	struct json_object *files = json_get_array(in, "files");

	*count = json_count(files);
	if (*count > FILES_MAX)
		return error_set(err, ERROR_OURS, "a message has at most %d files", FILES_MAX);
	for (size_t i = 0; i < *count; i++) {
		out[i] = slk_upload(w, s->user, json_at(files, i), err);
		if (!out[i])
			return -1;
	}
	return 0;
}

/* "thread" is the ts of its root; "reply_to" is any message, whose thread is used. */
static int read_thread(
    const struct slk_context *s, struct json_object *in, int64_t *thread, struct error *err)
{
	const char *key = members_string(in, "thread") ? "thread" : "reply_to";
	struct slk_message *m;

	*thread = 0;
	if (!members_string(in, key))
		return 0;
	m = slk_context_message(s, in, key, err);
	if (!m)
		return -1;
	*thread = m->thread != 0 ? m->thread : m->ts;
	return 0;
}

/* A shared message becomes an attachment: what it says, by whom and where. */
static struct json_object *share_json(const struct slk_conv *c, const struct slk_message *m)
{
	struct json_object *list = json_object_new_array(), *o = json_object_new_object(), *only, *block,
			   *shared;
	const char *text = slk_message_text(m), *ts = json_get_str(m->o, "ts"),
		   *author = slk_message_author(m);
	char *link = slk_message_link(c, m), *fallback = xasprintf("%s: %s", author, text);

	json_setf(o,
	    "id: 1, ts: %s, author_id: %s, author_name: %s, author_subname: %s, channel_id: %s, "
	    "channel_name: %s, channel_team: %s, is_msg_unfurl: true, is_share: true",
	    ts, json_get_str(m->o, "user"), author, author, c->id, c->name, SLK_TEAM);
	json_setf(o, "from_url: %s, fallback: %s, text: %s", link, fallback, text);
	if (json_get(m->o, "files"))
		json_set(o, "files", slk_copy(json_get(m->o, "files")));
	if (json_get(m->o, "blocks")) {
		only = json_object_new_array();
		block = json_object_new_object();
		shared = json_object_new_object();
		json_set(shared, "blocks", slk_copy(json_get(m->o, "blocks")));
		json_setf(block, "team: %s, channel: %s, ts: %s, message: %p", SLK_TEAM, c->id, ts, shared);
		json_object_array_add(only, block);
		json_set(o, "message_blocks", only);
	}
	json_object_array_add(list, o);
	free(fallback);
	free(link);
	return list;
}

/* "forward": {"chat"?,"message_id"}: a message of that conversation, or of this one; with "index", only that
 * file of it. Sets one of both, or none. */
static int read_forward(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct json_object **attachments, struct slk_file **file, struct error *err)
{
	struct json_object *forward = json_get_object(in, "forward"), *files;
	struct slk_conv_query query = {.chat = members_string(forward, "chat"), .app = s->app};
	const char *index = members_string(forward, "index");
	struct slk_context from = *s;
	struct slk_message *m;

	if (!forward)
		return 0;
	if (query.chat)
		from.conv = slk_conv_lookup(w, &query, err);
	m = from.conv ? slk_context_message(&from, forward, "message_id", err) : NULL;
	if (!m)
		return -1;
	if (!index) {
		*attachments = share_json(from.conv, m);
		return 0;
	}
	files = json_get_array(m->o, "files");
	if (strtoul(index, NULL, 10) < json_count(files))
		*file = slk_file_find(w, json_get_str(json_at(files, strtoul(index, NULL, 10)), "id"));
	return *file ? 0 : error_set(err, ERROR_OURS, "that message has no such file");
}

static void answer(struct json_object *out, const struct slk_context *s, const struct slk_message *m)
{
	json_setf(out, "message_id: %s, chat_id: %s, user_id: %s", json_get_str(m->o, "ts"), s->conv->id,
	    s->user->id);
}

static void set_client_id(struct slk_world *w, struct slk_message *m)
{
	char *id = xasprintf("playground-%llu", (unsigned long long)++w->last_number);

	json_set_str(m->o, "client_msg_id", id);
	free(id);
}

/* What an integration says has its name alone. */
static void set_subtype(struct json_object *in, struct slk_message *m)
{
	static const char *const gone[] = {"client_msg_id", "team", "user"};
	const char *subtype = json_get_str(in, "subtype");

	if (json_get_bool(in, "broadcast", false) && m->thread != 0)
		subtype = "thread_broadcast";
	json_set_str(m->o, "subtype", subtype);
	if (!subtype || strcmp(subtype, "bot_message") != 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		json_object_object_del(m->o, gone[i]);
	json_setf(m->o, "bot_id: 'B0PLAYGROUND', username: %s", m->user->name);
}

static int say_new(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct json_object *out, struct error *err)
{
	struct slk_file *files[FILES_MAX], *shared = NULL;
	struct json_object *attachments = NULL;
	struct buf text = BUF_INIT;
	struct slk_message *m;
	int64_t thread;
	size_t count;
	int ret = -1;

	if (read_text(w, in, &text, err) != 0 || read_thread(s, in, &thread, err) != 0 ||
	    read_forward(w, s, in, &attachments, &shared, err) != 0 ||
	    read_files(w, s, in, files, &count, err) != 0)
		goto out;
	if (text.len == 0 && count == 0 && !attachments && !shared) {
		error_set(err, ERROR_OURS, "say what: \"text\", \"files\" or \"forward\"");
		goto out;
	}
	m = slk_message_add(s->conv, NULL, s->user, thread);
	json_set_str(m->o, "text", text.data);
	set_client_id(w, m);
	set_subtype(in, m);
	if (text.len > 0 && json_get_str(in, "text"))
		set_rich_text(m, json_get_str(in, "text"));
	for (size_t i = 0; i < count; i++)
		slk_share_attach(s->conv, m, files[i]);
	if (shared)
		slk_share_attach(s->conv, m, shared);
	if (attachments)
		json_set(m->o, "attachments", json_object_get(attachments));
	slk_event_message(s->conv, m);
	slk_event_links(s->conv, m);
	answer(out, s, m);
	ret = 0;
out:
	json_object_put(attachments);
	buf_clear(&text);
	return ret;
}

static int say_edit(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct json_object *out, struct error *err)
{
	struct slk_message *m = slk_context_message(s, in, "edit", err);
	struct buf text = BUF_INIT;
	struct slk_content content = {0};
	int ret = -1;

	if (!m)
		return -1;
	if (m->user != s->user)
		return error_set(err, ERROR_OURS, "that message is by %.64s", slk_message_author(m));
	if (read_text(w, in, &text, err) == 0) {
		json_object_object_del(m->o, "blocks");
		content.text = text.data;
		slk_message_edit(s->conv, m, &content, s->user->id);
		answer(out, s, m);
		ret = 0;
	}
	buf_clear(&text);
	return ret;
}

/* What the platform does when a message has a link: message_changed with the same text. */
static int unfurl(
    const struct slk_context *s, struct json_object *in, struct json_object *out, struct error *err)
{
	struct slk_message *m = slk_context_message(s, in, "unfurl", err);
	struct json_object *before, *list, *o;

	if (!m)
		return -1;
	before = slk_copy(m->o);
	list = json_object_new_array();
	o = json_newf("{title: 'A page', from_url: 'https://example.com/', id: 1}");
	json_object_array_add(list, o);
	json_set(m->o, "attachments", list);
	slk_show_message(s->conv, m, "edited");
	slk_event_changed(s->conv, m, before);
	answer(out, s, m);
	return 0;
}

int slk_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct slk_context s;

	if (slk_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" speaks");
	if (s.conv->refusal)
		return error_set(err, ERROR_OURS, "nobody can write there: %s", s.conv->refusal);
	if (members_string(in, "unfurl"))
		return unfurl(&s, in, out, err);
	return members_string(in, "edit") ? say_edit(self, &s, in, out, err) :
					    say_new(self, &s, in, out, err);
}
