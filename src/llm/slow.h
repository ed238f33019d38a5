#ifndef LLM_SLOW_H
#define LLM_SLOW_H
/* What a person is told while a request is not answered for long: one line, at most once, and nothing while
 * an answer grows. Private to llm_complete. */
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "llm/llm.h"

struct llm_slow {
	struct llm_sink sink;       /* for those who answer: hears what they say, and passes it on */
	const struct llm_sink *own; /* the asker's, NULL: nobody listens */
	struct clock_timer timer;
	const char *why; /* NULL: all is well so far */
	bool speaking, told;
};

void slow_begin(struct llm_slow *s, const struct llm_sink *own);
void slow_end(struct llm_slow *s);
/* Something went wrong, or has to wait: told when the request is old enough, or as soon as it is. */
void slow_because(struct llm_slow *s, const char *why);
/* A try failed: what it said is void. */
void slow_restart(struct llm_slow *s);

#endif
