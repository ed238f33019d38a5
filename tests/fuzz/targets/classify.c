/* llm/classify: every refusal of a provider has a class and a sentence, and only a rate limit asks to
 * wait. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "llm/classify.h"

void fuzz_classify(const uint8_t *data, size_t size)
{
	static const int statuses[] = {
	    200, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529, 302, 418};
	struct fuzz_input in = fuzz_open(data, size);
	int status = statuses[fuzz_below(&in, ARRAY_LEN(statuses))];
	uint64_t retry_ms = 1000 * fuzz_below(&in, 4);
	size_t len;
	char *body = fuzz_rest(&in, &len);
	struct error err = {0}, same = {0};
	enum llm_error_class class = llm_classify_body(status, retry_ms, body, len, &err);
	struct json_object *o = json_parse(body, len, NULL);

	HOLDS(class > LLM_ERROR_NONE && class < LLM_ERROR_CANCELLED);
	fuzz_hold_sentence(err.text);
	fuzz_hold_sentence(llm_error_advice(class));
	HOLDS((err.kind == ERROR_LIMITED) == (class == LLM_ERROR_RATE_LIMIT));
	HOLDS((err.kind == ERROR_NETWORK) == (class == LLM_ERROR_TRANSIENT || class == LLM_ERROR_OVERLOADED));
	HOLDS(err.retry_ms == retry_ms);
	HOLDS(status == 200 || err.code == status);
	HOLDS(err.code == 0 || (err.code >= 300 && err.code < 600));
	if (o) {
		HOLDS(llm_classify_object(status, retry_ms, o, &same) == class);
		HOLDS(strcmp(err.text, same.text) == 0 && err.code == same.code);
	}
	json_object_put(o);
	free(body);
}

FUZZ_PROGRAM(fuzz_classify)
