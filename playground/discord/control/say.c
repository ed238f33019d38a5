#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/methods/methods.h"

#define TEXT_MAX         4000 /* for paying users */
#define FILES_MAX        10
#define POLL_ANSWERS_MAX 10

static size_t name_len(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.')
		n++;
	while (n > 0 && s[n - 1] == '.')
		n--;
	return n;
}

/* Resolves "@name": the bot of the actor, or a person; false for nobody. */
static bool find_name(struct cord_world *w, const struct cord_context *s, const char *name, uint64_t *id)
{
	struct cord_user *u = cord_user_by_name(w, name);

	if (strcasecmp(name, "bot") == 0 || strcasecmp(name, s->bot->username) == 0)
		*id = s->bot->id;
	else if (u)
		*id = u->id;
	else
		return false;
	return true;
}

/* Clients convert "@name" to "<@id>". */
static void add_text(struct cord_world *w, const struct cord_context *s, const char *text, struct buf *out)
{
	uint64_t id = 0;

	for (; *text != '\0'; text++) {
		size_t len = text[0] == '@' ? name_len(text + 1) : 0;
		char *name = len > 0 ? xstrndup(text + 1, len) : NULL;

		if (name && find_name(w, s, name, &id)) {
			buf_addf(out, "<@%" PRIu64 ">", id);
			text += len;
		} else {
			buf_addch(out, *text);
		}
		free(name);
	}
}

static int read_text(struct cord_world *w, const struct cord_context *s, struct json_object *in,
    struct cord_message *m, struct error *err)
{
	const char *text = json_get_str(in, "text");
	struct buf out = BUF_INIT;
	size_t n;

	if (!text)
		return 0;
	add_text(w, s, text, &out);
	n = utf8_count(out.data, out.len, UTF8_CHARS);
	if (n <= TEXT_MAX)
		cord_message_set_content(m, out.data, out.len);
	buf_clear(&out);
	return n <= TEXT_MAX ? 0 :
			       error_set(err, ERROR_OURS, "a message has at most %d characters", TEXT_MAX);
}

static int read_file(struct cord_world *w, struct json_object *o, struct cord_message *m, struct error *err)
{
	struct given_file given;
	struct cord_file *f;

	if (given_file_read(o, CORD_SENT_MAX, &given, err) != 0)
		return -1;
	f = cord_file_new(w, cord_new_id(w), m->channel->id, given.name, given.type, given.data, given.len);
	if (given_file_is(&given, "voice")) {
		m->flags |= CORD_FLAG_VOICE;
		f->duration = given.duration > 0 ? given.duration : 1;
		f->waveform = xstrdup("AAAA");
	}
	cord_message_add_file(m, f);
	return 0;
}

static int read_files(struct cord_world *w, struct json_object *in, struct cord_message *m, struct error *err)
{
	struct json_object *files = json_get_array(in, "files");
	size_t count = json_count(files);

	if (count > FILES_MAX)
		return error_set(err, ERROR_OURS, "a message has at most %d files", FILES_MAX);
	for (size_t i = 0; i < count; i++)
		if (read_file(w, json_at(files, i), m, err) != 0)
			return -1;
	return 0;
}

/* Discord: resources/message, Message Snapshot: a forward has no text of its own. */
static void add_forward(struct cord_message *m, const char *text)
{
	struct json_object *list = json_object_new_array(), *snapshot = json_object_new_object(),
			   *message = json_object_new_object(), *reference = json_object_new_object();

	json_setf(message, "content: %s, type: 0, flags: 0", text);
	cord_set_time(message, "timestamp", clock_wall());
	json_setf(message, "attachments: %p, embeds: %p, mentions: %p", json_object_new_array(),
	    json_object_new_array(), json_object_new_array());
	json_set(snapshot, "message", message);
	json_object_array_add(list, snapshot);
	json_setf(reference, "type: 1, message_id: %p, channel_id: %p", cord_id_or_null(m->id - 1),
	    cord_id_or_null(m->channel->id));
	m->extra = json_newf("{message_reference: %p, message_snapshots: %p}", reference, list);
}

/* Of another chat, or of this one. */
static int read_forward(
    const struct cord_context *s, struct json_object *in, struct cord_message *m, struct error *err)
{
	struct json_object *where = json_object_new_object();
	struct cord_context from = *s;
	struct cord_message *original = NULL;
	int ret = 0;

	json_object_object_foreach(in, name, value) {
		if (strcmp(name, "message_id") != 0)
			json_set(where, name, json_object_get(value));
	}
	if (members_check(in, "chat guild message_id thread", err) != 0)
		ret = -1;
	else if (json_get(in, "chat") || json_get(in, "thread"))
		ret = cord_context_read(m->channel->world, where, false, &from, err);
	if (ret == 0)
		original = cord_context_message(&from, in, "message_id", err);
	if (original)
		cord_message_forward(m, original);
	json_object_put(where);
	return original ? 0 : -1;
}

/* A person's poll, in the form in which a bot gives one. */
static int read_poll(
    const struct cord_context *s, struct json_object *in, struct cord_message *m, struct error *err)
{
	struct exchange ex = {.problems = BUF_INIT}; /* of no client */
	struct cord_call call = {.ex = &ex, .world = m->channel->world, .bot = s->bot};
	struct json_object *body, *question, *answers;
	struct given_poll p;
	int ret;

	if (given_poll_read(in, &p, err) != 0)
		return -1;
	if (p.correct >= 0 || json_count(p.answers) > POLL_ANSWERS_MAX)
		return error_set(err, ERROR_OURS, "a poll has at most %d answers there, and none is correct",
		    POLL_ANSWERS_MAX);
	body = json_object_new_object();
	question = json_object_new_object();
	answers = json_object_new_array();
	json_set_str(question, "text", p.question);
	json_set(body, "question", question);
	json_each(p.answers, item) {
		struct json_object *o = json_object_new_object(), *media = json_object_new_object();

		json_set(media, "text", json_object_get(item));
		json_set(o, "poll_media", media);
		json_object_array_add(answers, o);
	}
	json_setf(body, "answers: %p, allow_multiselect: %i", answers, p.multiple);
	if (p.seconds > 0)
		json_set_int(body, "duration", (p.seconds + 3599) / 3600);
	ret = cord_poll_read(&call, body, m);
	if (ret != 0)
		error_set(err, ERROR_OURS, "the platform does not take that poll");
	cord_errors_clear(&call.errors);
	buf_clear(&ex.problems);
	json_object_put(body);
	return ret;
}

static int read_rest(
    const struct cord_context *s, struct json_object *in, struct cord_message *m, struct error *err)
{
	const struct cord_guild_bot *row =
	    s->channel->guild ? cord_guild_bot(s->channel->guild, s->bot) : NULL;
	struct cord_message *to;

	if (members_string(in, "reply_to")) {
		to = cord_context_message(s, in, "reply_to", err);
		if (!to)
			return -1;
		if (to->channel != m->channel)
			return error_set(err, ERROR_OURS, "that message is in another thread");
		m->type = CORD_MESSAGE_REPLY;
		m->reply_to = to->id;
		m->reply_channel = to->channel->id;
	}
	if (json_get_str(in, "forward"))
		add_forward(m, json_get_str(in, "forward"));
	if (json_get_object(in, "forward") && read_forward(s, json_get_object(in, "forward"), m, err) != 0)
		return -1;
	if (json_get_object(in, "poll") && read_poll(s, json_get_object(in, "poll"), m, err) != 0)
		return -1;
	if (json_get_bool(in, "webhook", false))
		m->webhook_id = cord_snowflake_of_name("webhook", s->user->label);
	s->user->bot = s->user->bot || json_get_bool(in, "as_bot", false);
	cord_mentions_find(m, NULL, false, true);
	if (row && json_get_bool(in, "mention_role", false))
		cord_ids_add(&m->mention_roles, row->role);
	return 0;
}

static int say_new(struct cord_world *w, const struct cord_context *s, struct json_object *in,
    struct json_object *out, struct error *err)
{
	struct cord_message *m = cord_message_new(s->channel);

	m->user = s->user;
	if (read_text(w, s, in, m, err) != 0 || read_files(w, in, m, err) != 0 ||
	    read_rest(s, in, m, err) != 0)
		goto fail;
	if (m->content[0] == '\0' && m->file_count == 0 && !m->extra && !m->poll) {
		error_set(err, ERROR_OURS, "say needs a \"text\", \"files\", a \"poll\" or a \"forward\"");
		goto fail;
	}
	if (cord_rules_block(m)) {
		error_set(err, ERROR_OURS, "auto moderation blocks the message");
		goto fail;
	}
	cord_channel_add(s->channel, m);
	cord_event_message(m, "MESSAGE_CREATE");
	cord_context_answer(s, out, m->id);
	return 0;

fail:
	cord_message_free(m);
	return -1;
}

/* "embeds": the platform adds the preview of a link, which is no edit. */
static int say_edit(struct cord_world *w, const struct cord_context *s, struct json_object *in,
    struct json_object *out, struct error *err)
{
	struct cord_message *m = cord_context_message(s, in, "edit", err);
	struct json_object *embeds = json_get_array(in, "embeds");
	char *before;

	if (!m)
		return -1;
	if (m->user != s->user)
		return error_set(err, ERROR_OURS, "%.64s did not write that message", s->user->label);
	before = xstrdup(m->content);
	if (read_text(w, s, in, m, err) != 0 || (json_get_str(in, "text") && cord_rules_block(m))) {
		cord_message_set_content(m, before, strlen(before));
		free(before);
		return err->kind != ERROR_NONE ?
		    -1 :
		    error_set(err, ERROR_OURS, "auto moderation blocks the message");
	}
	free(before);
	if (embeds) {
		json_object_put(m->embeds);
		m->embeds = json_object_get(embeds);
	}
	if (json_get_str(in, "text")) {
		cord_mentions_find(m, NULL, false, true);
		m->edited_ms = clock_wall();
		m->edits++;
	}
	cord_show_message(m, "edited");
	cord_event_message(m, "MESSAGE_UPDATE");
	cord_context_answer(s, out, m->id);
	return 0;
}

int cord_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct cord_context s;

	if (cord_context_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user)
		return error_set(err, ERROR_OURS, "say which \"user\" writes");
	if (!s.channel->guild && s.channel->blocked)
		return error_set(err, ERROR_OURS, "%.64s has blocked the bot", s.user->label);
	if (s.channel->guild && !cord_is_member(s.channel->guild, s.user->id))
		return error_set(err, ERROR_OURS,
		    "%.64s is no member of %.64s: \"member\" with the action join changes it", s.user->label,
		    s.channel->guild->name);
	if (s.channel->guild && cord_member_timeout(s.channel->guild, s.user->id) != 0)
		return error_set(err, ERROR_OURS, "%.64s is timed out", s.user->label);
	if (!cord_channel_takes_messages(s.channel))
		return error_set(err, ERROR_OURS,
		    "say in which \"thread\" of %.64s: it has no messages of its own", s.channel->name);
	if (s.channel->locked)
		return error_set(err, ERROR_OURS, "the thread is locked");
	return members_string(in, "edit") ? say_edit(self, &s, in, out, err) :
					    say_new(self, &s, in, out, err);
}
