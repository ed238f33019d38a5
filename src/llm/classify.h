#ifndef LLM_CLASSIFY_H
#define LLM_CLASSIFY_H
/*
 * What kind of failure a provider's answer is, decided before anything is shown to anybody.
 * Only the error object of an answer is looked at, never what a model or a person wrote.
 */
#include <stddef.h>
#include <stdint.h>

#include "llm/llm.h"

struct error;
struct json_object;

/* A provider's own words about a failure: the parts of its error object, each NULL if absent. */
struct llm_provider_error {
	int status;        /* HTTP status; 200 for an error inside an answer */
	uint64_t retry_ms; /* the wait that it asks for, 0 if none */
	const char *type, *code, *message;
	const char *upstream; /* what a router heard from the provider behind it */
};

enum llm_error_class llm_classify(const struct llm_provider_error *c);
/* An error object in any known shape: {"error":{…}}, {"error":"text"}, an array of one, {"object":"error",…},
 * {"message":…}, {"detail":…}. A status of 200 gives way to the number in the object, if it has one. err gets
 * a sentence for the log: status, code and the provider's message; its kind is ERROR_LIMITED, with retry_ms,
 * for a rate limit, ERROR_NETWORK for what may pass, else ERROR_REFUSED. */
enum llm_error_class llm_classify_object(
    int status, uint64_t retry_ms, struct json_object *o, struct error *err);
/* The same from an error body, which may also be plain text or a web page. */
enum llm_error_class llm_classify_body(
    int status, uint64_t retry_ms, const char *body, size_t len, struct error *err);
/* A transfer that gave no usable answer. */
enum llm_error_class llm_classify_transfer(const struct error *err);

#endif
