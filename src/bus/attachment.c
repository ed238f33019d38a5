#include "bus/attachment.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"

/* Maximum length of a file name, in characters; strangers choose names. */
#define SHOWN_MAX 100

/* The names are stored. */
static const char *const kinds[] = {
    [ATTACHMENT_FILE] = "file",
    [ATTACHMENT_IMAGE] = "image",
    [ATTACHMENT_AUDIO] = "audio",
    [ATTACHMENT_VOICE] = "voice message",
    [ATTACHMENT_VIDEO] = "video",
};

const char *attachment_kind_name(enum attachment_kind kind)
{
	return kind < ARRAY_LEN(kinds) ? kinds[kind] : "file";
}

void attachment_clear(struct attachment *a)
{
	free(a->name);
	free(a->mime);
	free(a->ref);
	free(a->path);
	free(a->note);
	free(a->transcription);
	free(a->model_view);
	*a = (struct attachment){.size = -1, .seconds = -1};
}

struct attachment attachment_copy(const struct attachment *a)
{
	struct attachment copy = *a;

	copy.name = xstrdup(a->name);
	copy.mime = xstrdup(a->mime);
	copy.ref = xstrdup(a->ref);
	copy.path = xstrdup(a->path);
	copy.note = xstrdup(a->note);
	copy.transcription = xstrdup(a->transcription);
	copy.model_view = xstrdup(a->model_view);
	return copy;
}

struct attachment *attachments_copy(const struct attachment *list, size_t count)
{
	struct attachment *copy = count > 0 ? xcalloc(count, sizeof(*copy)) : NULL;

	for (size_t i = 0; i < count; i++)
		copy[i] = attachment_copy(&list[i]);
	return copy;
}

void attachments_free(struct attachment *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		attachment_clear(&list[i]);
	free(list);
}

struct attachment *attachments_add(struct attachment **list, size_t *count, enum attachment_kind kind)
{
	*list = xrealloc(*list, (*count + 1) * sizeof(**list));
	struct attachment *a = &(*list)[(*count)++];
	*a = (struct attachment){.kind = kind, .size = -1, .seconds = -1};
	return a;
}

char *attachments_encode(const struct attachment *list, size_t count)
{
	struct json_object *all = json_object_new_array();
	char *text = NULL;

	for (size_t i = 0; i < count; i++) {
		struct json_object *o = json_object_new_object();

		json_set_str(o, "kind", attachment_kind_name(list[i].kind));
		json_set_str(o, "name", list[i].name);
		json_set_str(o, "mime", list[i].mime);
		json_set_int(o, "size", list[i].size);
		json_set_int(o, "seconds", list[i].seconds);
		json_set_str(o, "ref", list[i].ref);
		json_set_str(o, "path", list[i].path);
		json_object_array_add(all, o);
	}
	if (count > 0)
		text = json_text(all);
	json_object_put(all);
	return text;
}

static int decode_one(struct json_object *o, struct attachment *a)
{
	const char *kind = json_get_str(o, "kind");
	size_t k = 0;

	while (kind && k < ARRAY_LEN(kinds) && strcmp(kinds[k], kind) != 0)
		k++;
	if (!kind || k == ARRAY_LEN(kinds))
		return -1;
	a->kind = (enum attachment_kind)k;
	a->name = xstrdup(json_get_str(o, "name"));
	a->mime = xstrdup(json_get_str(o, "mime"));
	a->size = json_get_int(o, "size", -1);
	a->seconds = json_get_int(o, "seconds", -1);
	a->ref = xstrdup(json_get_str(o, "ref"));
	a->path = xstrdup(json_get_str(o, "path"));
	return 0;
}

int attachments_decode(const char *text, struct attachment **list, size_t *count)
{
	struct json_object *all = text ? json_parse(text, strlen(text), NULL) : NULL;
	int rc = text && !json_object_is_type(all, json_type_array) ? -1 : 0;
	size_t n = all && rc == 0 ? json_object_array_length(all) : 0;

	*list = NULL;
	*count = 0;
	for (size_t i = 0; i < n && rc == 0; i++) {
		struct attachment *a = attachments_add(list, count, ATTACHMENT_FILE);
		rc = decode_one(json_object_array_get_idx(all, i), a);
	}
	if (rc < 0) {
		attachments_free(*list, *count);
		*list = NULL;
		*count = 0;
	}
	json_object_put(all);
	return rc;
}

static void add_word(struct buf *out, const char *before, const char *word)
{
	if (!word || !*word)
		return;
	buf_addstr(out, before);
	escape_name(out, word, SHOWN_MAX, UTF8_CHARS);
}

void attachment_add_size(struct buf *out, int64_t n)
{
	if (n < 0)
		return;
	if (n < 1000)
		buf_addf(out, ", %" PRId64 " B", n);
	else if (n < 1000000)
		buf_addf(out, ", %" PRId64 " kB", (n + 500) / 1000);
	else
		buf_addf(out, ", %.1f MB", (double)n / 1e6);
}

void attachment_describe(struct buf *out, const struct attachment *a)
{
	buf_addstr(out, attachment_kind_name(a->kind));
	add_word(out, " ", a->name);
	add_word(out, ", ", a->mime);
	if (a->seconds >= 0)
		buf_addf(out, ", %" PRId64 " s", a->seconds);
	attachment_add_size(out, a->size);
}

static const struct {
	const char *bytes;
	size_t len, at;
	const char *mime;
} heads[] = {
    {"\x89PNG\r\n\x1a\n", 8, 0, "image/png"},
    {"\xff\xd8\xff", 3, 0, "image/jpeg"},
    {"GIF8", 4, 0, "image/gif"},
    {"WEBP", 4, 8, "image/webp"},
    {"%PDF-", 5, 0, "application/pdf"},
    {"PK\x03\x04", 4, 0, "application/zip"},
    {"OggS", 4, 0, "audio/ogg"},
    {"ID3", 3, 0, "audio/mpeg"},
    {"WAVE", 4, 8, "audio/wav"},
    {"ftyp", 4, 4, "video/mp4"},
};

/* Types whose first bytes are ambiguous are known by their names first. */
static const struct {
	const char *ending, *mime;
} endings[] = {
    {".csv", "text/csv"},
    {".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {".html", "text/html"},
    {".json", "application/json"},
    {".m4a", "audio/mp4"},
    {".md", "text/markdown"},
    {".mov", "video/quicktime"},
    {".mp3", "audio/mpeg"},
    {".odt", "application/vnd.oasis.opendocument.text"},
    {".pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {".svg", "image/svg+xml"},
    {".txt", "text/plain"},
    {".webm", "video/webm"},
    {".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {".xml", "application/xml"},
};

const char *attachment_guess_mime(const char *name, const void *head, size_t len)
{
	const char *ending = name ? strrchr(name, '.') : NULL;

	for (size_t i = 0; ending && i < ARRAY_LEN(endings); i++)
		if (strcasecmp(endings[i].ending, ending) == 0)
			return endings[i].mime;
	for (size_t i = 0; i < ARRAY_LEN(heads); i++)
		if (len >= heads[i].at + heads[i].len &&
		    memcmp((const char *)head + heads[i].at, heads[i].bytes, heads[i].len) == 0)
			return heads[i].mime;
	return "application/octet-stream";
}

enum attachment_kind attachment_kind_of(const char *mime)
{
	static const struct {
		const char *prefix;
		enum attachment_kind kind;
	} prefixes[] = {
	    /* All platforms treat an SVG as a document. */
	    {"image/svg", ATTACHMENT_FILE},
	    {"image/", ATTACHMENT_IMAGE},
	    {"audio/", ATTACHMENT_AUDIO},
	    {"video/", ATTACHMENT_VIDEO},
	};

	for (size_t i = 0; mime && i < ARRAY_LEN(prefixes); i++)
		if (strncasecmp(prefixes[i].prefix, mime, strlen(prefixes[i].prefix)) == 0)
			return prefixes[i].kind;
	return ATTACHMENT_FILE;
}
