#ifndef LLM_CLASSIFY_H
#define LLM_CLASSIFY_H
/*
 * Classifies a provider's failure before any person sees it. Only the error object of an answer is read,
 * never text of a model or a person.
 */
#include <stddef.h>
#include <stdint.h>

#include "llm/llm.h"

struct error;
struct json_object;

/* A provider's description of a failure: the parts of its error object, each NULL if absent. */
struct llm_provider_error {
	int status;        /* HTTP status; 200 for an error inside an answer */
	uint64_t retry_ms; /* requested wait, 0 if none */
	const char *type, *code, *message;
	const char *upstream; /* error of the upstream provider, as a router reports it */
};

enum llm_error_class llm_classify(const struct llm_provider_error *c);
/* Classifies an error object of any known shape: {"error":{…}}, {"error":"text"}, an array of one,
 * {"object":"error",…}, {"message":…}, {"detail":…}. A status of 200 is replaced by the number in the
 * object, if any. err gets a sentence for the log (status, code, the provider's message); its kind is
 * ERROR_LIMITED with retry_ms for a rate limit, ERROR_NETWORK for a temporary failure, else
 * ERROR_REFUSED. */
enum llm_error_class llm_classify_object(
    int status, uint64_t retry_ms, struct json_object *o, struct error *err);
/* Like llm_classify_object for an error body, which may also be plain text or HTML. */
enum llm_error_class llm_classify_body(
    int status, uint64_t retry_ms, const char *body, size_t len, struct error *err);
/* Classifies a transfer without a usable answer. */
enum llm_error_class llm_classify_transfer(const struct error *err);

#endif
