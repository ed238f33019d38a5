#ifndef TESTS_FUZZ_REQUEST_H
#define TESTS_FUZZ_REQUEST_H
/*
 * A client of a handler of net/server, on all of the way that a request takes but the socket. The clock must
 * be fake: it moves on when the handler waits for nothing else. A client that has waited for long
 * disconnects.
 */
#include <stdbool.h>

#include "base/buf.h"
#include "net/server/server.h"

struct fuzz_answer {
	int status; /* 0: none came */
	bool whole; /* it ended as its head said */
	char type[64];
	struct buf body; /* without the chunks of a stream */
};

/* Appends the request with the head that a line says, "METHOD PATH|HEADER: VALUE|…", and that body. */
void fuzz_request_build(struct buf *out, const char *head, const char *body, size_t len);
/* request: the bytes of one. Clear the answer. */
void fuzz_request(struct fuzz_answer *a, const struct buf *request, server_handler *handler, void *arg);
void fuzz_answer_clear(struct fuzz_answer *a);

#endif
