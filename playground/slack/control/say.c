#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "playground/slack/control/control.h"
#include "playground/slack/methods/compose.h"

#define FILES_MAX 10

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

/* Reads one {"name","base64" or "size"}; NULL with err set. */
static struct slk_file *read_file(
    struct slk_world *w, const struct slk_context *s, struct json_object *o, struct error *err)
{
	const char *name = json_get_str(o, "name"), *text = json_get_str(o, "base64");
	int64_t size = json_get_int(o, "size", -1);
	struct buf data = BUF_INIT;
	struct slk_file *f;

	if (!name || (!text) == (size < 0) || (text && base64_decode(&data, text, strlen(text)) != 0)) {
		buf_clear(&data);
		error_set(err, ERROR_OURS, "a file is {\"name\":…,\"base64\":…}, or {\"name\":…,\"size\":…}");
		return NULL;
	}
	f = slk_file_new(w, name, text ? data.len : (size_t)size);
	if (text && data.len > 0)
		f->data = buf_take(&data);
	f->user = s->user;
	f->state = SLK_FILE_COMPLETE;
	buf_clear(&data);
	return f;
}

static int read_files(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct slk_file *out[FILES_MAX], size_t *count, struct error *err)
{
	struct json_object *files = json_get_array(in, "files");

	*count = files ? json_object_array_length(files) : 0;
	if (*count > FILES_MAX)
		return error_set(err, ERROR_OURS, "a message has at most %d files", FILES_MAX);
	for (size_t i = 0; i < *count; i++) {
		out[i] = read_file(w, s, json_object_array_get_idx(files, i), err);
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

static void answer(struct json_object *out, const struct slk_context *s, const struct slk_message *m)
{
	json_set_str(out, "message_id", json_get_str(m->o, "ts"));
	json_set_str(out, "chat_id", s->conv->id);
	json_set_str(out, "user_id", s->user->id);
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
	json_set_str(m->o, "bot_id", "B0PLAYGROUND");
	json_set_str(m->o, "username", m->user->name);
}

static int say_new(struct slk_world *w, const struct slk_context *s, struct json_object *in,
    struct json_object *out, struct error *err)
{
	struct slk_file *files[FILES_MAX];
	struct buf text = BUF_INIT;
	struct slk_message *m;
	int64_t thread;
	size_t count;
	int ret = -1;

	if (read_text(w, in, &text, err) != 0 || read_thread(s, in, &thread, err) != 0 ||
	    read_files(w, s, in, files, &count, err) != 0)
		goto out;
	if (text.len == 0 && count == 0) {
		error_set(err, ERROR_OURS, "say what: \"text\" or \"files\"");
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
	slk_event_message(s->conv, m);
	slk_event_links(s->conv, m);
	answer(out, s, m);
	ret = 0;
out:
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
	o = json_object_new_object();
	json_set_str(o, "title", "A page");
	json_set_str(o, "from_url", "https://example.com/");
	json_set_int(o, "id", 1);
	json_object_array_add(list, o);
	json_set(m->o, "attachments", list);
	slk_show_message(s->conv, m, "edited");
	slk_event_changed(s->conv, m, before);
	answer(out, s, m);
	return 0;
}

int slk_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	static const char *const members[] = {"platform", "bot", "chat", "user", "text", "source", "kind",
	    "thread", "reply_to", "edit", "files", "broadcast", "subtype", "unfurl", NULL};
	struct slk_context s;

	if (members_check(in, members, err) != 0 || slk_context_read(self, in, true, &s, err) != 0)
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
