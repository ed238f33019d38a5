#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/slack/world/world_internal.h"

static const struct {
	const char *extension, *mime, *type, *pretty;
} types[] = {
    {"csv", "text/csv", "csv", "CSV"},
    {"gif", "image/gif", "gif", "GIF"},
    {"html", "text/html", "html", "HTML"},
    {"jpeg", "image/jpeg", "jpg", "JPEG"},
    {"jpg", "image/jpeg", "jpg", "JPEG"},
    {"json", "application/json", "json", "JSON"},
    {"m4a", "audio/mp4", "m4a", "MPEG 4 Audio"},
    {"md", "text/markdown", "markdown", "Markdown (raw)"},
    {"mp3", "audio/mpeg", "mp3", "MP3"},
    {"mp4", "video/mp4", "mp4", "MPEG 4 Video"},
    {"ogg", "audio/ogg", "ogg", "Ogg Audio"},
    {"pdf", "application/pdf", "pdf", "PDF"},
    {"png", "image/png", "png", "PNG"},
    {"txt", "text/plain", "text", "Plain Text"},
    {"wav", "audio/wav", "wav", "WAV"},
    {"webm", "audio/webm", "webm", "WebM"},
    {"zip", "application/zip", "zip", "Zip"},
    {"", "application/octet-stream", "binary", "Binary"},
};

struct slk_file *slk_file_new(struct slk_world *w, const char *name, size_t len)
{
	struct slk_file *f = xcalloc(1, sizeof(*f));

	f->world = w;
	slk_new_id(w, f->id, 'F');
	f->name = xstrdup(name);
	f->title = xstrdup(name);
	f->len = len;
	f->created = clock_wall() / 1000;
	f->shares = json_object_new_object();
	clock_random_hex(f->secret, 16);
	list_append(&w->files, &f->link);
	map_put(&w->by_id, (int64_t)slk_hash(f->id), 0, f);
	return f;
}

struct slk_file *slk_file_find(const struct slk_world *w, const char *id)
{
	return slk_is_id(id, "F") ? map_get(&w->by_id, (int64_t)slk_hash(id), 0) : NULL;
}

void slk_file_free(struct slk_file *f)
{
	list_remove(&f->link);
	json_object_put(f->shares);
	free(f->name);
	free(f->title);
	free(f->external_id);
	free(f->external_url);
	free(f->data);
	free(f);
}

void slk_file_share(struct slk_file *f, const struct slk_conv *c, int64_t ts, int64_t thread)
{
	const char *group = c->kind == SLK_PUBLIC ? "public" : "private";
	struct json_object *list = json_get_object(f->shares, group), *array,
			   *share = json_object_new_object();
	char text[SLK_ID_SIZE];

	if (!list) {
		list = json_object_new_object();
		json_set(f->shares, group, list);
	}
	array = json_get_array(list, c->id);
	if (!array) {
		array = json_object_new_array();
		json_set(list, c->id, array);
	}
	slk_write_ts(ts, text);
	json_set_str(share, "ts", text);
	if (thread != 0) {
		slk_write_ts(thread, text);
		json_set_str(share, "thread_ts", text);
	}
	json_setf(share, "channel_name: %s, team_id: %s", c->name, SLK_TEAM);
	json_object_array_add(array, share);
}

/* A file name as a part of a URL. */
static void add_name(struct buf *out, const char *name)
{
	for (; *name != '\0'; name++)
		buf_addch(out, isalnum((unsigned char)*name) || strchr(".-_", *name) ? *name : '_');
}

static void set_urls(const struct slk_file *f, const char *base, struct json_object *o)
{
	struct buf url = BUF_INIT;

	buf_addf(&url, "%sfiles-pri/" SLK_TEAM "-%s/", base, f->id);
	add_name(&url, f->name);
	json_set_str(o, "url_private", url.data);
	buf_reset(&url);
	buf_addf(&url, "%sfiles-pri/" SLK_TEAM "-%s/download/", base, f->id);
	add_name(&url, f->name);
	json_set_str(o, "url_private_download", url.data);
	buf_reset(&url);
	buf_addf(&url, "%sfiles/%s", base, f->id);
	json_set_str(o, "permalink", url.data);
	buf_clear(&url);
}

/* A clip that a person has recorded: its own types, and a transcription. */
static void set_clip(const struct slk_file *f, struct json_object *o)
{
	struct json_object *transcription = json_object_new_object();

	json_set_str(transcription, "status", "processing");
	json_setf(o,
	    "subtype: 'slack_audio', media_display_type: 'audio', duration_ms: %jd, transcription: %p",
	    f->clip_ms, transcription);
}

struct json_object *slk_file_json(const struct slk_file *f, const char *base)
{
	struct json_object *o = json_object_new_object();
	const char *dot = strrchr(f->name, '.');
	size_t i = 0;

	while (types[i].extension[0] != '\0' && (!dot || strcasecmp(dot + 1, types[i].extension) != 0))
		i++;
	json_setf(o,
	    "id: %s, created: %jd, timestamp: %jd, name: %s, title: %s, mimetype: %s, filetype: %s, "
	    "pretty_type: %s, user: %s, user_team: %s",
	    f->id, f->created, f->created, f->name, f->title, types[i].mime, types[i].type, types[i].pretty,
	    f->user    ? f->user->id :
		f->app ? f->app->user_id :
			 NULL,
	    SLK_TEAM);
	json_setf(o,
	    "editable: false, size: %zu, mode: %s, is_external: %i, is_public: %i, "
	    "public_url_shared: false, file_access: 'visible'",
	    f->len, f->external_id ? "external" : "hosted", f->external_id != NULL,
	    json_get(f->shares, "public") != NULL);
	set_urls(f, base, o);
	if (f->external_id)
		json_setf(o, "external_type: 'app', external_id: %s, external_url: %s, url_private: %s",
		    f->external_id, f->external_url, f->external_url);
	if (f->clip_ms != 0)
		set_clip(f, o);
	return o;
}

bool slk_file_sees(const struct slk_file *f, const struct slk_app *a)
{
	if (f->app == a)
		return true;
	json_object_object_foreach(f->shares, group, list) {
		(void)group;
		json_object_object_foreach(list, id, shares) {
			const struct slk_conv *c = slk_conv_find(f->world, id);

			(void)shares;
			if (c && slk_conv_sees(c, a))
				return true;
		}
	}
	return false;
}

/* Replaces it in a message. */
static void bury(const struct slk_file *f, struct slk_conv *c, struct slk_message *m)
{
	struct json_object *files = json_get_array(m->o, "files");

	for (size_t i = 0; i < json_count(files); i++) {
		if (strcmp(json_get_str(json_at(files, i), "id"), f->id) != 0)
			continue;
		json_object_array_put_idx(files, i, json_newf("{id: %s, mode: 'tombstone'}", f->id));
		slk_show_message(c, m, "edited");
	}
}

void slk_file_delete(struct slk_file *f)
{
	struct json_object *o = json_object_new_object(), *channels = json_object_new_array();

	json_object_object_foreach(f->shares, group, list) {
		(void)group;
		json_object_object_foreach(list, id, shares) {
			struct slk_conv *c = slk_conv_find(f->world, id);

			(void)shares;
			json_object_array_add(channels, json_object_new_string(id));
			for (size_t i = 0; c && i < c->count; i++)
				bury(f, c, c->messages[i]);
		}
	}
	free(f->data);
	f->data = NULL;
	f->state = SLK_FILE_DELETED;
	json_setf(o, "type: 'file_deleted', file_id: %s, channel_ids: %p", f->id, channels);
	slk_event_send_all(f->world, o);
}

void slk_file_write(const struct slk_file *f, struct buf *out)
{
	static const char zeros[4096];

	if (f->data) {
		buf_add(out, f->data, f->len);
		return;
	}
	for (size_t left = f->len; left > 0;) {
		size_t n = left < sizeof(zeros) ? left : sizeof(zeros);

		buf_add(out, zeros, n);
		left -= n;
	}
}
