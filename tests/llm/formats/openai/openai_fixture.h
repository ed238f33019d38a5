#ifndef TESTS_LLM_FORMATS_OPENAI_OPENAI_FIXTURE_H
#define TESTS_LLM_FORMATS_OPENAI_OPENAI_FIXTURE_H
/* For tests: the outcome of an answer's chunks in the Chat Completions format. */
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "llm/llm.h"

struct json_object;

/* Chunks: with a delta, a piece of text, a piece of a call, a finish reason; the end mark. */
#define DELTA(members) \
	"{\"choices\":[{\"index\":0,\"delta\":{" members "},\"finish_reason\":null}],\"usage\":null}"
#define TEXT(text)     DELTA("\"content\":\"" text "\"")
#define CALL(members)  DELTA("\"tool_calls\":[{" members "}]")
#define FINISH(reason) "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" reason "\"}]}"
#define DONE           "[DONE]"
/* Members of a call. */
#define FUNCTION(name, arguments) "\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}"
#define ARGUMENTS(arguments)      "\"function\":{\"arguments\":\"" arguments "\"}"

struct outcome {
	int rc; /* of the chunk that failed, else of the end */
	struct llm_answer answer;
	struct error err;
	struct buf said; /* text sent to the sink */
};

void assemble(struct outcome *o, const char *const *chunks, size_t count);
void outcome_clear(struct outcome *o);

#define ASSEMBLE(o, ...)                                     \
	do {                                                 \
		const char *const chunks_[] = {__VA_ARGS__}; \
		assemble(o, chunks_, ARRAY_LEN(chunks_));    \
	} while (0)

void assert_answer(const struct outcome *o, enum llm_finish finish, const char *text);
void assert_answer_failure(const struct outcome *o, enum llm_error_class class);
/* calls: "id name arguments" for each call; the id * matches any id that we made. */
void assert_calls(const struct outcome *o, const char *const *calls, size_t count);

#define CALLS(o, ...)                                       \
	do {                                                \
		const char *const calls_[] = {__VA_ARGS__}; \
		assert_calls(o, calls_, ARRAY_LEN(calls_)); \
	} while (0)

/* Returns the message's raw form; the caller puts it. */
struct json_object *raw_of(const struct outcome *o);

#endif
