#ifndef BASE_ERROR_H
#define BASE_ERROR_H
/*
 * What went wrong, and what to do next. Functions that can fail return 0 or -1
 * and take a struct error * last; NULL means the caller does not want to know.
 */
#include <stdbool.h>
#include <stdint.h>

enum error_kind {
	ERROR_NONE,
	ERROR_OURS,     /* a wrong argument, setting or local resource: trying again changes nothing */
	ERROR_NETWORK,  /* not reached, broken off, or the other side is in trouble: try again later */
	ERROR_LIMITED,  /* asked to wait retry_ms */
	ERROR_REFUSED,  /* a definite no from the other side */
	ERROR_CANCELLED /* the task was cancelled */
};

struct error {
	enum error_kind kind;
	/* The request may have taken effect although no answer came. */
	bool uncertain;
	int code;          /* HTTP status or platform code, 0 if none */
	uint64_t retry_ms; /* ERROR_LIMITED: how long to wait */
	char text[256];    /* a sentence a person can act on, valid UTF-8, secrets redacted */
};

/* Fills err (a NULL err is fine) and returns -1, so that failing is one line. */
__attribute__((format(printf, 3, 4))) int error_set(
    struct error *err, enum error_kind kind, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) int error_limited(
    struct error *err, uint64_t retry_ms, const char *fmt, ...);
int error_cancelled(struct error *err);
/* Puts context before the sentence that err holds; returns -1. */
__attribute__((format(printf, 2, 3))) int error_prefix(struct error *err, const char *fmt, ...);
void error_clear(struct error *err);
const char *error_kind_name(enum error_kind kind);

#endif
