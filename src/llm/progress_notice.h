#ifndef LLM_PROGRESS_NOTICE_H
#define LLM_PROGRESS_NOTICE_H
/* What a person is told while a request is not answered for long: one line, at most once, and nothing while
 * an answer grows. Private to llm_complete. */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "llm/llm.h"

struct llm_progress_notice {
	struct llm_sink sink;       /* for those who answer: hears what they say, and passes it on */
	const struct llm_sink *own; /* the asker's, NULL: nobody listens */
	struct clock_timer timer;
	const char *why; /* NULL: all is well so far */
	bool speaking, told;
};

void progress_notice_begin(struct llm_progress_notice *s, const struct llm_sink *own);
void progress_notice_end(struct llm_progress_notice *s);
/* Something went wrong, or has to wait: told when the request is old enough, or as soon as it is. */
void progress_notice_reason(struct llm_progress_notice *s, const char *why);
/* A try failed: what it said is void. */
void progress_notice_restart(struct llm_progress_notice *s);

#endif
