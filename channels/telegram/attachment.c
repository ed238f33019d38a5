#include "channels/telegram/update_internal.h"

#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "bus/message.h"

/* Longer than any seen so far; a longer one would only fill the inbox. */
#define FILE_ID_MAX 512

/* The first row that the message has decides: animations come with a document, too. */
static const struct {
	const char *key;
	enum attachment_kind kind;
	const char *mime; /* where Telegram leaves it out, because there is only one */
} kinds[] = {
    {"animation", ATTACHMENT_VIDEO, NULL}, {"audio", ATTACHMENT_AUDIO, NULL},
    {"document", ATTACHMENT_FILE, NULL}, {"photo", ATTACHMENT_IMAGE, "image/jpeg"},
    {"sticker", ATTACHMENT_IMAGE, "image/webp"}, {"video", ATTACHMENT_VIDEO, NULL},
    {"video_note", ATTACHMENT_VIDEO, "video/mp4"}, {"voice", ATTACHMENT_VOICE, "audio/ogg"},
    {"voice_note", ATTACHMENT_VOICE, "audio/ogg"}, /* of a rich message */
};

static int64_t area_of(struct json_object *size)
{
	int64_t width = json_get_int(size, "width", 0), height = json_get_int(size, "height", 0);

	return width > 0 && width < 100000 && height > 0 && height < 100000 ? width * height : 0;
}

/* PhotoSize[]: the same picture in several sizes. */
static struct json_object *largest(struct json_object *sizes)
{
	struct json_object *best = NULL;

	for (size_t i = 0; i < json_object_array_length(sizes); i++) {
		struct json_object *o = json_object_array_get_idx(sizes, i);
		if (!best || area_of(o) >= area_of(best))
			best = o;
	}
	return best;
}

/* A sticker that is drawn by a program, or a film, is no picture. */
static void read_sticker(struct attachment *a, struct json_object *o)
{
	if (json_get_bool(o, "is_video", false)) {
		a->kind = ATTACHMENT_VIDEO;
		a->mime = xstrdup("video/webm");
	} else if (json_get_bool(o, "is_animated", false)) {
		a->kind = ATTACHMENT_FILE;
		a->mime = xstrdup("application/x-tgsticker");
	}
}

static char *name_of(struct json_object *o)
{
	const char *name = json_get_str(o, "file_name"), *title = json_get_str(o, "title");
	const char *performer = json_get_str(o, "performer");

	if (name || !title)
		return xstrdup(name);
	return performer ? xasprintf("%s - %s", performer, title) : xstrdup(title);
}

bool telegram_attachment_read(struct message *out, struct json_object *m)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct json_object *o = json_get(m, kinds[i].key);
		const char *id;

		if (json_object_is_type(o, json_type_array))
			o = largest(o);
		id = json_get_str(o, "file_id");
		if (!id || *id == '\0' || strlen(id) > FILE_ID_MAX)
			continue;
		struct attachment *a =
		    attachments_add(&out->attachments, &out->attachment_count, kinds[i].kind);
		a->ref = xstrdup(id);
		a->name = name_of(o);
		a->mime = xstrdup(json_get_str(o, "mime_type"));
		if (strcmp(kinds[i].key, "sticker") == 0)
			read_sticker(a, o);
		if (!a->mime)
			a->mime = xstrdup(kinds[i].mime);
		if (a->kind == ATTACHMENT_FILE)
			a->kind = attachment_kind_of(a->mime);
		a->size = json_get_int(o, "file_size", -1);
		a->seconds = json_get_int(o, "duration", -1);
		return true;
	}
	return false;
}
