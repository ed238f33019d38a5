#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/attachment.h"
#include "bus/message.h"
#include "bus/outbox_file.h"
#include "channels/shared/blank.h"
#include "channels/slack/api.h"
#include "channels/slack/download.h"
#include "channels/slack/render.h"
#include "channels/slack/file_share.h"
#include "channels/slack/slack_internal.h"
#include "net/http/http.h"

static int call_form(struct task *t, struct slack *sk, const char *method, struct json_object *params,
    bool once, struct slack_answer *a, struct error *err)
{
	struct slack_call call = {
	    .method = method, .params = params, .total_ms = sk->limits->send_ms, .once = once};

	return slack_api_call(t, sk, &call, a, err);
}

/* Sets the URL that takes the bytes, and the id of the file, both malloc'd. */
static int get_upload_url(struct task *t, struct slack *sk, const struct attachment *file, size_t len,
    char **url, char **id, struct error *err)
{
	struct json_object *params = json_object_new_object();
	struct slack_answer a;
	int rc;

	json_set_str(params, "filename", file->name ? file->name : "file");
	json_set_int(params, "length", (int64_t)len);
	rc = call_form(t, sk, "files.getUploadURLExternal", params, false, &a, err);
	*url = xstrdup(json_get_str(a.reply, "upload_url"));
	*id = xstrdup(json_get_str(a.reply, "file_id"));
	if (rc == 0 && (!*url || !*id))
		rc = error_set(err, ERROR_NETWORK, "files.getUploadURLExternal at %s gave no URL", sk->host);
	slack_api_clear(&a);
	return rc;
}

static int put_bytes(
    struct task *t, struct slack *sk, const char *url, const struct buf *bytes, struct error *err)
{
	static const struct http_header header[] = {{"Content-Type", "application/octet-stream"}};
	struct http_request req = {
	    .method = "POST",
	    .url = url,
	    .label = "a file's upload to Slack",
	    .headers = header,
	    .header_count = 1,
	    .body = bytes->data,
	    .body_len = bytes->len,
	    .connect_ms = sk->limits->connect_ms,
	    .idle_ms = sk->limits->send_ms,
	    .total_ms = sk->limits->file_ms,
	};
	struct http_response res = {.body = BUF_INIT};
	int rc = http_perform(t, &req, &res, err);

	if (rc == 0 && res.status != 200)
		rc = error_set(err, res.status >= 500 ? ERROR_NETWORK : ERROR_REFUSED,
		    "Slack did not take the file (%d)", res.status);
	http_response_clear(&res);
	return rc;
}

static struct json_object *completion(const struct outbound *delivery, const char *id)
{
	struct json_object *params = json_object_new_object(), *files = json_object_new_array();
	struct json_object *file = json_object_new_object();
	char *text = slack_render(delivery->text);

	json_set_str(file, "id", id);
	json_set_str(file, "title", delivery->file->name ? delivery->file->name : "file");
	json_object_array_add(files, file);
	json_set(params, "files", files);
	json_set_str(params, "channel_id", delivery->to.chat);
	if (delivery->to.thread[0] != '\0')
		json_set_str(params, "thread_ts", delivery->to.thread);
	if (!text_is_blank(text) || delivery->repeat) {
		char *comment = xasprintf("%s%s", text, delivery->repeat ? SLACK_REPEAT_MARK : "");
		json_set_str(params, "initial_comment", comment);
		free(comment);
	}
	free(text);
	return params;
}

/* Only this call shows the file, so only this one can show it twice. */
static int complete(
    struct task *t, struct slack *sk, const struct outbound *delivery, const char *id, struct error *err)
{
	struct slack_answer a;
	int rc = call_form(t, sk, "files.completeUploadExternal", completion(delivery, id), true, &a, err);

	if (rc < 0) {
		err->uncertain = a.outcome.class == SLACK_SERVER_ERROR && a.sent;
		if (err->uncertain && err->kind == ERROR_OURS)
			err->kind = ERROR_NETWORK;
	}
	slack_api_clear(&a);
	return rc;
}

/* What is sent next must not overtake the file: the id of its message takes the place of its own, when that
 * is found. */
static void await_share(struct task *t, struct slack *sk, const struct outbound *delivery, char **id)
{
	struct error err = {0};
	char *ts = NULL;

	if (slack_file_share_wait(t, sk, delivery, *id, &ts, &err) == 1) {
		free(*id);
		*id = ts;
	} else {
		log_debug(sk->self.channel, "it is not known when a file was shared: %s", err.text);
	}
}

int slack_upload_send(
    struct task *t, struct slack *sk, const struct outbound *delivery, char **id, struct error *err)
{
	struct buf bytes = BUF_INIT;
	char *url = NULL;
	int rc = outbox_file_load(t, delivery, &bytes, err);

	if (rc == 0 && bytes.len == 0)
		rc = error_set(err, ERROR_REFUSED, "an empty file cannot be sent");
	if (rc == 0)
		rc = get_upload_url(t, sk, delivery->file, bytes.len, &url, id, err);
	if (rc == 0)
		rc = put_bytes(t, sk, url, &bytes, err);
	if (rc < 0) {
		/* An upload that was not completed is visible to nobody. */
		err->uncertain = false;
	} else {
		slack_file_share_note(sk, delivery, *id);
		rc = complete(t, sk, delivery, *id, err);
		if (rc == 0)
			await_share(t, sk, delivery, id);
	}
	/* The delivery waits for the person who puts the token right. */
	if (rc < 0 && sk->refused)
		err->kind = ERROR_NETWORK;
	buf_clear(&bytes);
	free(url);
	return rc;
}
