#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/server/server.h"
#include "playground/discord/world/world_internal.h"
#include "playground/server/exchange.h"

static const struct {
	const char *ending, *type;
} types[] = {
    {".gif", "image/gif"},
    {".jpeg", "image/jpeg"},
    {".jpg", "image/jpeg"},
    {".json", "application/json"},
    {".m4a", "audio/mp4"},
    {".md", "text/markdown"},
    {".mp3", "audio/mpeg"},
    {".mp4", "video/mp4"},
    {".ogg", "audio/ogg"},
    {".opus", "audio/ogg"},
    {".pdf", "application/pdf"},
    {".png", "image/png"},
    {".txt", "text/plain; charset=utf-8"},
    {".wav", "audio/wav"},
    {".webm", "video/webm"},
    {".webp", "image/webp"},
};

static const char *type_of(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		size_t n = strlen(types[i].ending);

		if (len > n && strcasecmp(name + len - n, types[i].ending) == 0)
			return types[i].type;
	}
	return "application/octet-stream";
}

/* In URLs, names contain only letters, digits, dots, dashes and underscores. */
static char *safe_name(const char *name)
{
	char *safe = xstrdup(name);

	for (char *p = safe; *p != '\0'; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *p))
			*p = '_';
	return safe;
}

struct cord_file *cord_file_new(struct cord_world *w, uint64_t id, uint64_t channel_id, const char *name,
    const char *type, char *data, size_t len)
{
	struct cord_file *f = xcalloc(1, sizeof(*f));

	f->id = id;
	f->channel_id = channel_id;
	f->name = safe_name(name);
	f->type = xstrdup(type ? type : type_of(name));
	f->data = data;
	f->len = len;
	list_append(&w->file_list, &f->link);
	map_put(&w->files, (int64_t)id, 0, f);
	return f;
}

void cord_file_free(struct cord_file *f)
{
	list_remove(&f->link);
	free(f->name);
	free(f->type);
	free(f->description);
	free(f->data);
	free(f->waveform);
	free(f);
}

struct cord_file *cord_file_find(const struct cord_world *w, uint64_t id)
{
	return map_get(&w->files, (int64_t)id, 0);
}

static uint64_t mix(uint64_t h, const char *s)
{
	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 31;
}

/* Clients cannot guess it; a simulation needs no more. */
static void sign(const struct cord_world *w, const char *path, const char *ex, char out[33])
{
	uint64_t a = mix(mix(mix(0xcbf29ce484222325u, w->secret), path), ex), b = mix(mix(a, ex), w->secret);

	snprintf(out, 33, "%016" PRIx64 "%016" PRIx64, a, b);
}

static void write_path(const struct cord_file *f, char *out, size_t size)
{
	snprintf(out, size, "%" PRIu64 "/%" PRIu64 "/%s", f->channel_id, f->id, f->name);
}

static void set_url(struct json_object *o, const struct cord_world *w, const struct cord_file *f)
{
	int64_t now = clock_wall() / 1000;
	char path[512], ex[24], hm[33];
	struct buf url = BUF_INIT;

	write_path(f, path, sizeof(path));
	snprintf(ex, sizeof(ex), "%" PRIx64, (uint64_t)(now + w->settings.cdn_seconds));
	sign(w, path, ex, hm);
	buf_addf(&url, "%s/discord/cdn/attachments/%s?ex=%s&is=%" PRIx64 "&hm=%s&", w->origin, path, ex,
	    (uint64_t)now, hm);
	json_setf(o, "url: %s, proxy_url: %s", url.data, url.data);
	buf_clear(&url);
}

struct json_object *cord_file_json(const struct cord_world *w, const struct cord_file *f)
{
	struct json_object *o =
	    json_newf("{id: %p, filename: %s, size: %jd, content_type: %s, description: %s}",
		cord_id_or_null(f->id), f->name, (int64_t)f->len, f->type, f->description);

	set_url(o, w, f);
	if (f->waveform) {
		json_set(o, "duration_secs", json_object_new_double(f->duration));
		json_set_str(o, "waveform", f->waveform);
	}
	return o;
}

/* Does the signature match the path, and has it not expired? */
static bool is_good(const struct cord_world *w, const char *path, const char *query)
{
	struct buf ex = BUF_INIT, hm = BUF_INIT;
	char want[33];
	bool good = server_param(query, "ex", &ex) && server_param(query, "hm", &hm);

	if (good) {
		sign(w, path, ex.data, want);
		good = strcmp(want, hm.data) == 0 && strtoll(ex.data, NULL, 16) > clock_wall() / 1000;
	}
	buf_clear(&ex);
	buf_clear(&hm);
	return good;
}

void cord_file_serve(struct cord_world *w, struct exchange *ex, const char *path, const char *query)
{
	const char *slash = strchr(path, '/');
	struct cord_file *f = NULL;
	struct buf body = BUF_INIT;
	char own[512], id[24] = "";
	uint64_t number;

	if (slash)
		snprintf(id, sizeof(id), "%.*s", (int)strcspn(slash + 1, "/"), slash + 1);
	if (cord_snowflake_read(id, &number))
		f = cord_file_find(w, number);
	if (f)
		write_path(f, own, sizeof(own));
	if (f && strcmp(own, path) == 0 && is_good(w, path, query)) {
		if (f->data)
			buf_add(&body, f->data, f->len);
		for (size_t i = 0; !f->data && i < f->len; i++)
			buf_addch(&body, '\0');
		ex->file = true;
		exchange_answer(ex, 200, f->type, NULL, &body);
	} else {
		buf_addstr(&body, "This content is no longer available.");
		exchange_answer(ex, 404, "text/plain;charset=UTF-8", NULL, &body);
	}
	buf_clear(&body);
}
