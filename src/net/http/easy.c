#include "net/http/easy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define UNUSED_MAX 256

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
	e->hash = 0;
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

/* Purposes often differ only in the middle, by a number: without this each would be compared up to there. 0:
 * empty. */
static uint64_t hash_of(const struct buf *purpose)
{
	uint64_t hash = purpose->len, word;

	for (size_t i = 0; i < purpose->len; i += sizeof(word)) {
		size_t n = purpose->len - i < sizeof(word) ? purpose->len - i : sizeof(word);

		word = 0;
		memcpy(&word, purpose->data + i, n);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	return hash;
}

/* The last used one with that purpose, which may be empty. */
static struct http_easy *find(const struct buf *purpose, uint64_t hash)
{
	for (size_t i = unused_count; i > 0; i--) {
		const struct http_easy *e = unused[i - 1];

		if (e->hash == hash && e->purpose.len == purpose->len &&
		    memcmp(e->purpose.data, purpose->data, purpose->len) == 0)
			return take(i - 1);
	}
	return NULL;
}

struct http_easy *http_easy_get(const struct buf *purpose)
{
	static const struct buf none = BUF_INIT;
	struct http_easy *e = find(purpose, hash_of(purpose));

	if (!e)
		e = find(&none, 0);
	if (e)
		return e;
	if (unused_count < UNUSED_MAX)
		return easy_new();
	e = take(0);
	forget_purpose(e);
	return e;
}

void http_easy_set_up(struct http_easy *e, struct buf *purpose)
{
	e->purpose = *purpose;
	e->hash = hash_of(purpose);
	buf_init(purpose);
}

void http_easy_put(struct http_easy *e)
{
	if (unused_count == UNUSED_MAX)
		easy_free(take(0));
	if (e->purpose.len == 0)
		forget_purpose(e);
	unused[unused_count++] = e;
}

void http_easy_finish(void)
{
	while (unused_count > 0)
		easy_free(take(unused_count - 1));
	curl_share_cleanup(tickets);
	tickets = NULL;
}
