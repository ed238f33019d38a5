#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/methods/compose.h"

#define FILE_SIZE_MAX 4000000000 /* Telegram FAQ: the limit of paying users */

static enum media_kind kind_of(struct json_object *o)
{
	const char *kind = json_get_str(o, "kind");

	return kind ? media_find(kind) : MEDIA_DOCUMENT;
}

int say_check_files(struct json_object *files, struct error *err)
{
	size_t count = json_count(files);

	if (count > MEDIA_ALBUM_MAX)
		return error_set(err, ERROR_OURS, "an album has at most %d files", MEDIA_ALBUM_MAX);
	for (size_t i = 0; i < count; i++) {
		struct json_object *o = json_at(files, i);

		if (!json_object_is_type(o, json_type_object))
			return error_set(err, ERROR_OURS, "a file is {\"name\":…,\"base64\":…}");
		if (kind_of(o) == MEDIA_KINDS)
			return error_set(err, ERROR_OURS,
			    "kind is animation, audio, document, photo, sticker, video, video_note or voice");
		if (count > 1 && !media_may_share_album(kind_of(json_at(files, 0)), kind_of(o)))
			return error_set(err, ERROR_OURS, "these kinds of files cannot be sent together");
	}
	return 0;
}

int say_read_file(struct world *w, struct json_object *o, struct message *m, struct error *err)
{
	struct given_file f;

	if (given_file_read(o, FILE_SIZE_MAX, &f, err) != 0)
		return -1;
	m->file = media_new(w, kind_of(o), f.name, f.data, f.len);
	m->file->width = f.width != 0 ? f.width : m->file->width;
	m->file->height = f.height != 0 ? f.height : m->file->height;
	m->file->duration = (unsigned)f.duration;
	return 0;
}

static void add_extra(struct message *m, const char *name, struct buf *value)
{
	message_add_extra(m, name, value->data);
	buf_clear(value);
}

static int read_location(struct json_object *in, struct message *m, struct error *err)
{
	struct buf out = BUF_INIT;

	if (location_write(in, &out) != 0)
		return error_set(err, ERROR_OURS, "location is {\"latitude\":…,\"longitude\":…}");
	add_extra(m, "location", &out);
	return 0;
}

/* A person throws a dice: a value may be given. */
static int read_dice(struct json_object *in, struct message *m, struct error *err)
{
	const char *emoji = json_get_str(in, "emoji") ? json_get_str(in, "emoji") : "🎲";
	int sides = dice_sides(emoji);

	if (sides == 0)
		return error_set(err, ERROR_OURS, "dice is {\"emoji\":…,\"value\"?}: 🎲, 🎯, 🏀, ⚽, 🎳 or 🎰");
	message_set_extra(m, "dice",
	    json_newf("{emoji: %s, value: %jd}", emoji,
		json_get_int(in, "value", 1 + (int64_t)clock_random_below((uint64_t)sides))));
	return 0;
}

static int read_contact(struct json_object *in, struct message *m, struct error *err)
{
	const char *number = json_get_str(in, "phone_number"), *name = json_get_str(in, "first_name");
	struct buf out = BUF_INIT;

	if (!number || !name)
		return error_set(err, ERROR_OURS, "contact is {\"phone_number\":…,\"first_name\":…}");
	buf_addstr(&out, "{\"phone_number\":");
	json_quote(&out, number, strlen(number));
	buf_addstr(&out, ",\"first_name\":");
	json_quote(&out, name, strlen(name));
	if (json_get(in, "user_id"))
		buf_addf(&out, ",\"user_id\":%" PRId64, json_get_int(in, "user_id", 0));
	buf_addch(&out, '}');
	add_extra(m, "contact", &out);
	return 0;
}

static int read_quote(const struct chat *c, const char *quote, struct message *m, struct error *err)
{
	const struct message *to = m->reply_to != 0 ? chat_message(c, m->reply_to) : NULL;
	const char *found = to ? strstr(to->text.text.data, quote) : NULL;
	struct buf out = BUF_INIT;

	if (!found)
		return error_set(err, ERROR_OURS, "quote must be a part of the message that reply_to names");
	quote_write(
	    quote, utf8_count(to->text.text.data, (size_t)(found - to->text.text.data), UTF8_UTF16), &out);
	add_extra(m, "quote", &out);
	return 0;
}

/* A person's poll is judged as one of a bot. */
static int read_poll(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err)
{
	struct json_object *params = json_object_new_object(), *ids = json_object_new_array();
	struct call call = {.world = w, .bot = s->bot, .params = params};
	struct given_poll p;
	int ret = given_poll_read(in, &p, err);

	if (ret == 0) {
		json_set_str(params, "question", p.question);
		json_setf(params,
		    "options: %p, allows_multiple_answers: %i, is_anonymous: %i, open_period: %jd, type: %s",
		    json_object_get(p.answers), p.multiple, p.anonymous, p.seconds,
		    p.correct >= 0 ? "quiz" : "regular");
		if (p.correct >= 0)
			json_object_array_add(ids, json_object_new_int64(p.correct));
		json_set(params, "correct_option_ids", json_object_get(ids));
		vote_begin(m, json_object_new_object());
		ret = poll_read(&call, vote_poll(m));
		if (ret != 0)
			error_set(err, ERROR_OURS, "%s", call.error.data);
	}
	buf_clear(&call.error);
	json_object_put(ids);
	json_object_put(params);
	return ret;
}

static struct chat *read_chat(struct world *w, const struct actor *s, const char *name, struct error *err)
{
	struct chat_query query = {.chat = name, .bot = s->bot};
	struct chat *c = strcmp(name, "self") == 0 ? s->chat : chat_find(w, &query, err);

	if (!c || c->kind != CHAT_PRIVATE)
		return c;
	error_set(err, ERROR_OURS, "only groups and channels speak for themselves");
	return NULL;
}

int say_forward(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err)
{
	const char *name = members_string(in, "chat");
	struct actor from = *s;
	struct message *original;

	if (name)
		from.chat = chat_find(w, &(struct chat_query){.chat = name, .bot = s->bot}, err);
	original = from.chat ? actor_message(&from, in, "message_id", err) : NULL;
	if (!original)
		return -1;
	if (!forward_can(original))
		return error_set(err, ERROR_OURS, "that message cannot be forwarded");
	message_copy_content(m, original, w);
	forward_set_origin(m, original, from.chat);
	return 0;
}

/* Bot API, MessageOrigin: a person, a hidden account, a channel or a group. */
static int read_forward(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err)
{
	const char *user = members_string(in, "user"), *hidden = json_get_str(in, "name"),
		   *chat = members_string(in, "chat");
	struct buf out = BUF_INIT;
	struct user *person;
	struct chat *c;

	if (members_string(in, "message_id"))
		return 0; /* say_forward */
	if (user) {
		if (world_get_user(w, user, &person, err) != 0)
			return -1;
		buf_addstr(&out, "{\"type\":\"user\",\"sender_user\":");
		user_write(person, &out);
	} else if (hidden) {
		buf_addstr(&out, "{\"type\":\"hidden_user\",\"sender_user_name\":");
		json_quote(&out, hidden, strlen(hidden));
	} else if (chat) {
		c = read_chat(w, s, chat, err);
		if (!c)
			return -1;
		buf_addf(&out, "{\"type\":\"%s\",\"%s\":", c->kind == CHAT_CHANNEL ? "channel" : "chat",
		    c->kind == CHAT_CHANNEL ? "message_id\":1,\"chat" : "sender_chat");
		chat_write(c, &out);
	} else {
		return error_set(err, ERROR_OURS,
		    "forward is {\"chat\":…,\"message_id\":…}, {\"user\":…} or {\"name\":…}");
	}
	buf_addf(&out, ",\"date\":%" PRId64 "}", m->date);
	add_extra(m, "forward_origin", &out);
	return 0;
}

int say_read_extras(
    struct world *w, const struct actor *s, struct json_object *in, struct message *m, struct error *err)
{
	struct json_object *location = json_get_object(in, "location"),
			   *contact = json_get_object(in, "contact"),
			   *forward = json_get_object(in, "forward"), *dice = json_get_object(in, "dice"),
			   *poll = json_get_object(in, "poll"), *shared = json_get_object(in, "shared");
	const char *quote = json_get_str(in, "quote"), *sender = members_string(in, "sender_chat");
	struct chat *c;
	char key[24];

	if (sender) {
		c = read_chat(w, s, sender, err);
		if (!c)
			return -1;
		m->sender_chat = c->id;
		snprintf(key, sizeof(key), "%" PRId64, c->id);
		if (json_get_bool(json_get_object(s->chat->settings, "banned_chats"), key, false))
			return error_set(err, ERROR_OURS, "%.64s is banned there", c->title);
	}
	if (shared) {
		json_object_object_foreach(shared, name, value)
			message_set_extra(m, name, json_object_get(value));
	}
	if (quote && read_quote(s->chat, quote, m, err) != 0)
		return -1;
	if (forward && read_forward(w, s, forward, m, err) != 0)
		return -1;
	if (poll && read_poll(w, s, poll, m, err) != 0)
		return -1;
	if (dice && read_dice(dice, m, err) != 0)
		return -1;
	if (contact && read_contact(contact, m, err) != 0)
		return -1;
	return location ? read_location(location, m, err) : 0;
}
