#include "channels/discord/download.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/api.h"
#include "channels/discord/discord_internal.h"
#include "net/http/http.h"

static const char *const hosts[] = {"cdn.discordapp.com", "media.discordapp.net"};

/* Sets *place to the host and port in the URL. Returns their length; 0: there are none. */
static size_t place_of(const char *url, const char **place)
{
	const char *at = strstr(url, "://");

	if (!at)
		return 0;
	*place = at + 3;
	return strcspn(at + 3, "/?#");
}

bool discord_download_allowed(const char *url, const char *api_base)
{
	const char *place = url, *own = api_base;
	size_t len = place_of(url, &place), own_len = place_of(api_base, &own);

	/* A user:password part would name another host. */
	if (len == 0 || memchr(place, '@', len) || memchr(place, '\\', len))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
		if (strncasecmp(url, "https://", 8) == 0 && len == strlen(hosts[i]) &&
		    strncasecmp(place, hosts[i], len) == 0)
			return true;
	return len == own_len && strncasecmp(place, own, len) == 0 && place - url == own - api_base &&
	    strncasecmp(url, api_base, (size_t)(place - url)) == 0;
}

/* Returns the attachment with that id in the message, or NULL. */
static struct json_object *find_file(struct json_object *message, const char *id)
{
	struct json_object *list = json_get_array(message, "attachments");

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *file = json_object_array_get_idx(list, i);
		const char *its = json_get_str(file, "id");

		if (its && strcmp(its, id) == 0)
			return file;
	}
	return NULL;
}

/* Returns a URL that is valid now, malloc'd; NULL with err set. */
static char *find_url(struct task *t, struct discord *d, const char *ref, int64_t most, struct error *err)
{
	char channel[24] = "", message[24] = "", file_id[24] = "", *path, *url = NULL;
	struct json_object *reply, *file;

	if (sscanf(ref, "%23[0-9]/%23[0-9]/%23[0-9]", channel, message, file_id) != 3) {
		error_set(err, ERROR_REFUSED, "the URL of the file is unknown");
		return NULL;
	}
	path = xasprintf("/channels/%s/messages/%s", channel, message);
	reply = discord_api_get(t, d, "/channels/{}/messages/{}", path, channel, 1, NULL, err);
	free(path);
	if (!reply)
		return NULL;
	file = find_file(reply, file_id);
	if (!file || !json_get_str(file, "url"))
		error_set(err, ERROR_REFUSED, "the message no longer has the file");
	else if (json_get_int(file, "size", 0) > most)
		error_set(err, ERROR_REFUSED, "It is larger than the limit here");
	else if (!discord_download_allowed(json_get_str(file, "url"), d->base))
		error_set(err, ERROR_REFUSED, "the file is on a host that is not Discord's");
	else
		url = xstrdup(json_get_str(file, "url"));
	json_object_put(reply);
	return url;
}

static int read_status(const struct discord *d, const struct http_response *res, struct error *err)
{
	if (res->status == 200)
		return 0;
	if (res->status == 429)
		return error_limited(err, res->retry_after_ms + d->limits->limited_extra_ms,
		    "Discord's rate limit delays downloads");
	if (res->status == 403 || res->status == 404)
		return error_set(err, ERROR_REFUSED, "Discord has deleted the file (%d)", res->status);
	return error_set(err, ERROR_NETWORK, "Discord cannot deliver the file now (%d)", res->status);
}

int discord_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err)
{
	struct http_response res = {.body = BUF_INIT};
	struct discord *d = ch->state;
	char *url;
	int rc;

	if (d->refused)
		return error_set(err, ERROR_REFUSED, "the channel has stopped");
	url = find_url(t, d, a->ref ? a->ref : "", sink->max_bytes, err);
	if (!url)
		return -1;
	struct http_request req = {
	    .method = "GET",
	    .url = url,
	    .label = "a file at Discord",
	    .connect_ms = d->limits->connect_ms,
	    .idle_ms = d->limits->send_ms,
	    .total_ms = sink->total_ms,
	    .max_body = (size_t)sink->max_bytes + 1,
	    .on_data = sink->data,
	    .arg = sink->arg,
	};
	rc = http_perform(t, &req, &res, err);
	if (rc == 0)
		rc = read_status(d, &res, err);
	http_response_clear(&res);
	free(url);
	return rc;
}
