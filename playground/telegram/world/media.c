#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/base64.h"
#include "playground/telegram/world/world_internal.h"
#include "playground/world/image.h"
#include "playground/world/map.h"

#define THUMB_SIDE 90 /* the longer side of the smallest PhotoSize */

enum { HAS_CAPTION = 1, HAS_NAME = 2, HAS_SIZE = 4, HAS_DURATION = 8 };

static const struct {
	const char *name;
	const char *folder;    /* of file_path */
	const char *type;      /* MIME type, unless the name implies another */
	const char *extension; /* default if the name has none */
	unsigned has;
	unsigned album; /* kinds with the same number share one; 0: never in an album */
} kinds[MEDIA_KINDS] = {
    [MEDIA_ANIMATION] = {"animation", "animations", "video/mp4", "mp4",
	HAS_CAPTION | HAS_NAME | HAS_SIZE | HAS_DURATION, 0},
    [MEDIA_AUDIO] = {"audio", "music", "audio/mpeg", "mp3", HAS_CAPTION | HAS_NAME | HAS_DURATION, 1},
    [MEDIA_DOCUMENT] = {"document", "documents", "application/octet-stream", NULL, HAS_CAPTION | HAS_NAME, 2},
    [MEDIA_PHOTO] = {"photo", "photos", "image/jpeg", "jpg", HAS_CAPTION | HAS_SIZE, 3},
    [MEDIA_STICKER] = {"sticker", "stickers", "image/webp", "webp", HAS_SIZE, 0},
    [MEDIA_VIDEO] = {"video", "videos", "video/mp4", "mp4", HAS_CAPTION | HAS_NAME | HAS_SIZE | HAS_DURATION,
	3},
    [MEDIA_VIDEO_NOTE] = {"video_note", "video_notes", "video/mp4", "mp4", HAS_DURATION, 0},
    [MEDIA_VOICE] = {"voice", "voice", "audio/ogg", "oga", HAS_CAPTION | HAS_DURATION, 0},
};

/* The types that the platform derives from a document's name. */
static const struct {
	const char *extension, *type;
} types[] = {
    {"csv", "text/csv"},
    {"gif", "image/gif"},
    {"html", "text/html"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"json", "application/json"},
    {"m4a", "audio/mp4"},
    {"md", "text/markdown"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain"},
    {"wav", "audio/x-wav"},
    {"webp", "image/webp"},
    {"zip", "application/zip"},
};

const char *media_name(enum media_kind kind)
{
	return kinds[kind].name;
}

enum media_kind media_find(const char *name)
{
	for (int i = 0; name && i < MEDIA_KINDS; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return (enum media_kind)i;
	return MEDIA_KINDS;
}

bool media_has_caption(enum media_kind kind)
{
	return kinds[kind].has & HAS_CAPTION;
}

bool media_may_share_album(enum media_kind a, enum media_kind b)
{
	return kinds[a].album != 0 && kinds[a].album == kinds[b].album;
}

static struct file *add(struct world *w, struct file *f)
{
	f->number = ++w->last_file;
	if (f->unique == 0)
		f->unique = f->number;
	map_put(&w->files, f->number, 0, f);
	return f;
}

struct file *media_new(struct world *w, enum media_kind kind, const char *name, char *data, size_t len)
{
	struct file *f = xcalloc(1, sizeof(*f));

	f->kind = kind;
	f->name = xstrdup(name);
	f->data = data;
	f->len = len;
	if (data && kinds[kind].has & HAS_SIZE)
		image_size(data, len, &f->width, &f->height);
	return add(w, f);
}

struct file *media_copy(struct world *w, const struct file *f)
{
	struct file *copy = xmalloc(sizeof(*copy));

	*copy = *f;
	copy->replaced = NULL;
	json_object_get(copy->sticker);
	copy->name = xstrdup(f->name);
	if (f->data) {
		copy->data = xmalloc(f->len + 1);
		memcpy(copy->data, f->data, f->len);
		copy->data[f->len] = '\0';
	}
	return add(w, copy);
}

void media_free(struct file *f)
{
	while (f) {
		struct file *replaced = f->replaced;

		json_object_put(f->sticker);
		free(f->name);
		free(f->data);
		free(f);
		f = replaced;
	}
}

/* Returns the letters and digits after the last dot of the name; NULL for none. */
static const char *extension_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t len = dot ? strlen(dot + 1) : 0;

	if (len < 1 || len > 8)
		return NULL;
	for (size_t i = 1; i <= len; i++)
		if (!isalnum((unsigned char)dot[i]))
			return NULL;
	return dot + 1;
}

static const char *type_of(const struct file *f)
{
	const char *extension = extension_of(f->name);

	for (size_t i = 0; extension && kinds[f->kind].has & HAS_NAME && i < ARRAY_LEN(types); i++)
		if (strcasecmp(types[i].extension, extension) == 0)
			return types[i].type;
	return kinds[f->kind].type;
}

static void write_ids(const struct file *f, const char *suffix, struct buf *out)
{
	buf_addf(out,
	    "\"file_id\":\"%s-%" PRId64 "%s\",\"file_unique_id\":\"unique-%" PRId64 "%s\",\"file_size\":%zu",
	    kinds[f->kind].name, f->number, suffix, f->unique, suffix, f->len);
}

/* Images are not scaled here: the smaller size, whose file_id ends with -s, has the same bytes. */
static void write_photo(const struct file *f, struct buf *out)
{
	unsigned longer = f->width > f->height ? f->width : f->height;

	buf_addstr(out, "\"photo\":[");
	if (longer > THUMB_SIDE) {
		buf_addch(out, '{');
		write_ids(f, "-s", out);
		buf_addf(out, ",\"width\":%u,\"height\":%u},", (f->width * THUMB_SIDE + longer - 1) / longer,
		    (f->height * THUMB_SIDE + longer - 1) / longer);
	}
	buf_addch(out, '{');
	write_ids(f, "", out);
	buf_addf(out, ",\"width\":%u,\"height\":%u}]", f->width, f->height);
}

static void write_members(struct json_object *o, struct buf *out)
{
	json_object_object_foreach(o, name, value) {
		buf_addf(out, ",\"%s\":", name);
		json_write(out, value);
	}
}

void media_write(const struct file *f, struct buf *out)
{
	unsigned has = kinds[f->kind].has;

	if (f->kind == MEDIA_PHOTO) {
		write_photo(f, out);
		return;
	}
	buf_addf(out, "\"%s\":{", kinds[f->kind].name);
	write_ids(f, "", out);
	if (has & HAS_NAME) {
		buf_addstr(out, ",\"file_name\":");
		json_quote(out, f->name, strlen(f->name));
	}
	if (f->kind != MEDIA_STICKER && f->kind != MEDIA_VIDEO_NOTE)
		buf_addf(out, ",\"mime_type\":\"%s\"", type_of(f));
	if (has & HAS_SIZE)
		buf_addf(out, ",\"width\":%u,\"height\":%u", f->width, f->height);
	if (has & HAS_DURATION)
		buf_addf(out, ",\"duration\":%u", f->duration);
	if (f->kind == MEDIA_VIDEO_NOTE)
		buf_addf(out, ",\"length\":%u", f->width);
	if (f->kind == MEDIA_STICKER && f->sticker)
		write_members(f->sticker, out);
	else if (f->kind == MEDIA_STICKER)
		buf_addstr(
		    out, ",\"type\":\"regular\",\"emoji\":\"👍\",\"is_animated\":false,\"is_video\":false");
	buf_addch(out, '}');
}

struct file *media_by_id(const struct world *w, const char *file_id)
{
	const char *dash = strchr(file_id, '-');
	struct file *f;
	char *end;
	int64_t number;

	if (!dash || !isdigit((unsigned char)dash[1]))
		return NULL;
	number = strtoll(dash + 1, &end, 10);
	f = map_get(&w->files, number, 0);
	if (!f || strncmp(file_id, kinds[f->kind].name, (size_t)(dash - file_id)) != 0 ||
	    kinds[f->kind].name[dash - file_id] != '\0')
		return NULL;
	return *end == '\0' || (f->kind == MEDIA_PHOTO && strcmp(end, "-s") == 0) ? f : NULL;
}

void media_write_path(const struct file *f, struct buf *out)
{
	const char *extension = extension_of(f->name);

	if (!extension || !(kinds[f->kind].has & HAS_NAME))
		extension = kinds[f->kind].extension;
	buf_addf(out, "%s/file_%" PRId64 "%s%s", kinds[f->kind].folder, f->number, extension ? "." : "",
	    extension ? extension : "");
}

struct file *media_by_path(const struct world *w, const char *path)
{
	const char *name = strstr(path, "/file_");
	struct buf own = BUF_INIT;
	struct file *f;

	f = name && isdigit((unsigned char)name[6]) ? map_get(&w->files, strtoll(name + 6, NULL, 10), 0) :
						      NULL;
	if (!f)
		return NULL;
	media_write_path(f, &own);
	if (strcmp(own.data, path) != 0)
		f = NULL;
	buf_clear(&own);
	return f;
}

static struct json_object *save_one(const struct file *f)
{
	struct json_object *o = json_object_new_object();
	struct buf data = BUF_INIT;

	if (f->data)
		base64_encode(&data, f->data, f->len);
	json_setf(o, "number: %jd, unique: %jd, kind: %s, name: %s", f->number, f->unique,
	    media_name(f->kind), f->name);
	if (f->data)
		json_set_str(o, "base64", data.data);
	else
		json_set_int(o, "zeros", (int64_t)f->len);
	json_setf(
	    o, "width: %d, height: %d, duration: %d, gone: %i", f->width, f->height, f->duration, f->gone);
	if (f->sticker)
		json_set(o, "sticker", json_object_get(f->sticker));
	buf_clear(&data);
	return o;
}

struct json_object *media_save(const struct file *f)
{
	struct json_object *o = save_one(f), *earlier;

	if (!f->replaced)
		return o;
	earlier = json_object_new_array();
	while ((f = f->replaced))
		json_object_array_add(earlier, save_one(f));
	json_set(o, "earlier", earlier);
	return o;
}

static struct file *load_one(struct world *w, struct json_object *o, struct error *err)
{
	const char *name = json_get_str(o, "name"), *text = json_get_str(o, "base64");
	enum media_kind kind = media_find(json_get_str(o, "kind"));
	int64_t zeros = json_get_int(o, "zeros", -1), last = w->last_file;
	struct buf data = BUF_INIT;
	struct file *f;
	size_t len;

	if (!name || kind == MEDIA_KINDS || (!text && zeros < 0) ||
	    (text && base64_decode(&data, text, strlen(text)) != 0)) {
		buf_clear(&data);
		error_set(err, ERROR_OURS, "a file is damaged");
		return NULL;
	}
	len = text ? data.len : (size_t)zeros;
	w->last_file = json_get_int(o, "number", 1) - 1; /* it keeps its number */
	f = media_new(w, kind, name, text ? buf_take(&data) : NULL, len);
	w->last_file = last;
	f->unique = json_get_int(o, "unique", f->number);
	f->width = (unsigned)json_get_int(o, "width", 0);
	f->height = (unsigned)json_get_int(o, "height", 0);
	f->duration = (unsigned)json_get_int(o, "duration", 0);
	f->gone = json_get_bool(o, "gone", false);
	f->sticker = json_object_get(json_get_object(o, "sticker"));
	return f;
}

/* An earlier version nested what was replaced as "was". */
struct file *media_load(struct world *w, struct json_object *o, struct error *err)
{
	struct json_object *earlier = json_get_array(o, "earlier");
	struct file *f = NULL, **end = &f;
	size_t next = 0;

	while (o) {
		if (!(*end = load_one(w, o, err))) {
			media_free(f);
			return NULL;
		}
		end = &(*end)->replaced;
		o = next < json_count(earlier) ? json_at(earlier, next++) : json_get_object(o, "was");
	}
	return f;
}
