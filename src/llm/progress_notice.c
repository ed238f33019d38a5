#include "llm/llm_internal.h"

/* No notice for shorter waits. */
#define NOTICE_AFTER_MS 8000

static void tell(struct llm_progress_notice *s)
{
	if (s->told || s->speaking || !s->why || clock_timer_running(&s->timer) || !s->own ||
	    !s->own->progress)
		return;
	s->told = true;
	s->own->progress(s->own->arg, s->why);
}

static void on_late(struct clock_timer *timer, void *arg)
{
	(void)timer;
	tell(arg);
}

static void hear(void *arg, const char *piece, size_t len)
{
	struct llm_progress_notice *s = arg;

	s->speaking = true;
	if (s->own && s->own->text)
		s->own->text(s->own->arg, piece, len);
}

void progress_notice_begin(struct llm_progress_notice *s, const struct llm_sink *own)
{
	*s = (struct llm_progress_notice){.sink = {.text = hear, .arg = s}, .own = own};
	clock_timer_start(&s->timer, NOTICE_AFTER_MS, on_late, s);
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
	s->speaking = false;
	if (s->own && s->own->restart)
		s->own->restart(s->own->arg);
}
