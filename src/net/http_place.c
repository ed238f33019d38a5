#include "net/http_place.h"

#include <assert.h>
#include <strings.h>

#include "base/mem.h"
#include "net/http_url.h"

#define UNUSED_MAX 64

/* The unused ones, remembered because they speak HTTP/1, stand in the order of their last use. */
static struct list places = LIST_INIT(places);
static size_t unused;

static void place_free(struct http_place *place)
{
	list_remove(&place->link);
	free(place->host);
	free(place);
}

static struct http_place *place_find(const struct http_url *url)
{
	list_each(&places, it, next) {
		struct http_place *place = list_entry(it, struct http_place, link);

		if (place->port == url->port && strcasecmp(place->host, url->host) == 0)
			return place;
	}
	return NULL;
}

struct http_place *http_place_get(const struct http_url *url)
{
	struct http_place *place = place_find(url);

	if (!place) {
		place = xcalloc(1, sizeof(*place));
		place->host = xstrdup(url->host);
		place->port = url->port;
		list_append(&places, &place->link);
	} else if (place->users == 0) {
		unused--;
	}
	place->users++;
	return place;
}

static void forget_oldest_unused(void)
{
	list_each(&places, it, next) {
		struct http_place *place = list_entry(it, struct http_place, link);

		if (place->users == 0) {
			place_free(place);
			unused--;
			return;
		}
	}
}

void http_place_put(struct http_place *place)
{
	if (--place->users > 0)
		return;
	if (!place->http1) {
		place_free(place);
		return;
	}
	list_remove(&place->link);
	list_append(&places, &place->link);
	if (++unused > UNUSED_MAX)
		forget_oldest_unused();
}

void http_place_forget_all(void)
{
	list_each(&places, it, next) {
		struct http_place *place = list_entry(it, struct http_place, link);

		assert(place->users == 0);
		place_free(place);
	}
	unused = 0;
}
