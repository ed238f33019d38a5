#ifndef LLM_PROGRESS_NOTICE_H
#define LLM_PROGRESS_NOTICE_H
/* The progress notice of a slow request: one line, at most once, and none while an answer grows. For
 * llm_complete. */
#include <stdbool.h>
#include <stdint.h>

#include "base/time/clock.h"
#include "llm/llm.h"

struct llm_progress_notice {
	struct llm_sink sink;       /* for the provider: forwards to own */
	const struct llm_sink *own; /* the caller's; NULL for none */
	struct clock_timer timer;
	const char *why; /* NULL while there is no problem */
	bool speaking, told;
};

void progress_notice_begin(struct llm_progress_notice *s, const struct llm_sink *own);
void progress_notice_end(struct llm_progress_notice *s);
/* Records a problem or a wait; the notice is sent when the request is old enough. */
void progress_notice_reason(struct llm_progress_notice *s, const char *why);
/* An attempt failed: its text is discarded. */
void progress_notice_restart(struct llm_progress_notice *s);

#endif
