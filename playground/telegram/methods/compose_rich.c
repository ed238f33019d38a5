#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/text/rich.h"

static bool ends_with(const char *url, const char *ending)
{
	size_t len = strcspn(url, "?#"), n = strlen(ending);

	return len > n && strncasecmp(url + len - n, ending, n) == 0;
}

/* What a rich message shows: the type of the block, and of the InputMedia, and what its links are called. */
static const struct shown {
	const char *type, *link;
	enum media_kind kind;
} shown[] = {
    {"animation", "video", MEDIA_ANIMATION},
    {"audio", "audio", MEDIA_AUDIO},
    {"document", "document", MEDIA_DOCUMENT},
    {"photo", "photo", MEDIA_PHOTO},
    {"video", "video", MEDIA_VIDEO},
    {"voice_note", "audio", MEDIA_VOICE},
};

static const struct shown *find_shown(const char *type)
{
	for (size_t i = 0; type && i < ARRAY_LEN(shown); i++)
		if (strcmp(shown[i].type, type) == 0)
			return &shown[i];
	return NULL;
}

/* What an element shows, which its URL says, too. */
static const struct shown *shown_at(const char *element, const char *url)
{
	if (strcmp(element, "img") == 0)
		return find_shown("photo");
	if (strcmp(element, "audio") == 0)
		return find_shown(ends_with(url, ".ogg") || ends_with(url, ".oga") ? "voice_note" : "audio");
	if (strcmp(element, "video") == 0)
		return find_shown(ends_with(url, ".gif") ? "animation" : "video");
	return find_shown("document");
}

struct source {
	struct call *call;
	struct json_object *media; /* InputRichMessageMedia */
};

static void write_user(struct buf *out, int64_t id, void *arg)
{
	world_write_user(out, id, ((struct source *)arg)->call->world);
}

/* The InputMedia of a link such as tg://photo?id=ID; NULL: there is none. */
static struct json_object *find_media(const struct source *s, const char *url, const struct shown **what)
{
	json_each(s->media, item) {
		const char *id = json_get_str(item, "id");
		struct json_object *media = json_get_object(item, "media");
		char *link;
		bool found;

		*what = find_shown(json_get_str(media, "type"));
		if (!id || !*what)
			continue;
		link = xasprintf("tg://%s?id=%s", (*what)->link, id);
		found = strcmp(link, url) == 0;
		free(link);
		if (found)
			return media;
	}
	return NULL;
}

static int write_media(struct buf *out, const char *element, const char *url, void *arg, struct error *err)
{
	struct source *s = arg;
	const struct shown *what = shown_at(element, url);
	struct json_object *value = NULL, *media;
	struct buf file = BUF_INIT;
	struct upload upload;
	int ret;

	if (strncmp(url, "tg:", 3) != 0)
		value = json_object_new_string(url);
	else if ((media = find_media(s, url, &what)) != NULL)
		value = json_object_get(json_get(media, "media"));
	else
		return error_set(
		    err, ERROR_OURS, "can't parse rich message: there is no media for \"%.100s\"", url);
	ret = upload_read(s->call, value, what->kind, &upload);
	if (ret == 0) {
		media_write(upload_keep_unsent(s->call, &upload), &file);
		buf_addf(out, "\"type\":\"%s\",\"%s%s", what->type, what->type, strchr(file.data + 1, '"'));
		buf_clear(&file);
	} else {
		error_set(err, ERROR_OURS, "no file"); /* the call has failed already */
	}
	json_object_put(value);
	return ret;
}

/* Undocumented: the words for what is not one of them. */
int compose_rich(struct call *call, struct json_object *o, bool draft, char **out)
{
	const char *html = json_get_str(o, "html"), *markdown = json_get_str(o, "markdown");
	struct rich_source source = {.text = html ? html : markdown,
	    .markdown = markdown != NULL,
	    .draft = draft,
	    .skip_entities = json_get_bool(o, "skip_entity_detection", false),
	    .right_to_left = json_get_bool(o, "is_rtl", false),
	    .write_user = write_user,
	    .write_media = write_media,
	    .arg = &(struct source){call, json_get_array(o, "media")}};
	struct buf rich = BUF_INIT;
	struct error err;

	if (compose_object(call, o, "rich message") != 0)
		return -1;
	if (json_get(o, "blocks"))
		return call_refuse(call, "\"blocks\" of rich messages is not simulated by the playground");
	if (!html == !markdown)
		return call_refuse(call,
		    "exactly one of the fields \"html\" and \"markdown\" must be specified in "
		    "the rich message");
	if (rich_read(&source, &rich, &err) != 0) {
		buf_clear(&rich);
		return call->error_code != 0 ? -1 : call_refuse(call, "%s", err.text);
	}
	*out = buf_take(&rich);
	return 0;
}
