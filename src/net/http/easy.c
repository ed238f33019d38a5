#include "net/http/easy.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define UNUSED_MAX 128

/* From the one that was not used for the longest time to the last. */
static struct http_easy *unused[UNUSED_MAX];
static size_t unused_count;
/* The TLS session tickets of all handles, which shorten the next handshake. */
static CURLSH *tickets;

static struct http_easy *easy_new(void)
{
	struct http_easy *e = xcalloc(1, sizeof(*e));

	if (!tickets) {
		tickets = curl_share_init();
		if (!tickets ||
		    curl_share_setopt(tickets, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION) != CURLSHE_OK)
			mem_exhausted(0);
	}
	e->curl = curl_easy_init();
	if (!e->curl)
		mem_exhausted(0);
	buf_init(&e->purpose);
	curl_easy_setopt(e->curl, CURLOPT_SHARE, tickets);
	return e;
}

static void forget_purpose(struct http_easy *e)
{
	curl_easy_reset(e->curl);
	curl_slist_free_all(e->headers);
	curl_url_cleanup(e->url);
	buf_clear(&e->purpose);
	e->headers = NULL;
	e->url = NULL;
}

static void easy_free(struct http_easy *e)
{
	forget_purpose(e);
	curl_easy_cleanup(e->curl);
	free(e);
}

static struct http_easy *take(size_t at)
{
	struct http_easy *e = unused[at];

	unused_count--;
	memmove(&unused[at], &unused[at + 1], (unused_count - at) * sizeof(*unused));
	return e;
}

/* The last used one with that purpose, which may be empty. */
static struct http_easy *find(const struct buf *purpose)
{
	for (size_t i = unused_count; i > 0; i--) {
		const struct buf *p = &unused[i - 1]->purpose;

		if (p->len == purpose->len && memcmp(p->data, purpose->data, p->len) == 0)
			return take(i - 1);
	}
	return NULL;
}

struct http_easy *http_easy_get(const struct buf *purpose)
{
	static const struct buf none = BUF_INIT;
	struct http_easy *e = find(purpose);

	if (!e)
		e = find(&none);
	if (e)
		return e;
	if (unused_count < UNUSED_MAX)
		return easy_new();
	e = take(0);
	forget_purpose(e);
	return e;
}

void http_easy_put(struct http_easy *e)
{
	if (unused_count == UNUSED_MAX)
		easy_free(take(0));
	if (e->purpose.len == 0)
		forget_purpose(e);
	/* It would lead to the transfer that has ended. */
	curl_easy_setopt(e->curl, CURLOPT_ERRORBUFFER, NULL);
	unused[unused_count++] = e;
}

void http_easy_finish(void)
{
	while (unused_count > 0)
		easy_free(take(unused_count - 1));
	curl_share_cleanup(tickets);
	tickets = NULL;
}
