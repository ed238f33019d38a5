#include "channels/slack/download.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/attachment.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/slack_internal.h"
#include "net/http/http.h"
#include "net/http/url.h"
#include "net/resolve.h"
#include "net/web/address.h"

#define REDIRECTS_MAX 3

/* Files are on these and below them (docs.slack.dev, "Working with files"). */
static const char *const hosts[] = {"slack.com", "slack-edge.com", "slack-files.com"};

/* Judges the host that curl connects to: for curl, "https:/evil.example/://slack.com" is at evil.example. */
bool slack_download_allowed(const char *url, const char *api_host)
{
	struct http_url parts;
	char place[sizeof(parts.host) + 8];
	size_t len;

	if (http_url_parse(url, &parts, NULL) < 0)
		return false;
	bool usual = parts.port == (parts.https ? 443 : 80);
	snprintf(place, sizeof(place), "%s:%u", parts.host, parts.port);
	if (strcasecmp(place, api_host) == 0 || (usual && strcasecmp(parts.host, api_host) == 0))
		return http_url_allowed(url, NULL);
	len = strlen(parts.host);
	for (size_t i = 0; parts.https && usual && i < ARRAY_LEN(hosts); i++) {
		size_t n = strlen(hosts[i]);

		if (len >= n && strcasecmp(parts.host + len - n, hosts[i]) == 0 &&
		    (len == n || parts.host[len - n - 1] == '.'))
			return true;
	}
	return false;
}

struct load {
	const struct attachment_sink *sink;
	bool wants_html; /* the file is a page itself */
	bool html;       /* an HTML page came, the login, not the file */
	int status;
	char *location;
};

static void on_header(const char *name, const char *value, void *arg)
{
	struct load *l = arg;

	if (strcasecmp(name, "location") == 0) {
		free(l->location);
		l->location = xstrdup(value);
	}
}

static void on_status(int status, const char *content_type, void *arg)
{
	struct load *l = arg;

	l->status = status;
	l->html = content_type && strncasecmp(content_type, "text/html", 9) == 0;
}

static int on_data(const char *data, size_t len, void *arg)
{
	struct load *l = arg;

	if (l->html && !l->wants_html)
		return -1;
	return l->sink->data(data, len, l->sink->arg);
}

static int load_once(
    struct task *t, struct slack *sk, const char *url, bool ours, struct load *l, struct error *err)
{
	char *token = xasprintf("Bearer %s", sk->settings->bot_token),
	     *label = xasprintf("a file at %s", sk->host);
	const struct http_header header[] = {{"Authorization", token}};
	struct http_request req = {
	    .method = "GET",
	    .url = url,
	    .label = label,
	    .headers = header,
	    .header_count = ours ? 1 : 0,
	    .connect_ms = sk->limits->connect_ms,
	    .idle_ms = sk->limits->send_ms,
	    .total_ms = l->sink->total_ms,
	    .max_body = (size_t)l->sink->max_bytes + 1,
	    .on_header = on_header,
	    .on_status = on_status,
	    .on_data = on_data,
	    .arg = l,
	};
	struct http_response res = {.body = BUF_INIT};
	int rc = http_perform(t, &req, &res, err);

	if (l->html && !l->wants_html)
		rc = error_set(err, ERROR_REFUSED,
		    "Slack shows a login page in place of the file: the app needs the scope files:read");
	else if (rc == 0 && res.status == 429)
		rc = error_limited(err, res.retry_after_ms + sk->limits->limited_extra_ms,
		    "Slack asks to wait before files are loaded");
	else if (rc == 0 && res.status >= 400)
		rc = error_set(err, res.status >= 500 ? ERROR_NETWORK : ERROR_REFUSED,
		    "Slack does not give the file (%d)", res.status);
	http_response_clear(&res);
	free(token);
	free(label);
	return rc;
}

/* Returns where a redirect leads, malloc'd. */
static char *target_of(const char *url, const char *location)
{
	const char *host = strstr(url, "://");

	if (location[0] != '/' || !host)
		return xstrdup(location);
	return xasprintf("%.*s%s", (int)((size_t)(host + 3 - url) + strcspn(host + 3, "/?#")), url, location);
}

bool slack_download_may_follow(struct task *t, const char *url, bool local)
{
	struct resolve_answer at;
	struct http_url parts;
	struct web_address a;

	if (local)
		return http_url_allowed(url, NULL);
	if (http_url_parse(url, &parts, NULL) < 0 || !parts.https ||
	    resolve_name(t, parts.host, &at, NULL) < 0)
		return false;
	for (size_t i = 0; i < at.count; i++)
		if (!web_address_parse(at.address[i], &a) || web_address_zone(&a) != WEB_PUBLIC ||
		    web_address_is_own(&a))
			return false;
	return at.count > 0;
}

/* Follows redirects by hand: only Slack gets the token, though the file may be at another host. */
static int load_file(struct task *t, struct slack *sk, const char *from, struct load *l, struct error *err)
{
	bool local = strncmp(sk->base, "http://", 7) == 0;
	char *url = xstrdup(from);
	int rc = 0;

	for (unsigned i = 0;; i++) {
		bool ours = slack_download_allowed(url, sk->host);

		if (i > REDIRECTS_MAX || (!ours && (i == 0 || !slack_download_may_follow(t, url, local)))) {
			rc = error_set(err, ERROR_REFUSED, "the file is not at a host of Slack");
			break;
		}
		rc = load_once(t, sk, url, ours, l, err);
		if (rc < 0 || l->status < 300 || !l->location)
			break;
		char *next = target_of(url, l->location);
		free(url);
		url = next;
		free(l->location);
		l->location = NULL;
	}
	if (rc == 0 && l->status >= 300)
		rc = error_set(err, ERROR_REFUSED, "Slack does not give the file (%d)", l->status);
	free(l->location);
	free(url);
	return rc;
}

/* Calls files.info; the reply owns the result. */
static struct json_object *find_file(
    struct task *t, struct slack *sk, const char *id, struct slack_answer *a, struct error *err)
{
	struct slack_call call = {.method = "files.info", .total_ms = sk->limits->call_ms};

	*a = (struct slack_answer){.sent = false};
	if (rate_limit_wait(t, &sk->methods, call.method, RATE_LIMIT_REPLY, err) < 0)
		return NULL;
	call.params = json_object_new_object();
	json_set_str(call.params, "file", id);
	if (slack_api_call(t, sk, &call, a, err) < 0)
		return NULL;
	struct json_object *file = json_get_object(a->reply, "file");
	if (!file)
		error_set(err, ERROR_NETWORK, "files.info at %s said ok, but nothing of the file", sk->host);
	return file;
}

int slack_download(struct task *t, struct channel *ch, const struct attachment *at,
    const struct attachment_sink *sink, struct error *err)
{
	struct slack *sk = ch->state;
	struct load l = {.sink = sink};
	struct slack_answer a;
	int rc = -1;

	if (sk->refused)
		return error_set(err, ERROR_REFUSED, "the channel has stopped: its status says why");
	struct json_object *file = find_file(t, sk, at->ref, &a, err);
	const char *url = json_get_str(file, "url_private_download"), *mime = json_get_str(file, "mimetype");
	if (!url)
		url = json_get_str(file, "url_private");
	l.wants_html = mime && strncasecmp(mime, "text/html", 9) == 0;
	if (file && json_get_int(file, "size", 0) > sink->max_bytes)
		error_set(err, ERROR_REFUSED, "It is larger than the limit here");
	else if (file && !url)
		error_set(err, ERROR_REFUSED, "Slack does not say where the file is");
	else if (file)
		rc = load_file(t, sk, url, &l, err);
	slack_api_clear(&a);
	return rc;
}
