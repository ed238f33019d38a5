#include "channels/telegram/download.h"

#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/telegram/api.h"
#include "channels/telegram/telegram_internal.h"
#include "net/http/http.h"

static int refuse_large(struct error *err)
{
	return error_set(
	    err, ERROR_REFUSED, "Telegram lets bots download at most 20 MB, and this file is larger");
}

/* Checks the path of the file below the server's file folder. A Bot API server with the option --local names
 * a path on its own disk, which is refused. */
static int check_path(const char *path, struct error *err)
{
	if (!path || *path == '\0')
		return error_set(err, ERROR_REFUSED, "Telegram returned no path for the file");
	if (*path == '/' || strstr(path, "..") || strlen(path) > 1024)
		return error_set(
		    err, ERROR_REFUSED, "Telegram returned a file path outside of its file folder");
	return 0;
}

/* Calls getFile and appends the URL of the file, which contains the token. */
static int find(struct task *t, struct telegram *tg, const struct attachment *a, int64_t most,
    struct buf *url, struct error *err)
{
	struct telegram_call call = {
	    .method = "getFile",
	    .params = json_object_new_object(),
	    .total_ms = tg->limits->call_ms,
	};
	struct telegram_answer answer;
	const char *path;
	int rc;

	json_set_str(call.params, "file_id", a->ref);
	rc = telegram_api_call(t, tg, &call, &answer, err);
	path = json_get_str(answer.result, "file_path");
	if (rc < 0 && answer.outcome.class == TELEGRAM_FILE_TOO_LARGE)
		refuse_large(err);
	else if (rc == 0 && json_get_int(answer.result, "file_size", 0) > most)
		rc = error_set(err, ERROR_REFUSED, "It is larger than the limit here");
	else if (rc == 0)
		rc = check_path(path, err);
	if (rc == 0) {
		buf_addstr(url, tg->file_base);
		for (size_t len; *path != '\0'; path += len) {
			len = strcspn(path, "/");
			http_url_encode(url, path, len);
			if (path[len] == '/') {
				buf_addch(url, '/');
				len++;
			}
		}
	}
	telegram_api_clear(&answer);
	return rc;
}

/* A path is valid for at least an hour; the next getFile returns a new one. */
static int read_status(const struct telegram *tg, const struct http_response *res, struct error *err)
{
	if (res->status == 200)
		return 0;
	if (res->status == 429)
		return error_limited(err, res->retry_after_ms + tg->limits->limited_extra_ms,
		    "the rate limit of %s delays downloads", tg->host);
	if (res->status == 401 || res->status == 403)
		return error_set(err, ERROR_REFUSED, "%s refuses the file (%d)", tg->host, res->status);
	return error_set(err, ERROR_NETWORK, "%s has no file there now (%d)", tg->host, res->status);
}

static int load(struct task *t, struct telegram *tg, const char *url, const struct attachment_sink *sink,
    struct error *err)
{
	char *label = xasprintf("a file at %s", tg->host);
	struct http_request req = {
	    .method = "GET",
	    .url = url,
	    .label = label,
	    .connect_ms = tg->limits->connect_ms,
	    .idle_ms = tg->limits->send_ms,
	    .total_ms = sink->total_ms,
	    .max_body = (size_t)sink->max_bytes + 1,
	    .on_data = sink->data,
	    .arg = sink->arg,
	};
	struct http_response res = {.body = BUF_INIT};
	int rc = http_perform(t, &req, &res, err);

	if (rc == 0)
		rc = read_status(tg, &res, err);
	http_response_clear(&res);
	free(label);
	return rc;
}

int telegram_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	struct telegram *tg = ch->state;
	struct buf url = BUF_INIT;
	int rc;

	if (tg->refused)
		return error_set(err, ERROR_REFUSED, "the channel has stopped: its token was refused");
	if (a->size > TELEGRAM_DOWNLOAD_MAX)
		return refuse_large(err);
	rc = find(t, tg, a, sink->max_bytes, &url, err);
	if (rc == 0)
		rc = load(t, tg, url.data, sink, err);
	buf_clear(&url);
	return rc;
}
