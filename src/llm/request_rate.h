#ifndef LLM_REQUEST_RATE_H
#define LLM_REQUEST_RATE_H
/*
 * How fast a provider may be asked: no more requests a minute than the settings allow, and none while its
 * answers say that nothing is left. Asking all the same would count there, and be refused.
 */
#include <stddef.h>
#include <stdint.h>

/* What is counted: requests, tokens of both kinds, tokens read, tokens written. */
#define LLM_REQUEST_RATE_KINDS 4

struct llm_request_rate {
	uint64_t *taken; /* clock_now() of the newest requests, a ring of `size` */
	size_t size, next;
	struct {
		int64_t left;   /* -1: it is not known */
		uint64_t until; /* clock_now() at which there is more */
	} kinds[LLM_REQUEST_RATE_KINDS];
};

/* rpm: requests in any minute; 0: as many as there are. */
void llm_request_rate_init(struct llm_request_rate *request_rate, int64_t rpm);
void llm_request_rate_clear(struct llm_request_rate *request_rate);
/* A header of an answer whose name begins with prefix, as in "x-ratelimit-remaining-tokens" and
 * "anthropic-ratelimit-tokens-reset"; all others are passed over. Resets are times ("6m0s", "1.5", RFC
 * 3339). */
void llm_request_rate_header(
    struct llm_request_rate *request_rate, const char *prefix, const char *name, const char *value);
/* How long until a request may leave, in ms; 0: now. */
uint64_t llm_request_rate_wait(const struct llm_request_rate *request_rate);
/* Reserves the next place: leaves after llm_request_rate_wait() from now, whoever comes later waits behind
 * it. */
void llm_request_rate_take(struct llm_request_rate *request_rate);

#endif
