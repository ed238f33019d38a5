#ifndef LLM_REQUEST_RATE_H
#define LLM_REQUEST_RATE_H
/*
 * The rate limit of a provider: at most the configured requests per minute, and none while its answers
 * say that its quota is used up, because refused requests count too.
 */
#include <stddef.h>
#include <stdint.h>

/* Kinds of quota: requests, all tokens, input tokens, output tokens. */
#define LLM_REQUEST_RATE_KINDS 4

struct llm_request_rate {
	uint64_t *taken; /* clock_now() of the newest requests, a ring of `size` */
	size_t size, next;
	struct {
		int64_t left;   /* -1 when unknown */
		uint64_t until; /* clock_now() of its reset */
	} kinds[LLM_REQUEST_RATE_KINDS];
};

/* rpm: requests in any minute; 0: unlimited. */
void llm_request_rate_init(struct llm_request_rate *request_rate, int64_t rpm);
void llm_request_rate_clear(struct llm_request_rate *request_rate);
/* Reads a rate-limit header whose name begins with prefix, such as "x-ratelimit-remaining-tokens" and
 * "anthropic-ratelimit-tokens-reset"; ignores others. Resets are times ("6m0s", "1.5", RFC 3339). */
void llm_request_rate_header(
    struct llm_request_rate *request_rate, const char *prefix, const char *name, const char *value);
/* Returns the wait until a request may be sent, in ms; 0: now. */
uint64_t llm_request_rate_wait(const struct llm_request_rate *request_rate);
/* Reserves the next slot, which is llm_request_rate_wait() from now; later callers wait for the slots after
 * it. */
void llm_request_rate_take(struct llm_request_rate *request_rate);

#endif
