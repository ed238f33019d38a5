#ifndef PLAYGROUND_SERVER_REQUEST_LOG_H
#define PLAYGROUND_SERVER_REQUEST_LOG_H
/*
 * What was asked of the playground and what came of it: a ring of the newest requests,
 * bounded by number and by bytes, for GET /control/requests and /control/model.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define RECORD_MAX         8000
#define RECORD_MAX_BYTES   (64 * 1024 * 1024)
#define RECORD_BRIEF_BYTES (16 * 1024)

struct record {
	uint64_t n;           /* counts from 1; goes on where the ring forgets */
	int64_t began_us;     /* wall clock when the request was there */
	int64_t time_us;      /* and when it was answered */
	const char *platform; /* literal */
	char *method;
	char *body;        /* JSON text */
	char *answer;      /* JSON text; NULL: none, or a long one */
	char *problems;    /* JSON strings separated by commas; "" if none */
	const char *fault; /* literal; NULL if none was played */
	int status;        /* 0: no answer was given */
	bool refused;
};

struct record_log { /* zeroed before first use */
	struct record *ring;
	size_t first, count, bytes;
	uint64_t last_n;
};

/* Takes the strings of r; n is given here. */
void record_log_add(struct record_log *log, const struct record *r);
/* Appends {"requests":[…]}: those after number after, of one method unless it is NULL. */
void record_log_write(const struct record_log *log, struct buf *out, uint64_t after, const char *method);
/* Appends the one with that number; in brief: without a body or answer of more than RECORD_BRIEF_BYTES. -1:
 * it is forgotten. */
int record_log_write_one(const struct record_log *log, struct buf *out, uint64_t n, bool brief);
void record_log_clear(struct record_log *log);

#endif
