#include "channels/slack/slack_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "channels/slack/download.h"
#include "net/http/http.h"

/* A little less than the 30 minutes for which Slack accepts it. */
#define GOOD_MS (29 * 60 * 1000)

void slack_response_url_note(struct slack *sk, struct json_object *payload)
{
	const char *url = json_get_str(payload, "response_url"), *chat = json_get_str(payload, "channel_id");
	char *value;

	if (!url || !chat || !slack_download_allowed(url, sk->host))
		return;
	value = xasprintf("%" PRIu64 " %s", clock_now() + GOOD_MS, url);
	slack_recent_map_note(&sk->response_urls, chat, value);
	free(value);
}

/* Returns the URL, malloc'd, and forgets it. NULL: there is none, or it is too old. */
static char *take(struct slack *sk, const char *chat)
{
	const char *value = slack_recent_map_get(&sk->response_urls, chat);
	char *end, *url = NULL;

	if (!value || *value == '\0')
		return NULL;
	if (strtoull(value, &end, 10) > clock_now())
		url = xstrdup(end + 1);
	slack_recent_map_note(&sk->response_urls, chat, "");
	return url;
}

static void write_body(const struct slack *sk, struct buf *out)
{
	struct json_object *o = json_object_new_object();
	char *text = xasprintf("I cannot answer here, because I am not a member. Invite me with `/invite "
			       "@%s`, or write to me directly.",
	    sk->self.name);

	json_set_str(o, "response_type", "ephemeral");
	json_set_str(o, "text", text);
	json_write(out, o);
	json_object_put(o);
	free(text);
}

void slack_response_url_send(struct task *t, struct slack *sk, const char *chat)
{
	const struct http_header header = {"Content-Type", "application/json; charset=utf-8"};
	char *url = take(sk, chat);
	struct buf body = BUF_INIT;
	struct http_request req = {
	    .method = "POST",
	    .url = url,
	    .label = "a response_url of Slack",
	    .headers = &header,
	    .header_count = 1,
	    .connect_ms = sk->limits->connect_ms,
	    .idle_ms = sk->limits->call_ms,
	    .total_ms = sk->limits->call_ms,
	    .max_body = sk->limits->answer_max,
	    .once = true,
	};
	struct http_response res = {.body = BUF_INIT};
	struct error err = {0};

	if (!url)
		return;
	write_body(sk, &body);
	req.body = body.data;
	req.body_len = body.len;
	if (http_perform(t, &req, &res, &err) == 0 && res.status != 200)
		error_set(&err, ERROR_REFUSED, "Slack answered %d", res.status);
	if (err.kind != ERROR_NONE)
		log_debug(sk->self.channel, "cannot ask for an invitation of the app: %s", err.text);
	http_response_clear(&res);
	buf_clear(&body);
	free(url);
}
