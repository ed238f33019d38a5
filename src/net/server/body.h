#ifndef NET_SERVER_BODY_H
#define NET_SERVER_BODY_H
/* The body of an HTTP/1.1 request, by length or in chunks, collected up to a limit. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct server_head;

enum server_body_state {
	SERVER_BODY_DATA,
	SERVER_BODY_CHUNK,     /* the line with a chunk's size is next */
	SERVER_BODY_CHUNK_END, /* the empty line after a chunk's data is next */
	SERVER_BODY_TRAILER,   /* a line after the last chunk is next */
	SERVER_BODY_DONE
};

struct server_body {
	enum server_body_state state;
	bool chunked;
	uint64_t left; /* bytes that are to come of the body, or of the chunk */
	size_t max;
	size_t trailer; /* bytes of trailer lines so far */
	struct buf data;
};

/* -1 with err->code 413 when the head announces more than max bytes. */
int server_body_start(
    struct server_body *body, const struct server_head *head, size_t max, struct error *err);
/* Takes from the front of in what belongs to the body. 1: the body is whole. 0: more must come.
 * -1: err->code is 400 or 413. */
int server_body_take(struct server_body *body, struct buf *in, struct error *err);
void server_body_clear(struct server_body *body);

#endif
