#include "channels/telegram/update_internal.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/attachment.h"
#include "bus/escape.h"

#define NAME_MAX_CHARS 64

/* Names come from strangers: one line, and no bracket that could end ours. */
static void add_name(struct buf *out, const char *name)
{
	escape_name(out, name, NAME_MAX_CHARS, UTF8_CHARS);
}

static void add_named(struct buf *out, struct json_object *o, const char *key, const char *before)
{
	const char *name = json_get_str(o, key);

	if (!name || name[0] == '\0')
		return;
	buf_addstr(out, before);
	add_name(out, name);
}

static void add_seconds(struct buf *out, struct json_object *media)
{
	int64_t s = json_get_int(media, "duration", -1);

	if (s >= 0)
		buf_addf(out, ", %" PRId64 " s", s);
}

static void say_file(struct buf *out, struct json_object *media)
{
	add_named(out, media, "file_name", " ");
	add_seconds(out, media);
	attachment_add_size(out, json_get_int(media, "file_size", -1));
}

static void say_audio(struct buf *out, struct json_object *media)
{
	add_named(out, media, "performer", " ");
	add_named(out, media, "title", json_get_str(media, "performer") ? ": " : " ");
	if (!json_get_str(media, "title"))
		add_named(out, media, "file_name", " ");
	add_seconds(out, media);
}

static void say_emoji(struct buf *out, struct json_object *media)
{
	add_named(out, media, "emoji", " ");
	if (json_get(media, "value"))
		buf_addf(out, " %" PRId64, json_get_int(media, "value", 0));
}

static void say_contact(struct buf *out, struct json_object *media)
{
	add_named(out, media, "first_name", " ");
	add_named(out, media, "last_name", " ");
	add_named(out, media, "phone_number", ", ");
}

static void say_place(struct buf *out, struct json_object *place)
{
	struct json_object *latitude = json_get(place, "latitude"), *longitude = json_get(place, "longitude");

	if (latitude && longitude)
		buf_addf(
		    out, " %.5f, %.5f", json_object_get_double(latitude), json_object_get_double(longitude));
}

static void say_venue(struct buf *out, struct json_object *media)
{
	add_named(out, media, "title", " ");
	add_named(out, media, "address", ", ");
	say_place(out, json_get_object(media, "location"));
}

static void say_poll(struct buf *out, struct json_object *media)
{
	struct json_object *options = json_get_array(media, "options");
	size_t count = options ? json_object_array_length(options) : 0;

	add_named(out, media, "question", ": ");
	for (size_t i = 0; i < count && i < 12; i++)
		add_named(out, json_object_array_get_idx(options, i), "text", i == 0 ? " " : " / ");
}

static void say_title(struct buf *out, struct json_object *media)
{
	add_named(out, media, "title", " ");
}

/* The first row that the message has decides: animations come with a document, venues with a location, live
 * photos with a photo. */
static const struct {
	const char *key, *word;
	void (*say)(struct buf *out, struct json_object *media);
} kinds[] = {
    {"animation", "animation", say_file},
    {"audio", "audio", say_audio},
    {"checklist", "checklist", say_title},
    {"contact", "contact", say_contact},
    {"dice", "dice", say_emoji},
    {"document", "document", say_file},
    {"game", "game", say_title},
    {"giveaway", "giveaway", NULL},
    {"invoice", "invoice", say_title},
    {"live_photo", "live photo", NULL},
    {"paid_media", "paid media", NULL},
    {"photo", "photo", NULL},
    {"poll", "poll", say_poll},
    {"rich_message", "rich message", NULL},
    {"sticker", "sticker", say_emoji},
    {"story", "story", NULL},
    {"venue", "venue", say_venue},
    {"location", "location", say_place},
    {"video", "video", say_file},
    {"video_note", "video message", add_seconds},
    {"voice", "voice message", add_seconds},
    {"voice_note", "voice message", add_seconds},
};

void telegram_describe_media(struct buf *out, struct json_object *message)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct json_object *value = json_get(message, kinds[i].key);

		if (!value)
			continue;
		buf_addf(out, "[%s", kinds[i].word);
		if (kinds[i].say && json_object_is_type(value, json_type_object))
			kinds[i].say(out, value);
		buf_addch(out, ']');
		return;
	}
}

void telegram_describe_name(struct buf *out, struct json_object *who)
{
	size_t from = out->len;

	add_named(out, who, "title", "");
	add_named(out, who, "first_name", "");
	add_named(out, who, "last_name", out->len > from ? " " : "");
	if (out->len == from)
		add_named(out, who, "username", "@");
	if (out->len == from)
		buf_addf(out, "%" PRId64, json_get_int(who, "id", 0));
}

/* Where each kind of MessageOrigin names its author. */
static const struct {
	const char *type, *key, *word;
} origins[] = {
    {"channel", "chat", "channel"},
    {"chat", "sender_chat", "chat"},
    {"user", "sender_user", "user"},
};

void telegram_describe_origin(struct buf *out, struct json_object *origin)
{
	const char *type = json_get_str(origin, "type");

	buf_addstr(out, "[forwarded");
	add_named(out, origin, "sender_user_name", " from "); /* hidden_user: a name and no id */
	for (size_t i = 0; type && i < ARRAY_LEN(origins); i++) {
		struct json_object *who = json_get_object(origin, origins[i].key);

		if (!who || strcmp(origins[i].type, type) != 0)
			continue;
		buf_addstr(out, " from ");
		telegram_describe_name(out, who);
		buf_addf(out, " (%s %" PRId64 ")", origins[i].word, json_get_int(who, "id", 0));
	}
	buf_addstr(out, ": what follows is not the sender's own text]\n");
}

void telegram_describe_via(struct buf *out, struct json_object *bot)
{
	buf_addstr(out, "[sent through the bot");
	add_named(out, bot, "username", " @");
	buf_addf(out, " (user %" PRId64 "): what follows is that bot's text, not the sender's own]\n",
	    json_get_int(bot, "id", 0));
}
