#include <string.h>

#include "playground/telegram/http/method.h"
#include "playground/world/image.h"

#define UPLOAD_MAX      (50 << 20)
#define PHOTO_MAX       (10 << 20)
#define PHOTO_SIDES_MAX 10000
#define PHOTO_RATIO_MAX 20

/* The names in the platform's error messages. */
static const char *const type_names[MEDIA_KINDS] = {
    [MEDIA_ANIMATION] = "Animation",
    [MEDIA_AUDIO] = "Audio",
    [MEDIA_DOCUMENT] = "Document",
    [MEDIA_PHOTO] = "Photo",
    [MEDIA_STICKER] = "Sticker",
    [MEDIA_VIDEO] = "Video",
    [MEDIA_VIDEO_NOTE] = "VideoNote",
    [MEDIA_VOICE] = "VoiceNote",
};

static int check_photo(struct call *call, const struct upload *u)
{
	unsigned w = 0, h = 0;

	if (u->len > PHOTO_MAX)
		return call_refuse(call,
		    "file of size %zu bytes is too big for a photo; the maximum size is %d bytes", u->len,
		    PHOTO_MAX);
	if (!image_size(u->data, u->len, &w, &h) || w == 0 || h == 0)
		return call_refuse(call, "IMAGE_PROCESS_FAILED");
	if (w + h > PHOTO_SIDES_MAX || w / h > PHOTO_RATIO_MAX || h / w > PHOTO_RATIO_MAX)
		return call_refuse(call, "PHOTO_INVALID_DIMENSIONS");
	return 0;
}

/* Undocumented: the server keeps the last part of a path, with slashes of either kind. */
static const char *name_of(const char *path)
{
	for (const char *s = path; s && *s != '\0'; s++)
		if (*s == '/' || *s == '\\')
			path = s + 1;
	return path;
}

static int read_part(struct call *call, struct json_object *part, struct upload *u)
{
	size_t at = (size_t)json_get_int(part, "at", 0), total;

	u->name = name_of(json_get_str(part, "filename"));
	u->data = server_body(call->ex->req, &total) + at;
	u->len = (size_t)json_get_int(part, "bytes", 0);
	if (u->len == 0)
		return call_refuse(call, "file must be non-empty");
	if (u->len > UPLOAD_MAX)
		return call_fail(call, 413, "Request Entity Too Large");
	return u->kind == MEDIA_PHOTO ? check_photo(call, u) : 0;
}

/* The playground's own files are the only URLs that it reads: …/file/bot<TOKEN>/<path>. */
static int read_url(struct call *call, const char *url, struct upload *u)
{
	const char *host = server_header(call->ex->req, "host"), *at = strstr(url, "://") + 3, *path = NULL;
	const struct file *f;

	/* Nothing else than the host: "localhost:8081@elsewhere" is a host elsewhere. */
	if (host && strcspn(at, "/") == strlen(host) && strncmp(at, host, strlen(host)) == 0)
		path = strstr(at, "/file/bot");
	path = path ? strchr(path + strlen("/file/bot"), '/') : NULL;
	f = path ? media_by_path(call->world, path + 1) : NULL;
	if (!f || !f->data)
		return call_refuse(call, "failed to get HTTP URL content");
	u->name = f->name;
	u->data = f->data;
	u->len = f->len;
	if (u->kind != MEDIA_PHOTO)
		return 0;
	return check_photo(call, u) == 0 ? 0 : call_refuse(call, "wrong type of the web page content");
}

/* A file_id can be used only as the same kind. */
static int read_id(struct call *call, const char *id, struct upload *u)
{
	if (strncmp(id, "http://", 7) == 0 || strncmp(id, "https://", 8) == 0)
		return call->ex->req ? read_url(call, id, u) :
				       call_refuse(call, "failed to get HTTP URL content");
	u->known = media_by_id(call->world, id);
	if (!u->known)
		return call_refuse(call, "wrong file identifier/HTTP URL specified");
	if (u->known->kind == u->kind)
		return 0;
	return call_refuse(
	    call, "can't use file of type %s as %s", type_names[u->known->kind], type_names[u->kind]);
}

int upload_read(struct call *call, struct json_object *value, enum media_kind kind, struct upload *u)
{
	const char *text =
	    json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;

	*u = (struct upload){.kind = kind};
	if (text && strncmp(text, "attach://", 9) == 0)
		value = json_get_object(call->params, text + 9);
	else if (text && text[0] != '\0')
		return read_id(call, text, u);
	if (!call->multipart || !json_object_is_type(value, json_type_object))
		return call_refuse(call, "there is no %s in the request", media_name(kind));
	return read_part(call, value, u);
}

struct file *upload_keep(struct call *call, const struct upload *u)
{
	char *data;

	if (u->known)
		return media_copy(call->world, u->known);
	data = xmalloc(u->len + 1);
	memcpy(data, u->data, u->len);
	data[u->len] = '\0';
	return media_new(call->world, u->kind, u->name ? u->name : "", data, u->len);
}

struct file *upload_keep_unsent(struct call *call, const struct upload *u)
{
	struct file *f = upload_keep(call, u);

	f->replaced = call->world->kept;
	call->world->kept = f;
	return f;
}
