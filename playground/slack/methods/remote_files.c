#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/slack/methods/compose.h"

/* Files that are elsewhere, and that an app has told of (docs.slack.dev/messaging/working-with-files). */

/* Undocumented: how long they may be; a choice. */
#define ID_MAX    255
#define TITLE_MAX 255

static void set(char **member, const char *value)
{
	char *copy = xstrdup(value);

	free(*member);
	*member = copy;
}

static struct slk_file *named(struct slk_call *call, const char *id, const char *external)
{
	list_each_entry(&call->world->files, struct slk_file, f, link)
		if (f->external_id && f->app == call->app && f->state == SLK_FILE_COMPLETE &&
		    strcmp(id ? f->id : f->external_id, id ? id : external) == 0)
			return f;
	return NULL;
}

/* By file or external_id. both: the error when there are both. */
static struct slk_file *find(struct slk_call *call, const char *both, const char *none)
{
	const char *id = json_get_str(call->params, "file"),
		   *external = json_get_str(call->params, "external_id");
	struct slk_file *f = (id != NULL) != (external != NULL) ? named(call, id, external) : NULL;

	if (!id && !external)
		slk_refuse(call, none, "file or external_id is needed");
	else if (id && external)
		slk_refuse(call, both, "file and external_id are two names of one file");
	else if (!f)
		slk_fail(call, "file_not_found");
	return f;
}

static int answer(struct slk_call *call, const struct slk_file *f)
{
	json_set(call->out, "file", slk_file_json(f, call->world->base));
	return 0;
}

static bool is_url(const char *url)
{
	return strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
}

/* Undocumented: what becomes of the file that has this id already; a choice: it is that file. */
int slk_files_remote_add(struct slk_call *call)
{
	const char *id = json_get_str(call->params, "external_id"),
		   *title = json_get_str(call->params, "title"),
		   *url = json_get_str(call->params, "external_url");
	struct slk_file *f;

	if (strlen(id) > ID_MAX)
		return slk_fail(call, "invalid_external_id");
	if (utf8_count(title, strlen(title), UTF8_CHARS) > TITLE_MAX)
		return slk_fail(call, "bad_title");
	if (!is_url(url))
		return slk_refuse(call, "invalid_arguments", "must be a URL [json-pointer:/external_url]");
	f = named(call, NULL, id);
	if (!f)
		f = slk_file_new(call->world, title, 0);
	f->app = call->app;
	f->state = SLK_FILE_COMPLETE;
	set(&f->title, title);
	set(&f->external_id, id);
	set(&f->external_url, url);
	return answer(call, f);
}

int slk_files_remote_info(struct slk_call *call)
{
	const struct slk_file *f = find(call, "too_many_ids", "invalid_args");

	return f ? answer(call, f) : -1;
}

int slk_files_remote_update(struct slk_call *call)
{
	const char *title = json_get_str(call->params, "title"),
		   *url = json_get_str(call->params, "external_url");
	struct slk_file *f = find(call, "file_not_found", "file_not_found");

	if (!f)
		return -1;
	if (url && !is_url(url))
		return slk_fail(call, "invalid_url");
	if (title && (title[0] == '\0' || utf8_count(title, strlen(title), UTF8_CHARS) > TITLE_MAX))
		return slk_fail(call, "invalid_title");
	if (title)
		set(&f->title, title);
	if (url)
		set(&f->external_url, url);
	return answer(call, f);
}

int slk_files_remote_remove(struct slk_call *call)
{
	struct slk_file *f = find(call, "too_many_ids", "invalid_args");

	if (!f)
		return -1;
	slk_file_delete(f);
	return 0;
}

static bool is_wanted(struct slk_call *call, const struct slk_file *f)
{
	const char *channel = json_get_str(call->params, "channel"),
		   *from = json_get_str(call->params, "ts_from"), *to = json_get_str(call->params, "ts_to");

	return f->external_id && f->app == call->app && f->state == SLK_FILE_COMPLETE &&
	    (!from || f->created >= strtoll(from, NULL, 10)) &&
	    (!to || f->created <= strtoll(to, NULL, 10)) &&
	    (!channel || json_get(json_get_object(f->shares, "public"), channel) ||
		json_get(json_get_object(f->shares, "private"), channel));
}

int slk_files_remote_list(struct slk_call *call)
{
	struct json_object *all = json_object_new_array();

	list_each_entry(&call->world->files, const struct slk_file, f, link)
		if (is_wanted(call, f))
			json_object_array_add(all, slk_file_json(f, call->world->base));
	return slk_call_answer_page(call, all, 1000, "files");
}

/* A message with the file in each of the channels. */
int slk_files_remote_share(struct slk_call *call)
{
	struct slk_file *f = find(call, "invalid_args", "invalid_args");
	struct json_object *channels = f ? slk_call_list(call, "channels") : NULL;

	json_each(channels, item) {
		struct slk_conv *c = slk_conv_find(call->world, json_object_get_string(item));

		if (!c || !slk_conv_sees(c, call->app))
			slk_fail(call, "channel_not_found");
		else if (!slk_conv_has(c, call->app->user_id))
			slk_fail(call, "not_in_channel");
	}
	if (f && json_count(channels) == 0)
		slk_fail(call, "channel_not_found");
	for (size_t i = 0; !call->error && i < json_count(channels); i++) {
		struct slk_conv *c = slk_conv_find(call->world, json_object_get_string(json_at(channels, i)));
		struct slk_message *m = slk_message_add(c, call->app, NULL, 0);

		json_set_str(m->o, "text", "");
		slk_share_attach(c, m, f);
		slk_event_message(c, m);
	}
	json_object_put(channels);
	return call->error ? -1 : answer(call, f);
}
