#ifndef NET_SERVER_HEAD_H
#define NET_SERVER_HEAD_H
/*
 * Parses the head of an HTTP/1.1 request (RFC 9112), strictly where parsers could disagree: CR and LF
 * only as a pair, no folded lines, one Host, one Content-Length.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct error;

#define SERVER_HEAD_MAX    (32 * 1024)
#define SERVER_TARGET_MAX  (8 * 1024)
#define SERVER_HEADERS_MAX 100

struct server_header {
	const char *name, *value;
};

struct server_head {
	char *text; /* the strings below point into it */
	const char *method, *path, *query;
	struct server_header headers[SERVER_HEADERS_MAX];
	size_t header_count;
	uint64_t length; /* Content-Length, 0 for none */
	bool chunked;    /* chunked body */
	bool version_1_0;
	bool keep_alive;
	bool expects_continue;
};

/* Returns the length of the head at the start of in, 0 when more must arrive, -1 when it is invalid.
 * *scanned keeps the search position between calls; start with 0. */
ssize_t server_head_find(const char *in, size_t len, size_t *scanned);
/* Parses a head measured by server_head_find; copies it. Returns -1 with the status to refuse it in
 * err->code. Clear head in any case. */
int server_head_parse(struct server_head *head, const char *text, size_t len, struct error *err);
/* Returns the first header of that lower-case name, NULL if absent. */
const char *server_head_get(const struct server_head *head, const char *name);
void server_head_clear(struct server_head *head);
/* Fills err with a refusal of that status; returns -1. */
__attribute__((format(printf, 3, 4))) int server_refuse(struct error *err, int status, const char *fmt, ...);

#endif
