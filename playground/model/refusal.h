#ifndef PLAYGROUND_MODEL_REFUSAL_H
#define PLAYGROUND_MODEL_REFUSAL_H
/* An error as OpenAI's API words it: {"error":{"message","type","param","code"}}. */
#include <stddef.h>

struct buf;
struct exchange;

struct refusal {
	int status;           /* 0: none */
	unsigned retry_after; /* seconds; 0: absent */
	const char *type;     /* literals or borrowed */
	const char *code;     /* NULL: null */
	char param[128];      /* "": null */
	char message[1024];
};

/* Fills r with status 400 and type invalid_request_error; code and param may be NULL. Returns -1. */
__attribute__((format(printf, 4, 5))) int refuse(
    struct refusal *r, const char *code, const char *param, const char *fmt, ...);
void refusal_write(const struct refusal *r, struct buf *out);
void refusal_answer(struct exchange *ex, const struct refusal *r);

#endif
