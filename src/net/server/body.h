#ifndef NET_SERVER_BODY_H
#define NET_SERVER_BODY_H
/* Reads the body of an HTTP/1.1 request, by length or chunked, up to a limit. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct server_head;

enum server_body_state {
	SERVER_BODY_DATA,
	SERVER_BODY_CHUNK,     /* expects the line with a chunk's size */
	SERVER_BODY_CHUNK_END, /* expects the empty line after a chunk's data */
	SERVER_BODY_TRAILER,   /* expects a line after the last chunk */
	SERVER_BODY_DONE
};

struct server_body {
	enum server_body_state state;
	bool chunked;
	uint64_t left; /* bytes left of the body or the chunk */
	size_t max;
	size_t trailer; /* bytes of trailer lines so far */
	struct buf data;
};

/* Returns -1 with err->code 413 when the head announces more than max bytes. */
int server_body_start(
    struct server_body *body, const struct server_head *head, size_t max, struct error *err);
/* Takes body bytes from the front of in. Returns 1 when the body is complete, 0 when more must arrive, -1
 * with err->code 400 or 413. */
int server_body_take(struct server_body *body, struct buf *in, struct error *err);
void server_body_clear(struct server_body *body);

#endif
