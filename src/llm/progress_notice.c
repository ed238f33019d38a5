#include "llm/llm_internal.h"

/* No notice for shorter waits. */
#define NOTICE_AFTER_MS 8000

static void tell(struct llm_progress_notice *s)
{
	if (s->notified || s->answering || !s->why || clock_timer_running(&s->timer) || !s->caller ||
	    !s->caller->progress)
		return;
	s->notified = true;
	s->caller->progress(s->caller->arg, s->why);
}

static void on_timer(struct clock_timer *timer, void *arg)
{
	(void)timer;
	tell(arg);
}

static void hear(void *arg, const char *piece, size_t len)
{
	struct llm_progress_notice *s = arg;

	s->answering = true;
	if (s->caller && s->caller->text)
		s->caller->text(s->caller->arg, piece, len);
}

void progress_notice_begin(struct llm_progress_notice *s, const struct llm_sink *caller)
{
	*s = (struct llm_progress_notice){.sink = {.text = hear, .arg = s}, .caller = caller};
	clock_timer_start(&s->timer, NOTICE_AFTER_MS, on_timer, s);
}

void progress_notice_end(struct llm_progress_notice *s)
{
	clock_timer_stop(&s->timer);
}

void progress_notice_reason(struct llm_progress_notice *s, const char *why)
{
	s->why = why;
	tell(s);
}

void progress_notice_restart(struct llm_progress_notice *s)
{
	s->answering = false;
	if (s->caller && s->caller->restart)
		s->caller->restart(s->caller->arg);
}
