#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "playground/slack/http/method.h"

#define SECRET_LEN 32

static void answer_text(struct exchange *ex, int status, const char *text)
{
	struct buf out = BUF_INIT;

	buf_addstr(&out, text);
	exchange_answer(ex, status, "text/plain; charset=utf-8", NULL, &out);
	buf_clear(&out);
}

/* Finds the file of "<secret><id>". */
static struct slk_file *find_upload(struct slk_world *w, const char *path)
{
	struct slk_file *f = strlen(path) > SECRET_LEN ? slk_file_find(w, path + SECRET_LEN) : NULL;

	return f && strncmp(path, f->secret, SECRET_LEN) == 0 ? f : NULL;
}

/* Reads the bytes of a body, or of the only part of a multipart body. Returns -1 without any. */
static int read_bytes(struct server_request *req, const char **data, size_t *len)
{
	const char *type = server_header(req, "content-type");
	struct json_object *parts;
	int ret = -1;

	*data = server_body(req, len);
	if (!type || strncasecmp(type, "multipart/form-data", 19) != 0)
		return 0;
	parts = json_object_new_object();
	if (form_read_multipart(parts, type, *data, *len, NULL) == 0) {
		json_object_object_foreach(parts, name, part) {
			(void)name;
			if (!json_object_is_type(part, json_type_object))
				continue;
			*data += json_get_int(part, "at", 0);
			*len = (size_t)json_get_int(part, "bytes", 0);
			ret = 0;
			break;
		}
	}
	json_object_put(parts);
	return ret;
}

void slk_transfer_upload(struct slk_world *w, struct exchange *ex, const char *path)
{
	struct slk_file *f = find_upload(w, path);
	const char *data;
	char text[32];
	size_t len;

	if (!f || f->state != SLK_FILE_WANTED) {
		exchange_problem(ex, "the upload URL is unknown or used");
		answer_text(ex, 404, "not found");
	} else if (strcmp(server_method(ex->req), "POST") != 0) {
		exchange_problem(ex, "files are posted");
		answer_text(ex, 405, "method not allowed");
	} else if (read_bytes(ex->req, &data, &len) != 0 || len != f->len) {
		exchange_problem(ex, "the upload must have the length that was said, %zu bytes", f->len);
		answer_text(ex, 400, "length mismatch");
	} else {
		f->data = xmemdup(data, len > 0 ? len : 1);
		f->state = SLK_FILE_UPLOADED;
		snprintf(text, sizeof(text), "OK - %zu", len);
		answer_text(ex, 200, text);
	}
}

/* Undocumented: what clients have logged; with status 200. */
static void answer_login(struct exchange *ex)
{
	static const char page[] =
	    "<!DOCTYPE html><html class=\"no-js\"><head><title>Slack</title></head><body><h1>Sign in to "
	    "Playground</h1></body></html>\n";
	struct buf out = BUF_INIT;

	buf_addstr(&out, page);
	exchange_problem(ex, "without a good bearer token there is a page to log in");
	exchange_answer(ex, 200, "text/html; charset=utf-8", NULL, &out);
	buf_clear(&out);
}

static void answer_file(struct exchange *ex, const struct slk_file *f)
{
	struct json_object *o = slk_file_json(f, "");
	struct buf out = BUF_INIT;

	slk_file_write(f, &out);
	ex->file = true;
	exchange_answer(ex, 200, json_get_str(o, "mimetype"), NULL, &out);
	buf_clear(&out);
	json_object_put(o);
}

/* For a client, another name of the same server is another host. */
static void redirect(struct slk_world *w, struct exchange *ex, const struct slk_file *f)
{
	const char *host = strstr(w->base, "://") + 3, *port = strrchr(host, ':');
	bool local = strncmp(host, "localhost", 9) == 0;
	char *header = xasprintf("Location: %.*s%s%scdn/%s%s\r\n", (int)(host - w->base), w->base,
	    local ? "127.0.0.1" : "localhost", port ? port : "/slack/", f->secret, f->id);
	struct buf out = BUF_INIT;

	exchange_answer(ex, 302, "text/plain; charset=utf-8", header, &out);
	free(header);
}

/* Finds the file of "TEAM-ID/…". */
static struct slk_file *find_download(struct slk_world *w, const char *path)
{
	const char *dash = strchr(path, '-'), *slash = strchr(path, '/');
	struct slk_file *f;
	char *id;

	if (!dash || !slash || slash < dash)
		return NULL;
	id = xstrndup(dash + 1, (size_t)(slash - dash - 1));
	f = slk_file_find(w, id);
	free(id);
	return f;
}

void slk_transfer_download(struct slk_world *w, struct exchange *ex, const char *path)
{
	struct slk_app *a = slk_auth_bearer(w, ex);
	struct slk_file *f = find_download(w, path);

	if (!a)
		answer_login(ex);
	else if (!f || f->state != SLK_FILE_COMPLETE)
		answer_text(ex, 404, "not found");
	else if (!slk_settings_scope(&w->set, "files:read"))
		answer_login(ex);
	else if (w->set.file_redirect)
		redirect(w, ex, f);
	else
		answer_file(ex, f);
}

void slk_transfer_cdn(struct slk_world *w, struct exchange *ex, const char *path)
{
	struct slk_file *f = find_upload(w, path);

	if (server_header(ex->req, "authorization"))
		exchange_remark(ex, "the token was sent to another host");
	if (!f || f->state != SLK_FILE_COMPLETE)
		answer_text(ex, 404, "not found");
	else
		answer_file(ex, f);
}
