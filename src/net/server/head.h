#ifndef NET_SERVER_HEAD_H
#define NET_SERVER_HEAD_H
/*
 * The head of an HTTP/1.1 request (RFC 9112), read strictly where two readers could
 * differ: CR and LF only as a pair, no folded lines, one Host, one Content-Length.
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
	char *text; /* the strings below lie in it */
	const char *method, *path, *query;
	struct server_header headers[SERVER_HEADERS_MAX];
	size_t header_count;
	uint64_t length; /* Content-Length, 0 if none */
	bool chunked;    /* the body comes in chunks instead */
	bool version_1_0;
	bool keep_alive;
	bool expects_continue;
};

/* The length of the head that in starts with, 0 when more must come, -1 when it cannot become
 * one. *scanned remembers between calls how far in was looked at; 0 at first. */
ssize_t server_head_find(const char *in, size_t len, size_t *scanned);
/* Reads a head that server_head_find has measured; copies it. -1: err->code is the status
 * to refuse it with. Clear head either way. */
int server_head_parse(struct server_head *head, const char *text, size_t len, struct error *err);
/* By lower-case name; the first if there are several. NULL if absent. */
const char *server_head_get(const struct server_head *head, const char *name);
void server_head_clear(struct server_head *head);
/* Fills err as a refusal with that status; returns -1. */
__attribute__((format(printf, 3, 4))) int server_refuse(struct error *err, int status, const char *fmt, ...);

#endif
