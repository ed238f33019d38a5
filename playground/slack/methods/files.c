#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/methods/compose.h"

#define FILE_MAX     ((int64_t)1024 * 1024 * 1024)
#define ALT_TEXT_MAX 1000

int slk_files_get_upload_url(struct slk_call *call)
{
	const char *name = json_get_str(call->params, "filename"),
		   *alt = json_get_str(call->params, "alt_txt");
	int64_t len = json_get_int(call->params, "length", 0);
	struct slk_file *f;
	char *url;

	if (name[0] == '\0')
		return slk_refuse(
		    call, "invalid_arguments", "must be more than 0 characters [json-pointer:/filename]");
	if (len <= 0)
		return slk_refuse(call, "invalid_arguments", "must be greater than 0 [json-pointer:/length]");
	if (len > FILE_MAX)
		return slk_fail(call, "file_upload_size_restricted");
	if (alt && utf8_count(alt, strlen(alt), UTF8_CHARS) > ALT_TEXT_MAX)
		return slk_refuse(
		    call, "alt_txt_too_large", "alt_txt has more than %d characters", ALT_TEXT_MAX);
	f = slk_file_new(call->world, name, (size_t)len);
	f->app = call->app;
	url = xasprintf("%supload/v1/%s%s", call->world->base, f->secret, f->id);
	json_setf(call->out, "upload_url: %s, file_id: %s", url, f->id);
	free(url);
	return 0;
}

/* Where to share the files; may be absent. */
static int read_place(struct slk_call *call, struct slk_conv **c, int64_t *thread)
{
	*c = NULL;
	*thread = 0;
	if (!json_get_str(call->params, "channel_id"))
		return !json_get_str(call->params, "thread_ts") ?
		    0 :
		    slk_refuse(call, "invalid_arguments", "thread_ts goes with channel_id");
	*c = slk_call_target(call, "channel_id");
	if (!*c && strcmp(call->error, "channel_not_found") == 0)
		return slk_fail(call, "invalid_channel");
	/* Undocumented: what is said of an archived channel; a choice. */
	if (!*c && !spec_has_error(call->spec, call->error))
		return slk_fail(call, "posting_to_channel_denied");
	if (!*c)
		return -1;
	return slk_call_thread(call, *c, thread);
}

/* Each file must be this app's, uploaded, and not completed yet. */
static int check_files(struct slk_call *call, struct json_object *files)
{
	size_t count = json_count(files);

	if (count == 0)
		return slk_refuse(call, "invalid_arguments", "no files are named [json-pointer:/files]");
	for (size_t i = 0; i < count; i++) {
		const char *id = json_get_str(json_at(files, i), "id");
		struct slk_file *f = slk_file_find(call->world, id);

		if (!f || f->app != call->app)
			return slk_fail(call, "file_not_found");
		if (f->state != SLK_FILE_UPLOADED)
			return slk_refuse(call, "file_update_failed", "%s",
			    f->state == SLK_FILE_WANTED ? "nothing was uploaded" : "it is complete");
	}
	return 0;
}

int slk_files_complete_upload_external(struct slk_call *call)
{
	struct json_object *files = json_get_array(call->params, "files"), *list;
	const char *comment = json_get_str(call->params, "initial_comment");
	struct slk_conv *c;
	int64_t thread;

	if (check_files(call, files) != 0 || read_place(call, &c, &thread) != 0)
		return -1;
	list = json_object_new_array();
	json_each(files, o) {
		struct slk_file *f = slk_file_find(call->world, json_get_str(o, "id"));

		f->state = SLK_FILE_COMPLETE;
		if (json_get_str(o, "title")) {
			free(f->title);
			f->title = xstrdup(json_get_str(o, "title"));
		}
		json_object_array_add(list, slk_file_json(f, call->world->base));
	}
	json_set(call->out, "files", json_object_get(list));
	if (c)
		slk_share_later(c, call->app, thread, comment, files);
	json_object_put(list);
	return 0;
}

int slk_files_info(struct slk_call *call)
{
	struct slk_file *f = slk_file_find(call->world, json_get_str(call->params, "file"));
	struct json_object *o;

	if (!f || (f->state != SLK_FILE_COMPLETE && f->app != call->app))
		return slk_fail(call, "file_not_found");
	if (f->state == SLK_FILE_DELETED)
		return slk_fail(call, "file_deleted");
	o = slk_file_json(f, call->world->base);
	json_set(o, "shares", json_object_get(f->shares));
	json_setf(call->out, "file: %p, comments: %p", o, json_object_new_array());
	return 0;
}

int slk_files_delete(struct slk_call *call)
{
	struct slk_file *f = slk_file_find(call->world, json_get_str(call->params, "file"));

	if (!f || !slk_file_sees(f, call->app))
		return slk_fail(call, "file_not_found");
	if (f->state == SLK_FILE_DELETED)
		return slk_fail(call, "file_deleted");
	if (f->app != call->app)
		return slk_fail(call, "cant_delete_file");
	slk_file_delete(f);
	return 0;
}

/* Retired in November 2025; files.getUploadURLExternal has taken its place. */
int slk_files_upload(struct slk_call *call)
{
	return slk_refuse(call, "method_deprecated",
	    "files.upload is retired: use files.getUploadURLExternal and files.completeUploadExternal");
}

/* Kinds of files in the argument types; mime: how their types begin. */
static const struct {
	const char *name, *mime;
} kinds[] = {{"all", ""}, {"gdocs", "application/vnd.google"}, {"images", "image/"},
    {"pdfs", "application/pdf"}, {"snippets", "text/"}, {"spaces", "application/vnd.slack"},
    {"zips", "application/zip"}};

/* Is it one of these types? NULL: is there a type that does not exist? */
static bool has_type(const char *types, const char *mime)
{
	char *copy = xstrdup(types), *at = copy, *one;
	bool found = false;

	while ((one = strsep(&at, ","))) {
		size_t i = 0;

		while (i < ARRAY_LEN(kinds) && strcmp(kinds[i].name, one) != 0)
			i++;
		found |= mime ?
		    i < ARRAY_LEN(kinds) && strncmp(mime, kinds[i].mime, strlen(kinds[i].mime)) == 0 :
		    i == ARRAY_LEN(kinds);
	}
	free(copy);
	return found;
}

static bool is_wanted(struct slk_call *call, const struct slk_file *f, const char *types)
{
	const char *channel = json_get_str(call->params, "channel"),
		   *user = json_get_str(call->params, "user"), *from = json_get_str(call->params, "ts_from"),
		   *to = json_get_str(call->params, "ts_to"),
		   *owner = f->user ? f->user->id :
	    f->app                  ? f->app->user_id :
				      "";
	struct json_object *o;
	bool wanted;

	if (f->state != SLK_FILE_COMPLETE || !slk_file_sees(f, call->app) ||
	    (user && strcmp(user, owner) != 0) || (from && f->created < strtoll(from, NULL, 10)) ||
	    (to && f->created > strtoll(to, NULL, 10)))
		return false;
	if (channel && !json_get(json_get_object(f->shares, "public"), channel) &&
	    !json_get(json_get_object(f->shares, "private"), channel))
		return false;
	o = slk_file_json(f, "");
	wanted = has_type(types, json_get_str(o, "mimetype"));
	json_object_put(o);
	return wanted;
}

/* The newest first, by page and count. */
int slk_files_list(struct slk_call *call)
{
	const char *types = json_get_str(call->params, "types"), *user = json_get_str(call->params, "user");
	int64_t count = json_get_int(call->params, "count", 100),
		page = json_get_int(call->params, "page", 1), total = 0;
	struct json_object *files, *paging;

	types = types ? types : "all";
	count = count < 1 || count > 1000 ? 100 : count;
	page = page < 1 ? 1 : page;
	if (has_type(types, NULL))
		return slk_refuse(
		    call, "unknown_type", "types are all, spaces, snippets, images, gdocs, zips and pdfs");
	if (user && !slk_find_user(call->world, user) && !slk_app_find(call->world, user))
		return slk_fail(call, "user_not_found");
	files = json_object_new_array();
	for (struct list *it = call->world->files.prev; it != &call->world->files; it = it->prev) {
		const struct slk_file *f = list_entry(it, struct slk_file, link);

		if (!is_wanted(call, f, types))
			continue;
		if (total >= (page - 1) * count && total < page * count)
			json_object_array_add(files, slk_file_json(f, call->world->base));
		total++;
	}
	paging = json_newf("{count: %jd, total: %jd, page: %jd, pages: %jd}", count, total, page,
	    (total + count - 1) / count);
	json_setf(call->out, "files: %p, paging: %p", files, paging);
	return 0;
}
