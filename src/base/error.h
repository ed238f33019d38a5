#ifndef BASE_ERROR_H
#define BASE_ERROR_H
/*
 * Errors: what failed, and whether a retry can help. Functions that can fail return 0 or -1 and take a
 * struct error * last; NULL when the caller does not need the details.
 */
#include <stdbool.h>
#include <stdint.h>

enum error_kind {
	ERROR_NONE,
	ERROR_OURS,     /* a wrong argument, setting or local resource: a retry does not help */
	ERROR_NETWORK,  /* unreachable, interrupted, or the peer has trouble: retry later */
	ERROR_LIMITED,  /* rate limited: wait retry_ms */
	ERROR_REFUSED,  /* the peer definitely refused */
	ERROR_CANCELLED /* the task was cancelled */
};

struct error {
	enum error_kind kind;
	/* The request may have taken effect although no answer arrived. */
	bool uncertain;
	bool unanswered;   /* nothing came back: the peer may be out of reach */
	int code;          /* HTTP status or platform code, 0 if none */
	uint64_t retry_ms; /* ERROR_LIMITED: how long to wait */
	char text[256];    /* a sentence that helps a person to act: valid UTF-8, secrets redacted */
};

/* Fill err (may be NULL) and return -1, so that a failure is one line. */
__attribute__((format(printf, 3, 4))) int error_set(
    struct error *err, enum error_kind kind, const char *fmt, ...);
__attribute__((format(printf, 3, 4))) int error_limited(
    struct error *err, uint64_t retry_ms, const char *fmt, ...);
int error_cancelled(struct error *err);
/* Prepends context to the sentence in err; returns -1. */
__attribute__((format(printf, 2, 3))) int error_prefix(struct error *err, const char *fmt, ...);
void error_clear(struct error *err);
const char *error_kind_name(enum error_kind kind);

#endif
