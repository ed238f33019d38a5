#ifndef PLAYGROUND_SERVER_REQUEST_LOG_H
#define PLAYGROUND_SERVER_REQUEST_LOG_H
/* The request log: a ring of the newest requests with their results, bounded by number and bytes, for GET
 * /control/requests and /control/model. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define RECORD_MAX         8000
#define RECORD_MAX_BYTES   (64 * 1024 * 1024)
#define RECORD_BRIEF_BYTES (16 * 1024)

struct record {
	uint64_t n;           /* counts from 1, also past the ring's size */
	int64_t began_us;     /* wall clock of the arrival */
	int64_t time_us;      /* wall clock of the response */
	const char *platform; /* literal */
	char *method;
	char *body;        /* JSON text */
	char *answer;      /* JSON text; NULL: none, or too long */
	char *problems;    /* JSON strings separated by commas */
	const char *fault; /* literal; NULL: none */
	int status;        /* 0: no response */
	/* For GET /control/report: */
	uint64_t caller;         /* hash of the path and the credentials */
	uint64_t token;          /* hash of the header with credentials; 0: it had none */
	uint64_t person_actions; /* number of actions of people before it arrived */
	unsigned retry_s;        /* of a 429: its Retry-After */
	unsigned limit_used;     /* how much of a rate limit is used up, in percent */
	bool refused;
};

struct record_log { /* zero-initialised */
	struct record *ring;
	size_t first, count, bytes;
	uint64_t last_n;
};

/* Takes the strings of r; assigns n. */
void record_log_add(struct record_log *log, const struct record *r);
/* Appends {"requests":[...]}: those after number `after`, of one method or, if NULL, of all. */
void record_log_write(const struct record_log *log, struct buf *out, uint64_t after, const char *method);
/* Appends the record n. brief: without a body or answer above RECORD_BRIEF_BYTES. Returns -1 if it was
 * dropped. */
int record_log_write_one(const struct record_log *log, struct buf *out, uint64_t n, bool brief);
void record_log_clear(struct record_log *log);

#endif
