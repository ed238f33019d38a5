/* Emoji, stickers and sounds of a guild; emoji of an application. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/text/base64.h"
#include "net/server/server.h"
#include "playground/discord/methods/methods.h"
#include "playground/server/exchange.h"

#define EMOJI_BYTES_MAX   (256 << 10)
#define STICKER_BYTES_MAX (512 << 10)
#define SOUND_BYTES_MAX   (512 << 10)

/* Discord: reference, Image Data: "data:image/png;base64,...". Returns whether it is one of that kind (as
 * "image/"), of at most max bytes; the type is copied. */
static bool read_data(const char *text, const char *kind, size_t max, char *type, size_t size)
{
	const char *comma = text ? strstr(text, ";base64,") : NULL;
	struct buf data = BUF_INIT;
	bool good;

	if (!comma || strncmp(text, "data:", 5) != 0 || strncmp(text + 5, kind, strlen(kind)) != 0)
		return false;
	snprintf(type, size, "%.*s", (int)(comma - text - 5), text + 5);
	good = base64_decode(&data, comma + 8, strlen(comma + 8)) == 0 && data.len > 0 && data.len <= max;
	buf_clear(&data);
	return good;
}

static int validate_emoji(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	const char *name = json_get_str(o, "name");
	char type[32];

	(void)g;
	for (const char *s = name; *s != '\0'; s++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *s))
			return cord_refuse_field(call, "name", "STRING_TYPE_REGEX",
			    "String value did not match validation regex.");
	if (!was) {
		if (!read_data(json_get_str(o, "image"), "image/", EMOJI_BYTES_MAX, type, sizeof(type)))
			return cord_refuse_field(
			    call, "image", "BINARY_TYPE_INVALID_IMAGE", "Invalid image data");
		json_setf(
		    o, "animated: %i, available: true, require_colons: true", strcmp(type, "image/gif") == 0);
		json_set(o, "user", cord_call_creator(call));
	}
	json_object_object_del(o, "image");
	if (!json_get_array(o, "roles"))
		json_set(o, "roles", json_object_new_array());
	return 0;
}

static void announce_emojis(struct cord_guild *g, const char *what, struct json_object *o)
{
	(void)what;
	(void)o;
	if (g)
		cord_event_in_guild(g, "GUILD_EMOJIS_UPDATE", CORD_INTENT_EXPRESSIONS, 0,
		    cord_guild_event(g, "emojis", cord_records_json(g->world, CORD_EMOJI, g->id)));
}

const struct cord_resource cord_emojis = {
    .kind = CORD_EMOJI,
    .schema = "EmojiResponse",
    .unknown = "Unknown Emoji",
    .full = "Maximum number of emojis reached (50)",
    .max = 50,
    .create = CORD_MAY_MAKE_EXPRESSIONS,
    .manage = CORD_MAY_MANAGE_EXPRESSIONS,
    .action = CORD_ACTION_EMOJI,
    .validate = validate_emoji,
    .announce = announce_emojis,
};

const struct cord_resource cord_app_emojis = {
    .kind = CORD_APP_EMOJI,
    .schema = "EmojiResponse",
    .unknown = "Unknown Emoji",
    .full = "Maximum number of emojis reached (50)",
    .max = 2000,
    .manage = CORD_MAY_ALL,
    .list = "items",
    .validate = validate_emoji,
};

/* Discord: resources/sticker: PNG, APNG, GIF, Lottie. */
static int read_format(struct cord_call *call, struct json_object *o)
{
	struct json_object *part = json_get_object(call->body, "file");
	const char *body, *name = json_get_str(part, "filename");
	size_t len = (size_t)json_get_int(part, "bytes", 0);

	if (len > STICKER_BYTES_MAX)
		return cord_refuse_field(
		    call, "file", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 512.0 kb.");
	body = call->content + json_get_int(part, "at", 0);
	if (len > 8 && memcmp(body, "\x89PNG", 4) == 0)
		json_set_int(o, "format_type", memmem(body, len, "acTL", 4) ? 2 : 1);
	else if (len > 6 && memcmp(body, "GIF8", 4) == 0)
		json_set_int(o, "format_type", 4);
	else if (name && strstr(name, ".json"))
		json_set_int(o, "format_type", 3);
	else
		return cord_fail(call, "Invalid Asset");
	return 0;
}

static int validate_sticker(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	if (was)
		return 0;
	if (read_format(call, o) != 0)
		return -1;
	json_object_object_del(o, "file");
	json_setf(o, "guild_id: %p, type: 2, available: true", cord_id_or_null(g->id));
	json_set(o, "user", cord_call_creator(call));
	return 0;
}

static void announce_stickers(struct cord_guild *g, const char *what, struct json_object *o)
{
	(void)what;
	(void)o;
	cord_event_in_guild(g, "GUILD_STICKERS_UPDATE", CORD_INTENT_EXPRESSIONS, 0,
	    cord_guild_event(g, "stickers", cord_records_json(g->world, CORD_STICKER, g->id)));
}

const struct cord_resource cord_stickers = {
    .kind = CORD_STICKER,
    .schema = "GuildStickerResponse",
    .unknown = "Unknown Sticker",
    .full = "Maximum number of stickers reached (5)",
    .max = 5,
    .create = CORD_MAY_MAKE_EXPRESSIONS,
    .manage = CORD_MAY_MANAGE_EXPRESSIONS,
    .action = CORD_ACTION_STICKER,
    .validate = validate_sticker,
    .announce = announce_stickers,
};

int cord_get_sticker(struct cord_call *call)
{
	const struct cord_record *r = cord_record_by_id(call->world, CORD_STICKER, call->ids[0]);

	if (!r)
		return cord_fail(call, "Unknown Sticker");
	call->result = json_object_get(r->json);
	return 0;
}

/* There are no stickers of Discord's own. */
int cord_list_sticker_packs(struct cord_call *call)
{
	call->result = json_object_new_object();
	json_set(call->result, "sticker_packs", json_object_new_array());
	return 0;
}

int cord_get_sticker_pack(struct cord_call *call)
{
	return cord_fail(call, "Unknown Sticker Pack");
}

static int validate_sound(
    struct cord_call *call, struct cord_guild *g, struct json_object *was, struct json_object *o)
{
	char type[32];

	if (!was) {
		if (!read_data(json_get_str(o, "sound"), "audio/", SOUND_BYTES_MAX, type, sizeof(type)))
			return cord_refuse_field(call, "sound", "BINARY_TYPE_INVALID", "Invalid sound data");
		json_setf(o, "guild_id: %p, available: true", cord_id_or_null(g->id));
		json_set(o, "user", cord_call_creator(call));
	}
	json_object_object_del(o, "sound");
	if (!json_get(o, "volume"))
		json_set(o, "volume", json_object_new_double(1));
	return 0;
}

static void announce_sounds(struct cord_guild *g, const char *what, struct json_object *o)
{
	char name[48];

	snprintf(name, sizeof(name), "GUILD_SOUNDBOARD_SOUND_%s", what);
	cord_event_in_guild(g, name, CORD_INTENT_EXPRESSIONS, 0,
	    what[0] != 'D' ? json_object_get(o) :
			     cord_guild_event(g, "sound_id", json_object_get(json_get(o, "sound_id"))));
}

const struct cord_resource cord_sounds = {
    .kind = CORD_SOUND,
    .schema = "SoundboardSoundResponse",
    .unknown = "Unknown sound",
    .full = "Maximum number of soundboard sounds reached (8)",
    .max = 8,
    .create = CORD_MAY_MAKE_EXPRESSIONS,
    .manage = CORD_MAY_MANAGE_EXPRESSIONS,
    .action = CORD_ACTION_SOUND,
    .list = "items",
    .id_key = "sound_id",
    .validate = validate_sound,
    .announce = announce_sounds,
};
