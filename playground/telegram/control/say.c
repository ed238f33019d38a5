#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/time/clock.h"
#include "playground/telegram/control/control.h"

#define TEXT_MAX    4096 /* UTF-16 units: clients split longer texts */
#define CAPTION_MAX 1024

static void set_id(struct json_object *out, const char *key, int64_t id)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, id);
	json_set_str(out, key, text);
}

static void answer(struct json_object *out, const struct actor *s, const struct message *m)
{
	set_id(out, "message_id", m->id);
	set_id(out, "chat_id", s->chat->id);
	if (s->user)
		set_id(out, "user_id", s->user->id);
}

/* "entities" can give what cannot be found in the text, such as a text_mention. */
static int read_text(struct json_object *in, size_t max, struct formatted *out, struct error *err)
{
	const char *text = json_get_str(in, "text");
	struct json_object *entities = json_get(in, "entities");

	if (text)
		buf_addstr(&out->text, text);
	if (entities &&
	    (!json_object_is_type(entities, json_type_array) ||
		formatted_read_entities(out, entities, err) != 0))
		return err->kind != ERROR_NONE ? -1 : error_set(err, ERROR_OURS, "entities must be an array");
	formatted_finish(out);
	if (formatted_units(out) > max)
		return error_set(err, ERROR_OURS,
		    "the text has more than %zu UTF-16 units; people's clients split it", max);
	return 0;
}

/* A RichMessage as clients deliver it (Bot API 10.1): blocks. */
static int read_rich(struct json_object *in, char **rich, struct error *err)
{
	struct json_object *o = json_get(in, "rich_message");

	if (!o)
		return 0;
	if (!json_get_array(o, "blocks"))
		return error_set(err, ERROR_OURS, "rich_message is {\"blocks\":[…]}");
	*rich = json_text(o);
	return 0;
}

static int read_thread(struct json_object *in, struct chat *c, struct message *m, struct error *err)
{
	const char *text = members_string(in, "thread");
	int64_t thread = 0;

	if (!text || strcmp(text, "general") == 0)
		return 0;
	if (!world_read_id(text, &thread) || thread < 1 || thread > INT32_MAX)
		return error_set(err, ERROR_OURS, "thread is the number of a topic");
	if (c->kind != CHAT_SUPERGROUP)
		return error_set(err, ERROR_OURS, "only supergroups have topics here");
	c->forum = true;
	if (thread == TOPIC_GENERAL) /* its messages have no thread */
		return 0;
	if (topics_add(&c->topics, thread, NULL)->closed)
		return error_set(err, ERROR_OURS, "topic %" PRId64 " is closed", thread);
	m->thread = (int32_t)thread;
	m->topic = true;
	return 0;
}

static int read_place(const struct actor *s, struct json_object *in, struct message *m, struct error *err)
{
	struct message *to;

	if (read_thread(in, s->chat, m, err) != 0)
		return -1;
	if (!members_string(in, "reply_to"))
		return 0;
	to = actor_message(s, in, "reply_to", err);
	if (!to)
		return -1;
	m->reply_to = to->id;
	if (m->thread == 0)
		message_follow(m, s->chat, to);
	return 0;
}

static int add_message(struct world *w, const struct actor *s, struct json_object *in,
    struct json_object *file, struct formatted *text, int64_t album, struct message **out, struct error *err)
{
	struct json_object *forward = json_get_object(in, "forward");
	bool forwarded = !file && members_string(forward, "message_id");
	struct message *m = telegram_message_new();

	m->user = s->user;
	m->album = album;
	/* The file comes last, because the world keeps it from then on. */
	if (read_place(s, in, m, err) != 0 || say_read_extras(w, s, in, m, err) != 0 ||
	    read_rich(in, &m->rich, err) != 0 || (file && say_read_file(w, file, m, err) != 0) ||
	    (forwarded && say_forward(w, s, forward, m, err) != 0)) {
		telegram_message_free(m);
		return -1;
	}
	if (text->text.len > 0)
		formatted_move(&m->text, text);
	chat_add_message(s->chat, m);
	if (vote_poll(m))
		vote_watch(s->chat, m);
	if (json_get_bool(in, "guest", false))
		inline_summon(s->bot, s->user, s->chat, m);
	else
		deliver_message(s->chat, m, false);
	*out = m;
	return 0;
}

/* Finds the album of the files: the one that "album" continues, else a new one if there are several files. */
static int read_album(
    struct world *w, struct json_object *in, size_t file_count, int64_t *album, struct error *err)
{
	const char *text = members_string(in, "album");

	*album = !text && file_count > 1 ? ++w->last_album : 0;
	if (!text)
		return 0;
	if (strcmp(text, "new") == 0)
		*album = ++w->last_album;
	else if (!world_read_id(text, album) || *album < 1 || *album > w->last_album)
		return error_set(err, ERROR_OURS, "album is \"new\" or an album_id");
	return file_count > 0 ? 0 : error_set(err, ERROR_OURS, "an album is made of files");
}

/* Besides text and files. */
static bool says_anything(struct json_object *in)
{
	return json_get_object(in, "location") || json_get_object(in, "contact") ||
	    json_get_object(in, "dice") || json_get_object(in, "poll") || json_get(in, "rich_message") ||
	    json_get_object(in, "shared") || members_string(json_get_object(in, "forward"), "message_id");
}

static int say_new(struct world *w, const struct actor *s, struct json_object *in, struct json_object *out,
    struct error *err)
{
	struct json_object *files = json_get_array(in, "files");
	size_t file_count = json_count(files);
	struct formatted text = FORMATTED_INIT;
	struct message *m = NULL, *first = NULL;
	int64_t album = 0;
	int ret = -1;

	if (say_check_files(files, err) != 0 || read_album(w, in, file_count, &album, err) != 0 ||
	    read_text(in, file_count > 0 ? CAPTION_MAX : TEXT_MAX, &text, err) != 0)
		goto out;
	if (text.text.len == 0 && file_count == 0 && !says_anything(in)) {
		error_set(err, ERROR_OURS,
		    "say what: \"text\", \"files\", \"poll\", \"forward\", \"location\", \"contact\", "
		    "\"dice\" or "
		    "\"rich_message\"");
		goto out;
	}
	ret = 0;
	for (size_t i = 0; ret == 0 && i < (file_count > 0 ? file_count : 1); i++) {
		ret = add_message(w, s, in, file_count > 0 ? json_at(files, i) : NULL, &text, album, &m, err);
		if (!first)
			first = m;
	}
	if (ret == 0)
		answer(out, s, first);
	if (ret == 0 && album != 0)
		set_id(out, "album_id", album);
out:
	formatted_clear(&text);
	return ret;
}

static int say_edit(const struct actor *s, struct json_object *in, struct json_object *out, struct error *err)
{
	struct message *m = actor_message(s, in, "edit", err);
	struct formatted text = FORMATTED_INIT;
	char *rich = NULL;
	int ret = -1;

	if (!m)
		return -1;
	if (m->user != s->user || m->bot)
		return error_set(err, ERROR_OURS, "that message is by %.64s", message_author(m));
	if (read_text(in, m->file ? CAPTION_MAX : TEXT_MAX, &text, err) == 0 &&
	    read_rich(in, &rich, err) == 0) {
		free(m->rich);
		m->rich = rich;
		formatted_move(&m->text, &text);
		m->edits++;
		m->edit_date = clock_wall() / 1000;
		show_message(s->chat, m, "edited");
		deliver_message(s->chat, m, true);
		answer(out, s, m);
		ret = 0;
	}
	formatted_clear(&text);
	return ret;
}

/* Bot API, ChatPermissions. */
static const char *permission_of(struct json_object *in)
{
	struct json_object *files = json_get_array(in, "files");
	const char *kind = json_get_str(json_count(files) > 0 ? json_at(files, 0) : NULL, "kind");
	static const char *const of_kind[MEDIA_KINDS] = {
	    [MEDIA_ANIMATION] = "can_send_other_messages",
	    [MEDIA_AUDIO] = "can_send_audios",
	    [MEDIA_DOCUMENT] = "can_send_documents",
	    [MEDIA_PHOTO] = "can_send_photos",
	    [MEDIA_STICKER] = "can_send_other_messages",
	    [MEDIA_VIDEO] = "can_send_videos",
	    [MEDIA_VIDEO_NOTE] = "can_send_video_notes",
	    [MEDIA_VOICE] = "can_send_voice_notes",
	};
	enum media_kind media = kind ? media_find(kind) : MEDIA_DOCUMENT;

	if (json_get(in, "poll"))
		return "can_send_polls";
	return json_count(files) > 0 && media < MEDIA_KINDS ? of_kind[media] : "can_send_messages";
}

/* Refuses a person who was removed or restricted, and what nobody may send there. */
static int check_may(const struct actor *s, struct json_object *in, struct error *err)
{
	const char *permission = permission_of(in);

	if (s->chat->kind == CHAT_CHANNEL)
		return 0;
	if (!people_is_in(s->chat, s->user->id))
		return error_set(err, ERROR_OURS, "%.64s is not in that group", s->user->label);
	if (!people_may(s->chat, s->user->id, permission))
		return error_set(
		    err, ERROR_OURS, "%.64s may not send that there: %s", s->user->label, permission);
	return 0;
}

int telegram_control_say(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct actor s;

	if (actor_read(self, in, true, &s, err) != 0)
		return -1;
	if (!s.user && s.chat->kind != CHAT_CHANNEL && !members_string(in, "sender_chat"))
		return error_set(err, ERROR_OURS, "say which \"user\" speaks");
	if (s.chat->migrated_to != 0)
		return error_set(err, ERROR_OURS, "that group was upgraded to %" PRId64, s.chat->migrated_to);
	if (s.chat->kind == CHAT_PRIVATE && s.chat->members[0].gone != GONE_NOT)
		return error_set(
		    err, ERROR_OURS, "%.64s has blocked the bot: unblock it first", s.user->label);
	if (s.user && s.chat->kind != CHAT_PRIVATE && !json_get(in, "sender_chat") &&
	    check_may(&s, in, err) != 0)
		return -1;
	return members_string(in, "edit") ? say_edit(&s, in, out, err) : say_new(self, &s, in, out, err);
}
